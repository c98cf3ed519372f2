"""The life of facts and notes, looked at and mended by the person who keeps the data folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from bot.application import Application
from bot.arguments import Named, NoteVersion, RedoClosing, UndoClosing
from bot.moments import shown
from bot.telling import JsonObject, Tell
from bot.use_cases_memory import KEEPER, episodes_holding, nothing_called, turns_called
from bot.use_cases_profile import facts_by_name, known_by
from memory.errors import NothingFound
from memory.facts import OF_PEOPLE, Closing, Fact, Undo, matter
from memory.model import Note
from memory.recall.profile import FACTS
from memory.redaction import redacted_text
from memory.remember.note_diff import note_diff
from memory.remember.timeline import Timeline


async def history(app: Application, given: Named, tell: Tell) -> JsonObject:
    """The facts of a ticket, message or episode, on a subject, or on the matter of one fact, each from when to when it
    held and what ended it. Raises NothingFound."""
    now = app.clock()
    told = await _told(app, given.id, now)
    line = await app.recall.facts.line([fact.group for fact in told], KEEPER, now)
    return {
        "facts": await _facts(app, line, now),
        "notes": [
            _note(*pair, _zone(app))
            for episode in await _episodes(app, given.id, now)
            for pair in await _versions(app, episode)
        ],
    }


async def rollback(app: Application, given: NoteVersion, tell: Tell) -> JsonObject:
    """An earlier version of a note is the newest again. Raises NothingFound, also where the name means several."""
    episodes = await _episodes(app, given.id, app.clock())
    if len(episodes) != 1:
        raise NothingFound(
            f"{given.id} names {len(episodes)} episodes; name one, as `helpdesk memory show` lists them."
        )
    note = await app.rollback.run(episodes[0], given.version)
    return {"episode": note.episode, "version": note.version, "summary": note.summary}


async def undo(app: Application, given: UndoClosing, tell: Tell) -> JsonObject:
    """What ended this fact did not: it holds on. An undo is of one pair of facts: the same again changes nothing and
    says so in `changed`, and what else ends the fact then has to be named. Raises NothingFound where nothing ended it,
    or not what is named."""
    now = app.clock()
    fact = await _fact_called(app, given.id, now)
    undone = _pair(await app.store.facts.undos([fact.id], now), given.by)
    changed = undone is None
    if undone is None:
        by = _ends(await app.recall.facts.line([fact.group], KEEPER, now), fact.id, given.by)
        why = await redacted_text(given.why, app.store.redactor)
        undone = Undo(fact=fact.id, by=by, who=given.user, why=why, at=now)
        await app.store.fact_writing.add_undo(undone)
    return {"changed": changed, "undo": await _undo(app, undone, now), **await history(app, Named(id=fact.id), tell)}


async def redo(app: Application, given: RedoClosing, tell: Tell) -> JsonObject:
    """An undo is taken back: what ended this fact ends it again. Raises NothingFound where none was undone, and where
    it has to be said which."""
    now = app.clock()
    fact = await _fact_called(app, given.id, now)
    undos = await app.store.facts.undos([fact.id], now)
    undone = _pair(undos, given.by)
    if undone is None:
        raise NothingFound(f"No end of {given.id} is undone, so there is nothing to take back.")
    if given.by is None and len(undos) > 1:
        which = ", ".join(one.by for one in undos)
        raise NothingFound(f"Several ends of {given.id} are undone; name one with --by: {which}.")
    await app.store.fact_writing.take_back_undo(undone.fact, undone.by, now)
    return {"undo": await _undo(app, undone, now), **await history(app, Named(id=fact.id), tell)}


async def _fact_called(app: Application, name: str, now: datetime) -> Fact:
    facts = await app.store.facts.facts([name], KEEPER, now)
    if not facts:
        raise NothingFound(f"No fact is called {name}; `helpdesk memory history` shows their ids.")
    return facts[0]


def _pair(undos: Sequence[Undo], by: str | None) -> Undo | None:
    """The undo of this pair; the first one where no pair is named."""
    return next((one for one in undos if by is None or one.by == by), None)


def _ends(line: Timeline, fact: str, by: str | None) -> str:
    """The id of what ends the fact. Raises NothingFound where nothing does, or another one than is named."""
    closing = next((one for one in line.closings if one.fact == fact), None)
    if closing is None:
        raise NothingFound(f"Nothing has ended {fact}, so there is nothing to undo.")
    if by is not None and closing.by != by:
        raise NothingFound(f"{by} does not end {fact}; {closing.by} does.")
    return closing.by


async def _undo(app: Application, undone: Undo, now: datetime) -> JsonObject:
    """Both facts by their values, and who said so."""
    facts = {fact.id: fact for fact in await app.store.facts.facts([undone.fact, undone.by], KEEPER, now)}
    return {
        "fact": undone.fact,
        "value": facts[undone.fact].value,
        "by": undone.by,
        "by_value": facts[undone.by].value if undone.by in facts else undone.by,
        "who": undone.who,
        "why": undone.why,
        "at": shown(undone.at, _zone(app)),
    }


def _zone(app: Application) -> tzinfo:
    return ZoneInfo(app.settings.bot.time_zone)


async def _told(app: Application, name: str, now: datetime) -> list[Fact]:
    """The facts that are meant by this name: one by its id, those on a subject, or what some turns tell."""
    facts = app.store.facts
    found = await facts.facts([name], KEEPER, now)
    if found:
        return found
    try:
        turns = await turns_called(app, name, now)
    except NothingFound:
        return await _of_name(app, name, now)
    about = await facts.about([matter(name)], KEEPER, now, FACTS)
    return about or await facts.of_turns([turn.id for turn in turns], KEEPER, now)


async def _of_name(app: Application, name: str, now: datetime) -> list[Fact]:
    """What is told of a person or a system; nothing of who only wrote or was named. Raises NothingFound where the name
    occurs nowhere."""
    found = await facts_by_name(app, name, KEEPER, now)
    if not found and (await known_by(app, name, KEEPER, now)).is_nothing:
        raise nothing_called(name)
    return found


async def _episodes(app: Application, name: str, now: datetime) -> list[str]:
    """The episodes that a name means; none where it is a fact's or a subject's."""
    try:
        turns = await turns_called(app, name, now)
    except NothingFound:
        return []
    return [episode.id for episode in await episodes_holding(app, turns)]


async def _versions(app: Application, episode: str) -> list[tuple[Note | None, Note]]:
    """Each version of a note with the one before it."""
    versions = await app.store.facts.note_versions(episode, KEEPER)
    return list(zip([None, *versions], versions, strict=False))


def _note(before: Note | None, note: Note, zone: tzinfo) -> JsonObject:
    changes = note_diff(before, note) if before else ()
    return {
        "episode": note.episode,
        "version": note.version,
        "made_by": note.made_by,
        "made_at": shown(note.made_at, zone),
        "cause": note.cause,
        "summary": note.summary,
        "changes": [
            {"part": change.part, "added": list(change.added), "removed": list(change.removed)} for change in changes
        ],
    }


async def _refs(app: Application, facts: Iterable[Fact], now: datetime) -> Mapping[str, str]:
    """What people call the turns that say so."""
    ids = list(dict.fromkeys(turn for fact in facts for turn in fact.turn_ids))
    return {turn.id: turn.ref for turn in await app.store.reading.turns(ids, KEEPER, now)}


async def _facts(app: Application, line: Timeline, now: datetime) -> list[JsonObject]:
    """The facts of a timeline by matter, each with what ended it and what was said not to have."""
    refs = await _refs(app, line.facts, now)
    closings = {closing.fact: closing for closing in line.closings}
    by_id = {fact.id: fact for fact in line.facts}
    undone: dict[str, list[JsonObject]] = {}
    for one in await app.store.facts.undos(list(by_id), now):
        undone.setdefault(one.fact, []).append(await _undo(app, one, now))
    in_order = sorted(line.facts, key=lambda fact: (fact.group, fact.valid_from, fact.recorded_at))
    zone = _zone(app)
    return [
        {
            **_fact(fact, refs, zone),
            "ended": _ended(closings[fact.id], by_id, zone) if fact.id in closings else None,
            "also": _other_name(fact, line),
            "undone": undone.get(fact.id, []),
        }
        for fact in in_order
    ]


def _other_name(fact: Fact, line: Timeline) -> str | None:
    """By what other name whoever it names has the same at a later time."""
    if fact.predicate not in OF_PEOPLE:
        return None
    later = (one for one in line.facts if one.group == fact.group and one.valid_from > fact.valid_from)
    names = (one.value for one in later if matter(one.value) != matter(fact.value) and line.same(one, fact))
    return next(names, None)


def _fact(fact: Fact, refs: Mapping[str, str], zone: tzinfo) -> JsonObject:
    return {
        "fact": fact.id,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "value": fact.value,
        "text": fact.text,
        "valid_from": shown(fact.valid_from, zone),
        "valid_to": None if fact.valid_to is None else shown(fact.valid_to, zone),
        "precision": fact.precision,
        "dated": fact.dated,
        "known_from": shown(fact.recorded_at, zone),
        "confidence": fact.confidence,
        "made_by": fact.made_by,
        "said_in": [refs[turn] for turn in fact.turn_ids if turn in refs],
    }


def _ended(closing: Closing, facts: Mapping[str, Fact], zone: tzinfo) -> JsonObject:
    return {
        "by": closing.by,
        "value": facts[closing.by].value,
        "reason": closing.reason.value,
        "known_from": shown(closing.known_at, zone),
    }
