"""From what an enricher says to facts: verified against the words it cites, dated, and with the words' scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from memory.facts import OF_PEOPLE, Fact, matter
from memory.model import Episode, Role, Turn
from memory.remember.enricher import Enrichment
from memory.remember.extraction.dating import DateUse, holding, with_date
from memory.remember.extraction.introductions import introductions
from memory.remember.extraction.predicates import SHIPPED, Predicates, canonical, predicate_names
from memory.remember.extraction.statements import Statement
from memory.remember.extraction.states import RULES, state_facts
from memory.remember.extraction.talk import is_small_talk, only_asks
from memory.remember.extraction.verification import occurs, source_of, stands
from memory.scope import narrowest
from memory.text.dates import Precision
from memory.text.first_person import is_the_speaker
from memory.tickets import is_bookkeeping

#: How far a statement is to be trusted, by whether its words gave a date.
_DATED, _UNDATED = 0.9, 0.6
#: Of a moment rather than of a stretch of time: a plain date in their words dates them. So do unknown predicates,
#: which are what somebody did as a rule.
_AT_A_TIME = frozenset(("did", "outage", "plans"))
#: The dates near them are of what had happened before.
_WHEN_SAID = frozenset(("cause", "fix"))
_LONGEST = 300


def facts_of(episode: Episode, enrichment: Enrichment, predicates: Predicates = SHIPPED) -> list[Fact]:
    """The facts of an episode: its ticket's states, and those statements that stand in the turns they cite.

    Of one matter in one turn the states win over the rules, and the rules over a model. The order is stable.
    """
    turns = [turn for turn in episode.turns if not turn.derived]
    names = predicate_names(predicates)
    sourced = [(statement, _sources(statement, turns, episode)) for statement in enrichment.facts if _says(statement)]
    made = [
        fact
        for statement, sources in sourced
        if sources
        for fact in _facts(_canonical(statement, names, turns), sources, predicates, enrichment.made_by, episode.id)
    ]
    exact = [*state_facts(episode), *introductions(episode)]
    rules = [fact for fact in made if fact.made_by == RULES]
    model = [fact for fact in made if fact.made_by != RULES]
    single = {name for name, settings in predicates.items() if settings.single}
    return _united((exact, rules, model), single)


def _says(said: Statement) -> bool:
    parts = (said.subject, said.predicate, said.value, said.text)
    return all(part.strip() and len(part) <= _LONGEST for part in parts) and not is_small_talk(said.text)


def _sources(said: Statement, turns: Sequence[Turn], episode: Episode) -> list[Turn]:
    """The turns that say so, of those it cites; where it cites none there are, the only one that has its words."""
    places = sorted({place for place in said.turns if 0 <= place < len(turns)})
    cited = [turns[place] for place in places if _speaks(turns[place])]
    if places:
        return cited if cited and _is_said(said, cited, episode) else []
    found = [
        turn for turn in turns if _speaks(turn) and occurs(said.value, turn.text) and _is_said(said, [turn], episode)
    ]
    return found if len(found) == 1 else []


def _speaks(turn: Turn) -> bool:
    """Whether a person says something in it: of what is noted of a ticket only its states are facts."""
    return turn.role is not Role.BOT and not is_bookkeeping(turn)


def _is_said(said: Statement, turns: Sequence[Turn], episode: Episode) -> bool:
    if all(is_small_talk(turn.text) or only_asks(turn.text) for turn in turns):
        return False
    titles = (turn.title for turn in episode.turns if turn.title)
    people = (turn.said_by for turn in episode.turns if not turn.derived and turn.role is not Role.BOT)
    return stands(said, source_of(turns, [episode.name, *titles], people))


def _canonical(said: Statement, names: Mapping[str, str], turns: Sequence[Turn]) -> Statement:
    """With the canonical predicate; "Kaneko takes over the item master" is about the item master, and "I" is whoever
    says so."""
    predicate = canonical(said.predicate, names)
    if predicate in OF_PEOPLE:
        said = _in_third_person(said, turns)
        people = {matter(name) for name in (*said.people, *(turn.said_by for turn in turns))}
        if matter(said.subject) in people and matter(said.value) not in people:
            said = replace(said, subject=said.value, value=said.subject)
    return replace(said, predicate=predicate)


def _in_third_person(said: Statement, turns: Sequence[Turn]) -> Statement:
    """With the author's name for "me" and 私."""
    authors = [turns[place].said_by for place in said.turns if 0 <= place < len(turns)]
    if not authors:
        return said
    value, before = (authors[0] if is_the_speaker(who) else who for who in (said.value, said.before))
    return replace(said, value=value, before=before)


def _use_of_dates(predicate: str, predicates: Predicates) -> DateUse:
    if predicate in _WHEN_SAID:
        return DateUse.NAMED
    return DateUse.MOMENT if predicate in _AT_A_TIME or predicate not in predicates else DateUse.STRETCH


def _facts(
    said: Statement, sources: Sequence[Turn], predicates: Predicates, made_by: str, episode: str
) -> Iterator[Fact]:
    """What is said; and where it is announced for a day to come instead of something, that this holds until then."""
    fact = _fact(said, sources, predicates, made_by, episode)
    yield fact
    if said.before and matter(said.before) != matter(fact.value) and fact.dated and fact.valid_from > fact.recorded_at:
        until_then = replace(fact, value=said.before, valid_from=fact.recorded_at, valid_to=fact.valid_from)
        yield replace(until_then, precision=str(Precision.MINUTE), dated=False)


def _fact(said: Statement, sources: Sequence[Turn], predicates: Predicates, made_by: str, episode: str) -> Fact:
    first = sources[0]
    words = "\n".join(turn.text for turn in sources)
    authors = {turn.said_by for turn in sources}
    use = _use_of_dates(said.predicate, predicates)
    when = holding(said, first, use)
    return Fact(
        subject=said.subject.strip(),
        predicate=said.predicate,
        value=said.value.strip(),
        text=with_date(said.text.strip(), when),
        people=tuple(name for name in dict.fromkeys(said.people) if occurs(name, words) or name in authors),
        keywords=tuple(dict.fromkeys(said.keywords)),
        episode=episode,
        turn_ids=tuple(turn.id for turn in sources),
        scope=narrowest(sources),
        valid_from=when.start,
        valid_to=when.end,
        precision=str(when.precision),
        dated=when.dated,
        recorded_at=first.said_at,
        confidence=round(said.confidence * (_DATED if when.dated else _UNDATED), 3),
        made_by=said.made_by or made_by,
    )


def _united(ranks: Iterable[Sequence[Fact]], single: set[str]) -> list[Fact]:
    """All of them, each once. A lower rank is silent where a higher one has said something of the same matter, and of
    two values that hold from the same moment on the first counts where there can be only one."""
    kept: dict[object, Fact] = {}
    for rank in ranks:
        taken = {(fact.group, turn) for fact in kept.values() for turn in fact.turn_ids}
        for fact in rank:
            if any((fact.group, turn) in taken for turn in fact.turn_ids):
                continue
            moment = (fact.group, fact.turn_ids[0], fact.valid_from)
            kept.setdefault(moment if fact.predicate in single else fact.id, fact)
    return list(kept.values())
