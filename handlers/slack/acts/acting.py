"""The loop around every act: on the disk, then acknowledged, then done in its lane; and whoever acted gets a word
whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeAlias
from uuid import uuid4

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.acts.taken import Doing, TakenActs
from handlers.slack.acts.keeping import acted_again, kept
from handlers.slack.acts.names import MESSAGES, WISH
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.scenes import Scene, Scenes
from handlers.slack.acts.telling import tell
from handlers.slack.faults import passing, token_refused
from handlers.slack.installations import Installation, Installations
from handlers.slack.interactions import read_action
from handlers.slack.records import PLATFORM, Act, Acted, HomeOpened, Said
from handlers.traces import traced
from memory.acts import TakenAct
from memory.errors import Busy
from memory.ports import Clock

log = structlog.get_logger()

#: How long one act may take, everything included.
_SECONDS = 600.0

Deed: TypeAlias = Callable[[Scene], Awaitable[None]]
_Work: TypeAlias = Callable[[Acted, Installation], Awaitable[None]]
#: The name of every command: an administrator may call it as he likes.
ANY_COMMAND = ""


class Acts:
    """What people do besides writing. `hasty` are the deeds for which there is hardly any time to ask
    who acts.

    A process may die in the midst of any deed, and the next one does it again from the start. So each deed is one that
    can be repeated, and says at its place what a repeat finds; what a person is told alone may be told twice.
    """

    def __init__(
        self,
        *,
        deeds: Mapping[tuple[Act, str], Deed],
        hasty: Mapping[tuple[Act, str], Deed],
        scenes: Scenes,
        installations: Installations,
        taken: TakenActs,
        clock: Clock,
    ) -> None:
        self._deeds = deeds
        self._hasty = hasty
        self._scenes = scenes
        self._installations = installations
        self._taken = taken
        self._clock = clock

    async def hear(self, body: Mapping[str, Any], here: Installation) -> None:
        """Take an act in: durable when this returns, done later. One that is not ours is left alone. Raises
        StoreUnavailable where it could not be kept."""
        acted = read_action(body)
        if isinstance(acted, Acted):
            await self._take(acted, here)
        else:
            log.debug("slack_act_ignored", reason=acted.reason.value)

    async def wished(self, said: Said, here: Installation) -> None:
        """Somebody wrote to the bot what the command does as well. As `hear`."""
        await self._take(
            Acted(
                kind=Act.WROTE,
                name=WISH,
                user=said.author,
                workspace=said.conversation.workspace,
                enterprise=said.enterprise,
                channel=said.conversation.channel,
                thread=said.conversation.thread,
                message=said.message,
                value=said.text,
            ),
            here,
        )

    async def refused(self, said: Said) -> bool:
        """Whether this message, which nothing else keeps, is refused for the first time. Raises StoreUnavailable."""
        where = said.conversation
        return await self._taken.first(
            TakenAct(
                id=f"refused {where.workspace} {where.channel} {said.message}",
                platform=PLATFORM,
                workspace=where.workspace,
                person=said.author,
                at=self._clock(),
                fields={},
            )
        )

    def opened(self, home: HomeOpened, here: Installation) -> None:
        """Somebody opened the app; it is seen to later. It is not kept: who only looks has asked for nothing, and looks
        again. Raises Busy when too much waits."""
        channel = home.channel if home.tab == MESSAGES else None
        acted = Acted(kind=Act.OPENED, name=home.tab, user=home.user, workspace=home.workspace, channel=channel)
        if (deed := self._deed(acted)) is not None:
            self._taken.take_unkept(self._doing(acted, here, self._duly(deed), left=False))

    async def resume(self) -> int:
        """Take up what a process that died was to do. How many. Raises StoreUnavailable."""
        return await self._taken.resume(self._revived)

    async def _revived(self, act: TakenAct) -> Doing | None:
        """There is no haste any more: whatever had to be quick comes too late by now."""
        acted = acted_again(act)
        deed = self._deed(acted) if acted else None
        if acted is None or deed is None:
            return None
        here = await self._installations.of(acted.workspace, acted.enterprise)
        return self._doing(acted, here, self._duly(deed), left=True) if here else None

    async def _take(self, acted: Acted, here: Installation) -> None:
        if hasty := self._hasty.get(_known(acted)):
            work = self._hastily(hasty)
        elif deed := self._deeds.get(_known(acted)):
            work = self._duly(deed)
        else:
            log.debug("slack_act_unknown", kind=acted.kind.value)
            return
        await self._taken.take(kept(acted, self._clock()), self._doing(acted, here, work, left=False))

    def _deed(self, acted: Acted) -> Deed | None:
        return self._hasty.get(_known(acted)) or self._deeds.get(_known(acted))

    def _doing(self, acted: Acted, here: Installation, work: _Work, *, left: bool) -> Doing:
        return Doing(
            lane=_lane(acted),
            same=(acted.kind, acted.name, acted.user, acted.channel, acted.message, acted.value),
            deed=partial(self._done, acted, here, work, left=left),
        )

    async def _done(self, acted: Acted, here: Installation, work: _Work, *, left: bool) -> bool:
        """The outer loop of an act, `left` by a process that died or not. Whether nothing more is to be done about
        it."""
        try:
            async with asyncio.timeout(_SECONDS):
                await work(acted, here)
        except Exception as error:
            if left and isinstance(error, Busy):
                # The process that died may have been at it, and what it claimed is free when that runs out.
                return False
            return await self._regretted(acted, here, error)
        return True

    def _hastily(self, deed: Deed) -> _Work:
        async def work(acted: Acted, here: Installation) -> None:
            await _allowed(await self._scenes.soon(acted, here), deed)

        return work

    def _duly(self, deed: Deed) -> _Work:
        async def work(acted: Acted, here: Installation) -> None:
            await _allowed(await self._scenes.of(acted, here), deed)

        return work

    async def _regretted(self, acted: Acted, here: Installation, error: Exception) -> bool:
        """Whether whoever acted knows, or can never be told. Where Slack is away just now the act is owed still."""
        reference, words = uuid4().hex[:8], self._scenes.at_once(acted, here).words
        log.error("slack_act_failed", kind=acted.kind.value, reference=reference, **traced(error))
        if acted.kind is Act.OPENED:
            # Who only looks has asked for nothing, and looks often.
            return True
        said = words.busy if isinstance(error, Busy) else words.failed
        try:
            await tell(acted, here, message(paragraph(f"{said}\n{words.reference.format(reference=reference)}")))
        except (SlackClientError, TimeoutError, OSError) as unsent:
            log.warning("slack_regret_unsent", reference=reference, error=type(unsent).__name__)
            # A token that is refused may hold again, as for replies.
            return isinstance(unsent, SlackApiError) and not (passing(unsent) or token_refused(unsent))
        return True


async def _allowed(scene: Scene, deed: Deed) -> None:
    """The deed where the bot is switched on; elsewhere a word, to those who did more than look."""
    if scene.enabled:
        await deed(scene)
    elif scene.acted.kind is not Act.OPENED:
        said = scene.words.switched_off.format(contact=scene.contact)
        await tell(scene.acted, scene.here, message(paragraph(said)))


def _known(acted: Acted) -> tuple[Act, str]:
    """By what the deed is found."""
    return acted.kind, ANY_COMMAND if acted.kind is Act.COMMAND else acted.name


def _lane(acted: Acted) -> str:
    """What is done about one thread is done in order, by whomever; else what one person does."""
    place = (acted.channel, acted.thread) if acted.channel and acted.thread else (acted.user,)
    return ":".join(("act", acted.name, *place))
