"""The loop around every act: acknowledged first, done in its lane, and whoever acted gets a word whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeAlias
from uuid import uuid4

import structlog
from slack_sdk.errors import SlackClientError

from handlers.lanes import Lanes, Work
from handlers.slack.acts.names import MESSAGES, WISH
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.scenes import Scene, Scenes
from handlers.slack.acts.telling import tell
from handlers.slack.installations import Installation
from handlers.slack.interactions import read_action
from handlers.slack.records import Act, Acted, HomeOpened, Said
from handlers.traces import traced
from memory.errors import Busy

log = structlog.get_logger()

#: How long one act may take, everything included.
_SECONDS = 600.0

Deed: TypeAlias = Callable[[Scene], Awaitable[None]]
#: The name of every command: an administrator may call it as he likes.
ANY_COMMAND = ""


class Acts:
    """What people do besides writing. `hasty` are the deeds for which there is no time to ask who acts."""

    def __init__(
        self,
        *,
        deeds: Mapping[tuple[Act, str], Deed],
        hasty: Mapping[tuple[Act, str], Deed],
        scenes: Scenes,
        lanes: Lanes,
    ) -> None:
        self._deeds = deeds
        self._hasty = hasty
        self._scenes = scenes
        self._lanes = lanes
        self._under_way: set[tuple[str, ...]] = set()

    def hear(self, body: Mapping[str, Any], here: Installation) -> None:
        """Take an act in; it is done later. One that is not ours is left alone. Raises Busy when too much waits."""
        acted = read_action(body)
        if isinstance(acted, Acted):
            self._put(acted, here)
        else:
            log.debug("slack_act_ignored", reason=acted.reason.value)

    def opened(self, home: HomeOpened, here: Installation) -> None:
        """Somebody opened the app; it is seen to later. Raises Busy when too much waits."""
        channel = home.channel if home.tab == MESSAGES else None
        self._put(
            Acted(kind=Act.OPENED, name=home.tab, user=home.user, workspace=home.workspace, channel=channel), here
        )

    def wished(self, said: Said, here: Installation) -> None:
        """Somebody wrote to the bot alone what the command does as well; it is done later. Raises Busy."""
        self._put(
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

    def _put(self, acted: Acted, here: Installation) -> None:
        known = (acted.kind, ANY_COMMAND if acted.kind is Act.COMMAND else acted.name)
        if known in self._hasty:
            self._line_up(acted, here, partial(self._hastily, acted, here, self._hasty[known]))
        elif known in self._deeds:
            self._line_up(acted, here, partial(self._duly, acted, here, self._deeds[known]))
        else:
            log.debug("slack_act_unknown", kind=acted.kind.value)

    def _line_up(self, acted: Acted, here: Installation, work: Work) -> None:
        """Whoever clicks twice before the first click is done has clicked once."""
        same = tuple(
            str(part) for part in (acted.kind, acted.name, acted.user, acted.channel, acted.message, acted.value)
        )
        if same in self._under_way:
            log.info("slack_act_repeated", kind=acted.kind.value)
            return
        self._lanes.put(_lane(acted), partial(self._do, acted, here, work, same))
        self._under_way.add(same)

    async def _do(self, acted: Acted, here: Installation, work: Work, same: tuple[str, ...]) -> None:
        """The outer loop of an act."""
        try:
            async with asyncio.timeout(_SECONDS):
                await work()
        except Exception as error:
            await self._regret(acted, here, error)
        finally:
            self._under_way.discard(same)

    async def _hastily(self, acted: Acted, here: Installation, deed: Deed) -> None:
        await _allowed(self._scenes.at_once(acted, here), deed)

    async def _duly(self, acted: Acted, here: Installation, deed: Deed) -> None:
        await _allowed(await self._scenes.of(acted, here), deed)

    async def _regret(self, acted: Acted, here: Installation, error: Exception) -> None:
        reference, words = uuid4().hex[:8], self._scenes.at_once(acted, here).words
        log.error("slack_act_failed", kind=acted.kind.value, reference=reference, **traced(error))
        if acted.kind is Act.OPENED:
            # Who only looks has asked for nothing, and looks often.
            return
        said = words.busy if isinstance(error, Busy) else words.failed
        try:
            await tell(acted, here, message(paragraph(f"{said}\n{words.reference.format(reference=reference)}")))
        except (SlackClientError, TimeoutError, OSError) as unsent:
            log.warning("slack_regret_unsent", reference=reference, error=type(unsent).__name__)


async def _allowed(scene: Scene, deed: Deed) -> None:
    """The deed where the bot is switched on; elsewhere a word, to those who did more than look."""
    if scene.enabled:
        await deed(scene)
    elif scene.acted.kind is not Act.OPENED:
        said = scene.words.switched_off.format(contact=scene.contact)
        await tell(scene.acted, scene.here, message(paragraph(said)))


def _lane(acted: Acted) -> str:
    """What is done about one thread is done in order, by whomever; else what one person does."""
    place = (acted.channel, acted.thread) if acted.channel and acted.thread else (acted.user,)
    return ":".join(("act", acted.name, *place))
