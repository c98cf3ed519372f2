"""A message that had a secret in it: its author has it forgotten, by a button below the answer and another one."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from handlers.acts.pasted import ForgetOne, Pasted
from handlers.teams.acts.asked import Asked
from handlers.teams.acts.scenes import Scene
from handlers.teams.cards import pasted_card
from handlers.teams.message import plain_message
from handlers.teams.records import PLATFORM
from memory.model import Turn

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedSecrets:
    """What a button brings back is a claim: with every click it is looked up who wrote the message. Every method raises
    StoreUnavailable and as `Writes`."""

    asked: Asked
    forget: ForgetOne

    async def wanted(self, scene: Scene) -> None:
        """Somebody wants a message to be forgotten, and is asked whether that is so."""
        if (turn := await self._own(scene)) is not None:
            await scene.show(pasted_card(turn.id, _pasted(scene.about(turn))))

    async def denied(self, scene: Scene) -> None:
        """Nothing is forgotten. In a channel others see the question, too: they cannot take it away."""
        if (turn := await self._own(scene)) is not None:
            await scene.show(plain_message(scene.about(turn).words.not_forgotten), instead=True)

    async def confirmed(self, scene: Scene) -> None:
        """The message goes. A repeat finds nothing left of it, and says so."""
        if (turn := await self._own(scene)) is not None:
            said = _pasted(scene.about(turn)).done(await self.forget(turn))
            await scene.show(plain_message(said), instead=True)

    async def _own(self, scene: Scene) -> Turn | None:
        """The message, if it is there and who clicked wrote it; else the word to that person is said here."""
        turn = await self.asked.turn(scene, scene.acted.inputs.get("value", ""))
        if turn is not None and turn.author == scene.acted.user:
            return turn
        if turn is not None:
            log.warning("teams_forget_refused")
        await scene.say(_pasted(scene).gone if turn is None else scene.words.not_yours)
        return None


def _pasted(scene: Scene) -> Pasted:
    return Pasted(wording=scene.wording, language=scene.language, platform=PLATFORM)
