"""Rollback: an earlier version of a note is the newest again, and the episode is found by what it says."""

from __future__ import annotations

from dataclasses import replace

from memory.errors import Busy, NothingFound
from memory.fact_ports import FactWriting
from memory.index_ports import Encoder, KeyIndex
from memory.model import Note
from memory.ports import Clock, Writing
from memory.remember.evolution import rollback_cause
from memory.remember.keys import summary_keys_of
from memory.remember.notes import Noted


class Rollback:
    """Goes back to a version by writing a new one that repeats it: nothing of a note's history is lost."""

    def __init__(
        self, *, writing: Writing, facts: FactWriting, index: KeyIndex, encoder: Encoder, clock: Clock
    ) -> None:
        self._writing = writing
        self._facts = facts
        self._index = index
        self._encoder = encoder
        self._clock = clock

    async def run(self, episode: str, version: int) -> Note:
        """The note as it is now. Going back to what the newest version says writes none, but mends the index.

        It counts as made of the words as they are now, so that only other words make another note; and it does not
        evolve from links that are there already. Raises NothingFound; Busy when the note was changed meanwhile;
        StoreUnavailable, IndexUnavailable, EncoderUnavailable.
        """
        found = await self._writing.episodes_of([episode])
        versions = await self._facts.note_versions(episode)
        wanted = next((note for note in versions if note.version == version), None)
        if not found or wanted is None:
            raise NothingFound(f"There is no version {version} of that note; `helpdesk memory history` lists them.")
        newest = versions[-1]
        note = replace(
            wanted,
            version=newest.version + 1,
            fingerprint=newest.fingerprint,
            made_at=self._clock(),
            cause=rollback_cause(version),
        )
        await self._index.put(await summary_keys_of([Noted(episode=found[0], note=note)], self._encoder))
        if wanted.version == newest.version:
            return newest
        await self._writing.store_note(note)
        stored = (await self._writing.newest_notes([episode])).get(episode)
        if stored is None or (stored.version, stored.cause) != (note.version, note.cause):
            raise Busy("The note was changed at this very moment; look at its history and try again.")
        return stored
