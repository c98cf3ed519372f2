"""The memory examined: whether what is stored still has its sources, can be found, and holds no secrets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memory.audit_log import AuditEntry, AuditKind, AuditLog
from memory.index_ports import KeyIndex
from memory.inspection import Flaw, Inspection, Said
from memory.model import KeyKind
from memory.ports import Clock, Writing
from memory.remember.keys import key_id
from memory.remember.reports import Progress, Watcher, nobody
from memory.text.redact import Redactor
from memory.upkeep.stored_secrets import RedactStored, all_made, all_said, leaking

_ENTRIES_AT_ONCE = 1000
_KEYS_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """How many: turns and episodes with `secrets` in their words or in what was made of them, `stray` episodes whose
    keys lead nowhere, `unfound` ones that lack keys, records by flaw. `unused` episodes, on which no answer of the
    audit log stands, are counted, but nothing is wrong with them."""

    secrets: int = 0
    stray: int = 0
    unfound: int = 0
    flaws: Mapping[Flaw, int] = field(default_factory=dict)
    unused: int = 0

    @property
    def sound(self) -> bool:
        return not (self.secrets or self.stray or self.unfound or any(self.flaws.values()))

    def counts(self) -> Mapping[str, int]:
        flaws = {flaw.value: self.flaws.get(flaw, 0) for flaw in Flaw}
        return {"secrets": self.secrets, "stray": self.stray, "unfound": self.unfound, **flaws, "unused": self.unused}


class Treatment(Protocol):
    """What is done about what was found, a page at a time. Raises StoreUnavailable and IndexUnavailable."""

    async def secrets_said(self, turns: Sequence[Said]) -> None: ...

    async def secrets_made(self, episodes: Sequence[str]) -> None: ...

    async def stray(self, episodes: Sequence[str]) -> None: ...

    async def unfound(self, episodes: Sequence[str]) -> None: ...

    async def flawed(self, flaws: Mapping[Flaw, int]) -> None: ...


class Examine:
    """Walks over everything a page at a time, and changes nothing by itself."""

    def __init__(
        self, *, writing: Writing, inspection: Inspection, index: KeyIndex, audit: AuditLog, redactor: Redactor
    ) -> None:
        self._writing = writing
        self._inspection = inspection
        self._index = index
        self._audit = audit
        self._redactor = redactor

    async def run(self, treatment: Treatment, *, watcher: Watcher = nobody) -> Findings:
        """Raises StoreUnavailable and IndexUnavailable."""
        counts = await self._writing.counts()
        total = counts["turns"] + counts["episodes"] + sum([await self._index.count(kind) for kind in KeyKind])
        bar = _Bar(watcher, total)
        secrets, used = await self._said(treatment, bar)
        leaky, unfound, episodes = await self._made(treatment, bar)
        stray = await self._keys(treatment, bar)
        flaws = await self._inspection.flaws()
        await treatment.flawed(flaws)
        return Findings(
            secrets=secrets + leaky, stray=stray, unfound=unfound, flaws=flaws, unused=max(0, episodes - used)
        )

    async def _said(self, treatment: Treatment, bar: _Bar) -> tuple[int, int]:
        """How many turns have secrets, and how many episodes answers stood on."""
        cited, secrets = await self._cited(), 0
        used: set[str] = set()
        async for page in all_said(self._inspection):
            leaks = [page[place] for place in await leaking(page, self._redactor)]
            used |= {one.episode for one in page if one.episode is not None and one.turn in cited}
            await treatment.secrets_said(leaks)
            secrets += len(leaks)
            bar.on(len(page))
        return secrets, len(used)

    async def _cited(self) -> set[str]:
        """The turns that answers stood on, as far as the audit log goes back."""
        found: set[str] = set()
        last = 0
        while page := await self._audit.page(last, _ENTRIES_AT_ONCE):
            last = page[-1].number
            found.update(turn for one in page if one.details is not None for turn in one.details.sources)
        return found

    async def _made(self, treatment: Treatment, bar: _Bar) -> tuple[int, int, int]:
        """How many episodes have secrets in what was made of them, how many have no keys, and how many there are."""
        leaky = unfound = count = 0
        async for page in all_made(self._writing, self._inspection):
            leaks = [page[place].episode for place in await leaking(page, self._redactor)]
            lacking = await self._lacking([one.episode for one in page if one.flushed])
            await treatment.secrets_made(leaks)
            await treatment.unfound(lacking)
            leaky, unfound, count = leaky + len(leaks), unfound + len(lacking), count + len(page)
            bar.on(len(page))
        return leaky, unfound, count

    async def _lacking(self, flushed: Sequence[str]) -> list[str]:
        """Those of these episodes that people's words are in, and of whose own keys, or those of its turns, one is
        missing."""
        own = {
            episode.id: [turn.id for turn in episode.turns if not turn.derived]
            for episode in await self._writing.episodes_of(flushed)
        }
        said = [turn for turns in own.values() for turn in turns]
        summaries = await self._index.known(KeyKind.SUMMARY, [key_id(KeyKind.SUMMARY, name) for name in own])
        found = await self._index.known(KeyKind.TURN, [key_id(KeyKind.TURN, turn) for turn in said])
        return [
            name
            for name, turns in own.items()
            if turns
            and not (
                key_id(KeyKind.SUMMARY, name) in summaries
                and found.issuperset(key_id(KeyKind.TURN, turn) for turn in turns)
            )
        ]

    async def _keys(self, treatment: Treatment, bar: _Bar) -> int:
        """How many episodes, page by page, have keys that lead nowhere."""
        stray = 0
        for kind in KeyKind:
            start: str | None = None
            while True:
                page = await self._index.page(kind, start, _KEYS_AT_ONCE)
                astray = await self._astray([(one.episode, one.turn) for one in page.pointers.values()])
                await treatment.stray(astray)
                stray += len(astray)
                bar.on(len(page.pointers))
                start = page.next
                if start is None:
                    break
        return stray

    async def _astray(self, pointers: Sequence[tuple[str, str | None]]) -> list[str]:
        """The episodes, as keys name them, that are not there or of which a turn is not."""
        places = await self._inspection.places(list({turn for _, turn in pointers if turn is not None}))
        there = await self._inspection.there(list({episode for episode, _ in pointers}))
        return sorted(
            {
                episode
                for episode, turn in pointers
                if episode not in there or (turn is not None and places.get(turn) != episode)
            }
        )


class _Bar:
    """How far it is."""

    def __init__(self, watcher: Watcher, total: int) -> None:
        self._watcher = watcher
        self._total = total
        self._done = 0

    def on(self, count: int) -> None:
        self._done += count
        self._watcher(Progress(done=self._done, total=max(self._done, self._total)))


class Leave:
    """The treatment that only looks."""

    async def secrets_said(self, turns: Sequence[Said]) -> None: ...

    async def secrets_made(self, episodes: Sequence[str]) -> None: ...

    async def stray(self, episodes: Sequence[str]) -> None: ...

    async def unfound(self, episodes: Sequence[str]) -> None: ...

    async def flawed(self, flaws: Mapping[Flaw, int]) -> None: ...


class Mend:
    """The treatment that repairs what can be repaired without a loss: the next flush writes anew what was taken out of
    the index or unmade. Nobody else may write keys meanwhile."""

    def __init__(
        self, *, inspection: Inspection, index: KeyIndex, audit: AuditLog, secrets: RedactStored, clock: Clock
    ) -> None:
        self._inspection = inspection
        self._index = index
        self._audit = audit
        self._secrets = secrets
        self._clock = clock

    async def secrets_said(self, turns: Sequence[Said]) -> None:
        await self._secrets.take_out(turns)

    async def secrets_made(self, episodes: Sequence[str]) -> None:
        await self._secrets.unmake(episodes)

    async def stray(self, episodes: Sequence[str]) -> None:
        # Pending first: a process that dies between the two leaves keys that the next flush replaces.
        await self._inspection.reopen(episodes)
        await self._index.remove(episodes)

    async def unfound(self, episodes: Sequence[str]) -> None:
        await self._inspection.reopen(episodes)

    async def flawed(self, flaws: Mapping[Flaw, int]) -> None:
        dropped = await self._inspection.drop_flawed() if flaws.get(Flaw.ECHO) or flaws.get(Flaw.ORPHAN) else 0
        if dropped:
            entry = AuditEntry(kind=AuditKind.REPAIRED, at=self._clock(), counts={"dropped": dropped})
            await self._audit.append(entry)
        await self._inspection.scrub()
