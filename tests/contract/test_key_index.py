"""What every index of keys promises, on each of them: in memory, in a folder, and on a server (the client's in-memory
mode, a small server over HTTP, and a real one where HELPDESK_TEST_QDRANT_URL names it)."""

from __future__ import annotations

import asyncio
import math
import os
import random
import uuid
import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import timedelta, timezone
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio
from qdrant_client import AsyncQdrantClient

from config.schema import IndexKind, IndexSettings
from memory.errors import EncoderChanged
from memory.index_ports import EncoderStamp, Hit, KeyIndex, Pointer
from memory.model import DIRECT, KeyKind, Scope, Viewer, Visibility
from memory.scope import may_read
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.qdrant_edge import open_edge_index
from memory.stores.qdrant_server import ServerIndex, open_server_index
from tests.fakes.keys import ANYBODY, EVERYONE, NOON, STAMP, key, key_id, later, near, saying, unit, words
from tests.fakes.qdrant_http import qdrant

pytestmark = pytest.mark.asyncio(loop_scope="module")

#: Who asks in a direct message, as the one whose request it is.
OWNER = Viewer(user="u1", channel=DIRECT)

Open = Callable[[Path], AbstractAsyncContextManager[KeyIndex]]


@asynccontextmanager
async def in_memory(_folder: Path) -> AsyncIterator[KeyIndex]:
    yield InMemoryIndex()


@asynccontextmanager
async def server_local(_folder: Path) -> AsyncIterator[KeyIndex]:
    client = AsyncQdrantClient(":memory:")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Payload indexes have no effect in the local Qdrant")
        warnings.filterwarnings("ignore", message="Local mode performs exact")
        index = ServerIndex(client, IndexSettings(kind=IndexKind.SERVER))
        await index.open()
        yield index
    await client.close()


@asynccontextmanager
async def server_http(_folder: Path) -> AsyncIterator[KeyIndex]:
    async with qdrant() as url, open_server_index(IndexSettings(kind=IndexKind.SERVER, url=url)) as index:
        yield index


@asynccontextmanager
async def server_real(_folder: Path) -> AsyncIterator[KeyIndex]:
    settings = IndexSettings(kind=IndexKind.SERVER, url=REAL, prefix=f"test-{uuid.uuid4().hex[:8]}", timeout_seconds=30)
    async with open_server_index(settings) as index:
        yield index
    client = AsyncQdrantClient(url=REAL)
    for collection in (await client.get_collections()).collections:
        if collection.name.startswith(settings.prefix):
            await client.delete_collection(collection.name)
    await client.close()


REAL = os.environ.get("HELPDESK_TEST_QDRANT_URL", "")
OPENERS: dict[str, Open] = {
    "in-memory": in_memory,
    "edge": open_edge_index,
    "server-local": server_local,
    "server-http": server_http,
    **({"server-real": server_real} if REAL else {}),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=OPENERS)
async def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[KeyIndex]:
    """One index for the whole file: starting one for each test would take longer than the tests."""
    async with OPENERS[request.param](tmp_path_factory.mktemp("index") / "index") as index:
        yield index


@pytest_asyncio.fixture(loop_scope="module")
async def index(opened: KeyIndex) -> KeyIndex:
    """An empty index for vectors of three numbers."""
    await opened.reset(STAMP)
    return opened


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=OPENERS)
async def new_index(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[KeyIndex]:
    """An index that was never reset to an encoder."""
    async with OPENERS[request.param](tmp_path_factory.mktemp("index") / "new") as index:
        yield index


def ids(hits: list[Hit]) -> list[str]:
    return [hit.key for hit in hits]


async def test_the_nearest_come_first_with_their_cosine(index: KeyIndex) -> None:
    await index.put([key("far", dense=(0, 1, 0)), key("same", dense=(1, 0, 0)), key("near", dense=(1, 1, 0))])
    [hits] = await index.search([near(2, 0, 0)], ANYBODY, NOON, 10)
    assert ids(hits) == [key_id("same"), key_id("near"), key_id("far")]
    assert [hit.score for hit in hits] == pytest.approx([1, math.sqrt(0.5), 0], abs=1e-3)


async def test_opposite_meanings_are_hits_too_with_a_negative_cosine(index: KeyIndex) -> None:
    await index.put([key("opposite", dense=(-1, 0, 0))])
    [hits] = await index.search([near(1, 0, 0)], ANYBODY, NOON, 10)
    assert [hit.score for hit in hits] == pytest.approx([-1], abs=1e-3)


async def test_words_score_by_weight_and_rarity(index: KeyIndex) -> None:
    await index.put(
        [key("both", terms={7: 1.5, 9: 0.5}), key("common", terms={7: 2.0}), key("other", terms={8: 1.0}), key("none")]
    )
    [hits] = await index.search([saying(7, 9, 11)], ANYBODY, NOON, 10)
    # Three keys have words: 7 is in two of them, 9 in one.
    common, rare = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    assert ids(hits) == [key_id("both"), key_id("common")]
    assert [hit.score for hit in hits] == pytest.approx([1.5 * common + 0.5 * rare, 2 * common], abs=1e-5)


async def test_the_weights_of_the_question_count(index: KeyIndex) -> None:
    await index.put([key("a", terms={7: 1.0}), key("b", terms={8: 1.0})])
    [hits] = await index.search([replace(saying(7), terms=words({7: 1.0, 8: 3.0}))], ANYBODY, NOON, 10)
    assert ids(hits) == [key_id("b"), key_id("a")]
    assert hits[0].score == pytest.approx(3 * hits[1].score, rel=1e-5)


async def test_a_hit_points_at_what_was_stored(index: KeyIndex) -> None:
    offset = timezone(timedelta(hours=9))
    said_at = NOON.replace(microsecond=123_456).astimezone(offset)
    stored = [key("turn", dense=(1, 0, 0), said_at=said_at), key("all", dense=(1, 0, 0), kind=KeyKind.SUMMARY)]
    await index.put(stored)
    [turns, summaries] = await index.search([near(1, 0, 0), near(1, 0, 0, kind=KeyKind.SUMMARY)], ANYBODY, later(1), 10)
    assert [hit.pointer for hit in (*turns, *summaries)] == [one.pointer for one in stored]
    assert turns[0].pointer.said_at.utcoffset() == timedelta(hours=9)


async def test_no_more_than_the_limit_come_back(index: KeyIndex) -> None:
    await index.put([key(f"k{n}", dense=(10 - n, n, 0), terms={7: 1.0 + n}) for n in range(10)])
    by_meaning, by_words = await index.search([near(1, 0, 0), saying(7)], ANYBODY, NOON, 3)
    assert ids(by_meaning) == [key_id(f"k{n}") for n in (0, 1, 2)]
    assert ids(by_words) == [key_id(f"k{n}") for n in (9, 8, 7)]


async def test_equal_scores_come_in_the_order_of_their_ids(index: KeyIndex) -> None:
    names = [f"k{n}" for n in range(40)]
    await index.put([key(name, dense=(1, 2, 3), terms={7: 1.0}) for name in names])
    for hits in await index.search([near(1, 2, 3), saying(7)], ANYBODY, NOON, 100):
        assert ids(hits) == sorted(map(key_id, names))


async def test_kinds_do_not_mix(index: KeyIndex) -> None:
    await index.put([key(kind.value, dense=(1, 0, 0), terms={7: 1.0}, kind=kind) for kind in KeyKind])
    probes = [probe for kind in KeyKind for probe in (near(1, 0, 0, kind=kind), saying(7, kind=kind))]
    found = await index.search(probes, ANYBODY, NOON, 10)
    assert [ids(hits) for hits in found] == [[key_id(probe.kind.value)] for probe in probes]
    assert [await index.count(kind) for kind in KeyKind] == [1] * len(KeyKind)


async def test_a_probe_may_ask_for_one_language(index: KeyIndex) -> None:
    await index.put([key(name, dense=(1, 1, 0), terms={7: 1.0}, language=name) for name in ("ja", "en")])
    probes = [
        replace(probe, language=name) for probe in (near(1, 0, 0), saying(7)) for name in ("ja", "en", None, "fr")
    ]
    found = await index.search(probes, ANYBODY, NOON, 10)
    both = sorted([key_id("ja"), key_id("en")])
    assert [ids(hits) for hits in found] == 2 * [[key_id("ja")], [key_id("en")], both, []]


async def test_an_empty_index_has_empty_answers(index: KeyIndex) -> None:
    assert await index.search([near(1, 0, 0), saying(7)], ANYBODY, NOON, 10) == [[], []]
    assert await index.search([], ANYBODY, NOON, 10) == []
    assert await index.count(KeyKind.TURN) == 0
    assert (await index.sample(KeyKind.TURN, "en", 5)).shape == (0, 3)
    assert await index.idf(KeyKind.TURN, []) == {}
    await index.put([])
    await index.remove([])
    await index.remove(["never seen"])


async def test_a_question_without_indexed_words_finds_nothing(index: KeyIndex) -> None:
    await index.put([key("a", terms={7: 1.0}), key("b", dense=(1, 0, 0))])
    probes = [saying(), near(1, 0, 0), replace(saying(), terms=None), saying(7)]
    found = await index.search(probes, ANYBODY, NOON, 10)
    assert [ids(hits) for hits in found] == [[], [key_id("b")], [], [key_id("a")]]


async def test_a_key_of_the_same_id_is_replaced_as_a_whole(index: KeyIndex) -> None:
    await index.put([key("a", dense=(1, 0, 0), terms={7: 1.0}, episode="old")])
    await index.put([key("a", terms={8: 1.0}, episode="new")])
    dense, old_words, new_words = await index.search([near(1, 0, 0), saying(7), saying(8)], ANYBODY, NOON, 10)
    assert (dense, old_words) == ([], [])
    assert [hit.pointer.episode for hit in new_words] == ["new"]
    assert await index.count(KeyKind.TURN) == 1


async def test_an_episode_goes_with_all_its_keys(index: KeyIndex) -> None:
    for kind in KeyKind:
        await index.put([key(f"{kind}-{n}", terms={7: 1.0}, episode=f"e{n}", kind=kind) for n in range(4)])
    await index.remove(["e1", "e3", "unknown"])
    for kind in KeyKind:
        [hits] = await index.search([saying(7, kind=kind)], ANYBODY, NOON, 10)
        assert {hit.pointer.episode for hit in hits} == {"e0", "e2"}
        assert await index.count(kind) == 2


async def test_words_are_found_without_any_vector(index: KeyIndex) -> None:
    await index.put([key("a", terms={7: 1.0}), key("b", terms={8: 1.0}, dense=(1, 0, 0))])
    [hits] = await index.search([saying(7)], ANYBODY, NOON, 10)
    assert ids(hits) == [key_id("a")]


async def test_what_was_said_later_is_not_there_yet(index: KeyIndex) -> None:
    step = timedelta(microseconds=1)
    moments = {"before": NOON - step, "at": NOON, "after": NOON + step}
    await index.put([key(name, dense=(1, 0, 0), terms={7: 1.0}, said_at=moment) for name, moment in moments.items()])
    for hits in await index.search([near(1, 0, 0), saying(7)], ANYBODY, NOON, 10):
        assert set(ids(hits)) == {key_id("before"), key_id("at")}
    [hits] = await index.search([saying(7)], ANYBODY, NOON.astimezone(timezone(timedelta(hours=9))), 10)
    assert len(hits) == 2


async def test_a_later_word_is_not_there_yet_whenever_it_came_in(index: KeyIndex) -> None:
    for number in (1, 3, 2):
        await index.put([key(f"k{number}", dense=(1, 0, 0), terms={7: 1.0}, said_at=later(number))])
        for hits in await index.search([near(1, 0, 0), saying(7)], ANYBODY, later(1), 10):
            assert ids(hits) == [key_id("k1")]


async def test_rarity_follows_what_is_written(index: KeyIndex) -> None:
    await index.put([key("a", terms={7: 1.0})])
    assert await index.idf(KeyKind.TURN, [7, 9]) == pytest.approx(
        {7: math.log(1 + 0.5 / 1.5), 9: math.log(1 + 1.5 / 0.5)}
    )
    await index.put([key("b", terms={9: 1.0})])
    assert await index.idf(KeyKind.TURN, [7, 9]) == pytest.approx(
        dict.fromkeys((7, 9), math.log(1 + 1.5 / 1.5)), rel=1e-5
    )


async def test_rarity_is_what_the_engine_uses(index: KeyIndex) -> None:
    await index.put(
        [key(f"k{n}", terms={7: 0.5 + n, 2**32 - 1: 1.0} if n < 4 else {8: 1.0}) for n in range(10)]
        + [key("w", terms={7: 1.0}, kind=KeyKind.WINDOW), key("without words", dense=(1, 0, 0))]
    )
    found = await index.idf(KeyKind.TURN, [7, 8, 99, 2**32 - 1])
    assert found == pytest.approx(
        {
            7: math.log(1 + 6.5 / 4.5),
            8: math.log(1 + 4.5 / 6.5),
            99: math.log(1 + 10.5 / 0.5),
            2**32 - 1: math.log(1 + 6.5 / 4.5),
        },
        rel=1e-5,
    )


async def test_rarity_is_over_keys_of_all_scopes(index: KeyIndex) -> None:
    own = Scope(visibility=Visibility.PRIVATE, channel=DIRECT, requester="u1")
    others = replace(own, requester="u2")
    await index.put(
        [
            *(key(f"open{n}", terms={7: 1.0, 8: 1.0}) for n in range(3)),
            *(key(f"own{n}", terms={7: 2.0, 9: 1.0}, scope=own) for n in range(2)),
            *(key(f"other{n}", terms={9: 1.0}, scope=others) for n in range(4)),
        ]
    )
    # Nine keys have words: 7 is in five of them, 8 in three, 9 in six, two of which u1 may see.
    seven, eight, nine = (math.log(1 + (9 - n + 0.5) / (n + 0.5)) for n in (5, 3, 6))
    found = await index.idf(KeyKind.TURN, [7, 8, 9])
    assert found == pytest.approx({7: seven, 8: eight, 9: nine}, rel=1e-5)
    [hits] = await index.search([replace(saying(7, 8, 9), terms=words({7: 1.0, 8: 1.0, 9: 3.0}))], OWNER, NOON, 10)
    scores = {hit.key: hit.score for hit in hits}
    assert scores == pytest.approx(
        {
            **{key_id(f"open{n}"): seven + eight for n in range(3)},
            **{key_id(f"own{n}"): 2 * seven + 3 * nine for n in range(2)},
        },
        rel=1e-5,
    )


@pytest.mark.parametrize("kind", [KeyKind.TURN, KeyKind.WINDOW])
async def test_a_key_of_another_scope_is_found_only_by_whom_that_allows(index: KeyIndex, kind: KeyKind) -> None:
    scopes = [EVERYONE, Scope(visibility=Visibility.PRIVATE, channel=DIRECT, requester="u1")]
    probes = [near(1, 0, 0, kind=kind), saying(7, kind=kind), replace(near(1, 0, 0, kind=kind), language="en")]
    for scope in (*scopes, *scopes):
        await index.put([key("a", dense=(1, 0, 0), terms={7: 1.0}, scope=scope, kind=kind)])
        for viewer in (ANYBODY, OWNER):
            found = await index.search(probes, viewer, NOON, 10)
            assert [ids(hits) for hits in found] == 3 * [[key_id("a")] if may_read(viewer, scope) else []]
        assert await index.count(kind) == 1


async def test_a_sample_is_of_keys_of_all_scopes(index: KeyIndex) -> None:
    own = Scope(visibility=Visibility.PRIVATE, channel=DIRECT, requester="u1")
    await index.put([key(f"k{n}", dense=(1, n, 0), scope=own if n % 2 else EVERYONE) for n in range(20)])
    rows = await index.sample(KeyKind.TURN, "en", 30)
    # The second number over the first is the key's own.
    assert sorted(round(float(row[1] / row[0])) for row in rows) == list(range(20))


async def test_a_sample_is_of_vectors_of_one_kind_and_language(index: KeyIndex) -> None:
    await index.put(
        [key(f"en{n}", dense=(1, n, 0), terms={7: 1.0}) for n in range(20)]
        + [key(f"ja{n}", dense=(0, n, 1), language="ja") for n in range(5)]
        + [key("other kind", dense=(1, 1, 1), kind=KeyKind.SUMMARY), key("no vector", terms={7: 1.0})]
    )
    rows = await index.sample(KeyKind.TURN, "en", 8)
    assert rows.shape == (8, 3)
    assert rows.dtype == np.dtype("float32")
    stored = [unit(1, n, 0) for n in range(20)]
    places = [min(range(20), key=lambda n: float(np.abs(row - stored[n]).max())) for row in rows]
    assert len(set(places)) == 8
    assert all(np.abs(row - stored[n]).max() < 1e-3 for row, n in zip(rows, places, strict=True))
    assert len(await index.sample(KeyKind.TURN, "ja", 8)) == 5
    assert len(await index.sample(KeyKind.TURN, "fr", 8)) == 0


async def test_a_reset_empties_the_index_and_notes_the_encoder(index: KeyIndex) -> None:
    assert await index.stamp() == STAMP
    await index.put([key("a", dense=(1, 0, 0), terms={7: 1.0})])
    larger = EncoderStamp(name="other", size=4, fingerprint="beef")
    await index.reset(larger)
    assert await index.stamp() == larger
    assert [await index.count(kind) for kind in KeyKind] == [0] * len(KeyKind)
    await index.put([key("b", dense=(1, 0, 0, 0))])
    assert [ids(hits) for hits in await index.search([near(1, 0, 0, 0)], ANYBODY, NOON, 10)] == [[key_id("b")]]


async def test_whoever_searches_while_the_index_is_made_anew_finds_all_or_nothing(index: KeyIndex) -> None:
    await index.put([key(f"k{n}", dense=(1, n, 0), terms={7: 1.0}) for n in range(5)])
    found: set[int] = set()
    async with asyncio.TaskGroup() as group:
        resetting = group.create_task(index.reset(STAMP))
        while not resetting.done():
            # A store that never waits would not let the other one go on.
            await asyncio.sleep(0)
            found |= {len(hits) for hits in await index.search([near(1, 0, 0), saying(7)], ANYBODY, NOON, 10)}
    assert found <= {0, 5}
    assert await index.search([near(1, 0, 0), saying(7)], ANYBODY, NOON, 10) == [[], []]


async def test_vectors_of_another_encoder_are_refused(index: KeyIndex) -> None:
    await index.put([key("a", dense=(1, 0, 0))])
    with pytest.raises(EncoderChanged):
        await index.put([key("good", dense=(1, 0, 0)), key("bad", dense=(1, 0))])
    with pytest.raises(EncoderChanged):
        await index.search([near(1, 0)], ANYBODY, NOON, 10)
    assert await index.count(KeyKind.TURN) == 1


async def test_a_new_index_holds_words_but_no_vectors(new_index: KeyIndex) -> None:
    assert await new_index.stamp() is None
    await new_index.put([key("a", terms={7: 1.0})])
    with pytest.raises(EncoderChanged):
        await new_index.put([key("b", dense=(1, 0, 0))])
    found = await new_index.search([saying(7), near(1, 0, 0)], ANYBODY, NOON, 10)
    assert [ids(hits) for hits in found] == [[key_id("a")], []]
    assert len(await new_index.sample(KeyKind.TURN, "en", 5)) == 0


async def test_many_keys_may_be_written_at_once(index: KeyIndex) -> None:
    kinds = [KeyKind.TURN, KeyKind.SUMMARY, KeyKind.FACT]
    await index.put([key(f"k{n}", dense=(1, n, 1), terms={n: 1.0}, kind=kinds[n % 3]) for n in range(1001)])
    assert [await index.count(kind) for kind in kinds] == [334, 334, 333]


USERS = ("u1", "u2", "", "佐藤'; --")
CHANNELS = (DIRECT, "c1", "c2")


def random_scope(chance: random.Random) -> Scope:
    return Scope(
        visibility=chance.choice(list(Visibility)),
        channel=chance.choice(CHANNELS),
        requester=chance.choice(USERS),
        participants=frozenset(chance.sample(USERS, chance.randrange(len(USERS)))),
    )


async def test_everybody_finds_exactly_what_they_may_read(index: KeyIndex) -> None:
    """Four hundred keys of random scopes and times, and every viewer there can be, against the rule itself."""
    chance = random.Random(20260302)
    keys = [
        key(
            f"k{n}", dense=(1, n, 1), terms={7: 1.0}, scope=random_scope(chance), said_at=later(chance.randrange(-5, 6))
        )
        for n in range(400)
    ]
    await index.put(keys)
    for user in (*USERS, "stranger"):
        for channel in (*CHANNELS, "c3"):
            collections: tuple[frozenset[str], ...] = (frozenset(), frozenset({"c1"}))
            for agent, confined, looked_up in product((False, True), (False, True), collections):
                viewer = Viewer(user=user, channel=channel, agent=agent, confined=confined, collections=looked_up)
                until = later(chance.randrange(-6, 6))
                expected = {one.id for one in keys if may_read(viewer, one.scope) and one.pointer.said_at <= until}
                probes = [near(1, 1, 1), saying(7), replace(near(1, 1, 1), language="en")]
                for hits in await index.search(probes, viewer, until, len(keys)):
                    assert set(ids(hits)) == expected, viewer


async def test_all_keys_of_a_kind_are_walked_over_a_page_at_a_time(index: KeyIndex) -> None:
    put = [key(str(number), kind=KeyKind.TURN) for number in range(7)]
    await index.put([*put, key("other", kind=KeyKind.WINDOW)])
    start: str | None = None
    seen: dict[str, Pointer] = {}
    sizes: list[int] = []
    while True:
        page = await index.page(KeyKind.TURN, start, 3)
        sizes.append(len(page.pointers))
        seen |= page.pointers
        start = page.next
        if start is None:
            break
    assert sizes == [3, 3, 1]
    assert seen == {one.id: one.pointer for one in put}
    assert (await index.page(KeyKind.FACT, None, 3)).pointers == {}


async def test_it_says_which_keys_it_has(index: KeyIndex) -> None:
    await index.put([key("here", kind=KeyKind.TURN), key("elsewhere", kind=KeyKind.WINDOW)])
    asked = [key_id("here"), key_id("elsewhere"), key_id("nowhere")]
    assert await index.known(KeyKind.TURN, asked) == {key_id("here")}
    assert await index.known(KeyKind.FACT, asked) == set()
