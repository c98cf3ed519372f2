"""The door: what Teams tells, on its way to the desk and the memory.

`hear` returns when what was told is safe on the disk, which is when Teams may be told that it arrived; it waits for no
model. All work that takes longer waits in the conversation's lane.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import structlog

from handlers.acts.wishes import wish_in
from handlers.changes import Changes
from handlers.conversation import Desk
from handlers.decision import Kind
from handlers.lanes import Lanes
from handlers.messages import IncomingMessage, plainly
from handlers.spoken import client_language
from handlers.teams.acts.acting import Acts
from handlers.teams.address import filed
from handlers.teams.bringing import Bringing
from handlers.teams.decision import decide
from handlers.teams.fields import ident, inside
from handlers.teams.inbound import read_activity
from handlers.teams.intake import Intake
from handlers.teams.records import (
    PLATFORM,
    Act,
    Acted,
    Deleted,
    Edited,
    Inbound,
    Installed,
    Me,
    Moved,
    Restored,
    Said,
    Uninstalled,
)
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.tickets.support_end import SupportEnd
from handlers.turn_lanes import TurnLanes
from handlers.wordings import Wording
from memory.membership import Membership, Move
from memory.model import Conversation, Turn
from memory.text.language import LanguageCode

log = structlog.get_logger()

#: Messages that one look for what is still owed takes up.
_OWED = 100
#: Installations, and calls without a word, that are known to have been told already.
_REMEMBERED = 10_000


class Door:
    """The activities of all conversations that the bot is in. `me` is None in development, where it is whom they are
    for."""

    def __init__(
        self,
        *,
        me: Me | None,
        desk: Callable[[], Desk],
        changes: Changes,
        membership: Membership,
        lanes: Lanes,
        turns: TurnLanes,
        rules: Rules,
        sites: Sites,
        intake: Intake,
        bringing: Bringing,
        acts: Acts,
        support: SupportEnd,
        held: Callable[[Conversation], Awaitable[object]],
    ) -> None:
        self._me = me
        self._desk = desk
        self._changes = changes
        self._membership = membership
        self._lanes = lanes
        self._turns = turns
        self._rules = rules
        self._sites = sites
        self._intake = intake
        self._bringing = bringing
        self._acts = acts
        self._support = support
        self._held = held
        self._told: OrderedDict[tuple[str, str], None] = OrderedDict()

    @property
    def wording(self) -> Wording:
        """In which words the bot speaks."""
        return self._desk().wording

    def language(self, locale: str | None) -> LanguageCode:
        """In which language one speaks to a client that is set so, where no words show any."""
        return client_language(locale) or self._desk().spoken.at_once("")

    async def hear(self, body: Mapping[str, Any]) -> Inbound:
        """Take in one activity that the guard let in: durable when this returns. What it was.

        Raises StoreUnavailable and Busy where it cannot be taken; Teams then tells it again.
        """
        told = read_activity(body, self._me or _addressee(body))
        match told:
            case Said():
                await self._said(told)
            case Edited():
                await self._edited(told)
            case Deleted():
                await self._deleted(told)
            case Restored():
                await self._restored(told)
            case Moved():
                await self._moved(told)
            case Uninstalled():
                await self._sites.drop(told.site)
            case Acted() | Installed():
                await self._done(told, body)
            case _:
                log.debug("teams_activity", kind=type(told).__name__)
        return told

    async def resume(self) -> int:
        """Take up what is still owed a reply: of a process that died, or that Teams would not take. How many."""
        owed = [turn for turn in await self._desk().waiting(PLATFORM, _OWED) if not self._turns.holds(turn.id)]
        for turn in owed:
            self._turns.put(turn, partial(self._bringing.resume, turn))
        await self._support.resume()
        return len(owed)

    async def _said(self, said: Said) -> None:
        if await self._goes_to_requester(said):
            return
        held = await self._is_held(said)
        decision = decide(said, self._rules.policy(said.site), held=held)
        log.info("teams_message", decision=decision.kind.value, reason=decision.reason.value)
        if decision.kind is Kind.ANSWER or (decision.kind is Kind.REMEMBER and held):
            await self._addressed(said, held=held)
        elif decision.kind is Kind.REMEMBER:
            await self._desk().overhear(await self._intake.message(said))
            await self._changes.caught_up(said.conversation, said.message)

    async def _addressed(self, said: Said, *, held: bool) -> None:
        """Something is said to the bot, or (`held`) to the person who has the ticket of this thread."""
        incoming = await self._intake.message(said)
        if not held and (wish := wish_in(said.text)):
            await self._acts.wished(wish, said)
        elif not incoming.text:
            self._called(said)
        else:
            await self._receive(incoming, said)

    async def _receive(self, incoming: IncomingMessage, said: Said) -> None:
        received = await self._desk().receive(incoming)
        if isinstance(received, Turn):
            newer = await self._changes.caught_up(received.conversation, received.message)
            received = replace(received, text=newer) if newer else received
            self._turns.put(received, partial(self._bringing.bring, received, files=said.files, locale=said.locale))
        elif received is not None:
            self._lanes.put(said.conversation.id, partial(self._bringing.refuse, received, said))

    async def _goes_to_requester(self, said: Said) -> bool:
        """Whether it is an agent's word in the thread of a note. In Teams a bot is called to be heard, so that also who
        calls it means who asked, but for those who say nothing or want help."""
        if said.site.chat != self._rules.handover_channel or not (said.text or said.files) or wish_in(said.text):
            return False
        return await self._support.heard(said, partial(self._intake.message, said))

    async def _is_held(self, said: Said) -> bool:
        """Whether it is said in a thread that a person has taken over, to nobody by name: it is for that person. A
        group chat has no threads, and is for others, too."""
        return said.threaded and not said.mentioned and bool(await self._held(said.conversation))

    def _called(self, said: Said) -> None:
        """The bot was called and told nothing: no request of anybody's, and not to be kept."""
        language = self._rules.manners(said.site).language or self.language(said.locale)
        reply = plainly(self._desk().wording.phrases(language).wordless, language)
        with self._once(said.conversation.id, said.message) as first:
            if first:
                self._lanes.put(said.conversation.id, partial(self._bringing.refuse, reply, said))

    async def _edited(self, edited: Edited) -> None:
        where, author, text = edited.conversation, edited.author, edited.text
        for message in (edited.message, _restored(edited.message)):
            passed_on = await self._support.edited(where, message, author, text)
            if passed_on or await self._changes.edited(where, message, author, text):
                break
        await self._support.resume()

    async def _deleted(self, deleted: Deleted) -> None:
        where = deleted.conversation
        for follows in (self._changes, self._support):
            await follows.deleted(where, deleted.message)
            await follows.deleted_if_known(where, _restored(deleted.message))
        await self._support.resume()

    async def _restored(self, restored: Restored) -> None:
        said = replace(restored.said, message=_restored(restored.said.message))
        if await self._goes_to_requester(said):
            return
        for_person = said.direct or said.mentioned or restored.said.threaded
        held = for_person and bool(await self._held(said.conversation))
        if decide(restored, self._rules.policy(said.site), held=held).kind is not Kind.REMEMBER:
            return
        incoming = replace(await self._intake.message(restored.said), message=said.message)
        if held:
            await self._receive(incoming, said)
        else:
            await self._desk().overhear(incoming)

    async def _moved(self, moved: Moved) -> None:
        """Teams tells of a team as a whole: its channels have the same members."""
        chats = await self._sites.beside(moved.site)
        await self._membership.note(
            [
                Move(platform=PLATFORM, channel=chat, member=member, gone=moved.gone, at=moved.at)
                for chat in chats
                for member in moved.members
            ]
        )

    async def _done(self, told: Acted | Installed, body: Mapping[str, Any]) -> None:
        if isinstance(told, Acted):
            await self._sites.remember(told.site)
            await self._acts.hear(told)
            return
        with self._once(str(inside(body, "conversation").get("id")), ident(body, "id")) as first:
            if first:
                await self._sites.remember(told.site)
                if self._rules.greets(told.site):
                    self._acts.installed(told, _greeting(told))

    @contextmanager
    def _once(self, conversation: str, id: str | None) -> Iterator[bool]:
        """Whether this is told for the first time. What is not taken was not told: Teams tells it again."""
        known = id is not None and (conversation, id) in self._told
        if id is not None and not known:
            self._told[conversation, id] = None
            if len(self._told) > _REMEMBERED:
                self._told.popitem(last=False)
        try:
            yield not known
        except BaseException:
            self._told.pop((conversation, id or ""), None)
            raise


def _greeting(told: Installed) -> Acted:
    """What the bot does of itself when it is new, as if whoever installed it had asked for it."""
    site = told.site
    where = filed(site.tenant, site.place, site.chat, None)
    return Acted(kind=Act.SUBMITTED, name="", user=told.by or "", conversation=where, site=site, locale=told.locale)


def _addressee(body: Mapping[str, Any]) -> Me:
    return Me(id=ident(inside(body, "recipient"), "id") or "28:")


def _restored(message: str) -> str:
    """The id of a message that came back: another one to the memory, which never takes up again what was taken back."""
    return f"{message}-restored"
