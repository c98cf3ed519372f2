"""A second look at the best turns: what their words show that no key holds, and how they lie to one another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from memory.recall.graph import MOST_NODES, neighbouring, shared, walk
from memory.recall.intent import Intent
from memory.recall.pathways import Channel, Findings, Found
from memory.recall.rerank import Scored, place_of, valued
from memory.text.entities import normalise
from memory.text.statements import stated_share

#: How many turns are looked at.
LOOKED_AT = 100
_BY_ENTITY, _BY_TURN = 0.6, 0.4
#: What may name something: longer words and codes, runs of kanji and of katakana.
_NAMES = re.compile(r"[a-z0-9][a-z0-9_.-]{3,}|[々一-鿿]{2,}|[ァ-ヺー]{2,}")


def second_look(
    scored: Sequence[Scored], texts: Mapping[str, str], intent: Intent, without: Set[Channel]
) -> tuple[list[Scored], Findings]:
    """The turns in their new order, and what was found by association. `texts` are those of the best, by turn id."""
    ranked, associated = list(scored), Findings()
    if intent.asks and Channel.ASKS not in without:
        ranked = valued(ranked, Channel.ASKS, {turn: 1.0 - stated_share(text) for turn, text in texts.items()})
    if Channel.GRAPH not in without:
        associated = _associated(ranked, texts)
        values = {one.pointer.turn or "": one.value for one in associated.channels[Channel.GRAPH]}
        ranked = valued(ranked, Channel.GRAPH, values)
    if intent.several and Channel.SPREAD not in without:
        ranked = valued(ranked, Channel.SPREAD, _before_it(ranked))
    return ranked, associated


def _associated(ranked: Sequence[Scored], texts: Mapping[str, str]) -> Findings:
    """What a walk from the best turns comes by."""
    nodes = [one for one in ranked if one.pointer.turn in texts][:MOST_NODES]
    names = [frozenset(_NAMES.findall(normalise(texts[one.pointer.turn or ""]))) for one in nodes]
    edges = (shared(names, _BY_ENTITY), neighbouring([place_of(one.pointer) for one in nodes], _BY_TURN))
    values = walk([one.score for one in nodes], edges)
    found = [Found(pointer=one.pointer, value=value) for one, value in zip(nodes, values, strict=True) if value]
    return Findings(channels={Channel.GRAPH: sorted(found, key=lambda one: -one.value)})


def _before_it(ranked: Sequence[Scored]) -> dict[str, float]:
    """By turn, how many better ones its episode has: who wants several things finds them in several conversations."""
    seen: Counter[str] = Counter()
    values = {}
    for one in ranked:
        values[one.pointer.turn or ""] = float(seen[one.pointer.episode])
        seen[one.pointer.episode] += 1
    return values
