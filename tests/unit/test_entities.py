"""Exact things: codes, hosts, ids and versions, however they were typed."""

from __future__ import annotations

import pytest

from memory.text.entities import exact_entities


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("「BL-61 認証失敗」でつながりません", ("bl-61",)),
        ("ＢＬ－６１です", ("bl-61",)),
        ("BL‐61 and bl-61", ("bl-61",)),
        ("步2 重跑gen-itgc7后50条", ("gen-itgc7",)),
        ("接続先は ra-tym-01 です", ("ra-tym-01",)),
        ("files.example.com の 4.1.7", ("files.example.com", "4.1.7")),
        ("0x80070005 on PRN-3F-01", ("0x80070005", "prn-3f-01")),
        ("Room 101 と Room 102", ()),
        ("INC-1007/3 を見て", ("inc-1007",)),
        ("the 3rd at 10am, 16GB", ()),
        ("よろしくお願いします", ()),
        ("at 10 or 11", ()),
    ],
)
def test_exact_things_are_found_folded_and_once(text: str, found: tuple[str, ...]) -> None:
    assert exact_entities(text) == found


def test_near_duplicates_stay_apart() -> None:
    assert set(exact_entities("BL-61 BL-16")) == {"bl-61", "bl-16"}
