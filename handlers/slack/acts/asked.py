"""What an act is about, as who acts may see it: what a button says is a claim, and a form a claim of earlier."""

from __future__ import annotations

import asyncio

from handlers.called import stands_for
from handlers.slack.acts.scenes import Scene
from handlers.slack.address import address_of
from handlers.slack.directory import Person, Room
from handlers.slack.installations import Installation
from handlers.slack.intake import Intake
from handlers.slack.members import members_of
from handlers.slack.records import PLATFORM
from memory.model import Turn, Visibility
from memory.ports import Clock, Reading

_SECONDS = 30.0


class Asked:
    """Finds the message that somebody clicked below."""

    def __init__(self, *, reading: Reading, intake: Intake, clock: Clock) -> None:
        self._reading = reading
        self._intake = intake
        self._clock = clock

    async def turn(self, scene: Scene, name: str) -> Turn | None:
        """The turn of this id, if it was said by a person in the channel of the act, and who acts may read it there.

        Raises StoreUnavailable and SlackClientError.
        """
        found = await self._reading.turns([name], scene.placed, self._clock())
        turn = next((one for one in found if not one.derived and _is_there(one, scene)), None)
        return turn if turn and await self.lets_in(scene, scene.acted.channel or "") else None

    async def meant(self, turn: Turn, scene: Scene) -> Turn:
        """The message that is meant where somebody clicked about this one. Raises StoreUnavailable."""
        return await stands_for(turn, self._reading, scene.placed)

    async def lets_in(self, scene: Scene, channel: str) -> bool:
        """Whether who acts may see this channel. Raises SlackClientError where Slack does not let the bot know."""
        room = await self._intake.room(channel, scene.here, since=self._clock())
        return await is_let_in(scene.here, channel, scene.acted.user, scene.person, room)


def _is_there(turn: Turn, scene: Scene) -> bool:
    where, address = turn.conversation, address_of(turn.conversation)
    return (where.platform, where.workspace, address.channel) == (PLATFORM, scene.here.workspace, scene.acted.channel)


async def is_let_in(here: Installation, channel: str, user: str, person: Person, room: Room) -> bool:
    """A colleague may see every public channel; any other place has a list of who may. Raises SlackClientError."""
    if room.visibility is Visibility.EVERYONE and not person.guest:
        return True

    async with asyncio.timeout(_SECONDS):
        async for member in members_of(here, channel):
            if member == user:
                return True
    return False
