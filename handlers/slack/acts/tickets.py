"""Making a ticket of a message: a form at once, then the thread is remembered and goes to a person."""

from __future__ import annotations

from dataclasses import replace

import structlog
from slack_sdk.errors import SlackApiError

from handlers.handover import Wanted
from handlers.slack.acts.asked import Asked
from handlers.slack.acts.forms import opened_in_time
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.telling import tell
from handlers.slack.acts.threads import Threads, is_closed
from handlers.slack.acts.ticket_form import Spot, filled_in, spot_in, ticket_form
from handlers.slack.acts.to_person import ToPerson
from handlers.slack.address import Address, filed, permalink
from handlers.slack.faults import code_of
from handlers.slack.records import PLATFORM
from handlers.slack.rules import Rules
from memory.model import DIRECT, Conversation, Viewer

log = structlog.get_logger()


class Tickets:
    """Opens the form, and takes it when it is sent off."""

    def __init__(self, *, asked: Asked, threads: Threads, to_person: ToPerson, rules: Rules) -> None:
        self._asked = asked
        self._threads = threads
        self._to_person = to_person
        self._rules = rules

    async def wanted(self, scene: Scene) -> None:
        """Somebody called "make a ticket" on a message: open the form before anything else is asked. Raises
        SlackClientError."""
        acted, here, words = scene.acted, scene.here, scene.words
        if not acted.channel or not acted.thread or not acted.message or not acted.trigger_id:
            await _say(scene, words.gone)
            return
        spot = Spot(channel=acted.channel, thread=acted.thread, message=acted.message)
        if not await opened_in_time(here, acted.trigger_id, ticket_form(spot, words)):
            await _say(scene, words.form_late)

    async def sent(self, scene: Scene) -> None:
        """The form was sent off. A repeat remembers the thread again, which changes nothing, and finds the note. Raises
        as `ToPerson.bring` does."""
        spot = spot_in(scene.acted.value or "")
        if spot is None:
            await _say(scene, scene.words.gone)
        elif refused := await self._refused(scene, spot):
            await _say(scene, refused)
        else:
            await self._to_person.bring(scene, _wanted(scene, spot))

    async def _refused(self, scene: Scene, spot: Spot) -> str:
        """Why it may not be taken, else empty; then the thread is remembered. What stands in the form is worth handing
        over even where the bot may not read the thread."""
        if not self._rules.of(spot.channel).enabled:
            return scene.words.switched_off.format(contact=scene.contact)
        try:
            if not await self._asked.lets_in(scene, spot.channel):
                return scene.words.not_seen
            await self._threads.remember(scene.here, spot.channel, spot.thread)
        except SlackApiError as error:
            if not is_closed(error):
                raise
            log.warning("slack_thread_closed", error=code_of(error))
        return ""


async def _say(scene: Scene, words: str) -> None:
    await tell(scene.acted, scene.here, message(paragraph(words)))


def _wanted(scene: Scene, spot: Spot) -> Wanted:
    title, note = filled_in(scene.acted.inputs)
    workspace = scene.here.workspace
    address = Address(workspace=workspace, channel=spot.channel, thread=spot.thread)
    conversation = Conversation(platform=PLATFORM, workspace=workspace, channel=spot.channel, thread=spot.thread)
    return Wanted(
        conversation=filed(conversation),
        message=spot.message,
        viewer=_reader(scene, address),
        language=scene.language,
        name=scene.person.name,
        root=spot.thread,
        title=title,
        note=note,
        link=None if address.direct else permalink(scene.here.home, address, spot.message),
    )


def _reader(scene: Scene, address: Address) -> Viewer:
    """Who reads in the place that the form is about, into which they were let: a form itself is in none."""
    return replace(scene.alone, channel=DIRECT if address.direct else address.channel)
