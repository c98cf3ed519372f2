"""What an act is about, as who acts may see it: what a button brings back is a claim."""

from __future__ import annotations

from handlers.called import stands_for
from handlers.teams.acts.scenes import Scene
from memory.model import Turn
from memory.ports import Clock, Reading


class Asked:
    """Finds the message to which an answer belongs."""

    def __init__(self, reading: Reading, clock: Clock) -> None:
        self._reading = reading
        self._clock = clock

    async def readable(self, scene: Scene, name: str) -> Turn | None:
        """The turn of this id, wherever it was said, if who acts may read it there. Raises StoreUnavailable."""
        found = await self._reading.turns([name], scene.placed, self._clock())
        return found[0] if found else None

    async def meant(self, turn: Turn, scene: Scene) -> Turn:
        """The message that is meant where somebody clicked about this one. Raises StoreUnavailable."""
        return await stands_for(turn, self._reading, scene.placed)

    async def turn(self, scene: Scene, name: str) -> Turn | None:
        """The turn of this id, if a person said it in the chat or channel of the act, and who acts may read it there.
        That somebody acts there is Teams' word for it that they are in it. Raises StoreUnavailable."""
        here = scene.acted.conversation
        found = await self._reading.turns([name], scene.placed, self._clock())
        return next(
            (
                one
                for one in found
                if not one.derived
                and (one.conversation.platform, one.conversation.workspace, one.conversation.channel)
                == (here.platform, here.workspace, here.channel)
            ),
            None,
        )
