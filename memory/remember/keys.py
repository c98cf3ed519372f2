"""From an episode and its note to index keys."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.model import Episode, KeyKind, Note, Turn, derived_id
from memory.ports import Encoder, Key, Pointer, Terms, Vectors
from memory.text.language import detect_language
from memory.text.sparse import passage_terms
from memory.text.statements import statements

#: Terms in a usual text of each kind. Fixed, so that a score does not depend on what else the memory holds.
USUAL_TERMS: Mapping[KeyKind, int] = {
    KeyKind.TURN: 32,
    KeyKind.WINDOW: 96,
    KeyKind.WIDE: 200,
    KeyKind.SUMMARY: 400,
}
#: Characters of a turn that are embedded. A message says what it is about at its start; a long one is found by all of
#: its words, and whole in its episode. What stands behind only blurs the vector and costs time by its length.
_MEANING_CHARACTERS = 300
#: How many neighbours a window takes in on each side.
_REACH: Mapping[KeyKind, int] = {KeyKind.TURN: 0, KeyKind.WINDOW: 1, KeyKind.WIDE: 3}
_NO_WORDS = Terms(ids=(), weights=())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A key before its vectors: `meaning` is embedded unless it is None, `words` become terms; `part` counts the keys
    of one kind of the same turn."""

    kind: KeyKind
    episode: Episode
    turn: Turn | None
    position: int
    length: int
    meaning: str | None
    words: str | None
    part: int = 0

    @property
    def id(self) -> str:
        names = [self.turn.id if self.turn else self.episode.id, *([str(self.part)] if self.part else [])]
        return derived_id("key", self.kind, *names)


async def keys_of(noted: Sequence[tuple[Episode, Note]], encoder: Encoder | None) -> list[Key]:
    """All keys of these episodes; without dense vectors when `encoder` is None. Raises EncoderUnavailable.

    Per turn: the turn (by meaning and by words), its windows of one and of three neighbours on each side (by words),
    and, where it is short but has several sentences, each of its statements (by meaning). Per episode: its summary (by
    meaning) with all its words. The bot's own derived turns have no keys.
    """
    drafts = [draft for episode, note in noted for draft in _drafts(episode, note)]
    if encoder is None:
        drafts = [draft for draft in drafts if draft.words is not None]
    meanings = [draft.meaning for draft in drafts if draft.meaning is not None]
    vectors = await encoder.passages(meanings) if encoder is not None and meanings else None
    return await asyncio.to_thread(_finish, drafts, vectors)


def _finish(drafts: Sequence[_Draft], vectors: Vectors | None) -> list[Key]:
    rows = iter(vectors) if vectors is not None else None
    return [
        Key(
            id=draft.id,
            kind=draft.kind,
            pointer=_pointer(draft),
            scope=draft.episode.scope,
            dense=next(rows) if rows is not None and draft.meaning is not None else None,
            terms=_NO_WORDS if draft.words is None else passage_terms(draft.words, USUAL_TERMS[draft.kind]),
        )
        for draft in drafts
    ]


def _pointer(draft: _Draft) -> Pointer:
    turn = draft.turn or draft.episode.turns[0]
    return Pointer(
        episode=draft.episode.id,
        turn=draft.turn.id if draft.turn else None,
        position=draft.position,
        length=draft.length,
        author=turn.author,
        requester=turn.requester,
        language=detect_language(turn.text, "en"),
        said_at=turn.said_at,
    )


def _drafts(episode: Episode, note: Note) -> Iterator[_Draft]:
    turns = [turn for turn in episode.turns if not turn.derived]
    if not turns:
        return
    texts = [_turn_text(turn) for turn in turns]
    for position, turn in enumerate(turns):
        for kind, reach in _REACH.items():
            words = "\n".join(texts[max(0, position - reach) : position + reach + 1])
            meaning = texts[position][:_MEANING_CHARACTERS] if kind is KeyKind.TURN else None
            yield _Draft(
                kind=kind,
                episode=episode,
                turn=turn,
                position=position,
                length=len(turns),
                meaning=meaning,
                words=words,
            )
        yield from _stated(episode, turn, position, len(turns))
    yield _Draft(
        kind=KeyKind.SUMMARY,
        episode=episode,
        turn=None,
        position=0,
        length=len(turns),
        meaning=note.summary or texts[0],
        words="\n".join((episode.name, note.summary, *note.keywords, note.context, *texts)),
    )


def _stated(episode: Episode, turn: Turn, position: int, length: int) -> Iterator[_Draft]:
    """A turn of several sentences is about several things, and its vector about their mean. A long text has no keys of
    this kind: it is found by its start, like any document."""
    stated = statements(turn.text) if len(turn.text) <= _MEANING_CHARACTERS else ()
    for part, statement in enumerate(stated, 1):
        yield _Draft(
            kind=KeyKind.STATEMENT,
            episode=episode,
            turn=turn,
            position=position,
            length=length,
            meaning=f"{turn.author}: {statement}",
            words=None,
            part=part,
        )


def _turn_text(turn: Turn) -> str:
    """Who says what; the turn that names a ticket also carries its title."""
    said = f"{turn.author}: {turn.text}"
    return f"{turn.title}\n{said}" if turn.title else said
