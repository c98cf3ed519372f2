"""Whether the index can be searched and written to, and what has to be done before."""

from __future__ import annotations

from enum import StrEnum

from memory.errors import EncoderChanged, EncoderUnavailable
from memory.index_ports import Encoder, KeyIndex
from memory.ports import Ledger, Writing


class IndexState(StrEnum):
    """`ready`; `missing`: the words are there but the index is not, as after its folder was deleted; `rebuilding`: it
    was emptied and not everything is in it again, whether or not anybody is at it."""

    READY = "ready"
    MISSING = "missing"
    REBUILDING = "rebuilding"


class Readiness:
    """Compares the index with the encoder and with the words."""

    def __init__(self, *, index: KeyIndex, encoder: Encoder, writing: Writing, ledger: Ledger) -> None:
        self._index = index
        self._encoder = encoder
        self._writing = writing
        self._ledger = ledger

    async def check(self) -> IndexState:
        """The state of the index; a new one of a new memory counts as ready.

        Raises EncoderChanged, IndexDamaged and its kin, StoreUnavailable; EncoderUnavailable for a new index only, as
        an old one can still be searched, and added to, by words.
        """
        held = await self._index.stamp()
        if held is None and (await self._writing.counts())["episodes"]:
            return IndexState.MISSING
        try:
            ours = await self._encoder.stamp()
        except EncoderUnavailable:
            if held is None:
                raise
            return IndexState.READY
        if held is not None and held != ours:
            raise EncoderChanged(
                f"The index was made with {held.name}, and the configuration says {ours.name} now; "
                "run `helpdesk jobs run reindex` to embed everything again."
                if held.name != ours.name
                else None
            )
        return IndexState.READY if await self._ledger.rebuilt() is None else IndexState.REBUILDING

    async def prepare(self) -> IndexState:
        """The same before anything is written: a new index of a new memory is made ready for vectors.

        For jobs, of which one at a time writes keys, in whichever process: anywhere else it would empty what another
        process has begun to fill.
        """
        state = await self.check()
        if state is not IndexState.MISSING and await self._index.stamp() is None:
            await self._index.reset(await self._encoder.stamp())
        return state
