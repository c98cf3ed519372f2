"""What an answer names and nothing that was read does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.grounding import standing_nowhere

READ = (
    'ZX-0002 okabe: "The drum unit of the MX-4070 costs 12,800 yen; call extension 4412. 担当はＨＤ－４１の件で対応中"'
)


@pytest.mark.parametrize(
    ("answer", "invented"),
    [
        ("The drum costs 999 EUR, see T-999.", ("999", "T-999")),
        ("It costs 12800 yen.", ()),
        ("It costs 12 800 yen, ext. 4412.", ()),
        ("MX4070 and mx-4070 are one.", ()),
        ("MX-4071 is another.", ("MX-4071",)),
        ("HD-41 です", ()),
        ("HD-42 です", ("HD-42",)),
        ("内線は4413です", ("4413",)),
        ("Two of them, 12 days ago, the 3rd, at 14:05 on 2026-09-10 or 9/10/2026, in 2022.", ()),
        ("16GB and 5 GHz", ()),
        ("1600MB", ("1600",)),
        ("Restart it.", ()),
        ("", ()),
    ],
)
def test_names_and_larger_numbers_must_stand_somewhere(answer: str, invented: tuple[str, ...]) -> None:
    assert standing_nowhere(answer, READ) == invented


def test_what_stands_in_any_of_the_texts_stands() -> None:
    assert standing_nowhere("ZX-0002 and KX-7 at 10.0.0.1", READ, "about KX-7", "10.0.0.1") == ()


@given(st.text(max_size=200))
def test_what_an_answer_copies_is_never_invented(text: str) -> None:
    assert standing_nowhere(text, text) == ()
