"""What other weights and other sizes of episodes would find in one's own history. Nothing is changed by it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.application import Application
from bot.arguments import Tune
from bot.measuring import ASKING, FreshRanker, own_questions
from bot.second_memory import history, second_memory
from bot.telling import JsonObject, Step, Tell
from bot.wiring_memory import recall_over
from config.weights import WeightSettings
from memory.evaluation.compared import FoundTickets, compared, standing
from memory.evaluation.dataset import Asked, Dataset, Unit
from memory.evaluation.evaluate import found_units
from memory.evaluation.halves import Halves, halves
from memory.evaluation.sampling import choose
from memory.evaluation.sheets import KEPT, Sheet, sheet_of
from memory.evaluation.sizes import worth_trying
from memory.evaluation.tuned import FEWEST, Questions, TriedSize, TriedSizes, TriedWeights, Tuned, as_json, too_few
from memory.evaluation.weighing import better_weights
from memory.recall.pipeline import Recall
from memory.recall.ranking import Ranking
from memory.recall.rerank import Weights, weights_of

#: Most questions; of more a sample is asked, each time the same.
_MOST = 400
_SEED = 17
CHECKING, SIZING = "checking", "trying sizes"


async def tune(app: Application, given: Tune, tell: Tell) -> JsonObject:
    """What would improve, with the lines for the configuration, or that nothing is sure to. Raises InputRefused with
    the line of a file, NothingFound where there is no file and nobody has said anything of an answer."""
    dataset = await own_questions(app, given.path)
    answerable = _answerable(dataset)
    asked = choose(answerable, _MOST, _SEED)
    without = dataset.size - len(answerable)
    if len(asked) < FEWEST:
        return too_few(Questions(asked=len(asked), without_ticket=without))
    parted = halves(asked)
    as_set = await _asked_as_set(app, asked, tell)
    done = Tuned(
        questions=Questions(
            asked=len(asked),
            without_ticket=without,
            left_out=len(answerable) - len(asked),
            choosing=len(parted.choosing),
            checking=len(parted.checking),
        ),
        as_set=standing(asked, as_set.found),
        weights=await _weights(app, parted, as_set, tell),
        sizes=await _sizes(app, parted, tell),
    )
    return as_json(done)


def _answerable(dataset: Dataset) -> list[Asked]:
    """Questions that name the ticket that has to be found, each once: an answer alone does not say where it stands."""
    found: dict[str, Asked] = {}
    for one in (one for case in dataset.cases for one in case.asked if one.gold):
        found.setdefault(one.id, one)
    return list(found.values())


# --- the ranking as it is set -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _AsSet:
    """What the memory finds as it is: the tickets, and a sheet for each question by its id."""

    found: FoundTickets
    sheets: dict[str, Sheet]


async def _asked_as_set(app: Application, asked: Sequence[Asked], tell: Tell) -> _AsSet:
    recall, weights = app.recall, weights_of(app.settings.recall.weights)
    found: dict[str, Sequence[str]] = {}
    sheets: dict[str, Sheet] = {}
    for done, one in enumerate(asked, 1):
        ranking = await recall.rank(one.question)
        found[one.id] = found_units(ranking, Unit.SESSION)
        sheets[one.id] = sheet_of(one, ranking.candidates, await _names(app, one, ranking), weights)
        tell(Step(what=ASKING, done=done, total=len(asked)))
    return _AsSet(found=found, sheets=sheets)


async def _names(app: Application, one: Asked, ranking: Ranking) -> dict[str, str]:
    """The tickets of the episodes among the candidates, by the episode's id."""
    names = {best.episode: best.ticket for best in ranking.turns}
    names |= {best.episode: best.ticket for best in ranking.episodes}
    pointers = [best.pointer for best in ranking.candidates.scored[:KEPT]]
    missing = {each.turn: each.episode for each in pointers if each.turn is not None and each.episode not in names}
    turns = await app.store.reading.turns(list(missing), one.question.viewer, one.question.until)
    return names | {missing[turn.id]: turn.ticket or turn.conversation.thread for turn in turns}


# --- weights ----------------------------------------------------------------------------------------------------------


async def _weights(app: Application, parted: Halves, as_set: _AsSet, tell: Tell) -> TriedWeights | None:
    """Other weights, chosen on the one half and checked on the other; None where none is better on the first."""
    before = weights_of(app.settings.recall.weights)
    after = await asyncio.to_thread(better_weights, [as_set.sheets[one.id] for one in parted.choosing], before)
    if after is None:
        return None
    found = await _found(_recall_with(app, after), parted.checking, _counting(tell, CHECKING, len(parted.checking)))
    return TriedWeights(
        changes={name.value: (before[name], worth) for name, worth in after.items() if worth != before[name]},
        checked=compared(parted.checking, as_set.found, found),
    )


def _recall_with(app: Application, weights: Weights) -> Recall:
    """The same memory, ranked by other weights."""
    given = WeightSettings(**{channel.value: weight for channel, weight in weights.items()})
    recall = app.settings.recall.model_copy(update={"weights": given})
    settings = app.settings.model_copy(update={"recall": recall})
    return recall_over(settings, app.clock, store=app.store, index=app.index, encoder=app.encoder, models={})


# --- sizes ------------------------------------------------------------------------------------------------------------


async def _sizes(app: Application, parted: Halves, tell: Tell) -> TriedSizes:
    """Every size is tried on the same turns, the one that is set as well."""
    asked = (*parted.choosing, *parted.checking)
    known = await history(app, frozenset(name for one in asked for name in one.gold))
    now = app.settings.remember.episode_tokens
    sizes = await asyncio.to_thread(worth_trying, known.talks, known.silence, now)
    found: dict[int, FoundTickets] = {}
    if sizes:
        counted = _counting(tell, SIZING, (len(sizes) + 1) * len(asked))
        async with second_memory(app, known.turns) as second:
            for size in (now, *sizes):
                found[size] = await _found(await second.cut_at(size), asked, counted)
    tried = (
        TriedSize(
            tokens=size,
            chosen=compared(parted.choosing, found[now], found[size]),
            checked=compared(parted.checking, found[now], found[size]),
        )
        for size in sizes
    )
    return TriedSizes(turns=len(known.turns), of_turns=known.of_turns, tried=tuple(tried))


# --- asking -----------------------------------------------------------------------------------------------------------


async def _found(ranker: Recall | FreshRanker, asked: Sequence[Asked], counted: Callable[[], None]) -> FoundTickets:
    found: dict[str, Sequence[str]] = {}
    for one in asked:
        found[one.id] = found_units(await ranker.rank(one.question), Unit.SESSION)
        counted()
    return found


def _counting(tell: Tell, what: str, total: int) -> Callable[[], None]:
    """Tells a step each time it is called."""
    steps = iter(range(1, total + 1))
    return lambda: tell(Step(what=what, done=next(steps), total=total))
