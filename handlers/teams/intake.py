"""From what somebody said in Teams to a message for the desk."""

from __future__ import annotations

from handlers.messages import IncomingMessage
from handlers.teams.people import People
from handlers.teams.records import Said, Site
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites

#: What a message says that only calls the bot.
_CALL = "@"


class Intake:
    """Makes messages, and notes where they were said and by whom."""

    def __init__(self, rules: Rules, sites: Sites, people: People, name: str) -> None:
        """`name` is the bot's own."""
        self._rules = rules
        self._sites = sites
        self._people = people
        self._name = name

    async def met(self, site: Site, person: str, name: str) -> None:
        """Note where somebody is, and under which name. Raises StoreUnavailable."""
        await self._sites.remember(site)
        await self._people.met(site.tenant, person, name)

    async def message(self, said: Said) -> IncomingMessage:
        """What was said, as the desk takes it; durable is only where it was said, and by whom. Raises
        StoreUnavailable."""
        await self.met(said.site, said.author, said.name)
        words = [said.text, *(f"[file: {file.name}]" for file in said.files)]
        return IncomingMessage(
            conversation=said.conversation,
            message=said.message,
            author=said.author,
            text=" ".join(word for word in words if word) or f"{_CALL}{self._name}",
            said_at=said.said_at,
            visibility=self._rules.visibility(said.site),
        )
