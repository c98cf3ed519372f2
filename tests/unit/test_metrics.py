"""Scores, each against a value worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.evaluation.metrics import (
    all_at,
    answer_tokens,
    any_at,
    interval,
    mean,
    ndcg_at,
    parts_f1,
    percentile,
    recall_at,
    spaced,
    token_f1,
)
from memory.evaluation.sampling import choose

FOUND = ("c", "a", "x", "b")


def test_recall_is_the_share_of_gold_among_the_first_k() -> None:
    assert [recall_at(("a", "b"), FOUND, k) for k in (1, 2, 3, 4, 50)] == [0, 0.5, 0.5, 1, 1]


def test_gold_named_twice_counts_once() -> None:
    assert recall_at(("a", "a", "b"), FOUND, 2) == 0.5


def test_a_question_without_gold_is_refused_rather_than_counted_as_found() -> None:
    with pytest.raises(ValueError, match="no recall"):
        recall_at((), FOUND, 5)


def test_any_needs_one_and_all_needs_every_gold() -> None:
    assert (any_at(("a", "b"), FOUND, 2), all_at(("a", "b"), FOUND, 2)) == (1, 0)
    assert (any_at(("a", "b"), FOUND, 4), all_at(("a", "b"), FOUND, 4)) == (1, 1)
    assert any_at(("z",), FOUND, 4) == 0


def test_ndcg_counts_the_first_two_places_whole_and_then_discounts() -> None:
    # gold at places 2 and 4: 1/log2(2) + 1/log2(4) = 1.5; ideal at places 1 and 2: 1 + 1 = 2
    assert ndcg_at(("a", "b"), FOUND, 5) == pytest.approx(0.75)
    assert ndcg_at(("a", "b"), FOUND, 2) == pytest.approx(0.5)
    assert ndcg_at(("z",), FOUND, 5) == 0


def test_ideal_gain_is_cut_at_k_as_well() -> None:
    assert ndcg_at(("a", "b", "c"), ("a", "b"), 2) == 1


def test_answers_are_compared_by_stems_without_articles_and_punctuation() -> None:
    assert answer_tokens("The Painting, and a river's BANKS!") == ["paint", "river", "bank"]
    assert answer_tokens("1,200 runs") == ["1200", "run"]


def test_token_f1_counts_repeated_words_as_often_as_both_have_them() -> None:
    # shared: red once -> precision 1/2, recall 1/3 -> F1 = 2 * 1/6 / (5/6) = 0.4
    assert token_f1("red red", "red blue green") == pytest.approx(0.4)
    assert token_f1("", "red") == 0
    assert token_f1("the", "a") == 0


def test_lists_are_scored_by_the_best_part_for_each_gold_part() -> None:
    # "camping" fits exactly (1); "tall mountains" against "mountains": P 1/2, R 1 -> 2/3; mean 5/6
    assert parts_f1("tall mountains, camping", "camping, mountains") == pytest.approx(5 / 6)
    assert parts_f1("nothing", "camping, mountains") == 0


def test_japanese_is_spaced_by_character_so_that_it_can_be_counted() -> None:
    assert spaced("VPN再起動").split() == ["VPN", "再", "起", "動"]
    # 再起動 against 再起: 2 shared of 3 and of 2 -> P 2/3, R 1 -> 0.8
    assert token_f1(spaced("再起動"), spaced("再起")) == pytest.approx(0.8)


def test_nothing_has_no_mean_no_percentile_and_no_interval() -> None:
    assert math.isnan(mean([]))
    assert math.isnan(percentile([], 0.5))
    assert all(math.isnan(bound) for bound in interval([]))


def test_percentiles_are_linear_between_neighbours() -> None:
    assert percentile([1, 2, 3, 4, 5], 0.5) == 3
    assert percentile([10, 20], 0.95) == pytest.approx(19.5)


def test_the_interval_of_equal_values_is_that_value() -> None:
    assert interval([0.5] * 7) == (0.5, 0.5)


def test_the_interval_repeats_itself_and_narrows_with_more_questions() -> None:
    few, many = [0.0, 1.0] * 10, [0.0, 1.0] * 500
    assert interval(few) == interval(few)
    assert interval(many)[1] - interval(many)[0] < (interval(few)[1] - interval(few)[0]) / 3


def test_the_interval_is_about_two_standard_errors_each_way() -> None:
    # share 1/2 of 400: standard error 0.025, so 1.96 of them are 0.049
    low, high = interval([0.0, 1.0] * 200)
    assert low == pytest.approx(0.451, abs=0.01)
    assert high == pytest.approx(0.549, abs=0.01)


@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.sets(st.sampled_from("abcdefgh"), min_size=1))
def test_recall_never_falls_as_more_is_looked_at(found: list[str], gold: set[str]) -> None:
    shares = [recall_at(sorted(gold), found, k) for k in range(10)]
    assert shares == sorted(shares)


@given(st.text(), st.text())
def test_token_f1_is_a_share_and_symmetric(one: str, other: str) -> None:
    assert 0 <= token_f1(one, other) <= 1
    assert token_f1(one, other) == pytest.approx(token_f1(other, one))


def test_a_limit_takes_the_first_and_a_seed_a_sample_in_order() -> None:
    items = list(range(100))
    assert choose(items, 3, None) == (0, 1, 2)
    assert choose(items, None, 7) == tuple(items)
    sample = choose(items, 10, 7)
    assert sample == choose(items, 10, 7) == tuple(sorted(sample))
    assert len(set(sample)) == 10
    assert sample != choose(items, 10, 8)
