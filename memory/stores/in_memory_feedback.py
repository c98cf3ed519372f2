"""What people say about answers, in memory: the twin of the SQL store."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memory.feedback import Correction, Feedback, Tally
from memory.stores.words import storable


class InMemoryFeedback:
    """The port `FeedbackBox` in memory."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], Feedback] = {}
        self._corrections: dict[str, Correction] = {}

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

    async def helpful(self, limit: int) -> list[str]:
        last: dict[str, datetime] = {}
        for one in self._given.values():
            last[one.turn] = max(one.at, last.get(one.turn, one.at))
        blamed = {one.turn for one in self._given.values() if not one.helpful}
        newest = sorted(sorted(last.keys() - blamed), key=lambda turn: last[turn], reverse=True)
        return newest[: max(limit, 0)]

    async def correct(self, correction: Correction) -> None:
        self._corrections[correction.turn] = replace(correction, author=storable(correction.author))

    async def correction(self, turn: str) -> Correction | None:
        return self._corrections.get(turn)

    async def corrections(self, limit: int) -> list[Correction]:
        by_name = sorted(self._corrections.values(), key=lambda one: one.turn)
        return sorted(by_name, key=lambda one: one.at, reverse=True)[: max(limit, 0)]

    async def forget(self, author: str) -> None:
        gone = storable(author)
        self._corrections = {turn: one for turn, one in self._corrections.items() if one.author != gone}
        self._given = {key: one for key, one in self._given.items() if one.author != gone}
