"""From the bot to a person: the request is handed over, and the thread says so once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from enum import Enum, auto

import structlog
from slack_sdk.errors import SlackApiError

from handlers.files import without_files
from handlers.handover import HandOver, Wanted
from handlers.slack.acts.asked import Asked
from handlers.slack.acts.names import SHOW_WORDS
from handlers.slack.acts.opinions import spoken_of
from handlers.slack.acts.pages import is_marked, mark, paged
from handlers.slack.acts.pieces import button, buttons, message, paragraph
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.telling import tell
from handlers.slack.address import address_of, permalink
from handlers.slack.faults import code_of
from handlers.slack.render import SlackMessage
from handlers.wording_acts import ActWords
from memory.model import Turn, turn_id

log = structlog.get_logger()

_SECONDS = 60.0
_PAGE, _MOST_PAGES = 200, 5


class Notice(Enum):
    """Whether the thread says that somebody was told: just now, since earlier, or not at all."""

    GIVEN = auto()
    STANDS = auto()
    IMPOSSIBLE = auto()


class ToPerson:
    """Brings a request to a person."""

    def __init__(self, *, asked: Asked, hand_over: HandOver) -> None:
        self._asked = asked
        self._hand_over = hand_over

    async def clicked(self, scene: Scene) -> None:
        """Somebody clicked "ask a person". Raises StoreUnavailable, PlatformUnavailable, Busy, SlackClientError."""
        turn = await self._asked.turn(scene, scene.acted.value or "")
        if turn is None:
            await tell(scene.acted, scene.here, message(paragraph(scene.words.gone)))
            return
        spoken = spoken_of(turn, scene)
        await self.bring(spoken, _wanted(turn, spoken))

    async def words_shown(self, scene: Scene) -> None:
        """Somebody wants the support team to read what they wrote in a direct message. Raises as `clicked` does."""
        turn = await self._asked.turn(scene, scene.acted.value or "")
        if turn is None or turn.author != scene.acted.user:
            said = scene.words.gone
        else:
            scene = spoken_of(turn, scene)
            agreed = replace(_wanted(turn, scene), words=without_files(turn.text))
            told = await self._hand_over(agreed)
            said = scene.words.words_shown if told else scene.words.nobody_told.format(contact=scene.contact)
        await tell(scene.acted, scene.here, message(paragraph(said)))

    async def bring(self, scene: Scene, wanted: Wanted) -> None:
        """Hand it over, and say what came of it. Raises as `clicked` does."""
        words = scene.words
        if not await self._hand_over(wanted):
            told = words.nobody_told.format(contact=scene.contact)
        else:
            notice = Notice.IMPOSSIBLE if scene.ephemeral else await self._noticed(scene, wanted)
            if notice is Notice.GIVEN:
                return
            told = words.told_already if notice is Notice.STANDS else words.told
        await tell(scene.acted, scene.here, message(paragraph(told)))

    async def _noticed(self, scene: Scene, wanted: Wanted) -> Notice:
        """A process may have died after somebody was told: only the thread itself knows whether it says so."""
        request, where = turn_id(wanted.conversation, wanted.message), address_of(wanted.conversation)
        client, said = scene.here.client, _told(wanted, request, scene.words)

        async def ask(cursor: str | None) -> object:
            return await client.conversations_replies(
                channel=where.channel,
                ts=where.thread,
                oldest=wanted.message,
                include_all_metadata=True,
                limit=_PAGE,
                cursor=cursor,
            )

        try:
            async with asyncio.timeout(_SECONDS):
                async for one in paged(ask, "messages", _MOST_PAGES):
                    if is_marked(one, request):
                        return Notice.STANDS
                await client.chat_postMessage(
                    channel=where.channel,
                    thread_ts=where.thread,
                    text=said.text,
                    blocks=[dict(block) for block in said.blocks],
                    metadata=mark(request),
                )
        except SlackApiError as error:
            log.warning("slack_notice_refused", error=code_of(error))
            return Notice.IMPOSSIBLE
        return Notice.GIVEN


def _wanted(turn: Turn, scene: Scene) -> Wanted:
    address = address_of(turn.conversation)
    return Wanted(
        conversation=turn.conversation,
        message=turn.message,
        user=scene.acted.user,
        language=scene.language,
        link=None if address.direct else permalink(scene.here.home, address, turn.message),
    )


def _told(wanted: Wanted, request: str, words: ActWords) -> SlackMessage:
    """That somebody was told. Of what was written to the bot alone they see nothing, unless its author wants it."""
    if not address_of(wanted.conversation).direct or wanted.title:
        return message(paragraph(words.told))
    show = buttons(button(SHOW_WORDS, words.show_words, request))
    return message([*paragraph(words.told), *paragraph(words.told_privately), show])
