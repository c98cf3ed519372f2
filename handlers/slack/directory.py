"""Who and what Slack's ids stand for: people and channels, asked once and remembered for a while."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

import structlog
from slack_sdk.errors import SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from handlers.slack.records import ChannelKind, ChannelTold
from handlers.spoken import client_language
from memory.model import Visibility
from memory.ports import Clock
from memory.text.language import LanguageCode

log = structlog.get_logger()

Known = TypeVar("Known")
Key = TypeVar("Key")
Kept = TypeVar("Kept")

_FRESH = timedelta(minutes=30)
#: After a failure Slack is not asked about the same id for so long.
_PATIENCE = timedelta(seconds=10)
#: Whom Slack kept waiting is not kept waiting again for so long: messages of one thread are heard one after the other.
_HASTE = timedelta(seconds=10)
#: What an event told outlasts every answer that Slack gave before it.
_TOLD = 2 * _FRESH
_KEPT = 5_000
#: People of one message that are looked up; who else is mentioned stays unknown.
_MOST_PEOPLE = 20
#: How long Slack may take to answer.
PATIENT = 3.0
#: For those who have no more time: what was not answered by then is not known, and asked again by the patient.
SOON = 1.0
#: How Slack marks people who are not let in everywhere.
_GUESTS = ("is_restricted", "is_ultra_restricted", "is_stranger")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user by the name that colleagues see, in the zone of the user's clock (None: unknown). A `guest` is let into
    some channels only, or belongs to another organisation. `language` is that of the user's Slack, where it is ours."""

    name: str
    zone: tzinfo | None
    guest: bool
    language: LanguageCode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A channel. `visibility`: how widely what is said in it may be seen; `shared`: with other organisations; `name` as
    people read it, empty where it has none or nobody told it."""

    visibility: Visibility
    shared: bool
    name: str = ""

    def narrowed(self, other: Room) -> Room:
        """No wider than either."""
        wide = self.visibility is Visibility.EVERYONE
        visibility = other.visibility if wide else self.visibility
        return replace(self, visibility=visibility, shared=self.shared or other.shared)


#: What Slack says nothing about is as narrow as can be.
UNKNOWN_ROOM = Room(visibility=Visibility.CHANNEL, shared=True)
UNKNOWN_PERSON = Person(name="", zone=None, guest=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer(Generic[Known]):
    """What Slack said at `asked`, to be used `until` then."""

    known: Known
    asked: datetime
    until: datetime


class Remembered(Generic[Known]):
    """Answers of Slack by key, the newest `_KEPT`; a failed question is answered with `unknown` for a moment."""

    def __init__(self, ask: Callable[[AsyncWebClient, str], Awaitable[Known]], unknown: Known, clock: Clock) -> None:
        self._ask = ask
        self._unknown = unknown
        self._clock = clock
        self._answers: OrderedDict[tuple[str, str], _Answer[Known]] = OrderedDict()
        self._late: OrderedDict[tuple[str, str], datetime] = OrderedDict()
        self._asking: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def of(
        self,
        client: AsyncWebClient,
        workspace: str,
        name: str,
        *,
        since: datetime | None = None,
        seconds: float = PATIENT,
    ) -> Known:
        """Asked anew where that was last done before `since`. Never raises: what Slack does not tell within `seconds`
        is unknown."""
        key, now = (workspace, name), self._clock()
        if (last := self._fresh(key, since)) is not None:
            return last.known
        hasty = seconds < PATIENT
        if hasty and now < self._late.get(key, now) <= now + _HASTE:
            return self._unknown
        alone = self._asking.setdefault(key, asyncio.Lock())
        try:
            # Many at once ask about the same person: one of them asks Slack.
            async with asyncio.timeout(seconds), alone:
                if (last := self._fresh(key, since)) is not None:
                    return last.known
                now = self._clock()
                answer = _Answer(known=await self._ask(client, name), asked=now, until=now + _FRESH)
        except (SlackClientError, TimeoutError, OSError) as error:
            log.warning("slack_unknown", id=name, error=type(error).__name__)
            if hasty and isinstance(error, TimeoutError):
                _keep(self._late, key, now + _HASTE)
                return self._unknown
            # As good as asked all the while: patience holds for whoever wants it newer, too.
            answer = _Answer(known=self._unknown, asked=now + _PATIENCE, until=now + _PATIENCE)
        _keep(self._answers, key, answer)
        return answer.known

    def _fresh(self, key: tuple[str, str], since: datetime | None) -> _Answer[Known] | None:
        """The last answer, where it is to be used still."""
        last = self._answers.get(key)
        now = self._clock()
        # An answer from a time to come is of a clock that was put back since.
        fresh = last is not None and now < last.until <= now + _FRESH and (since is None or last.asked >= since)
        return last if fresh else None

    def at_hand(self, workspace: str, name: str) -> Known:
        """What was answered last, without asking."""
        last = self._answers.get((workspace, name))
        return last.known if last is not None else self._unknown


class Directory:
    """People and channels of all workspaces."""

    def __init__(self, clock: Clock) -> None:
        self._people = Remembered(_person, UNKNOWN_PERSON, clock)
        self._rooms = Remembered(_room, UNKNOWN_ROOM, clock)
        self._told: OrderedDict[str, tuple[datetime, Room]] = OrderedDict()
        self._clock = clock

    async def person(self, client: AsyncWebClient, workspace: str, user: str, *, seconds: float = PATIENT) -> Person:
        """Who that is; without a name where Slack does not tell within `seconds`."""
        return await self._people.of(client, workspace, user, seconds=seconds)

    def person_at_hand(self, workspace: str, user: str) -> Person:
        """Who that is as far as it is known already, for those who have no time to ask."""
        return self._people.at_hand(workspace, user)

    async def names(self, client: AsyncWebClient, workspace: str, users: Collection[str]) -> Mapping[str, str]:
        """The names of up to twenty of these people, as far as Slack tells them soon."""
        asked = sorted(users)[:_MOST_PEOPLE]
        found = await asyncio.gather(*(self.person(client, workspace, user, seconds=SOON) for user in asked))
        return {user: person.name for user, person in zip(asked, found, strict=True) if person.name}

    def told(self, told: ChannelTold) -> None:
        """An event says what kind of channel it comes from: no answer from before makes that any wider."""
        narrow = told.kind in (ChannelKind.PRIVATE, ChannelKind.GROUP)
        if narrow or told.shared:
            room = Room(visibility=Visibility.CHANNEL, shared=told.shared)
            _keep(self._told, told.channel, (self._clock() + _TOLD, room))

    async def room(
        self,
        client: AsyncWebClient,
        workspace: str,
        channel: str,
        *,
        since: datetime | None = None,
        seconds: float = PATIENT,
    ) -> Room:
        """What kind of channel that is, as it was at `since` or later; as narrow as can be where Slack does not tell
        within `seconds`."""
        room = await self._rooms.of(client, workspace, channel, since=since, seconds=seconds)
        return self.narrowed(channel, room)

    def narrowed(self, channel: str, room: Room) -> Room:
        """This room, no wider than what events told of the channel lately."""
        until, told = self._told.get(channel, (None, room))
        return room.narrowed(told) if until is not None and until > self._clock() else room


def _keep(kept: OrderedDict[Key, Kept], key: Key, value: Kept) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > _KEPT:
        kept.popitem(last=False)


async def _person(client: AsyncWebClient, user: str) -> Person:
    if user.startswith("B"):
        bot = (await client.bots_info(bot=user)).get("bot") or {}
        return Person(name=str(bot.get("name") or ""), zone=None, guest=False)
    said = (await client.users_info(user=user, include_locale=True)).get("user") or {}
    profile = said.get("profile") or {}
    name = profile.get("display_name") or profile.get("real_name") or said.get("real_name") or said.get("name") or ""
    guest = any(said.get(kind) is True for kind in _GUESTS)
    return Person(
        name=str(name),
        zone=_zone(said.get("tz_offset")),
        guest=guest,
        language=client_language(str(said.get("locale") or "")),
    )


def _zone(seconds: object) -> tzinfo | None:
    if not isinstance(seconds, int) or abs(seconds) >= 86_400:
        return None
    return timezone(timedelta(seconds=seconds))


async def _room(client: AsyncWebClient, channel: str) -> Room:
    said = (await client.conversations_info(channel=channel)).get("channel") or {}
    shared = any(said.get(name) is True for name in ("is_ext_shared", "is_pending_ext_shared"))
    public = said.get("is_channel") is True and said.get("is_private") is False
    wide = public and not shared
    # A group message has a name that is made of everybody's, and that nobody reads.
    name = "" if said.get("is_mpim") is True else str(said.get("name") or "")
    return Room(visibility=Visibility.EVERYONE if wide else Visibility.CHANNEL, shared=shared, name=name)
