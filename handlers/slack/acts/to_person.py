"""From the bot to a person: the request is handed over, and the thread says so once."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto

import structlog
from slack_sdk.errors import SlackApiError

from handlers.files import without_files
from handlers.handover import Handed, HandOver, Wanted
from handlers.slack.acts.asked import Asked
from handlers.slack.acts.names import SHOW_WORDS
from handlers.slack.acts.once import said_once
from handlers.slack.acts.opinions import spoken_of
from handlers.slack.acts.pieces import button, buttons, message, paragraph
from handlers.slack.acts.same import same_button
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.telling import tell
from handlers.slack.acts.wanted_note import words_about
from handlers.slack.address import address_of, permalink
from handlers.slack.faults import code_of
from handlers.slack.render import SlackMessage
from handlers.slack.render_blocks import Block
from handlers.tickets.requests import came_of, over, told
from memory.model import Turn, turn_id

log = structlog.get_logger()


class Notice(Enum):
    """Whether the thread says that somebody was told: just now, since earlier, or not at all."""

    GIVEN = auto()
    STANDS = auto()
    IMPOSSIBLE = auto()


class ToPerson:
    """Brings a request to a person. A repeat finds the note, the words below it and the notice where they stand, and
    does what is left of it."""

    def __init__(self, *, asked: Asked, hand_over: HandOver) -> None:
        self._asked = asked
        self._hand_over = hand_over

    async def clicked(self, scene: Scene) -> None:
        """Somebody clicked "ask a person". Raises StoreUnavailable, PlatformUnavailable, Busy, SlackClientError."""
        turn = await self._asked.turn(scene, scene.acted.value or "")
        if turn is None:
            await tell(scene.acted, scene.here, message(paragraph(scene.words.gone)))
            return
        spoken, about = spoken_of(turn, scene), await self._asked.meant(turn, scene)
        await self.bring(spoken, replace(_wanted(about, spoken), requester=_asker(turn, about)))

    async def words_shown(self, scene: Scene) -> None:
        """Somebody wants the support team to read what they wrote in a direct message. Raises as `clicked` does."""
        turn = await self._asked.turn(scene, scene.acted.value or "")
        if turn is None or turn.author != scene.acted.user:
            said = scene.words.gone
        else:
            scene = spoken_of(turn, scene)
            agreed = replace(_wanted(turn, scene), words=without_files(turn.text))
            if await self._hand_over(agreed):
                await self._shown(scene, turn)
                return
            said = scene.words.nobody_told.format(contact=scene.contact)
        await tell(scene.acted, scene.here, message(paragraph(said)))

    async def _shown(self, scene: Scene, turn: Turn) -> None:
        """Said once, however often it is wanted: the thread knows whether it says so."""
        said = message(paragraph(scene.words.words_shown))
        where, about = address_of(turn.conversation), words_about(turn.id)
        await said_once(scene.here.client, where, said, about, since=turn.message)

    async def bring(self, scene: Scene, wanted: Wanted) -> None:
        """Hand it over, and say what came of it. Raises as `clicked` does."""
        words = scene.words
        handed = await self._hand_over(wanted)
        if handed is None:
            said = words.nobody_told.format(contact=scene.contact)
        elif handed.over and handed.ticket:
            said = over(wanted, handed.ticket, language=scene.language, wording=scene.wording)
        else:
            notice = Notice.IMPOSSIBLE if scene.ephemeral else await self._noticed(scene, wanted, handed)
            if notice is Notice.GIVEN:
                return
            request = turn_id(wanted.conversation, wanted.message)
            told = [*paragraph(_told(scene, handed)), *_same(scene, handed, request)]
            await tell(scene.acted, scene.here, message(told))
            return
        await tell(scene.acted, scene.here, message(paragraph(said)))

    async def _noticed(self, scene: Scene, wanted: Wanted, handed: Handed) -> Notice:
        """A process may have died after somebody was told: only the thread itself knows whether it says so."""
        request, where = turn_id(wanted.conversation, wanted.message), address_of(wanted.conversation)
        said, about = _notice(scene, wanted, handed, request), _about(handed, request)
        try:
            given = await said_once(scene.here.client, where, said, about, since=wanted.message)
        except SlackApiError as error:
            log.warning("slack_notice_refused", error=code_of(error))
            return Notice.IMPOSSIBLE
        return Notice.GIVEN if given else Notice.STANDS


def _wanted(turn: Turn, scene: Scene) -> Wanted:
    address = address_of(turn.conversation)
    return Wanted(
        conversation=turn.conversation,
        message=turn.message,
        viewer=scene.placed,
        language=scene.language,
        name=scene.person.name,
        link=None if address.direct else permalink(scene.here.home, address, turn.message),
    )


def _asker(turn: Turn, about: Turn) -> str:
    """Who asks with the message of somebody else."""
    return turn.author if turn.author != about.author else ""


def _about(handed: Handed, request: str) -> str:
    """By what it is known that the thread says so: a ticket may come back more than once."""
    return f"back {handed.ticket.name} {handed.ticket.changes}" if handed.back and handed.ticket else request


def _told(scene: Scene, handed: Handed) -> str:
    words = came_of(handed, scene.language, scene.wording)
    return told(words, handed, language=scene.language, zone=scene.zone, wording=scene.wording)


def _same(scene: Scene, handed: Handed, request: str) -> list[Block]:
    """The button by which who asked says that it is about the same as the ticket that was named."""
    if handed.same_as is None or handed.ticket is None:
        return []
    return [same_button(handed.same_as, request, scene.language, scene.wording)]


def _notice(scene: Scene, wanted: Wanted, handed: Handed, request: str) -> SlackMessage:
    """That somebody was told. Of what was written to the bot alone they see nothing, unless its author wants it."""
    words, same = scene.words, _same(scene, handed, request)
    said = [*paragraph(_told(scene, replace(handed, again=False))), *same]
    if not address_of(wanted.conversation).direct or wanted.title:
        return message(said)
    show = buttons(button(SHOW_WORDS, words.show_words, request), language=scene.language)
    return message([*said, *paragraph(words.told_privately), show])
