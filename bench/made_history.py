"""A ticket history of any size in the default stores: for measuring speed and size, never quality.

The tickets are made of the shipped demo's sentences, mixed anew, each message of one or two of them. Some hundred go
through the real making of keys; the rest are copies of those with other people, times, codes and vectors, written in
bulk. Vectors lie near those of real texts of the same language but have nothing to do with the words, so that ranking
gets as many candidates as it ever can.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib import resources
from pathlib import Path

import numpy as np
from sqlalchemy import insert

from bot.demo import shipped_history
from bot.importers import demo_history
from bot.opening import INDEX
from bot.wiring import system_clock
from memory.index_ports import Encoder, Key, KeyIndex, Terms, Vector, Vectors
from memory.model import Episode, KeyKind, Turn, derived_id
from memory.redaction import RedactedTurn
from memory.remember.keys import keys_of
from memory.remember.notes import Noted, note_of
from memory.remember.rules import RuleEnricher
from memory.remember.segments import cut
from memory.stores.qdrant_edge import open_edge_index
from memory.stores.sql import SqlStore, open_store
from memory.stores.sql_rows import row_of
from memory.stores.tables import episodes, turns
from memory.text.language import detect_language

PATTERNS = 200
_DAYS = 80
_JOINED = 2
#: Texts of each language whose vectors the made-up ones lie near, and how far from them; a vector's length is 1.
_BANK = 60
_SPREAD = 0.35
#: The share of a key's words that a copy has no more, but rare ones in their place.
_RARE = 0.3
_RARE_WORDS = 1 << 20
_TICKETS_AT_ONCE = 200
_SILENCE = timedelta(hours=12)
_LONGEST = 4000
_CODE = re.compile(r"(?<=[A-Za-z]-)[0-9]+|[0-9]{3,}")


def demo_turns(now: datetime) -> list[Turn]:
    """The shipped history as of `now`."""
    with resources.as_file(shipped_history()) as path:
        rows = demo_history.read(path, now=now)
        return [row for row in rows if isinstance(row, Turn)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """An episode with its keys."""

    episode: Episode
    keys: Sequence[Key]


class MadeHistory:
    """Tickets by number, the same for a number at every run."""

    def __init__(self, patterns: Sequence[Ticket], bank: Mapping[str, Vectors], now: datetime) -> None:
        self._patterns = patterns
        self._bank = bank
        self._now = now

    def ticket(self, number: int) -> Ticket:
        """A copy of one of the patterns; there are ever more people, with about ten tickets each."""
        drawn = random.Random(number)
        pattern = self._patterns[drawn.randrange(len(self._patterns))]
        person = f"{pattern.episode.turns[0].requester}{drawn.randrange(number // 100 + 10)}"
        # Nothing is said in the future: a memory that holds such words is searched in another way.
        lasted = pattern.episode.last_at - pattern.episode.first_at
        opened = self._now - lasted - timedelta(minutes=drawn.randrange(24 * 60, _DAYS * 24 * 60))
        said = _copied(pattern.episode, f"MADE-{number}", person, opened, drawn)
        episode = _whole(said)
        numbers = np.random.default_rng(number)
        return Ticket(episode=episode, keys=[self._key(key, episode, numbers) for key in pattern.keys])

    def _key(self, key: Key, episode: Episode, numbers: np.random.Generator) -> Key:
        spoken = [turn for turn in episode.turns if not turn.derived]
        turn = spoken[key.pointer.position]
        named = turn.id if key.pointer.turn else None
        pointer = replace(
            key.pointer,
            episode=episode.id,
            turn=named,
            speaker=turn.said_by,
            requester=turn.requester,
            said_at=turn.said_at,
        )
        return replace(
            key,
            id=derived_id("key", key.kind, named or episode.id),
            pointer=pointer,
            scope=episode.scope,
            dense=None if key.dense is None else _near(self._bank[pointer.language], numbers),
            terms=_other_words(key.terms, numbers),
        )


async def made_history(encoder: Encoder, patterns: int = PATTERNS) -> MadeHistory:
    """Copies of so many different tickets; vectors lie near those that `encoder` gives to the demo's messages."""
    now = datetime.now(UTC)
    shipped = demo_turns(now)
    texts = {name: [turn.text for turn in shipped if detect_language(turn.text, "ja") == name] for name in ("ja", "en")}
    bank = {name: await encoder.passages(some[:_BANK]) for name, some in texts.items()}
    return MadeHistory(await _patterns(shipped, texts, patterns), bank, now)


async def _patterns(shipped: Sequence[Turn], texts: Mapping[str, Sequence[str]], count: int) -> list[Ticket]:
    drawn, rules = random.Random(0), RuleEnricher()
    tickets: dict[str | None, list[Turn]] = {}
    for turn in shipped:
        tickets.setdefault(turn.ticket, []).append(turn)
    made = []
    for number in range(count):
        mixed = [
            replace(turn, text=_mixed(texts[detect_language(turn.text, "ja")], drawn))
            for turn in list(tickets.values())[number % len(tickets)]
        ]
        episode = _whole(mixed)
        note = note_of(episode, 1, await rules.enrich(episode), system_clock())
        keys = await keys_of([Noted(episode=episode, note=note)], None)
        made.append(Ticket(episode=episode, keys=[_marked(key) for key in keys]))
    return made


def _marked(key: Key) -> Key:
    """With a vector of no numbers where real keys have one."""
    embedded = key.kind in (KeyKind.TURN, KeyKind.SUMMARY)
    return replace(key, dense=np.zeros(0, dtype=np.float32) if embedded else None)


def _mixed(texts: Sequence[str], drawn: random.Random) -> str:
    return "\n".join(drawn.choices(texts, k=drawn.randint(1, _JOINED)))


def _copied(pattern: Episode, name: str, person: str, opened: datetime, drawn: random.Random) -> list[Turn]:
    """The turns of another ticket like this one."""
    first = pattern.turns[0]
    place = replace(first.conversation, platform="bench", thread=name)
    return [
        replace(
            turn,
            conversation=place,
            ticket=name,
            text=_CODE.sub(lambda code: str(drawn.randrange(10 ** len(code[0]))), turn.text),
            author=person if turn.author == first.requester else turn.author,
            requester=person,
            said_at=opened + (turn.said_at - first.said_at),
        )
        for turn in pattern.turns
    ]


def _whole(said: Sequence[Turn]) -> Episode:
    (episode,) = cut(said, silence=_SILENCE, max_tokens=_LONGEST)
    return episode


def _near(bank: Vectors, numbers: np.random.Generator) -> Vector:
    away = numbers.standard_normal(bank.shape[1])
    near = bank[numbers.integers(len(bank))] + _SPREAD * away / np.linalg.norm(away)
    return np.asarray(near / np.linalg.norm(near), dtype=np.float32)


def _other_words(terms: Terms, numbers: np.random.Generator) -> Terms:
    kept = numbers.random(len(terms.ids)) >= _RARE
    rare = numbers.integers(_RARE_WORDS, size=len(terms.ids))
    ids = np.where(kept, np.array(terms.ids, dtype=np.int64), rare)
    weights = dict(zip(ids.tolist(), terms.weights, strict=True))
    return Terms(ids=tuple(sorted(weights)), weights=tuple(weights[term] for term in sorted(weights)))


async def fill(data: Path, keys: int, history: MadeHistory, encoder: Encoder) -> int:
    """Let the data folder hold at least `keys` keys, in the default stores; the number there are.

    A folder that holds some of this history already is added to; only one that is used for nothing else may be given.
    """
    url = f"sqlite:///{data / 'helpdesk.db'}"
    async with (
        open_store(url, busy_seconds=60, clock=system_clock) as store,
        open_edge_index(data / INDEX) as index,
    ):
        if await index.stamp() is None:
            await index.reset(await encoder.stamp())
        there = await keys_in(index)
        number = (await store.writing.counts())["episodes"]
        while there < keys:
            tickets = list(_upto(history, number, keys - there))
            await _write(store, index, tickets)
            number += len(tickets)
            there += sum(len(ticket.keys) for ticket in tickets)
        return there


def _upto(history: MadeHistory, number: int, keys: int) -> Iterator[Ticket]:
    """The tickets from this number on, up to so many keys, or as many as are written at once."""
    for one in range(number, number + _TICKETS_AT_ONCE):
        ticket = history.ticket(one)
        yield ticket
        keys -= len(ticket.keys)
        if keys <= 0:
            return


async def _write(store: SqlStore, index: KeyIndex, tickets: Sequence[Ticket]) -> None:
    """As the flush leaves them, without its many small steps."""
    now = system_clock()
    said = [
        {**row_of(RedactedTurn(turn), now), "pending": False, "episode_id": ticket.episode.id}
        for ticket in tickets
        for turn in ticket.episode.turns
    ]
    cuts = [
        {
            "id": ticket.episode.id,
            "conversation_id": ticket.episode.conversation.id,
            "ticket": ticket.episode.ticket,
            "tokens": ticket.episode.tokens,
            "last_at": ticket.episode.last_at,
        }
        for ticket in tickets
    ]
    async with store.database.writing() as connection:
        await connection.execute(insert(episodes), cuts)
        await connection.execute(insert(turns), said)
    await index.put([key for ticket in tickets for key in ticket.keys])


async def keys_in(index: KeyIndex) -> int:
    """Keys of all kinds together."""
    return sum([await index.count(kind) for kind in KeyKind])
