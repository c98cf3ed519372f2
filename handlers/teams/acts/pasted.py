"""A message that had a secret in it: its author has it forgotten, by a button below the answer and another one."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from handlers.acts.pasted import ForgetOne, Pasted
from handlers.teams.acts.asked import Asked
from handlers.teams.acts.scenes import Scene
from handlers.teams.cards import pasted_card
from handlers.teams.message import plain_message
from handlers.teams.outlet import AUTHOR, BY_OTHERS
from handlers.teams.recent import Recent
from handlers.teams.records import PLATFORM
from handlers.teams.render import rendered
from memory.errors import DeliveryUnknown, PlatformRefused, PlatformUnavailable
from memory.model import Turn, reply_id

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedSecrets:
    """What a button brings back is a claim: with every click it is looked up who wrote the message. Every method raises
    StoreUnavailable and as `Writes`."""

    asked: Asked
    forget: ForgetOne
    answers: Recent

    async def wanted(self, scene: Scene) -> None:
        """Somebody wants a message to be forgotten, and is asked whether that is so."""
        if (turn := await self._own(scene)) is not None:
            value = f"{turn.id} {scene.acted.message or ''}"
            await scene.show(pasted_card(value, _pasted(scene.about(turn))))

    async def denied(self, scene: Scene) -> None:
        """Nothing is forgotten. In a channel others see the question, too: they cannot take it away."""
        if (turn := await self._own(scene)) is not None:
            await scene.show(plain_message(scene.about(turn).words.not_forgotten), instead=True)

    async def confirmed(self, scene: Scene) -> None:
        """The message goes, and the buttons of its answer. A repeat finds nothing left of it, and says so."""
        if (turn := await self._own(scene)) is not None:
            answer = await self._answer(turn, scene)
            said = _pasted(scene.about(turn)).done(await self.forget(turn))
            await scene.show(plain_message(said), instead=True)
            if answer is not None:
                await answer.lose_buttons(scene.about(turn))

    async def _answer(self, turn: Turn, scene: Scene) -> _Answer | None:
        """What was said to the message, as it is remembered until that goes, too: Teams shows a bot nothing of its own.
        That the message which a button names is the answer was noted when it was sent."""
        _, message = _parts(scene)
        noted = await self.answers.noted(scene.acted.site, message) if message else None
        if noted is None or noted["about"] != turn.id:
            return None
        said = await self.asked.readable(scene, reply_id(turn.conversation.id, turn.message))
        # Nothing is noted of older answers, which a model may have written.
        by_model = noted.get(AUTHOR) != BY_OTHERS
        return _Answer(message=message, said=said.text, by_model=by_model) if said is not None else None

    async def _own(self, scene: Scene) -> Turn | None:
        """The message, if it is there and who clicked wrote it; else the word to that person is said here."""
        turn = await self.asked.turn(scene, _parts(scene)[0])
        if turn is not None and turn.author == scene.acted.user:
            return turn
        if turn is not None:
            log.warning("teams_forget_refused")
        await scene.say(_pasted(scene).gone if turn is None else scene.words.not_yours)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """One of our messages, what it says, and whether a model wrote that."""

    message: str
    said: str
    by_model: bool

    async def lose_buttons(self, scene: Scene) -> None:
        """Its words stay, as whose they are. Where Teams does not let the bot change it, all stays."""
        *_, last = rendered(self.said, language=scene.language, by_model=self.by_model, wording=scene.wording)
        try:
            await scene.errand.replace(self.message, last.content)
        except (PlatformRefused, PlatformUnavailable, DeliveryUnknown) as error:
            log.warning("teams_buttons_left", error=type(error).__name__)


def _parts(scene: Scene) -> tuple[str, str]:
    """The turn that a button names, and the message that the answer to it is, if it names one."""
    turn, _, message = scene.acted.inputs.get("value", "").partition(" ")
    return turn, message


def _pasted(scene: Scene) -> Pasted:
    return Pasted(wording=scene.wording, language=scene.language, platform=PLATFORM)
