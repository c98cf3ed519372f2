"""What a person asks the bot about themselves: requests, what is remembered, being forgotten."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from handlers.acts.own import OwnRecords
from handlers.teams.acts.scenes import Scene
from handlers.teams.cards import forget_card, help_card, memory_card, requests_card
from handlers.teams.message import plain_message
from memory.errors import PlatformRefused, PlatformUnavailable

log = structlog.get_logger()

#: The word that brings each page, by its place among the commands of the help.
_TICKETS, _MEMORY, _FORGET = 0, 1, 2


class OwnAffairs:
    """Shows people what is theirs, in their personal chat. Every method raises StoreUnavailable and as `Writes`."""

    def __init__(self, records: Callable[[], OwnRecords]) -> None:
        self._records = records

    async def help(self, scene: Scene) -> None:
        """What can be written to the bot."""
        await scene.show(help_card(scene.language, scene.acted.site.place, wording=scene.wording))

    async def requests(self, scene: Scene) -> None:
        """The person's requests."""
        if await _alone(scene, _TICKETS):
            own = await self._records().of(scene.alone, scene.acted.called)
            await scene.show(requests_card(own.requests, scene.reader))

    async def memory(self, scene: Scene) -> None:
        """What is remembered of the person."""
        if await _alone(scene, _MEMORY):
            own = await self._records().of(scene.alone, scene.acted.called)
            await scene.show(memory_card(own.kept, own.requests, own.profile, scene.reader))

    async def forget_asked(self, scene: Scene) -> None:
        """Somebody wants to be forgotten, and is asked whether that is so."""
        if await _alone(scene, _FORGET):
            would = await self._records().would_go(scene.acted.user)
            await scene.show(forget_card(would, scene.acted.user, scene.language, wording=scene.wording))

    async def forget_denied(self, scene: Scene) -> None:
        """Nothing is forgotten."""
        await scene.show(plain_message(scene.words.not_forgotten), instead=True)

    async def forget_confirmed(self, scene: Scene) -> None:
        """Everything that who clicked has written goes. The button names the person who was asked; it takes both, in
        that person's own chat, and nobody else's words are ever touched. A repeat forgets the rest. With the last of it
        this act is forgotten too: where the process dies before it says so, the question stands, and another click says
        that nothing is left."""
        if not scene.personal or scene.acted.inputs.get("value") != scene.acted.user:
            log.warning("teams_forget_refused")
            await scene.say(scene.words.not_yours)
            return
        try:
            await scene.show(plain_message(scene.words.forgetting), instead=True)
        except (PlatformRefused, PlatformUnavailable) as error:
            # A sign, which nothing waits for.
            log.info("teams_forgetting_unshown", error=type(error).__name__)
        said = await self._records().forgotten(scene.acted.user, scene.words)
        await scene.show(plain_message(said), instead=True)


async def _alone(scene: Scene, command: int) -> bool:
    """Whether nobody else reads along; else the person is told where to ask."""
    if not scene.personal:
        await scene.say(scene.here.personal_only.format(word=scene.words.commands[command][0]))
    return scene.personal
