"""What people say about answers, in memory: the twin of the SQL store."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memory.feedback import Feedback, Tally
from memory.stores.words import storable


class InMemoryFeedback:
    """The port `FeedbackBox` in memory."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], Feedback] = {}

    async def give(self, feedback: Feedback) -> None:
        kept = replace(feedback, turn=storable(feedback.turn), author=storable(feedback.author))
        before = self._given.get((kept.turn, kept.author))
        if before is None or before.at <= kept.at:
            self._given[kept.turn, kept.author] = kept

    async def tally(self, since: datetime) -> Tally:
        said = [one.helpful for one in self._given.values() if one.at >= since]
        return Tally(helpful=said.count(True), unhelpful=said.count(False))

    async def unhelpful(self, since: datetime) -> frozenset[str]:
        return frozenset(one.turn for one in self._given.values() if one.at >= since and not one.helpful)

    async def forget(self, author: str) -> None:
        gone = storable(author)
        self._given = {key: one for key, one in self._given.items() if one.author != gone}
