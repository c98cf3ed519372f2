"""The write path end to end: what a flush leaves behind, again and again, and when parts are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from config.schema import RememberSettings, RetentionSettings
from memory.errors import EncoderUnavailable, ModelReplyUnusable, StoreUnavailable
from memory.index_ports import Probe, Vectors
from memory.model import DIRECT, Episode, KeyKind, Turn, Viewer
from memory.remember.enricher import Enricher, Enrichment
from memory.remember.flush import Flush
from memory.remember.noting import Noting
from memory.remember.rules import RuleEnricher
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_words import InMemoryStore
from memory.text.sparse import question_terms
from memory.upkeep.reindex import Reindex
from memory.upkeep.retention import Retention
from memory.upkeep.retry import EnrichRetry
from tests.fakes.counting_index import CountingIndex
from tests.fakes.turns import NOON, ticket_turns, turn

FAR = datetime(9999, 1, 1, tzinfo=UTC)
SATO = Viewer(user="sato", channel=DIRECT)


class BrokenEnricher:
    """A model that answers prose."""

    async def enrich(self, episode: Episode) -> Enrichment:
        raise ModelReplyUnusable


class ModelEnricher:
    """A model that answers; counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def enrich(self, episode: Episode) -> Enrichment:
        self.asked += 1
        return Enrichment(summary="a model's summary", made_by="model")


class MissingEncoder(HashingEncoder):
    """An encoder whose model cannot be loaded."""

    async def passages(self, texts: Sequence[str]) -> Vectors:
        raise EncoderUnavailable


class House:
    """A write path over in-memory stores, with a clock to turn."""

    def __init__(self, enricher: Enricher | None = None, encoder: HashingEncoder | None = None) -> None:
        self.now = NOON
        self.store = InMemoryStore(clock=lambda: self.now)
        self.index = CountingIndex()
        self.encoder = encoder or HashingEncoder()
        self.settings = RememberSettings()
        self.enricher = enricher or RuleEnricher()

    def noting(self) -> Noting:
        return Noting(
            writing=self.store.writing,
            facts=self.store.fact_writing,
            index=self.index,
            encoder=self.encoder,
            predicates=self.settings.predicates,
            clock=lambda: self.now,
        )

    def flush(self) -> Flush:
        return Flush(
            writing=self.store.writing,
            index=self.index,
            noting=self.noting(),
            enricher=self.enricher,
            settings=self.settings,
            clock=lambda: self.now,
        )

    def retry(self) -> EnrichRetry:
        return EnrichRetry(
            writing=self.store.writing,
            noting=self.noting(),
            enricher=self.enricher,
            rules=RuleEnricher(),
            settings=self.settings,
            clock=lambda: self.now,
        )

    async def record(self, *turns: Turn) -> None:
        await self.store.writing.record(turns)

    async def found(self, words: str) -> set[str]:
        """The episodes found by these words."""
        [hits] = await self.index.search([Probe(kind=KeyKind.TURN, terms=question_terms(words))], SATO, FAR, 50)
        return {hit.pointer.episode for hit in hits}

    async def keys(self) -> int:
        return sum([await self.index.count(kind) for kind in KeyKind])

    async def only_episode(self) -> Episode:
        [episode] = await self.store.writing.episodes_after(None, 10)
        return episode


async def built(enricher: Enricher | None = None, encoder: HashingEncoder | None = None) -> House:
    """A house whose index is ready for the encoder's vectors."""
    house = House(enricher, encoder)
    await house.index.reset(await house.encoder.stamp())
    return house


@pytest.fixture
async def house() -> House:
    return await built()


async def test_a_flush_makes_three_keys_a_turn_and_one_an_episode(house: House) -> None:
    await house.record(*ticket_turns(4))
    report = await house.flush().run(idle_before=FAR)
    assert (report.episodes, report.keys, await house.keys()) == (1, 13, 13)
    assert (await house.store.writing.counts())["pending"] == 0


async def test_a_second_flush_changes_nothing(house: House) -> None:
    await house.record(*ticket_turns(4))
    await house.flush().run(idle_before=FAR)
    report = await house.flush().run(idle_before=FAR)
    assert (report.episodes, report.keys) == (0, 0)


async def test_conversations_that_are_flushed_together_lose_their_old_keys_together(house: House) -> None:
    """Each removal waits for the disk."""
    for thread in ("INC-1", "INC-2", "INC-3"):
        await house.record(turn(1, thread=thread, ticket=thread))
    await house.flush().run(idle_before=FAR)
    [removed] = house.index.removed
    assert sorted(removed) == [one.id for one in await house.store.writing.episodes_after(None, 10)]


async def test_keys_go_although_a_later_conversation_cannot_be_stored(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = turn(1, "the printer smokes"), turn(1, thread="INC-2", ticket="INC-2")
    await house.record(first)
    await house.flush().run(idle_before=FAR)
    await house.record(turn(2, "it still does", minutes=1), second)
    store_episodes = house.store.writing.store_episodes

    async def full(conversation: str, episodes: Sequence[Episode]) -> list[str]:
        if conversation == second.conversation.id:
            raise StoreUnavailable
        return await store_episodes(conversation, episodes)

    monkeypatch.setattr(house.store.writing, "store_episodes", full)
    with pytest.raises(StoreUnavailable):
        await house.flush().of([first.conversation.id, second.conversation.id])
    assert await house.found("printer") == set()


async def test_a_conversation_that_is_still_going_on_is_left_alone(house: House) -> None:
    await house.record(*ticket_turns(4))
    assert (await house.flush().run(idle_before=NOON - timedelta(hours=1))).episodes == 0


async def test_a_conversation_that_has_grown_long_is_flushed_however_busy(house: House) -> None:
    await house.record(*ticket_turns(house.settings.grown_to))
    assert (await house.flush().run(idle_before=NOON - timedelta(hours=1))).episodes == 1


async def test_a_ticket_that_goes_on_later_stays_one_episode(house: House) -> None:
    turns = ticket_turns(4)
    await house.record(*turns[:2])
    await house.flush().run(idle_before=FAR)
    first = await house.only_episode()
    await house.record(*turns)
    await house.flush().run(idle_before=FAR)
    grown = await house.only_episode()
    assert (grown.id, len(grown.turns), await house.keys()) == (first.id, 4, 13)


async def test_an_edited_turn_is_found_by_its_new_words_and_no_longer_by_the_old(house: House) -> None:
    original = turn(1, "the printer jams")
    await house.record(original)
    await house.flush().run(idle_before=FAR)
    await house.record(replace(original, text="the scanner jams"))
    await house.flush().run(idle_before=FAR)
    assert await house.found("printer") == set()
    assert len(await house.found("scanner")) == 1


async def test_the_bots_own_derived_words_are_never_found(house: House) -> None:
    await house.record(turn(1, "the printer jams"), turn(2, "echo of a toaster", minutes=1, derived=True))
    await house.flush().run(idle_before=FAR)
    assert await house.found("toaster") == set()
    assert len(await house.found("printer")) == 1


async def test_an_unusable_model_reply_leaves_the_episode_found_by_its_words_and_in_the_retry_list() -> None:
    house = await built(BrokenEnricher())
    await house.record(turn(1, "the printer jams"))
    report = await house.flush().run(idle_before=FAR)
    counts = await house.store.writing.counts()
    assert report.postponed == 1
    assert len(await house.found("printer")) == 1
    assert (counts["retries"], counts["pending"]) == (1, 0)


async def test_a_retry_waits_for_its_time_and_then_writes_the_models_note() -> None:
    house = await built(BrokenEnricher())
    await house.record(turn(1, "the printer jams"))
    await house.flush().run(idle_before=FAR)
    house.enricher = ModelEnricher()
    assert (await house.retry().run())["enriched"] == 0
    house.now += timedelta(seconds=house.settings.enrich_backoff_seconds)
    assert (await house.retry().run())["enriched"] == 1
    episode = await house.only_episode()
    note = (await house.store.writing.newest_notes([episode.id]))[episode.id]
    assert (note.summary, note.made_by) == ("a model's summary", "model")
    assert (await house.store.writing.counts())["retries"] == 0


async def test_a_retry_that_died_before_its_keys_asks_no_model_again() -> None:
    house = await built(BrokenEnricher())
    await house.record(turn(1, "the printer jams"))
    await house.flush().run(idle_before=FAR)
    model = ModelEnricher()
    house.enricher = model
    house.now += timedelta(days=1)
    house.encoder = MissingEncoder()
    with pytest.raises(EncoderUnavailable):
        await house.retry().run()
    house.encoder = HashingEncoder()
    assert (await house.retry().run())["enriched"] == 1
    assert model.asked == 1


async def test_after_the_last_try_the_rules_note_stays_and_nobody_is_asked_again() -> None:
    house = await built(BrokenEnricher())
    await house.record(turn(1, "the printer jams"))
    await house.flush().run(idle_before=FAR)
    outcomes = []
    for _ in range(house.settings.enrich_attempts):
        house.now += timedelta(days=1)
        outcomes.append(max((await house.retry().run()).items(), key=lambda item: item[1])[0])
    assert outcomes == ["postponed"] * (house.settings.enrich_attempts - 1) + ["left_to_rules"]
    assert (await house.store.writing.counts())["retries"] == 0


async def test_without_an_encoder_turns_are_found_by_words_and_wait_for_it() -> None:
    house = await built(encoder=MissingEncoder())
    await house.record(turn(1, "the printer jams"))
    await house.flush().run(idle_before=FAR)
    assert len(await house.found("printer")) == 1
    assert (await house.store.writing.counts())["pending"] == 1
    house.encoder = HashingEncoder()
    await house.flush().run(idle_before=FAR)
    assert (await house.store.writing.counts())["pending"] == 0


async def test_reindex_finds_everything_again_and_asks_no_model() -> None:
    house = await built(ModelEnricher())
    await house.record(*ticket_turns(3, text="the printer jams"))
    await house.flush().run(idle_before=FAR)
    await house.index.reset(await house.encoder.stamp())
    assert await house.found("printer") == set()
    reindex = Reindex(
        writing=house.store.writing,
        index=house.index,
        encoder=house.encoder,
        flush=house.flush(),
        clock=lambda: house.now + timedelta(seconds=1),
    )
    assert (await reindex.run()).keys == 10
    assert len(await house.found("printer")) == 1
    assert isinstance(house.enricher, ModelEnricher)
    assert house.enricher.asked == 1


async def test_retention_deletes_what_is_past_its_time_and_keeps_what_is_pinned(house: House) -> None:
    await house.record(*ticket_turns(2, thread="INC-1", text="old printer"))
    await house.record(*ticket_turns(2, thread="INC-2", text="pinned printer"))
    await house.flush().run(idle_before=FAR)
    [kept] = await house.found("pinned")
    await house.store.writing.pin([kept], pinned=True)
    house.now += timedelta(days=91)
    retention = Retention(
        writing=house.store.writing,
        index=house.index,
        audit=house.store.audit,
        settings=RetentionSettings(),
        clock=lambda: house.now,
    )
    assert await retention.run() == {"episodes": 1, "turns": 2}
    assert await house.found("printer") == {kept}
    assert (await house.store.writing.counts())["turns"] == 2
