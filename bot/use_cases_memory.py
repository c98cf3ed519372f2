"""Looking at what is remembered, as the person who keeps the data folder: with an agent's eyes, in a direct message."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from bot.application import Application
from bot.arguments import Marked, Named, Search
from bot.moments import shown
from bot.telling import JsonObject, Tell
from bot.use_cases_profile import known_by, known_object, sources
from memory.errors import InputRefused, NothingFound
from memory.model import DIRECT, Episode, Question, Turn, Viewer

#: Episodes looked through at a time for the ones that hold a turn.
_EPISODES_AT_ONCE = 500
#: What is shown as 0.00 fits in nothing.
_NOTHING = 0.005
#: Whoever may run commands on the data folder.
KEEPER = Viewer(user="", channel=DIRECT, agent=True)


async def show(app: Application, given: Named, tell: Tell) -> JsonObject:
    """A ticket, a message or an episode by its id: its words, state and notes; or a person or a system by name: what
    is known, and the words that say so. Raises NothingFound."""
    now = app.clock()
    turns = await _turns_called(app, given.id, now)
    if turns:
        return await _words(app, turns, now)
    known = await known_by(app, given.id, KEEPER, now)
    if known.is_nothing:
        raise nothing_called(given.id)
    said = await app.store.reading.turns(sources(known), KEEPER, now)
    zone = ZoneInfo(app.settings.bot.time_zone)
    return {
        "tickets": [],
        "turns": [turn_object(turn, zone) for turn in sorted(said, key=lambda turn: turn.said_at)],
        "episodes": [],
        **known_object(known, {turn.id: turn for turn in said}, zone),
    }


async def _words(app: Application, turns: Sequence[Turn], until: datetime) -> JsonObject:
    """These turns, with the tickets and the episodes that they belong to."""
    reading = app.store.reading
    tickets = await reading.tickets(sorted({turn.ticket for turn in turns if turn.ticket}), KEEPER, until)
    episodes = await episodes_holding(app, turns)
    notes = await reading.notes([episode.id for episode in episodes], KEEPER)
    zone = ZoneInfo(app.settings.bot.time_zone)
    return {
        "tickets": [
            {
                "ticket": state.ticket,
                "title": state.title,
                "status": state.status,
                "assignee": state.assignee,
                "requester": state.requester,
                "opened_at": shown(state.opened_at, zone),
                "changed_at": shown(state.changed_at, zone),
            }
            for state in tickets
        ],
        "turns": [turn_object(turn, zone) for turn in turns],
        "episodes": [
            {
                "episode": episode.id,
                "turns": len(episode.turns),
                "tokens": episode.tokens,
                "summary": notes[episode.id].summary if episode.id in notes else None,
                "keywords": list(notes[episode.id].keywords) if episode.id in notes else [],
                "note_version": notes[episode.id].version if episode.id in notes else None,
                "made_by": notes[episode.id].made_by if episode.id in notes else None,
            }
            for episode in episodes
        ],
        "profile": None,
    }


async def search(app: Application, given: Search, tell: Tell) -> JsonObject:
    """The turns that fit best, with what their score is made of."""
    if not given.query.strip():
        raise InputRefused
    zone = ZoneInfo(app.settings.bot.time_zone)
    now = app.clock().astimezone(zone)
    viewer = Viewer(user=given.user, channel=DIRECT, agent=True)
    ranking = await app.recall.rank(Question(text=given.query, viewer=viewer, now=now))
    best = [one for one in ranking.turns[: given.limit] if one.score > _NOTHING]
    found = await app.store.reading.turns([one.turn_id for one in best], viewer, now)
    by_id = {turn.id: turn for turn in found}
    return {
        "support": round(ranking.support, 3),
        "degraded": [part.value for part in ranking.degraded],
        "found": [
            {**turn_object(by_id[one.turn_id], zone), "score": one.score, "scores": dict(one.channels)}
            for one in best
            if one.turn_id in by_id
        ],
    }


async def pin(app: Application, given: Marked, tell: Tell) -> JsonObject:
    """Retention keeps the episodes of this ticket, message or episode."""
    return await _pinned(app, given.id, pinned=True)


async def unpin(app: Application, given: Marked, tell: Tell) -> JsonObject:
    """Retention may delete them again."""
    return await _pinned(app, given.id, pinned=False)


async def _pinned(app: Application, name: str, *, pinned: bool) -> JsonObject:
    turns = await turns_called(app, name, app.clock())
    episodes = [episode.id for episode in await episodes_holding(app, turns)]
    if not episodes:
        raise NothingFound(f"{name} waits to be remembered; run `helpdesk jobs run flush` first.")
    await app.store.writing.pin(episodes, pinned)
    return {"episodes": episodes, "pinned": pinned}


async def turns_called(app: Application, name: str, until: datetime) -> Sequence[Turn]:
    """The turns that people, or the index, call by this name. Raises NothingFound."""
    turns = await _turns_called(app, name, until)
    if not turns:
        raise nothing_called(name)
    return turns


async def _turns_called(app: Application, name: str, until: datetime) -> Sequence[Turn]:
    reading = app.store.reading
    named = await reading.named(name, KEEPER, until) or await reading.turns([name], KEEPER, until)
    return named or [turn for episode in await reading.episodes([name], KEEPER, until) for turn in episode.turns]


def nothing_called(name: str) -> NothingFound:
    return NothingFound(f"Nothing is called {name}; look for it with `helpdesk memory search`.")


async def episodes_holding(app: Application, turns: Sequence[Turn]) -> list[Episode]:
    """The episodes that these turns are in, oldest first."""
    wanted = {turn.id for turn in turns}
    found: list[Episode] = []
    last: str | None = None
    while wanted and (batch := await app.store.writing.episodes_after(last, _EPISODES_AT_ONCE)):
        last = batch[-1].id
        for episode in batch:
            held = {turn.id for turn in episode.turns} & wanted
            if held:
                found.append(episode)
                wanted -= held
    return sorted(found, key=lambda episode: episode.first_at)


def turn_object(turn: Turn, zone: tzinfo) -> JsonObject:
    """A turn as data, with the names that people use, its time in `zone`."""
    return {
        "turn": turn.ref,
        "at": shown(turn.said_at, zone),
        "author": turn.author,
        "speaker": turn.said_by,
        "role": turn.role.value,
        "visibility": turn.visibility.value,
        "channel": turn.conversation.channel,
        "room": turn.room,
        "requester": turn.requester,
        "derived": turn.derived,
        "text": turn.text,
    }
