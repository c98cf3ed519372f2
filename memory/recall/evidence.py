"""Evidence from the ranking itself, and the union of everything that was found: nobody's silence removes anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from memory.answers import Evidence, RankedTurn
from memory.llm.budget import estimate_tokens
from memory.model import Episode, Question, Turn
from memory.text.quotes import folded
from memory.text.statements import asks_the_same, only_repeats
from memory.text.told_secrets import besides_secrets
from memory.tickets import is_bookkeeping

#: Evidence below this supports no answer that nobody has thought about.
SUPPORT = 0.5
#: How much less a neighbour of a good turn is trusted than the turn: answers follow questions, but not always.
_NEIGHBOUR = 0.8
#: How much more what settled a ticket is trusted than the ticket's best turn, for it has few of a question's words.
_FEW_WORDS = 1.2
#: One in so many of the tokens of all evidence may be of articles.
_ARTICLES_SHARE = 2


def quote_turn(turn: Turn, episode: Episode, confidence: float) -> Evidence:
    """A whole turn as evidence."""
    return Evidence(
        quote=turn.text,
        turn_ids=(turn.id,),
        refs=(turn.ref,),
        speaker=turn.said_by,
        role=turn.role,
        said_from=turn.said_at,
        said_to=turn.said_at,
        confidence=confidence,
        episode=episode.id,
        ticket=episode.name,
        ticketed=episode.ticketed,
        derived=turn.derived,
        room=turn.room,
        conversation=turn.conversation.id,
    )


def placed(evidence: Iterable[Evidence], question: Question) -> tuple[Evidence, ...]:
    """The evidence, of which what was said in the conversation where it is asked is known as that."""
    here = question.conversation.id if question.conversation else None
    return tuple(replace(one, here=here is not None and one.conversation == here) for one in evidence)


def sure_evidence(ranked: Sequence[RankedTurn], episodes: Mapping[str, Episode], confidence: float) -> list[Evidence]:
    """The best turns, each with its neighbours. The first has `confidence`, the others less as their scores are lower,
    and a turn that is both a hit and a neighbour keeps the higher one."""
    best: dict[str, Evidence] = {}
    highest = max((entry.score for entry in ranked), default=1.0)
    for entry in ranked:
        episode = episodes.get(entry.episode)
        if episode is None:
            continue
        trust = confidence * share_of_best(entry.score, highest)
        for turn, share in _with_neighbours(episode, entry.turn_id):
            found = quote_turn(turn, episode, trust * share)
            known = best.get(turn.id)
            if known is None or known.confidence < found.confidence:
                best[turn.id] = found
    return list(best.values())


def no_surer(found: Iterable[Evidence], own: Iterable[Evidence]) -> list[Evidence]:
    """What a rule took from episodes, each piece trusted little more than the ranking trusts the best of its episode:
    what settled a ticket settles nothing for a question that the ticket is not about."""
    best: dict[str, float] = {}
    for one in own:
        best[one.episode] = max(one.confidence, best.get(one.episode, 0.0))
    return [replace(one, confidence=min(one.confidence, _FEW_WORDS * best.get(one.episode, 0.0))) for one in found]


def share_of_best(score: float, best: float) -> float:
    """How a score stands to the best one, 0 to 1. Where only signals of no weight have found anything, all are the
    best."""
    return score / best if best else 1.0


def _with_neighbours(episode: Episode, turn_id: str) -> Iterable[tuple[Turn, float]]:
    places = [place for place, turn in enumerate(episode.turns) if turn.id == turn_id]
    for place in places:
        for near in range(max(0, place - 1), min(len(episode.turns), place + 2)):
            if not is_bookkeeping(episode.turns[near]):
                yield episode.turns[near], 1.0 if near == place else _NEIGHBOUR


def tells_nothing(quote: str, question: Question) -> bool:
    """Whether this has no word, as an emoji, or only asks what is asked now, whoever asked it: asking twice makes no
    answer. Nor does what a question that points at it is made of."""
    if not any(character.isalnum() for character in quote):
        return True
    said = besides_secrets(quote)
    return asks_the_same(said, question.text) or only_repeats(said, question.text)


def is_beside(turn: Turn, question: Question) -> bool:
    """Whether no answer can stand on this, however well it fits the question."""
    return is_bookkeeping(turn) or tells_nothing(turn.text, question)


def merge(*sources: Iterable[Evidence], budget: int) -> tuple[Evidence, ...]:
    """The union in time order, without quotes that another quote of the same turn contains, under a token budget.

    The most trusted pieces get into the budget first; order in time is kept whatever was left out.
    """
    kept: list[Evidence] = []
    spent = 0
    for found in sorted((one for source in sources for one in source), key=lambda one: -one.confidence):
        if any(_contains(other, found) for other in kept):
            continue
        size = estimate_tokens(found.quote)
        if kept and spent + size > budget:
            continue
        kept = [other for other in kept if not _contains(found, other)]
        kept.append(found)
        spent += size
    return tuple(sorted(kept, key=lambda one: (one.said_from, one.refs)))


def united(said: Iterable[Evidence], articles: Sequence[Evidence], *, budget: int) -> tuple[Evidence, ...]:
    """What people said and what articles say, in time order, under one token budget. Articles have a share of it that
    they cannot exceed, and take none that they do not need."""
    told = merge(articles, budget=budget // _ARTICLES_SHARE) if articles else ()
    spent = sum(estimate_tokens(one.quote) for one in told)
    both = (*merge(said, budget=max(budget - spent, 1)), *told)
    return tuple(sorted(both, key=lambda one: (one.said_from, one.refs)))


def _contains(whole: Evidence, part: Evidence) -> bool:
    return set(part.turn_ids) <= set(whole.turn_ids) and folded(part.quote) in folded(whole.quote)
