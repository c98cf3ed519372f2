"""The loop around every act: taken in at once, done in its lane, and whoever acted gets a word whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeAlias
from uuid import uuid4

import structlog

from handlers.acts.wishes import Wish
from handlers.lanes import Lanes
from handlers.teams.acts.scenes import Scene, Scenes
from handlers.teams.cards import welcome_card
from handlers.teams.names import FORGET, MEMORY, TICKETS
from handlers.teams.records import Act, Acted, Installed, Said
from handlers.teams.sites import Sites
from handlers.traces import traced
from memory.errors import Busy, HelpdeskError
from memory.text.language import detect_language

log = structlog.get_logger()

#: How long one act may take, everything included.
_SECONDS = 600.0
#: By these names a wish that is written does the same as the button; help has none.
HELP, FEEDBACK = "help", "feedback"
_WISHES = {Wish.HELP: HELP, Wish.TICKETS: TICKETS, Wish.MEMORY: MEMORY, Wish.FORGET: FORGET}

Deed: TypeAlias = Callable[[Scene], Awaitable[None]]


class Acts:
    """What people do besides asking. `deeds` are by the name on the button."""

    def __init__(self, *, deeds: Mapping[str, Deed], scenes: Scenes, sites: Sites, lanes: Lanes) -> None:
        self._deeds = deeds
        self._scenes = scenes
        self._sites = sites
        self._lanes = lanes
        self._under_way: set[tuple[str | None, ...]] = set()

    def knows(self, acted: Acted) -> bool:
        """Whether there is such a button."""
        return acted.kind is not Act.REFRESHED and acted.name in self._deeds

    def hear(self, acted: Acted) -> None:
        """Take an act in; it is done later. One that is not ours is left alone. Raises Busy when too much waits."""
        same = (acted.name, acted.user, acted.conversation.id, acted.message, acted.inputs.get("value"))
        if not self.knows(acted) or same in self._under_way:
            log.info("teams_act_left", kind=acted.kind.value)
            return
        self._lanes.put(f"act {acted.name} {acted.conversation.id}", partial(self._do, acted, same))
        self._under_way.add(same)

    def wished(self, wish: Wish, said: Said) -> None:
        """Somebody wrote what a button does as well. Raises Busy."""
        self.hear(
            Acted(
                kind=Act.SUBMITTED,
                name=_WISHES[wish],
                user=said.author,
                conversation=said.conversation,
                site=said.site,
                message=said.message,
                called=said.name,
                # The menu of Teams writes English words for everybody who does not use it in Japanese.
                locale="ja" if detect_language(said.text, "en") == "ja" else said.locale,
            )
        )

    def installed(self, told: Installed, greeting: Acted) -> None:
        """The bot is new somewhere, and says so once. Raises Busy."""
        if not told.updated:
            self._lanes.put(f"welcome {greeting.conversation.id}", partial(self._welcome, greeting))

    async def _welcome(self, greeting: Acted) -> None:
        scene = self._scenes.of(greeting)
        try:
            if scene.enabled and not await self._sites.greeted(greeting.site):
                await scene.show(welcome_card(scene.language, wording=scene.wording))
        except HelpdeskError as error:
            log.warning("teams_welcome_unsent", error=type(error).__name__)

    async def _do(self, acted: Acted, same: tuple[str | None, ...]) -> None:
        """The outer loop of an act."""
        try:
            async with asyncio.timeout(_SECONDS):
                scene = self._scenes.of(acted)
                if scene.enabled:
                    await self._deeds[acted.name](scene)
                else:
                    await scene.say(scene.words.switched_off.format(contact=scene.contact))
        except Exception as error:
            await self._regret(acted, error)
        finally:
            self._under_way.discard(same)

    async def _regret(self, acted: Acted, error: Exception) -> None:
        reference, scene = uuid4().hex[:8], self._scenes.of(acted)
        log.error("teams_act_failed", kind=acted.kind.value, reference=reference, **traced(error))
        if acted.kind is Act.FEEDBACK:
            # Teams has thanked for it.
            return
        words = scene.words
        said = words.busy if isinstance(error, Busy) else words.failed
        try:
            await scene.say(f"{said}\n{words.reference.format(reference=reference)}")
        except HelpdeskError as unsent:
            log.warning("teams_regret_unsent", reference=reference, error=type(unsent).__name__)
