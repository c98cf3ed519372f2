"""What people say of the bot's answers, with Teams' own buttons below them."""

from __future__ import annotations

import structlog

from handlers.teams.acts.asked import Asked
from handlers.teams.acts.scenes import Scene
from handlers.teams.recent import Recent
from memory.feedback import Feedback, FeedbackBox
from memory.ports import Clock

log = structlog.get_logger()

_OPINIONS = {"like": True, "dislike": False}


class Opinions:
    """Keeps the last word of each person on each answer. Teams names the message; `answers` knows to what it was the
    answer."""

    def __init__(self, *, answers: Recent, asked: Asked, feedback: FeedbackBox, clock: Clock) -> None:
        self._answers = answers
        self._asked = asked
        self._feedback = feedback
        self._clock = clock

    async def given(self, scene: Scene) -> None:
        """Somebody pressed a thumb; Teams itself thanks for it. Raises StoreUnavailable."""
        acted = scene.acted
        helpful = _OPINIONS.get(acted.inputs.get("reaction", ""))
        about = await self._answers.about(acted.site, acted.message) if acted.message else None
        turn = await self._asked.turn(scene, about) if about else None
        if helpful is None or turn is None:
            log.info("teams_feedback_left")
            return
        at = acted.at or self._clock()
        await self._feedback.give(Feedback(turn=turn.id, author=acted.user, helpful=helpful, at=at))
        log.info("teams_feedback", turn=turn.id, helpful=helpful)
