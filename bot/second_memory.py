"""A second memory over turns of the first: other sizes of episodes are tried there, and it is gone afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Sequence, Set
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from bot.application import Application
from bot.cached_encoder import CachedEncoder
from bot.measuring import FreshRanker
from bot.opening import open_index
from config.schema import IndexSettings, Settings
from memory.evaluation.sizes import Talk, chosen_talks, talks
from memory.index_ports import Encoder, KeyIndex
from memory.model import Turn

#: Most turns that are remembered a second time: some minutes of work for the shipped encoder.
_TURNS = 3000
#: Episodes that are read at a time.
_PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Conversations of a memory, each oldest first; how many turns that has in all, and after which silence it cuts."""

    talks: tuple[tuple[Turn, ...], ...]
    of_turns: int
    silence: timedelta

    @property
    def turns(self) -> list[Turn]:
        return [turn for talk in self.talks for turn in talk]


async def history(app: Application, gold: Set[str]) -> History:
    """The conversations of the tickets that are to be found, then the newest, up to a bound. Raises
    StoreUnavailable."""
    found: dict[str, Talk] = {}
    last: str | None = None
    while page := await app.store.writing.episodes_after(last, _PAGE):
        found, last = talks(page, gold, found), page[-1].id
    return History(
        talks=tuple([await _turns_of(app, talk) for talk in chosen_talks(found.values(), _TURNS)]),
        of_turns=sum(talk.turns for talk in found.values()),
        silence=timedelta(hours=app.settings.remember.silence_hours),
    )


async def _turns_of(app: Application, talk: Talk) -> tuple[Turn, ...]:
    episodes = await app.store.writing.episodes_of(talk.episodes)
    return tuple(sorted((turn for one in episodes for turn in one.turns), key=lambda turn: (turn.said_at, turn.id)))


class SecondMemory:
    """The index and the encoder's vectors are kept from one size to the next; the words are not."""

    def __init__(self, settings: Settings, turns: Sequence[Turn], *, index: KeyIndex, encoder: Encoder) -> None:
        self._settings = settings
        self._turns = turns
        self._index = index
        self._encoder = encoder

    async def cut_at(self, tokens: int) -> FreshRanker:
        """What ranks over the same turns in episodes of this size; the one before it is empty from then on."""
        remember = self._settings.remember.model_copy(update={"episode_tokens": tokens})
        ranker = FreshRanker(
            self._settings.model_copy(update={"remember": remember}),
            index=self._index,
            encoder=self._encoder,
            models={},
        )
        await ranker.load(self._turns)
        return ranker


@asynccontextmanager
async def second_memory(app: Application, turns: Sequence[Turn]) -> AsyncIterator[SecondMemory]:
    """In a folder of its own that is deleted afterwards, whatever index the first memory has. Notes are made by rule:
    no model is asked. Raises IndexUnavailable, EncoderUnavailable."""
    with tempfile.TemporaryDirectory(prefix="helpdesk-tuning-") as folder:
        embedded = app.settings.model_copy(update={"index": IndexSettings()})
        encoder = CachedEncoder(app.encoder, Path(folder) / "vectors")
        async with open_index(embedded, Path(folder)) as index:
            yield SecondMemory(app.settings, turns, index=index, encoder=encoder)
