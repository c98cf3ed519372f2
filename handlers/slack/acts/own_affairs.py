"""What a person asks the bot about themselves: requests, what is remembered, being forgotten, the bot's own page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from handlers.slack.acts.commands import Wish, help_page, wish_in
from handlers.slack.acts.home_page import home_page, prompts, view
from handlers.slack.acts.own_pages import Own, forget_question, memory_page, requests_page
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.scenes import Scene, is_direct
from handlers.slack.acts.telling import tell
from handlers.slack.render_blocks import Block
from memory.model import Viewer
from memory.personal import Personal
from memory.ports import Clock
from memory.recall.profile import Profiles
from memory.upkeep.forget import Forgotten

log = structlog.get_logger()

#: Requests that are looked at, of which the open ones are shown first.
_REQUESTS = 100
#: How long one run of forgetting may take; the next one does the rest.
_FORGET_SECONDS = 300.0


class OwnAffairs:
    """Shows people what is theirs, to themselves alone."""

    def __init__(
        self,
        *,
        personal: Personal,
        profiles: Profiles,
        forget: Callable[[str], Awaitable[Forgotten]],
        clock: Clock,
    ) -> None:
        self._personal = personal
        self._profiles = profiles
        self._forget = forget
        self._clock = clock

    async def commanded(self, scene: Scene) -> None:
        """Somebody called the slash command. Raises StoreUnavailable and SlackClientError."""
        await self._show(scene, await self._page(scene, wish_in(scene.acted.value or "")))

    async def _page(self, scene: Scene, wish: Wish) -> Sequence[Block]:
        match wish:
            case Wish.HELP:
                return help_page(scene.acted.name, scene.words)
            case Wish.TICKETS:
                return requests_page(await self._own(scene), scene.reader)
            case Wish.MEMORY:
                return memory_page(await self._own(scene), scene.reader)
            case Wish.FORGET:
                return await self._question(scene)

    async def opened(self, scene: Scene) -> None:
        """Somebody opened the bot's own page. Raises StoreUnavailable and SlackClientError."""
        await self._publish(scene)

    async def begun(self, scene: Scene) -> None:
        """Somebody opened the conversation with the bot: suggest what to ask. Raises SlackClientError."""
        if scene.acted.channel and is_direct(scene.acted.channel):
            await scene.here.client.assistant_threads_setSuggestedPrompts(
                channel_id=scene.acted.channel, title=scene.words.prompts, prompts=prompts(scene.words)
            )

    async def forget_asked(self, scene: Scene) -> None:
        """Somebody wants to be forgotten, and is asked whether that is so. Raises as `commanded` does."""
        await self._show(scene, await self._question(scene))

    async def forget_denied(self, scene: Scene) -> None:
        """Nothing is forgotten. Raises as `commanded` does."""
        await self._done(scene, scene.words.not_forgotten)

    async def forget_confirmed(self, scene: Scene) -> None:
        """Everything that who clicked has written goes. Raises as `commanded` does.

        The button names the person who was asked; it takes both, and nobody else's words are ever touched.
        """
        if scene.acted.value != scene.acted.user:
            log.warning("slack_forget_refused")
            await tell(scene.acted, scene.here, message(paragraph(scene.words.not_yours)))
            return
        await self._done(scene, await self._forgotten(scene))

    async def _forgotten(self, scene: Scene) -> str:
        words = scene.words
        try:
            async with asyncio.timeout(_FORGET_SECONDS):
                done = await self._forget(scene.acted.user)
        except TimeoutError:
            log.warning("slack_forget_unfinished")
            return words.forget_unfinished
        return words.forgotten.format(count=done.messages) if done.messages else words.forgotten_none

    async def _question(self, scene: Scene) -> Sequence[Block]:
        # As many as will go: also words that the person wrote for others and may not read again.
        kept = await self._personal.kept(Viewer(user=scene.acted.user, agent=True), self._clock())
        return forget_question(kept.messages, scene.reader)

    async def _own(self, scene: Scene) -> Own:
        now, viewer, name = self._clock(), scene.alone, scene.person.name
        requests, kept = await asyncio.gather(
            self._personal.requests(viewer, now, _REQUESTS), self._personal.kept(viewer, now)
        )
        profile = await self._profiles.called(name, viewer, now) if name else None
        return Own(requests=sorted(requests, key=lambda one: not one.open), kept=kept, profile=profile)

    async def _show(self, scene: Scene, blocks: Sequence[Block]) -> None:
        """On the page where it was asked there, else for the person alone."""
        if scene.at_home:
            await scene.here.client.views_publish(user_id=scene.acted.user, view=dict(view(blocks)))
        else:
            await tell(scene.acted, scene.here, message(blocks))

    async def _done(self, scene: Scene, said: str) -> None:
        """In the place of the question, so that it cannot be answered again."""
        if scene.at_home:
            await self._publish(scene, notice=said)
        else:
            await tell(scene.acted, scene.here, message(paragraph(said)), instead=True)

    async def _publish(self, scene: Scene, notice: str = "") -> None:
        page = home_page(await self._own(scene), scene.reader, notice=notice)
        await scene.here.client.views_publish(user_id=scene.acted.user, view=dict(page))
