"""The life of facts and notes, looked at and mended by the person who keeps the data folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from bot.application import Application
from bot.arguments import Named, NoteVersion, UndoClosing
from bot.telling import JsonObject, Tell
from bot.use_cases_memory import KEEPER, episodes_holding, turns_called
from memory.errors import NothingFound
from memory.facts import Closing, Fact, Undo, matter
from memory.model import Note
from memory.recall.profile import FACTS
from memory.remember.note_diff import note_diff


async def history(app: Application, given: Named, tell: Tell) -> JsonObject:
    """The facts of a ticket, message or episode, on a subject, or on the matter of one fact, each from when to when it
    held and what ended it. Raises NothingFound."""
    now = app.clock()
    told = await _told(app, given.id, now)
    line = await app.recall.facts.line([fact.group for fact in told], KEEPER, now)
    refs = await _refs(app, line.facts, now)
    closings = {closing.fact: closing for closing in line.closings}
    by_id = {fact.id: fact for fact in line.facts}
    in_order = sorted(line.facts, key=lambda fact: (fact.group, fact.valid_from, fact.recorded_at))
    return {
        "facts": [_fact(fact, refs, closings.get(fact.id), by_id) for fact in in_order],
        "notes": [
            _note(*pair) for episode in await _episodes(app, given.id, now) for pair in await _versions(app, episode)
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
    """What ended this fact did not: it holds on. Raises NothingFound where nothing ended it."""
    now = app.clock()
    facts = await app.store.facts.facts([given.id], KEEPER, now)
    if not facts:
        raise NothingFound(f"No fact is called {given.id}; `helpdesk memory history` shows their ids.")
    line = await app.recall.facts.line([facts[0].group], KEEPER, now)
    closing = next((one for one in line.closings if one.fact == given.id), None)
    if closing is None:
        raise NothingFound(f"Nothing has ended {given.id}, so there is nothing to undo.")
    await app.store.fact_writing.add_undo(Undo(fact=closing.fact, by=closing.by, who=given.user, why=given.why, at=now))
    return await history(app, Named(id=given.id), tell)


async def _told(app: Application, name: str, now: datetime) -> list[Fact]:
    """The facts that are meant by this name: one by its id, those on a subject, or what some turns tell."""
    facts = app.store.facts
    found = await facts.facts([name], KEEPER, now) or await facts.about([matter(name)], KEEPER, now, FACTS)
    if found:
        return found
    return await facts.of_turns([turn.id for turn in await turns_called(app, name, now)], KEEPER, now)


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


def _note(before: Note | None, note: Note) -> JsonObject:
    changes = note_diff(before, note) if before else ()
    return {
        "episode": note.episode,
        "version": note.version,
        "made_by": note.made_by,
        "made_at": note.made_at.isoformat(),
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


def _fact(fact: Fact, refs: Mapping[str, str], closing: Closing | None, facts: Mapping[str, Fact]) -> JsonObject:
    return {
        "fact": fact.id,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "value": fact.value,
        "text": fact.text,
        "valid_from": fact.valid_from.isoformat(),
        "valid_to": None if fact.valid_to is None else fact.valid_to.isoformat(),
        "precision": fact.precision,
        "dated": fact.dated,
        "known_from": fact.recorded_at.isoformat(),
        "confidence": fact.confidence,
        "made_by": fact.made_by,
        "said_in": [refs[turn] for turn in fact.turn_ids if turn in refs],
        "ended": None if closing is None else _ended(closing, facts[closing.by]),
    }


def _ended(closing: Closing, by: Fact) -> JsonObject:
    return {
        "by": by.id,
        "value": by.value,
        "reason": closing.reason.value,
        "known_from": closing.known_at.isoformat(),
    }
