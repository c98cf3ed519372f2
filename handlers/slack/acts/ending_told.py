"""Telling in Slack who follows a ticket how it ended."""

from __future__ import annotations

from datetime import timedelta

from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.told_there import told_there
from handlers.slack.installations import Installations
from handlers.slack.rules import Rules
from memory.followers import Follower

#: Slack's clock and ours may differ by so much.
_APART = timedelta(minutes=5)


class SlackTells:
    """The port `Tells` for Slack: what was said is known again by its metadata."""

    def __init__(self, installations: Installations, rules: Rules) -> None:
        self._installations = installations
        self._rules = rules

    async def tell(self, follower: Follower, words: str, about: str) -> bool:
        """As `Tells`; where the bot is not installed any more nothing is left to do."""
        here = await self._installations.of(follower.place.workspace)
        if here is None:
            return True
        said = message([block for line in words.splitlines() for block in paragraph(line)])
        since = f"{(follower.at - _APART).timestamp():.6f}"
        return await told_there(here, self._rules, follower.place, follower.person, said, about, since=since)
