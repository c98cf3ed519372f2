"""The loop around every act: on the disk when it is acknowledged, done in its lane, and whoever acted gets a word
whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeAlias
from uuid import uuid4

import structlog

from handlers.acts.taken import Doing, TakenActs
from handlers.acts.wishes import Wish
from handlers.lanes import Lanes
from handlers.teams.acts.keeping import acted_again, conversation_of, kept
from handlers.teams.acts.scenes import Scene, Scenes
from handlers.teams.cards import welcome_card
from handlers.teams.names import FORGET, MEMORY, TICKETS
from handlers.teams.records import Act, Acted, Installed, Said
from handlers.teams.sites import Sites
from handlers.traces import traced
from memory.acts import TakenAct
from memory.errors import Busy, DeliveryUnknown, HelpdeskError, PlatformUnavailable, StoreUnavailable
from memory.ports import Clock
from memory.text.language import detect_language

log = structlog.get_logger()

#: How long one act may take, everything included.
_SECONDS = 600.0
#: By these names a wish that is written does the same as the button; help has none.
HELP, FEEDBACK = "help", "feedback"
_WISHES = {Wish.HELP: HELP, Wish.TICKETS: TICKETS, Wish.MEMORY: MEMORY, Wish.FORGET: FORGET}

Deed: TypeAlias = Callable[[Scene], Awaitable[None]]


class Acts:
    """What people do besides asking. `deeds` are by the name on the button.

    A process may die in the midst of any deed, and the next one does it again from the start. So each deed is one that
    can be repeated; what it says may be said twice then, since Teams lets nobody look whether it stands there.
    """

    def __init__(
        self,
        *,
        deeds: Mapping[str, Deed],
        scenes: Scenes,
        sites: Sites,
        taken: TakenActs,
        lanes: Lanes,
        clock: Clock,
    ) -> None:
        self._deeds = deeds
        self._scenes = scenes
        self._sites = sites
        self._taken = taken
        self._lanes = lanes
        self._clock = clock

    def knows(self, acted: Acted) -> bool:
        """Whether there is such a button."""
        return acted.kind is not Act.REFRESHED and acted.name in self._deeds

    async def hear(self, acted: Acted) -> None:
        """Take an act in: durable when this returns, done later. One that is not ours is left alone. Raises
        StoreUnavailable where it could not be kept."""
        if self.knows(acted):
            await self._taken.take(kept(acted, self._clock()), self._doing(acted, left=False))
        else:
            log.info("teams_act_left", kind=acted.kind.value)

    async def resume(self) -> int:
        """Take up what a process that died was to do. How many. Raises StoreUnavailable."""
        return await self._taken.resume(self._revived)

    async def _revived(self, act: TakenAct) -> Doing | None:
        """None where the bot was removed from there, or another version had this button."""
        site = await self._sites.of(conversation_of(act))
        acted = acted_again(act, site) if site else None
        return self._doing(acted, left=True) if acted and self.knows(acted) else None

    def _doing(self, acted: Acted, *, left: bool) -> Doing:
        # Of opinions the last one counts, so that each click is one of its own; else who clicks twice clicked once.
        about = acted.delivery if acted.kind is Act.FEEDBACK else acted.inputs.get("value")
        return Doing(
            lane=f"act {acted.name} {acted.conversation.id}",
            same=(acted.name, acted.user, acted.conversation.id, acted.message, about),
            deed=partial(self._do, acted, left=left),
        )

    async def wished(self, wish: Wish, said: Said) -> None:
        """Somebody wrote what a button does as well. As `hear`."""
        await self.hear(
            Acted(
                kind=Act.SUBMITTED,
                name=_WISHES[wish],
                user=said.author,
                conversation=said.conversation,
                site=said.site,
                message=said.message,
                delivery=said.message,
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
        scene, site = self._scenes.of(greeting), greeting.site
        try:
            if not await self._sites.greeted(site):
                await scene.show(welcome_card(scene.language, site.place, wording=scene.wording))
        except HelpdeskError as error:
            log.warning("teams_welcome_unsent", error=type(error).__name__)

    async def _do(self, acted: Acted, *, left: bool) -> bool:
        """The outer loop of an act, `left` by a process that died or not. Whether nothing more is to be done about
        it."""
        try:
            async with asyncio.timeout(_SECONDS):
                scene = self._scenes.of(acted)
                if scene.enabled:
                    await self._deeds[acted.name](scene)
                else:
                    await scene.say(scene.words.switched_off.format(contact=scene.contact))
        except Exception as error:
            if left and isinstance(error, Busy):
                # The process that died may have been at it, and what it claimed is free when that runs out.
                return False
            return await self._regretted(acted, error)
        return True

    async def _regretted(self, acted: Acted, error: Exception) -> bool:
        """Whether whoever acted knows, or can never be told. Where Teams is away just now the act is owed still."""
        reference, scene = uuid4().hex[:8], self._scenes.of(acted)
        log.error("teams_act_failed", kind=acted.kind.value, reference=reference, **traced(error))
        if acted.kind is Act.FEEDBACK:
            # Teams has thanked for it: nothing is said, and it is not to be lost.
            return not isinstance(error, StoreUnavailable)
        words = scene.words
        said = words.busy if isinstance(error, Busy) else words.failed
        try:
            await scene.say(f"{said}\n{words.reference.format(reference=reference)}")
        except HelpdeskError as unsent:
            log.warning("teams_regret_unsent", reference=reference, error=type(unsent).__name__)
            return not isinstance(unsent, PlatformUnavailable) or isinstance(unsent, DeliveryUnknown)
        return True
