"""What people may send, and what becomes of characters that are no writing."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.characters import cleaned, one_line, readable, wordless
from handlers.input import checked
from memory.errors import InputRefused


@pytest.mark.parametrize("text", ["", " ", "\n\t \r\n", "\u3000\u3000"])
def test_an_empty_message_is_refused_in_the_language_of_the_sender(text: str) -> None:
    with pytest.raises(InputRefused, match="メッセージが空でした"):
        checked(text, limit=100, language="ja")
    with pytest.raises(InputRefused, match="That message was empty"):
        checked(text, limit=100, language="en")


@pytest.mark.parametrize(
    "text",
    ["\x00\x01\x1b", "\u200b\ufeff", "\u202e\u2066", "\ud800\udfff", "\u3164", "\u2800\u2800", "\u0301", "\ue000"],
)
def test_a_message_in_which_nothing_can_be_seen_is_refused_as_unreadable(text: str) -> None:
    with pytest.raises(InputRefused, match="no readable characters"):
        checked(text, limit=100, language="en")


def test_a_message_at_the_limit_is_taken_and_one_character_more_is_refused_with_both_numbers() -> None:
    assert checked("あ" * 100, limit=100, language="ja") == "あ" * 100
    with pytest.raises(InputRefused, match="200,000文字、上限は20,000文字"):
        checked("x" * 200_000, limit=20_000, language="ja")


@pytest.mark.parametrize("text", ["😀", "👍🏽🎉", "مرحبا، لا أستطيع الدخول", "שלום", "?", "BL-61", "1️⃣"])
def test_emoji_and_right_to_left_messages_are_valid_and_unchanged(text: str) -> None:
    assert checked(text, limit=100, language="en") == text


def test_nul_and_other_controls_go_and_newline_and_tab_stay() -> None:
    assert checked("a\x00b\x1b[31m\tc\r\nd\x85e\x7f", limit=100, language="en") == "ab\tc\nd\ne"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[1;31mRED\x1b[0m", "RED"),
        ("\x1b]0;owned\x07title", "title"),
        ("\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\", "here"),
        ("\x1b(Bplain\x1b7", "plain"),
        ("\x1b]never ends", "]never ends"),
        ("an array[31m] stays", "an array[31m] stays"),
    ],
)
def test_an_escape_sequence_goes_as_a_whole(text: str, seen: str) -> None:
    assert cleaned(text) == seen


def test_lone_surrogates_become_the_replacement_character() -> None:
    assert cleaned("VPN\ud83dが") == "VPN\ufffdが"
    cleaned("VPN\udcffが").encode()


def test_direction_overrides_go_and_the_marks_of_right_to_left_writing_stay() -> None:
    assert cleaned("invoice\u202efdp.exe\u202c") == "invoicefdp.exe"
    assert cleaned("\u200fשלום\u200f VPN") == "\u200fשלום\u200f VPN"


def test_words_are_composed_but_neither_width_nor_the_spelling_of_a_name_is_changed() -> None:
    assert cleaned("か\u3099") == "が"
    assert cleaned("ＢＬ－６１ ﾌﾟﾘﾝﾀ ①") == "ＢＬ－６１ ﾌﾟﾘﾝﾀ ①"
    assert cleaned("神\ufa19") == "神\ufa19"


@pytest.mark.parametrize("text", ["😀", "1️⃣ 2️⃣", "?!", "👩‍💻", "🇯🇵", "…", "ℹ️"])
def test_emoji_and_punctuation_have_no_words(text: str) -> None:
    assert wordless(text)


@pytest.mark.parametrize("text", ["😀 ok", "1", "助", "ok?", "😀7"])
def test_one_letter_or_digit_is_a_word(text: str) -> None:
    assert not wordless(text)


@given(st.text(alphabet=st.characters(codec=None)))
def test_cleaned_text_can_be_stored_and_shown_and_cleaning_again_changes_nothing(text: str) -> None:
    once = cleaned(text)
    once.encode()
    assert cleaned(once) == once
    assert {c for c in once if unicodedata.category(c) == "Cc"} <= {"\n", "\t"}


@given(st.text(alphabet="ab が😀\n\u202e\x00?"))
def test_only_what_is_refused_is_lost(text: str) -> None:
    if readable(cleaned(text)):
        assert checked(text, limit=1000, language="ja") == cleaned(text).strip()
    else:
        with pytest.raises(InputRefused):
            checked(text, limit=1000, language="ja")


def test_a_text_is_cut_to_one_line_of_the_length_asked_for() -> None:
    assert one_line("a\n\n b\u2028c", 80) == "a b c"
    assert one_line("x" * 81, 80) == "x" * 79 + "…"
    assert one_line("x" * 80, 80) == "x" * 80
