"""From what somebody said in Teams to a message for the desk."""

from __future__ import annotations

from handlers.messages import IncomingMessage
from handlers.teams.records import Said
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites


class Intake:
    """Makes messages, and notes where they were said."""

    def __init__(self, rules: Rules, sites: Sites) -> None:
        self._rules = rules
        self._sites = sites

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
            speaker=said.name or None,
        )
