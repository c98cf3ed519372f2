"""A message that had a secret in it: its author has it forgotten, by a button below the answer and another one."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from handlers.acts.pasted import ForgetOne, Pasted
from handlers.slack.acts.asked import Asked
from handlers.slack.acts.names import FORGET_PASTED_NO, FORGET_PASTED_YES
from handlers.slack.acts.opinions import spoken_of
from handlers.slack.acts.pasted_answer import take_buttons_away
from handlers.slack.acts.pieces import button, buttons, heading, items, message, paragraph
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.telling import tell
from handlers.slack.records import PLATFORM
from handlers.slack.render_blocks import Block
from memory.model import Turn

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedSecrets:
    """What a button says is a claim: with every click it is looked up who wrote the message. Every method raises
    StoreUnavailable and SlackClientError."""

    asked: Asked
    forget: ForgetOne

    async def wanted(self, scene: Scene) -> None:
        """Somebody wants a message to be forgotten, and is asked whether that is so."""
        if (turn := await self._own(scene)) is not None:
            spoken = spoken_of(turn, scene)
            await tell(scene.acted, scene.here, message(_question(turn, spoken)))

    async def denied(self, scene: Scene) -> None:
        """Nothing is forgotten."""
        await tell(scene.acted, scene.here, message(paragraph(scene.words.not_forgotten)), instead=True)

    async def confirmed(self, scene: Scene) -> None:
        """The message goes, and the buttons of its answer. A repeat finds nothing left of it, and says so."""
        if (turn := await self._own(scene)) is not None:
            said = _pasted(spoken_of(turn, scene)).done(await self.forget(turn))
            await tell(scene.acted, scene.here, message(paragraph(said)), instead=True)
            await take_buttons_away(turn, scene)

    async def _own(self, scene: Scene) -> Turn | None:
        """The message, if it is there and who clicked wrote it; else the word to that person is said here."""
        turn = await self.asked.turn(scene, scene.acted.value or "")
        if turn is not None and turn.author == scene.acted.user:
            return turn
        if turn is not None:
            log.warning("slack_forget_refused")
        said = _pasted(scene).gone if turn is None else scene.words.not_yours
        await tell(scene.acted, scene.here, message(paragraph(said)))
        return None


def _question(turn: Turn, scene: Scene) -> list[Block]:
    pasted, words = _pasted(scene), scene.words
    yes = button(FORGET_PASTED_YES, words.forget_yes, turn.id, style="danger")
    no = button(FORGET_PASTED_NO, words.forget_no, turn.id)
    return [*heading(pasted.question), *items(pasted.consequences), buttons(yes, no, language=scene.language)]


def _pasted(scene: Scene) -> Pasted:
    return Pasted(wording=scene.wording, language=scene.language, platform=PLATFORM)
