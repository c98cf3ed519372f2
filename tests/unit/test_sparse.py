"""Which words find which texts, in Japanese, English and between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.sparse import exact_terms, overlap, passage_terms, question_terms


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("しりとり", "今日は成語しりとりをした"),
        ("itgc", "步2 重跑gen-itgc后50条悬空引用清零，修复已验证"),
        ("gen-itgc7", "步2 重跑gen-itgc7后50条"),
        ("BL-61", "ＢＬ－６１です"),
        ("プリンタ", "ﾌﾟﾘﾝﾀｰが動かない"),
        ("プリンター", "ラベルプリンタの設定"),
        ("printers", "the printer jams"),
        ("障害", "基幹系の障害報告"),
        ("ウイルス対策", "ウィルス対策ソフト"),
        ("サーバー", "サーバが落ちた"),
    ],
)
def test_a_word_finds_the_text_however_it_was_typed(question: str, text: str) -> None:
    assert overlap(question, text) > 0


@pytest.mark.parametrize(("question", "text"), [("BL-61", "BL-16"), ("room101", "room102"), ("印刷", "刷新の件")])
def test_a_near_duplicate_is_another_thing(question: str, text: str) -> None:
    assert set(exact_terms(question).ids) & set(passage_terms(text, 10).ids) == set()


@pytest.mark.parametrize("question", ["? ! . , ; / #", "\"'()[]{}*&|-", "", "   ", "🙂🙂", "\u202e\u202d"])
def test_marks_alone_ask_for_nothing_and_break_nothing(question: str) -> None:
    assert question_terms(question).ids == ()


def test_words_that_name_nothing_are_left_out() -> None:
    assert set(question_terms("What is the status of the printer?").ids) == set(question_terms("status printer").ids)


def test_grammar_does_not_make_a_text_longer() -> None:
    plain = dict(zip(*_parallel("障害報告"), strict=True))
    polite = dict(zip(*_parallel("障害報告をさせていただいております"), strict=True))
    assert {term: polite[term] for term in plain} == plain


def _parallel(text: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    terms = passage_terms(text, 4)
    return terms.ids, terms.weights


@given(st.text(max_size=80))
def test_ids_are_unique_and_ascending_and_fit_32_bits(text: str) -> None:
    ids = passage_terms(text, 30).ids
    assert list(ids) == sorted(set(ids))
    assert all(0 <= term < 2**32 for term in ids)


@given(st.text(alphabet="障害報告のためVPNbl-61 ", max_size=30))
def test_a_text_has_every_term_it_asks_for(text: str) -> None:
    assert overlap(text, text) in (0.0, 1.0)
