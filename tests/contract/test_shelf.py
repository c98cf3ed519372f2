"""What every store keeps of articles, on each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from memory.knowledge.shelf import Shelved
from tests.fakes.turns import NOON
from tests.fakes.words import BACKENDS, Store, Watch, opened


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


def shelved(path: str, *, collection: str = "it", edition: int = 1) -> Shelved:
    return Shelved(
        collection=collection,
        path=path,
        title="VPNの使い方",
        digest="d1",
        edition=edition,
        sections=("vpn", "vpn/windows"),
        gone=("vpn/mac",),
        at=NOON,
    )


async def test_articles_come_back_by_collection_and_path(store: Store) -> None:
    both = [shelved("b.md"), shelved("a.md", collection="hr"), shelved("あ.md"), shelved("B.md")]
    await store.shelf.shelve(both)
    found = await store.shelf.shelved()
    assert [(one.collection, one.path) for one in found] == [
        ("hr", "a.md"),
        ("it", "B.md"),
        ("it", "b.md"),
        ("it", "あ.md"),
    ]
    assert found[2] == both[0]


async def test_what_is_known_of_an_article_is_written_over(store: Store) -> None:
    await store.shelf.shelve([shelved("a.md"), shelved("b.md")])
    newer = replace(shelved("a.md", edition=2), digest="", sections=(), gone=("vpn", "vpn/windows", "vpn/mac"))
    await store.shelf.shelve([newer])
    assert await store.shelf.shelved() == [newer, shelved("b.md")]


async def test_nothing_is_written_for_no_article(store: Store) -> None:
    await store.shelf.shelve([])
    assert await store.shelf.shelved() == []
