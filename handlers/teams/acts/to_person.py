"""From the bot to a person: the request is handed over, and the conversation says so."""

from __future__ import annotations

from handlers.handover import HandOver, Wanted
from handlers.teams.acts.asked import Asked
from handlers.teams.acts.scenes import Scene
from handlers.teams.address import permalink
from handlers.teams.recent import Recent


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
        spoken = scene.about(turn)
        wanted = Wanted(
            conversation=turn.conversation,
            message=turn.message,
            user=scene.acted.user,
            name=scene.acted.called,
            language=spoken.language,
            link=permalink(turn.conversation, turn.message),
            said_at=turn.said_at,
        )
        if not await self._hand_over(wanted):
            await spoken.say(spoken.words.nobody_told.format(contact=spoken.contact))
        elif await self._told.about(scene.acted.site, turn.message):
            await spoken.say(spoken.words.told_already)
        else:
            await spoken.say(spoken.words.told)
            await self._told.note(scene.acted.site, turn.message, turn.id)
