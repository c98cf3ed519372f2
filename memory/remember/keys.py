"""From an episode and its note to index keys."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.facts import STATE
from memory.index_ports import Encoder, Key, Pointer, Terms, Vectors
from memory.model import Episode, KeyKind, Note, Turn, derived_id
from memory.remember.notes import Noted, own_context
from memory.text.language import detect_language
from memory.text.sparse import passage_terms
from memory.text.statements import statements

#: Terms in a usual text of each kind. Fixed, so that a score does not depend on what else the memory holds.
USUAL_TERMS: Mapping[KeyKind, int] = {
    KeyKind.TURN: 32,
    KeyKind.WINDOW: 96,
    KeyKind.WIDE: 200,
    KeyKind.SUMMARY: 400,
    KeyKind.FACT: 32,
}
#: Characters of a turn that are embedded. A message says what it is about at its start; a long one is found by all of
#: its words, and whole in its episode. What stands behind only blurs the vector and costs time by its length.
_MEANING_CHARACTERS = 300
#: How many neighbours a window takes in on each side.
_REACH: Mapping[KeyKind, int] = {KeyKind.TURN: 0, KeyKind.WINDOW: 1, KeyKind.WIDE: 3}
_NO_WORDS = Terms(ids=(), weights=())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A key before its vectors: of `source` (a turn, a fact or an episode), found at the turn in `place` or, without
    one, in the whole episode. `meaning` is embedded and `words` become terms, unless they are None."""

    kind: KeyKind
    source: str
    episode: Episode
    turns: Sequence[Turn]
    place: int | None
    meaning: str | None
    words: str | None


def key_id(kind: KeyKind, source: str) -> str:
    """The id of the key that is made of this: a turn, an episode (its summary) or a fact, by its id."""
    return derived_id("key", kind, source)


async def keys_of(noted: Sequence[Noted], encoder: Encoder | None) -> list[Key]:
    """All keys of these episodes; without dense vectors when `encoder` is None. Raises EncoderUnavailable.

    Per turn: the turn (by meaning and by words), its windows of one and of three neighbours on each side (by words),
    and, where it is short but has several sentences, each of its statements (by meaning). Per fact: its text (by
    meaning and by words), which finds the turn that says so. Per episode: its summary (by meaning) with all its words.
    The bot's own derived turns have no keys.
    """
    return await _made([draft for one in noted for draft in _drafts(one)], encoder)


async def summary_keys_of(noted: Sequence[Noted], encoder: Encoder) -> list[Key]:
    """The keys that a new version of a note changes: those of summaries. Raises EncoderUnavailable."""
    drafts = (draft for one in noted for draft in _drafts(one))
    return await _made([draft for draft in drafts if draft.kind is KeyKind.SUMMARY], encoder)


def summary_meaning(episode: Episode, note: Note) -> str:
    """The text by whose meaning an episode's note is found; "" for an episode of derived turns only."""
    return note.summary or next((_turn_text(turn) for turn in episode.turns if not turn.derived), "")


async def _made(drafts: Sequence[_Draft], encoder: Encoder | None) -> list[Key]:
    if encoder is None:
        drafts = [draft for draft in drafts if draft.words is not None]
    meanings = [draft.meaning for draft in drafts if draft.meaning is not None]
    vectors = await encoder.passages(meanings) if encoder is not None and meanings else None
    return await asyncio.to_thread(_finish, drafts, vectors)


def _finish(drafts: Sequence[_Draft], vectors: Vectors | None) -> list[Key]:
    rows = iter(vectors) if vectors is not None else None
    return [
        Key(
            id=key_id(draft.kind, draft.source),
            kind=draft.kind,
            pointer=_pointer(draft),
            scope=draft.episode.scope,
            dense=next(rows) if rows is not None and draft.meaning is not None else None,
            terms=_NO_WORDS if draft.words is None else passage_terms(draft.words, USUAL_TERMS[draft.kind]),
        )
        for draft in drafts
    ]


def _pointer(draft: _Draft) -> Pointer:
    turn = draft.turns[draft.place or 0]
    return Pointer(
        episode=draft.episode.id,
        turn=None if draft.place is None else turn.id,
        position=draft.place or 0,
        length=len(draft.turns),
        speaker=turn.said_by,
        requester=turn.requester,
        language=detect_language(turn.text, "en"),
        said_at=turn.said_at,
    )


def _drafts(noted: Noted) -> Iterator[_Draft]:
    turns = [turn for turn in noted.episode.turns if not turn.derived]
    if not turns:
        return
    texts = [_turn_text(turn) for turn in turns]
    yield from _of_turns(noted.episode, turns, texts)
    yield from _of_statements(noted.episode, turns)
    yield from _of_facts(noted, turns)
    yield _of_summary(noted, turns, texts)


def _of_turns(episode: Episode, turns: Sequence[Turn], texts: Sequence[str]) -> Iterator[_Draft]:
    for place, turn in enumerate(turns):
        for kind, reach in _REACH.items():
            yield _Draft(
                kind=kind,
                source=turn.id,
                episode=episode,
                turns=turns,
                place=place,
                meaning=texts[place][:_MEANING_CHARACTERS] if kind is KeyKind.TURN else None,
                words="\n".join(texts[max(0, place - reach) : place + reach + 1]),
            )


def _of_statements(episode: Episode, turns: Sequence[Turn]) -> Iterator[_Draft]:
    """A turn of several sentences is about several things, and its vector about their mean. A long text has no keys of
    this kind: it is found by its start, like any document."""
    for place, turn in enumerate(turns):
        stated = statements(turn.text) if len(turn.text) <= _MEANING_CHARACTERS else ()
        for part, statement in enumerate(stated, 1):
            yield _Draft(
                kind=KeyKind.STATEMENT,
                source=f"{turn.id} {part}",
                episode=episode,
                turns=turns,
                place=place,
                meaning=f"{turn.said_by}: {statement}",
                words=None,
            )


def _of_facts(noted: Noted, turns: Sequence[Turn]) -> Iterator[_Draft]:
    """Facts that somebody told; a ticket's state is found through the ticket."""
    places = {turn.id: place for place, turn in enumerate(turns)}
    for fact in noted.facts:
        if fact.made_by != STATE and fact.turn_ids[0] in places:
            yield _Draft(
                kind=KeyKind.FACT,
                source=fact.id,
                episode=noted.episode,
                turns=turns,
                place=places[fact.turn_ids[0]],
                meaning=fact.text[:_MEANING_CHARACTERS],
                words="\n".join((fact.text, *fact.people, *fact.keywords)),
            )


def _of_summary(noted: Noted, turns: Sequence[Turn], texts: Sequence[str]) -> _Draft:
    episode, note = noted.episode, noted.note
    return _Draft(
        kind=KeyKind.SUMMARY,
        source=episode.id,
        episode=episode,
        turns=turns,
        place=None,
        meaning=summary_meaning(episode, note),
        # What a note refers to (see `evolution`) is not what its episode is about: a ticket is found by its own id.
        words="\n".join((episode.name, note.summary, *note.keywords, own_context(note), *texts)),
    )


def _turn_text(turn: Turn) -> str:
    """Who says what; the turn that names a ticket also carries its title."""
    said = f"{turn.said_by}: {turn.text}"
    return f"{turn.title}\n{said}" if turn.title else said
