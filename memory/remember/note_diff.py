"""What changed between two versions of a note, as records; the words for it are chosen by whoever shows them."""

from __future__ import annotations

from dataclasses import dataclass

from memory.model import Note

#: The parts of a note that say something about its episode, in the order in which they are shown.
PARTS = ("summary", "keywords", "tags", "context", "entities")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteChange:
    """One part of a note (of PARTS) before and after; a text is a tuple of its lines."""

    part: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def added(self) -> tuple[str, ...]:
        return tuple(item for item in self.after if item not in self.before)

    @property
    def removed(self) -> tuple[str, ...]:
        return tuple(item for item in self.before if item not in self.after)


def note_diff(old: Note, new: Note) -> tuple[NoteChange, ...]:
    """The parts that differ, in the order of PARTS; empty when the versions say the same."""
    changes = (NoteChange(part=part, before=_items(old, part), after=_items(new, part)) for part in PARTS)
    return tuple(change for change in changes if change.before != change.after)


def _items(note: Note, part: str) -> tuple[str, ...]:
    value: str | tuple[str, ...] = getattr(note, part)
    return tuple(value.splitlines()) if isinstance(value, str) else value
