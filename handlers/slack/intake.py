"""From what somebody said in Slack to a message for the desk: with names instead of ids, the author's clock, and how
widely the place lets it be seen."""

from __future__ import annotations

import asyncio
from datetime import datetime

from handlers.earlier import CALLED
from handlers.messages import IncomingMessage
from handlers.slack.address import Address, filed
from handlers.slack.directory import PATIENT, SOON, Directory, Room
from handlers.slack.installations import Installation
from handlers.slack.records import ChannelKind, Said
from handlers.slack.rules import Rules
from handlers.slack.text import people_in, without_people
from memory.model import DIRECT, Conversation, Visibility


class Intake:
    """Makes the same message of the same words, whether Slack tells them as they are said or is asked for them."""

    def __init__(self, directory: Directory, rules: Rules) -> None:
        self._directory = directory
        self._rules = rules

    async def message(self, said: Said, here: Installation) -> IncomingMessage:
        """What was said, as the desk takes it. Never raises: what Slack does not tell soon is unknown, as Slack itself
        waits to hear that the message arrived."""
        conversation = filed(said.conversation)
        workspace, client = said.conversation.workspace, here.client
        person, names, room = await asyncio.gather(
            self._directory.person(client, workspace, said.author, seconds=SOON),
            self._directory.names(client, workspace, people_in(said.text)),
            self._room_of(said, here),
        )
        words = [without_people(said.text, names), *(f"[file: {file.name}]" for file in said.files)]
        return IncomingMessage(
            conversation=conversation,
            message=said.message,
            author=said.author,
            text=" ".join(word for word in words if word) or CALLED,
            said_at=said.said_at.astimezone(person.zone) if person.zone else said.said_at,
            visibility=self._visibility(conversation, room),
            requester=said.root_author,
            speaker=person.name or None,
            room=room.name or None,
        )

    async def room(
        self, channel: str, here: Installation, *, since: datetime | None = None, seconds: float = PATIENT
    ) -> Room:
        """What kind of place that is, as it was at `since` or later."""
        if Address(workspace=here.workspace, channel=channel, thread="").direct:
            private = Room(visibility=Visibility.PRIVATE, shared=False)
            return self._directory.narrowed(channel, private)
        return await self._directory.room(here.client, here.workspace, channel, since=since, seconds=seconds)

    async def _room_of(self, said: Said, here: Installation) -> Room:
        """A mention does not say in what kind of channel it is: an answer from before it is not good enough."""
        since = said.said_at if said.kind is ChannelKind.UNKNOWN else None
        return await self.room(said.conversation.channel, here, since=since, seconds=SOON)

    def _visibility(self, conversation: Conversation, room: Room) -> Visibility:
        if conversation.channel == DIRECT:
            return Visibility.PRIVATE
        return self._rules.visibility(conversation.channel, room)
