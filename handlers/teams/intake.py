"""From what somebody said in Teams to a message for the desk."""

from __future__ import annotations

from collections import OrderedDict

from handlers.messages import IncomingMessage
from handlers.teams.records import Said
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from memory.model import Viewer, turn_id
from memory.ports import Clock, Reading

#: Threads of which it is known without looking who began them.
_AT_HAND = 5_000


class Intake:
    """Makes messages, and notes where they were said."""

    def __init__(self, rules: Rules, sites: Sites, reading: Reading, clock: Clock) -> None:
        self._rules = rules
        self._sites = sites
        self._reading = reading
        self._clock = clock
        self._began: OrderedDict[str, str] = OrderedDict()

    async def message(self, said: Said) -> IncomingMessage:
        """What was said, as the desk takes it, without text where nothing but a call was; durable is only where it was
        said. Raises StoreUnavailable."""
        await self._sites.remember(said.site)
        words = [said.text, *(f"[file: {file.name}]" for file in said.files)]
        return IncomingMessage(
            conversation=said.conversation,
            message=said.message,
            author=said.author,
            text=" ".join(word for word in words if word),
            said_at=said.said_at,
            visibility=self._rules.visibility(said.site),
            requester=await self._root_author(said) if said.threaded else None,
            speaker=said.name or None,
        )

    async def _root_author(self, said: Said) -> str | None:
        """Who began the thread, whose request it is; Teams does not say, so only where its first message was kept."""
        conversation = said.conversation
        if conversation.id in self._began:
            self._began.move_to_end(conversation.id)
            return self._began[conversation.id]
        root, reader = turn_id(conversation, conversation.thread), Viewer(user="", channel=conversation.channel)
        found = await self._reading.turns([root], reader, self._clock())
        if not found:
            return None
        self._began[conversation.id] = found[0].author
        if len(self._began) > _AT_HAND:
            self._began.popitem(last=False)
        return found[0].author
