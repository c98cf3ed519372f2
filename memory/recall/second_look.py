"""A second look at the best turns: what their words show that no key holds, and how they lie to one another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from config.recall import GraphSettings
from memory.index_ports import Pointer
from memory.recall.connections import Connected
from memory.recall.graph import linked, neighbouring, shared, told_together, walk
from memory.recall.intent import Intent
from memory.recall.pathways import Channel, Findings, Found
from memory.recall.rerank import Scored, Weights, place_of, valued
from memory.text.entities import normalise
from memory.text.statements import stated_share

#: How many turns are looked at.
LOOKED_AT = 100
#: What may name something: longer words and codes, runs of kanji and of katakana.
_NAMES = re.compile(r"[a-z0-9][a-z0-9_.-]{3,}|[々一-鿿]{2,}|[ァ-ヺー]{2,}")


def second_look(
    scored: Sequence[Scored],
    texts: Mapping[str, str],
    intent: Intent,
    without: Set[Channel],
    connected: Connected,
    settings: GraphSettings,
    weights: Weights,
) -> tuple[list[Scored], Findings]:
    """The turns in their new order, and what was found by association. `texts` are those of the best, by turn id, and
    `connected` is what events and links bring beside them."""
    ranked, associated = list(scored), Findings()
    if intent.asks and Channel.ASKS not in without:
        ranked = valued(ranked, Channel.ASKS, {turn: 1.0 - stated_share(text) for turn, text in texts.items()}, weights)
    if Channel.GRAPH not in without:
        associated = _associated(ranked, texts, connected, settings)
        found = associated.channels[Channel.GRAPH]
        values = {one.pointer.turn or "": one.value for one in found}
        known = {one.pointer.turn for one in ranked}
        newcomers = [_newcomer(one.pointer) for one in found if one.pointer.turn not in known]
        ranked = valued([*ranked, *newcomers], Channel.GRAPH, values, weights)
    if intent.several and Channel.SPREAD not in without:
        ranked = valued(ranked, Channel.SPREAD, _before_it(ranked), weights)
    return ranked, associated


def _associated(
    ranked: Sequence[Scored], texts: Mapping[str, str], connected: Connected, settings: GraphSettings
) -> Findings:
    """What a walk from the best turns comes by."""
    said = {**texts, **connected.texts}
    scores = {one.pointer.turn: one.score for one in ranked}
    known = [one.pointer for one in ranked if one.pointer.turn in said]
    nodes = [*known, *(pointer for pointer in connected.turns if pointer.turn not in scores)][: settings.turns]
    names = [frozenset(_NAMES.findall(normalise(said[node.turn or ""]))) for node in nodes]
    edges = (
        shared(names, settings.by_entity),
        neighbouring([place_of(node) for node in nodes], settings.by_turn),
        told_together(nodes, connected.told, settings.by_event),
        linked(nodes, connected.links, settings.by_link),
    )
    values = walk([scores.get(node.turn, 0.0) for node in nodes], edges, settings)
    found = [Found(pointer=node, value=value) for node, value in zip(nodes, values, strict=True) if value]
    return Findings(channels={Channel.GRAPH: sorted(found, key=lambda one: -one.value)})


def _newcomer(pointer: Pointer) -> Scored:
    """A turn that no search found."""
    return Scored(pointer=pointer, score=0.0, parts={}, shipped={})


def _before_it(ranked: Sequence[Scored]) -> dict[str, float]:
    """By turn, how many better ones its episode has: who wants several things finds them in several conversations."""
    seen: Counter[str] = Counter()
    values = {}
    for one in ranked:
        values[one.pointer.turn or ""] = float(seen[one.pointer.episode])
        seen[one.pointer.episode] += 1
    return values
