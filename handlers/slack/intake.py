"""From what somebody said in Slack to a message for the desk: with names instead of ids, the author's clock, and how
widely the place lets it be seen."""

from __future__ import annotations

import asyncio

from handlers.messages import IncomingMessage
from handlers.slack.address import Address, filed
from handlers.slack.directory import Directory, Room
from handlers.slack.installations import Installation
from handlers.slack.records import Said
from handlers.slack.rules import Rules
from handlers.slack.text import people_in, without_people
from memory.model import DIRECT, Conversation, Visibility


class Intake:
    """Makes the same message of the same words, whether Slack tells them as they are said or is asked for them."""

    def __init__(self, directory: Directory, rules: Rules) -> None:
        self._directory = directory
        self._rules = rules

    async def message(self, said: Said, here: Installation) -> IncomingMessage:
        """What was said, as the desk takes it. Never raises: what Slack does not tell is unknown."""
        conversation = filed(said.conversation)
        workspace, client = said.conversation.workspace, here.client
        person, names, room = await asyncio.gather(
            self._directory.person(client, workspace, said.author),
            self._directory.names(client, workspace, people_in(said.text)),
            self.room(said.conversation.channel, here),
        )
        words = [without_people(said.text, names), *(f"[file: {file.name}]" for file in said.files)]
        return IncomingMessage(
            conversation=conversation,
            message=said.message,
            author=said.author,
            text=" ".join(word for word in words if word) or f"@{here.me.user}",
            said_at=said.said_at.astimezone(person.zone) if person.zone else said.said_at,
            visibility=self._visibility(conversation, room),
            requester=said.root_author,
            speaker=person.name or None,
        )

    async def room(self, channel: str, here: Installation) -> Room:
        """What kind of place that is."""
        if Address(workspace=here.workspace, channel=channel, thread="").direct:
            return Room(visibility=Visibility.PRIVATE, shared=False)
        return await self._directory.room(here.client, here.workspace, channel)

    def _visibility(self, conversation: Conversation, room: Room) -> Visibility:
        if conversation.channel == DIRECT:
            return Visibility.PRIVATE
        return self._rules.visibility(conversation.channel, room)
