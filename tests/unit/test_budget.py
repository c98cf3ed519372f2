"""Token estimates grow with the text, and what is cut or left out stays within its budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.llm.budget import GAP, estimate_tokens, shortened, strongest_within

_text = st.text(alphabet="abc XYZ09.,-\nあいうアイウ会議室東京💦é", max_size=200)

#: Counted by a byte-level BPE tokenizer of 150,000 entries.
_COUNTED = {
    "The printer on the third floor does not print, and restarting it did not help.": 17,
    "先週からVPNに接続できなくて困っています。再起動しても直りませんでした。": 20,
}


@pytest.mark.parametrize(("text", "tokens"), _COUNTED.items())
def test_the_estimate_is_near_a_real_count(text: str, tokens: int) -> None:
    assert 0.85 * tokens <= estimate_tokens(text) <= 1.3 * tokens


def test_nothing_takes_nothing() -> None:
    assert estimate_tokens("") == 0


def test_a_long_word_takes_more_than_a_short_one_and_digits_count_one_by_one() -> None:
    assert estimate_tokens("a") < estimate_tokens("internationalisation")
    assert estimate_tokens("1234567890") >= 10


@given(_text, _text)
def test_two_texts_take_at_least_what_the_longer_takes(one: str, other: str) -> None:
    together = estimate_tokens(one + "\n" + other)
    assert together >= max(estimate_tokens(one), estimate_tokens(other))


@given(_text, st.integers(8, 60))
def test_a_shortened_text_fits_and_keeps_its_beginning_and_its_end(text: str, tokens: int) -> None:
    short = shortened(text, tokens)
    assert estimate_tokens(short) <= max(tokens, 8)
    if short != text:
        head, tail = short.split(GAP)
        assert text.startswith(head)
        assert text.endswith(tail)


def test_a_text_within_its_budget_is_not_touched() -> None:
    assert shortened("再起動してください", 20) == "再起動してください"


def test_the_weakest_leave_first_and_the_order_stays() -> None:
    items = [("a", 0.9), ("b", 0.2), ("c", 0.5), ("d", 0.2), ("e", 0.7)]
    kept = strongest_within(items, 30, cost=lambda _: 10, strength=lambda item: item[1])
    assert [items[place][0] for place in kept] == ["a", "c", "e"]


def test_of_equally_weak_ones_the_earlier_leaves() -> None:
    assert strongest_within(["old", "new"], 10, cost=lambda _: 10, strength=lambda _: 0.5) == [1]


def test_the_strongest_stays_even_over_budget_and_nothing_stays_nothing() -> None:
    assert strongest_within([1, 2], 5, cost=lambda _: 10, strength=float) == [1]
    assert strongest_within([], 5, cost=lambda _: 10, strength=lambda _: 0.0) == []
