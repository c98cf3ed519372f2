"""Reindex: the whole index is written anew from the words, after an encoder change or a damaged folder."""

from __future__ import annotations

from datetime import timedelta

from memory.index_ports import Encoder, KeyIndex
from memory.ports import Clock, Writing
from memory.remember.flush import Flush
from memory.remember.reports import FlushReport, Watcher, nobody


class Reindex:
    """Empties the index and lets a flush fill it; notes are kept, so no model is called for words it has read."""

    def __init__(self, *, writing: Writing, index: KeyIndex, encoder: Encoder, flush: Flush, clock: Clock) -> None:
        self._writing = writing
        self._index = index
        self._encoder = encoder
        self._flush = flush
        self._clock = clock

    async def run(self, *, watcher: Watcher = nobody) -> FlushReport:
        """Pending first, empty second: a process that dies between the two leaves keys that the next flush replaces,
        one that dies later leaves pending turns that the next flush indexes."""
        stamp = await self._encoder.stamp()
        await self._writing.reopen_all()
        await self._index.reset(stamp)
        # A moment later, so that a clock that stands still between the two lines leaves nothing behind.
        return await self._flush.run(idle_before=self._clock() + timedelta(seconds=1), watcher=watcher)
