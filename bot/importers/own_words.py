"""A history in which this bot took part: its words are kept there, but nothing is learned from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.importers.rows import Row
from memory.model import Role, Turn


class OwnWords:
    """Knows the bot's own turns by what it was called there: an id or a name, in capitals or not."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {_folded(name): name for name in names}
        self._met: set[str] = set()

    def marked(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The same rows, the bot's own marked as derived."""
        for row in rows:
            yield replace(row, role=Role.BOT, derived=True) if isinstance(row, Turn) and self._are(row) else row

    @property
    def unmet(self) -> tuple[str, ...]:
        """Names under which nobody wrote anything in what was read so far."""
        return tuple(given for name, given in self._names.items() if name not in self._met)

    def _are(self, turn: Turn) -> bool:
        found = self._names.keys() & {_folded(turn.author), _folded(turn.said_by)}
        self._met |= found
        return bool(found)


def _folded(name: str) -> str:
    return name.strip().casefold()
