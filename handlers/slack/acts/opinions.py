"""What people say of the bot's answers."""

from __future__ import annotations

from dataclasses import replace

import structlog

from handlers.acts.handed import with_team
from handlers.files import without_files
from handlers.slack.acts.answer_end import opinion_in, unhelped
from handlers.slack.acts.asked import Asked
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.telling import tell
from handlers.slack.render import SlackMessage
from memory.feedback import Feedback, FeedbackBox
from memory.model import Turn
from memory.ports import Clock, Reading
from memory.text.language import detect_language

log = structlog.get_logger()


class Opinions:
    """Keeps the last word of each person on each answer."""

    def __init__(self, *, asked: Asked, reading: Reading, feedback: FeedbackBox, clock: Clock) -> None:
        self._asked = asked
        self._reading = reading
        self._feedback = feedback
        self._clock = clock

    async def given(self, scene: Scene) -> None:
        """Somebody clicked a feedback button. A repeat is the same word once, and thanked for again. Raises
        StoreUnavailable and SlackClientError."""
        opinion = opinion_in(scene.acted.value or "")
        turn = await self._asked.turn(scene, opinion[0]) if opinion else None
        if opinion is None or turn is None:
            await tell(scene.acted, scene.here, message(paragraph(scene.words.gone)))
            return
        at, author, helpful = scene.acted.at or self._clock(), scene.acted.user, opinion[1]
        await self._feedback.give(Feedback(turn=turn.id, author=author, helpful=helpful, at=at))
        log.info("slack_feedback", turn=turn.id, helpful=helpful)
        await tell(scene.acted, scene.here, await self._thanks(turn, spoken_of(turn, scene), helpful=helpful))

    async def _thanks(self, turn: Turn, scene: Scene, *, helpful: bool) -> SlackMessage:
        if helpful:
            return message(paragraph(scene.words.thanks))
        ticket = await with_team(turn, self._reading, scene.placed, self._clock())
        if ticket is None:
            return unhelped(turn.id, scene.words)
        return message(paragraph(scene.wording.tickets(scene.language).unhelped.format(ticket=ticket)))


def spoken_of(turn: Turn, scene: Scene) -> Scene:
    """The same scene in the language in which the answer was given."""
    return replace(scene, language=scene.manners.language or detect_language(without_files(turn.text), scene.language))
