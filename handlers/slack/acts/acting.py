"""The loop around every act: on the disk, then acknowledged, then done in its lane; and whoever acted gets a word
whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias
from uuid import uuid4

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.acts.taken import TakenActs
from handlers.lanes import Lanes, Work
from handlers.slack.acts.keeping import acted_again, kept
from handlers.slack.acts.names import MESSAGES, WISH
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.scenes import Scene, Scenes
from handlers.slack.acts.telling import tell
from handlers.slack.faults import passing
from handlers.slack.installations import Installation, Installations
from handlers.slack.interactions import read_action
from handlers.slack.records import Act, Acted, HomeOpened, Said
from handlers.traces import traced
from memory.acts import TakenAct
from memory.errors import Busy
from memory.ports import Clock

log = structlog.get_logger()

#: How long one act may take, everything included.
_SECONDS = 600.0

Deed: TypeAlias = Callable[[Scene], Awaitable[None]]
#: The name of every command: an administrator may call it as he likes.
ANY_COMMAND = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """An act on its way to being done, `left` by a process that died or not. `same` is what another click on the same
    thing has in common with it."""

    acted: Acted
    here: Installation
    work: Work
    left: bool = False

    @property
    def same(self) -> tuple[str, ...]:
        acted = self.acted
        return tuple(
            str(part) for part in (acted.kind, acted.name, acted.user, acted.channel, acted.message, acted.value)
        )


class Acts:
    """What people do besides writing. `hasty` are the deeds for which there is no time to ask who acts.

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
        lanes: Lanes,
        clock: Clock,
    ) -> None:
        self._deeds = deeds
        self._hasty = hasty
        self._scenes = scenes
        self._installations = installations
        self._taken = taken
        self._lanes = lanes
        self._clock = clock
        self._under_way: set[tuple[str, ...]] = set()

    async def hear(self, body: Mapping[str, Any], here: Installation) -> None:
        """Take an act in: durable when this returns, done later. One that is not ours is left alone. Raises
        StoreUnavailable where it could not be kept."""
        acted = read_action(body)
        if isinstance(acted, Acted):
            await self._take(acted, here)
        else:
            log.debug("slack_act_ignored", reason=acted.reason.value)

    async def wished(self, said: Said, here: Installation) -> None:
        """Somebody wrote to the bot alone what the command does as well. As `hear`."""
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

    def opened(self, home: HomeOpened, here: Installation) -> None:
        """Somebody opened the app; it is seen to later. It is not kept: who only looks has asked for nothing, and looks
        again. Raises Busy when too much waits."""
        channel = home.channel if home.tab == MESSAGES else None
        acted = Acted(kind=Act.OPENED, name=home.tab, user=home.user, workspace=home.workspace, channel=channel)
        work = self._work(acted, here)
        if work is None:
            return
        piece = _Piece(acted=acted, here=here, work=work)
        if self._begun(piece):
            try:
                self._lanes.put(_lane(acted), partial(self._seen_to, piece), dropped=partial(self._ended, piece))
            except Busy:
                self._ended(piece)
                raise

    async def resume(self) -> int:
        """Take up what a process that died was to do. How many. Raises StoreUnavailable."""
        left = await self._taken.left()
        for act in left:
            piece = await self._left_over(act)
            if piece is None:
                # The app was removed, or another version offered this.
                log.warning("slack_act_moot", act=act.id)
                await self._taken.settle(act.id)
            else:
                self._under_way.add(piece.same)
                self._taken.hold(act.id)
                self._line_up(piece, act.id)
        return len(left)

    async def _left_over(self, act: TakenAct) -> _Piece | None:
        """There is no haste any more: whatever had to be quick comes too late by now."""
        acted = acted_again(act)
        deed = self._deed(acted) if acted else None
        if acted is None or deed is None:
            return None
        here = await self._installations.of(acted.workspace, acted.enterprise)
        if here is None:
            return None
        return _Piece(acted=acted, here=here, work=partial(self._duly, acted, here, deed), left=True)

    async def _take(self, acted: Acted, here: Installation) -> None:
        """Whoever clicks twice before the first click is done has clicked once."""
        work = self._work(acted, here)
        if work is None:
            return
        piece, act = _Piece(acted=acted, here=here, work=work), kept(acted, self._clock())
        if not self._begun(piece):
            return
        try:
            new = await self._taken.take(act)
        except BaseException:
            self._ended(piece)
            raise
        if new:
            self._line_up(piece, act.id)
        else:
            self._ended(piece)

    def _work(self, acted: Acted, here: Installation) -> Work | None:
        deed = self._deed(acted)
        if deed is None:
            log.debug("slack_act_unknown", kind=acted.kind.value)
            return None
        hasty = _known(acted) in self._hasty
        return partial(self._hastily if hasty else self._duly, acted, here, deed)

    def _deed(self, acted: Acted) -> Deed | None:
        return self._hasty.get(_known(acted)) or self._deeds.get(_known(acted))

    def _begun(self, piece: _Piece) -> bool:
        if piece.same in self._under_way:
            log.info("slack_act_repeated", kind=piece.acted.kind.value)
            return False
        self._under_way.add(piece.same)
        return True

    def _ended(self, piece: _Piece) -> None:
        self._under_way.discard(piece.same)

    def _line_up(self, piece: _Piece, id: str) -> None:
        def dropped() -> None:
            self._ended(piece)
            self._taken.let_go(id)

        try:
            work = partial(self._taken.do, id, partial(self._done, piece))
            self._lanes.put(_lane(piece.acted), work, dropped=dropped)
        except Busy:
            # It is on the disk: a later look finds it.
            log.warning("slack_act_put_off", kind=piece.acted.kind.value)
            dropped()

    async def _seen_to(self, piece: _Piece) -> None:
        await self._done(piece)

    async def _done(self, piece: _Piece) -> bool:
        """The outer loop of an act. Whether nothing more is to be done about it."""
        try:
            async with asyncio.timeout(_SECONDS):
                await piece.work()
        except Exception as error:
            if piece.left and isinstance(error, Busy):
                # The process that died may have been at it, and what it claimed is free when that runs out.
                return False
            return await self._regretted(piece.acted, piece.here, error)
        finally:
            self._ended(piece)
        return True

    async def _hastily(self, acted: Acted, here: Installation, deed: Deed) -> None:
        await _allowed(self._scenes.at_once(acted, here), deed)

    async def _duly(self, acted: Acted, here: Installation, deed: Deed) -> None:
        await _allowed(await self._scenes.of(acted, here), deed)

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
            return isinstance(unsent, SlackApiError) and not passing(unsent)
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
