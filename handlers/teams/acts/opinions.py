"""What people say of the bot's answers, with Teams' own buttons below them."""

from __future__ import annotations

import structlog

from handlers.teams.acts.asked import Asked
from handlers.teams.acts.scenes import Scene
from handlers.teams.recent import Recent
from memory.feedback import Feedback, FeedbackBox
from memory.model import Turn
from memory.ports import Clock

log = structlog.get_logger()

_OPINIONS = {"like": True, "dislike": False}


class Opinions:
    """Keeps the last word of each person on each answer. Teams names the message; `answers` knows to what it was the
    answer. The Agents Playground names none, so that there a thumb can be placed only where one answer was given."""

    def __init__(self, *, answers: Recent, asked: Asked, feedback: FeedbackBox, clock: Clock) -> None:
        self._answers = answers
        self._asked = asked
        self._feedback = feedback
        self._clock = clock

    async def given(self, scene: Scene) -> None:
        """Somebody pressed a thumb; Teams itself thanks for it, so who pressed one that cannot be counted is told.
        Raises StoreUnavailable and as `Writes` does."""
        acted = scene.acted
        helpful, turn = _OPINIONS.get(acted.inputs.get("reaction", "")), await self._judged(scene)
        if helpful is None or turn is None:
            log.info("teams_feedback_left")
            await scene.say(scene.here.uncounted)
            return
        at = acted.at or self._clock()
        await self._feedback.give(Feedback(turn=turn.id, author=acted.user, helpful=helpful, at=at))
        log.info("teams_feedback", turn=turn.id, helpful=helpful)

    async def _judged(self, scene: Scene) -> Turn | None:
        """What was answered by the message that the thumb is below, if who pressed it may read that."""
        site, message = scene.acted.site, scene.acted.message
        about = await (self._answers.about(site, message) if message else self._answers.only(site))
        return await self._asked.turn(scene, about) if about else None
