"""A Slack export: what people wrote in channels and direct messages, thread by thread.

A thread is a conversation of its own; messages outside of threads belong to the conversation of their channel. Public
channels are for everyone, private channels and group messages for those in them, direct messages for who wrote first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal, InvalidOperation
from pathlib import Path

from bot.importers.files import not_json
from bot.importers.rows import BadRow, believable, name, words
from bot.importers.slack_archive import Export, opened_export
from bot.importers.slack_own import ids_of, own_ids
from bot.importers.slack_people import Person, Room, channel_names, people, rooms
from bot.importers.slack_threads import Places
from bot.importers.slack_words import message_words
from handlers.characters import one_line
from memory.evaluation.files import source_of
from memory.model import DIRECT, IMPORTED, Conversation, Role, Turn

#: Kinds of messages in which somebody says something; all others are housekeeping.
_SPOKEN = frozenset({None, "bot_message", "me_message", "thread_broadcast", "reply_broadcast", "file_share"})
_CHANGED, _DELETED = "message_changed", "message_deleted"
#: People give themselves names of any length.
_LONGEST_NAME = 80
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Message = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """What holds for the whole export. `names` maps ids of users and channels to what people call them; `own` are the
    ids under which this bot wrote. `places` takes up, by turn, where else a message may stand."""

    export: Export
    source: str
    people: Mapping[str, Person]
    names: Mapping[str, str]
    own: frozenset[str]
    zone: tzinfo
    now: datetime
    places: dict[str, Places]


def read(
    path: Path,
    *,
    default_zone: tzinfo,
    now: datetime,
    source: str | None = None,
    places: dict[str, Places] | None = None,
) -> Iterator[Turn | BadRow]:
    """Turns of an export, a folder or a zip. `default_zone` is for users without one of their own. `places` is told, by
    id, of each turn that begins a thread or may yet begin one."""
    with opened_export(path) as export:
        found = people(export, default_zone)
        workspace = Workspace(
            export=export,
            source=source or source_of(path).split(" Slack export ")[0],
            people=found,
            names=channel_names(export) | {key: person.name for key, person in found.items()},
            own=own_ids(export),
            zone=default_zone,
            now=now,
            places={} if places is None else places,
        )
        listed = list(rooms(export))
        for room in listed:
            yield from _room(workspace, room)
        for folder in sorted(export.days.keys() - {room.folder for room in listed}):
            yield BadRow(file=f"{folder}/", reason="is in no list of the export: who may read it is not known")


def _room(workspace: Workspace, room: Room) -> Iterator[Turn | BadRow]:
    edits = _edits(workspace.export, room)
    first = _first_person(workspace, room) if room.channel == DIRECT else None
    reading = _Reading(workspace=workspace, room=room, edits=edits, requester=first)
    for day in workspace.export.days.get(room.folder, ()):
        for number, message in _messages(workspace.export, day):
            row = message if isinstance(message, BadRow) else reading.row(message, day, number)
            if row is not None:
                yield row
    yield from reading.leftovers()


def _messages(export: Export, day: str) -> Iterator[tuple[int, Message | BadRow]]:
    """The entries of a day file with their number; a file that cannot be read is one bad row."""
    try:
        found = json.loads(export.content(day))
    except json.JSONDecodeError as error:
        yield 1, BadRow(file=day, line=error.lineno, reason=not_json(error, "file"))
        return
    except RecursionError:
        yield 1, BadRow(file=day, reason="is nested too deeply")
        return
    except ValueError as error:
        yield 1, BadRow(file=day, reason=str(error))
        return
    for number, one in enumerate(found if isinstance(found, list) else [found], 1):
        yield number, one if isinstance(one, Mapping) else BadRow(file=day, message=number, reason="is not a message")


def _edits(export: Export, room: Room) -> dict[str, Message | None]:
    """The newest form of each message that the room's event records change; None for a deleted one."""
    edits: dict[str, Message | None] = {}
    for day in export.days.get(room.folder, ()):
        for _, message in _messages(export, day) if _has_events(export, day) else ():
            if isinstance(message, BadRow):
                continue
            changed = message.get("message")
            if message.get("subtype") == _DELETED:
                edits[str(message.get("deleted_ts"))] = None
            elif message.get("subtype") == _CHANGED and isinstance(changed, Mapping):
                edits[str(changed.get("ts"))] = changed
    return edits


def _has_events(export: Export, day: str) -> bool:
    """A cheap look before a day is parsed a second time: few exports have such records at all."""
    try:
        raw = export.content(day)
    except ValueError:
        return False  # reported when the day is read for its messages
    return _CHANGED.encode() in raw or _DELETED.encode() in raw


def _first_person(workspace: Workspace, room: Room) -> str | None:
    """Who wrote first in a direct message, bots aside."""
    for day in workspace.export.days.get(room.folder, ()):
        for _, message in _messages(workspace.export, day):
            if isinstance(message, BadRow) or message.get("subtype") not in _SPOKEN or not message.get("user"):
                continue
            if _role(workspace, message) is Role.REQUESTER:
                return _author(workspace, message)[0]
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """Reading one room: `openers` remembers who began each thread, `met` which edited messages were there."""

    workspace: Workspace
    room: Room
    edits: Mapping[str, Message | None]
    requester: str | None
    openers: dict[str, str] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)

    def row(self, message: Message, file: str, number: int | None) -> Turn | BadRow | None:
        """The turn of a message, None for housekeeping and deleted messages."""
        stamp = str(message.get("ts"))
        if stamp in self.edits:
            self.met.add(stamp)
        newest = self.edits.get(stamp, message)
        if newest is None or newest.get("subtype") not in _SPOKEN:
            return None
        try:
            return self._turn(newest)
        except ValueError as error:
            return BadRow(file=file, message=number, reason=str(error))

    def leftovers(self) -> Iterator[Turn | BadRow]:
        """Edited messages whose first form was written before the export begins."""
        for stamp in sorted(self.edits.keys() - self.met):
            message = self.edits[stamp]
            row = self.row(message, f"{self.room.folder}/", None) if message else None
            if row is not None:
                yield row

    def _turn(self, message: Message) -> Turn:
        thread = str(message.get("thread_ts") or self.room.thread)
        author, speaker = _author(self.workspace, message)
        turn = Turn(
            conversation=self._conversation(thread),
            ticket=None,
            message=str(message.get("ts")),
            author=author,
            role=_role(self.workspace, message),
            text=words(message_words(message, self.workspace.names)),
            said_at=self._moment(message),
            visibility=self.room.visibility,
            requester=self.requester or self._opener(message, thread, author),
            speaker=speaker,
            room=_shown(self.room.name) if self.room.name else None,
            derived=not self.workspace.own.isdisjoint(ids_of(message)),
        )
        if thread in (self.room.thread, turn.message):
            self.workspace.places[turn.id] = Places(
                channel=self._conversation(self.room.thread), thread=self._conversation(turn.message)
            )
        return turn

    def _conversation(self, thread: str) -> Conversation:
        return Conversation(
            platform=IMPORTED, workspace=self.workspace.source, channel=self.room.channel, thread=thread
        )

    def _opener(self, message: Message, thread: str, author: str) -> str:
        if thread == self.room.thread:
            return author
        parent = message.get("parent_user_id")
        return self.openers.setdefault(thread, name(parent) if parent else author)

    def _moment(self, message: Message) -> datetime:
        try:
            moment = _EPOCH + timedelta(microseconds=int(Decimal(str(message.get("ts"))) * 1_000_000))
        except (InvalidOperation, ValueError, OverflowError):
            raise ValueError(f"`ts` is {message.get('ts')!r}, which is no time of Slack") from None
        person = self.workspace.people.get(str(message.get("user")))
        return believable(moment, self.workspace.now).astimezone(person.zone if person else self.workspace.zone)


def _author(workspace: Workspace, message: Message) -> tuple[str, str | None]:
    """The id and the name of who wrote it; a program that has no id is known by its name."""
    person = workspace.people.get(str(message.get("user")))
    if person:
        return person.id, _shown(person.name)
    given = (_inner(message, "user_profile", "name"), message.get("username"), _inner(message, "bot_profile", "name"))
    shown = next((one for one in given if one), None)
    known = next((one for one in (message.get("user"), message.get("bot_id"), shown) if one), None)
    if known is None:
        raise ValueError("has no author")
    return name(known), _shown(str(shown)) if shown else None


def _shown(called: str) -> str | None:
    return one_line(called, _LONGEST_NAME) or None


def _role(workspace: Workspace, message: Message) -> Role:
    person = workspace.people.get(str(message.get("user")))
    automatic = message.get("subtype") == "bot_message" or message.get("bot_id") or (person and person.bot)
    return Role.BOT if automatic else Role.REQUESTER


def _inner(message: Message, outer: str, key: str) -> object:
    found = message.get(outer)
    return found.get(key) if isinstance(found, Mapping) else None
