"""What a person asks the bot about themselves: requests, what is remembered, being forgotten, the bot's own page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import structlog
from slack_sdk.errors import SlackClientError

from handlers.acts.own import OwnRecords
from handlers.acts.wishes import Wish, wish_in
from handlers.slack.acts.commands import help_page
from handlers.slack.acts.home_page import home_page, prompts, view
from handlers.slack.acts.own_pages import forget_question, memory_page, requests_page
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.scenes import Scene, is_direct
from handlers.slack.acts.telling import tell, whisper
from handlers.slack.records import Act
from handlers.slack.render_blocks import Block

log = structlog.get_logger()

#: What others are not to read, with the place of its word among the commands of the help.
_OWN = {Wish.TICKETS: 0, Wish.MEMORY: 1, Wish.FORGET: 2}


class OwnAffairs:
    """Shows people what is theirs, to themselves alone."""

    def __init__(self, records: Callable[[], OwnRecords]) -> None:
        self._records = records

    async def commanded(self, scene: Scene) -> None:
        """Somebody called the slash command, or wrote the same to the bot. Raises StoreUnavailable and
        SlackClientError."""
        wish = wish_in(scene.acted.value or "")
        page = await self._page(scene, wish or Wish.HELP)
        asked = wish is None and (scene.acted.value or "").strip()
        await self._show(scene, [*paragraph(scene.words.help_not_asked), *page] if asked else page)

    async def _page(self, scene: Scene, wish: Wish) -> Sequence[Block]:
        if scene.aloud and wish in _OWN:
            word = scene.words.commands[_OWN[wish]][0]
            return paragraph(scene.wording.around(scene.language).others_read.format(word=word))
        match wish:
            case Wish.HELP:
                return help_page(scene.acted.name if scene.acted.kind is Act.COMMAND else "", scene.words)
            case Wish.TICKETS:
                return requests_page(await self._records().of(scene.alone, scene.person.name), scene.reader)
            case Wish.MEMORY:
                return memory_page(await self._records().of(scene.alone, scene.person.name), scene.reader)
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

        The button names the person who was asked; it takes both, and nobody else's words are ever touched. A repeat
        forgets the rest. With the last of it this act is forgotten too: where the process dies before it says so, the
        question stands, and another click says that nothing is left.
        """
        if scene.acted.value != scene.acted.user:
            log.warning("slack_forget_refused")
            await tell(scene.acted, scene.here, message(paragraph(scene.words.not_yours)))
            return
        await self._begun_forgetting(scene)
        await self._done(scene, await self._records().forgotten(scene.acted.user, scene.words))

    async def _begun_forgetting(self, scene: Scene) -> None:
        """A sign, which nothing waits for: what somebody wants forgotten goes whether or not Slack shows it."""
        try:
            await self._done(scene, scene.words.forgetting)
        except (SlackClientError, TimeoutError, OSError) as error:
            log.info("slack_forgetting_unshown", error=type(error).__name__)

    async def _question(self, scene: Scene) -> Sequence[Block]:
        return forget_question(await self._records().would_go(scene.acted.user), scene.reader)

    async def _show(self, scene: Scene, blocks: Sequence[Block]) -> None:
        """On the page where it was asked there, else for the person alone."""
        if scene.at_home:
            await scene.here.client.views_publish(user_id=scene.acted.user, view=dict(view(blocks)))
        elif scene.aloud and scene.ephemeral:
            await whisper(scene.acted, scene.here, message(blocks))
        else:
            await tell(scene.acted, scene.here, message(blocks))

    async def _done(self, scene: Scene, said: str) -> None:
        """In the place of the question, so that it cannot be answered again."""
        if scene.at_home:
            await self._publish(scene, notice=said)
        else:
            await tell(scene.acted, scene.here, message(paragraph(said)), instead=True)

    async def _publish(self, scene: Scene, notice: str = "") -> None:
        page = home_page(await self._records().of(scene.alone, scene.person.name), scene.reader, notice=notice)
        await scene.here.client.views_publish(user_id=scene.acted.user, view=dict(page))
