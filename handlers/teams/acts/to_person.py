"""From the bot to a person: the request is handed over, and the conversation says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from handlers.files import without_files
from handlers.handover import Handed, HandOver, Wanted
from handlers.teams.acts.asked import Asked
from handlers.teams.acts.same import same_button
from handlers.teams.acts.scenes import Scene
from handlers.teams.address import permalink
from handlers.teams.message import TeamsMessage, card_message, plain_message
from handlers.teams.names import SHOW_WORDS
from handlers.teams.pieces import button, buttons, elements, paragraph
from handlers.teams.recent import Recent
from handlers.teams.render_runs import Element
from handlers.tickets.requests import came_of, over, told
from memory.model import DIRECT, Turn

#: What is noted of a message beside that somebody was told: that the words were shown, too.
_SHOWN = "shown"


class ToPerson:
    """Brings a request to a person. `told` notes about which requests the conversation says so already."""

    def __init__(self, *, asked: Asked, hand_over: HandOver, told: Recent) -> None:
        self._asked = asked
        self._hand_over = hand_over
        self._told = told

    async def clicked(self, scene: Scene) -> None:
        """Somebody clicked "ask a person". Raises StoreUnavailable, Busy, and as `Writes`."""
        turn = await self._asked.turn(scene, scene.acted.inputs.get("value", ""))
        if turn is None:
            await scene.say(scene.words.gone)
            return
        spoken, about = scene.about(turn), await self._asked.meant(turn, scene)
        asker = turn.author if turn.author != about.author else ""
        wanted = replace(_wanted(about, spoken), requester=asker)
        handed = await self._hand_over(wanted)
        if handed is None:
            await spoken.say(spoken.words.nobody_told.format(contact=spoken.contact))
        elif handed.over and handed.ticket:
            await spoken.say(over(wanted, handed.ticket, language=spoken.language, wording=spoken.wording))
        else:
            await self._say(spoken, handed, about)

    async def _say(self, scene: Scene, handed: Handed, about: Turn) -> None:
        """That somebody was told: in full the first time, and where the ticket is open again."""
        known = await self._told.about(scene.acted.site, about.message) is not None
        if handed.again and known and not handed.back:
            await scene.show(_said(scene, _told(scene, handed), _same(scene, handed, about)))
            return
        await scene.show(_notice(scene, replace(handed, again=False), about))
        await self._told.note(scene.acted.site, about.message, about.id)

    async def words_shown(self, scene: Scene) -> None:
        """Somebody wants the support team to read what they wrote in their personal chat. Raises as `clicked` does."""
        turn = await self._asked.turn(scene, scene.acted.inputs.get("value", ""))
        if turn is None or turn.author != scene.acted.user:
            await scene.say(scene.words.gone)
            return
        spoken = scene.about(turn)
        handed = await self._hand_over(replace(_wanted(turn, spoken), words=without_files(turn.text)))
        if handed is None:
            await spoken.say(spoken.words.nobody_told.format(contact=spoken.contact))
        elif _SHOWN not in (noted := await self._told.noted(scene.acted.site, turn.message) or {}):
            await spoken.say(spoken.words.words_shown)
            # Said once, however often it is wanted.
            await self._told.note(scene.acted.site, turn.message, noted.get("about", turn.id), **{_SHOWN: turn.id})


def _wanted(turn: Turn, scene: Scene) -> Wanted:
    return Wanted(
        conversation=turn.conversation,
        message=turn.message,
        viewer=scene.placed,
        name=scene.acted.called,
        language=scene.language,
        link=permalink(turn.conversation, turn.message),
        said_at=turn.said_at,
    )


def _told(scene: Scene, handed: Handed) -> str:
    words = came_of(handed, scene.language, scene.wording)
    return told(words, handed, language=scene.language, zone=scene.zone, wording=scene.wording)


def _notice(scene: Scene, handed: Handed, turn: Turn) -> TeamsMessage:
    """That somebody was told. Of what was written to the bot alone they see nothing, unless its author wants it."""
    words, same = scene.words, _same(scene, handed, turn)
    said = _told(scene, handed)
    if turn.conversation.channel != DIRECT:
        return _said(scene, said, same)
    show = buttons(button(SHOW_WORDS, words.show_words, turn.id), language=scene.language)
    return _said(scene, f"{said}\n{words.told_privately}", [*same, show])


def _same(scene: Scene, handed: Handed, turn: Turn) -> list[Element]:
    """The button by which who asked says that it is about the same as the ticket that was named."""
    if handed.same_as is None or handed.ticket is None:
        return []
    return [same_button(handed.same_as, turn.id, scene.language, scene.wording)]


def _said(scene: Scene, words: str, below: Sequence[Element]) -> TeamsMessage:
    if not below:
        return plain_message(words)
    lines = elements(map(paragraph, words.splitlines()))
    return card_message([*lines, *below], language=scene.language, wording=scene.wording)
