"""What people say of the bot's answers."""

from __future__ import annotations

from dataclasses import replace

import structlog

from handlers.files import without_files
from handlers.slack.acts.answer_end import opinion_in, thanks
from handlers.slack.acts.asked import Asked
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.telling import tell
from memory.feedback import Feedback, FeedbackBox
from memory.model import Turn
from memory.ports import Clock
from memory.text.language import detect_language

log = structlog.get_logger()


class Opinions:
    """Keeps the last word of each person on each answer."""

    def __init__(self, *, asked: Asked, feedback: FeedbackBox, clock: Clock) -> None:
        self._asked = asked
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
        words = spoken_of(turn, scene).words
        await tell(scene.acted, scene.here, thanks(turn.id, words, helpful=helpful))


def spoken_of(turn: Turn, scene: Scene) -> Scene:
    """The same scene in the language in which the answer was given."""
    return replace(scene, language=scene.manners.language or detect_language(without_files(turn.text), scene.language))
