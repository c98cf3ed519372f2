"""Where sentences end, and that nothing is lost between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.sentences import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("再起動しました。直りません。", ["再起動しました。", "直りません。"]),
        ("「直った。」と聞きました。よかった！", ["「直った。」", "と聞きました。", "よかった！"]),
        ("Install 4.1.7 first. Then restart.", ["Install 4.1.7 first. ", "Then restart."]),
        ("Ask (Sato.) Then go?Yes", ["Ask (Sato.) ", "Then go?", "Yes"]),
        ("one\ntwo\n\nthree", ["one\n", "two\n\n", "three"]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_a_text_is_cut_where_sentences_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(max_size=200))
def test_the_sentences_together_are_the_text(text: str) -> None:
    assert "".join(sentences(text)) == text
