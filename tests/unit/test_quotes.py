"""A quote stands in a text up to width, white space and invisible characters, and comes back in the original words."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.quotes import Standing, folded, nearest, standing


@pytest.mark.parametrize(
    ("quote", "text", "original"),
    [
        ("BridgeLane", "今日はＢｒｉｄｇｅＬａｎｅが落ちた", "ＢｒｉｄｇｅＬａｎｅ"),
        ("ラベルプリンタ", "ﾗﾍﾞﾙﾌﾟﾘﾝﾀが紙詰まり", "ﾗﾍﾞﾙﾌﾟﾘﾝﾀ"),
        ("VPN 接続", "VPN接続できません", "VPN接続"),
        ("VPN接続", "VPN 接続できません", "VPN 接続"),
        ("です。接続先", "これです。\n  接続先は ra-01", "です。\n  接続先"),
        ("press the red button", "First press the\n    red   button.", "press the\n    red   button"),
        ("password reset", "the pass\u200bword\u00ad reset", "pass\u200bword\u00ad reset"),
        ("(株)ミクマリ", "㈱ミクマリの件", "㈱ミクマリ"),
        ("「再起動してください」", "はい、再起動してください", "再起動してください"),
        ('"Roll back to 4.1.7"', "Roll back to 4.1.7 please", "Roll back to 4.1.7"),
        ("が", "か\u3099が", None),
    ],
)
def test_a_quote_comes_back_in_the_original_words(quote: str, text: str, original: str | None) -> None:
    expected = [] if original is None else [Standing(place=0, words=original)]
    assert standing(quote, [text]) == expected


@pytest.mark.parametrize("quote", ["", " ", "x", "５", "。。。", "!?", "…", "「」", '""', "\u200b\u200b", "💦💦"])
def test_a_quote_that_says_nothing_stands_nowhere(quote: str) -> None:
    assert standing(quote, [f"before {quote} after", quote, quote * 3]) == []


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("restart the client", "Restart the client"),
        ("foobar", "foo bar"),
        ("it was fixed", "it was not fixed"),
        ("7分ずれている", "５分ずれている"),
    ],
)
def test_other_case_other_words_and_joined_words_do_not_stand(quote: str, text: str) -> None:
    assert standing(quote, [text]) == []


def test_every_text_that_holds_the_quote_is_found() -> None:
    texts = ["つながりました", "だめでした", "あ、つながりました！"]
    assert [one.place for one in standing("つながりました", texts)] == [0, 2]


def test_the_nearest_text_wins_and_of_two_equally_near_the_later() -> None:
    found = [Standing(place=1, words="a"), Standing(place=3, words="b"), Standing(place=9, words="c")]
    assert nearest(found, 8) == found[2]
    assert nearest(found, 2) == found[1]
    assert nearest([], 2) is None


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60), st.data())
def test_any_whole_part_of_a_text_stands_in_it_and_its_words_are_a_part(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    part = text[start:end]
    for one in standing(part, [text]):
        assert one.words in text
        assert folded(one.words).find(folded(part)) >= 0 or folded(part)[1:-1].strip() in folded(one.words)
    plain = text.isascii() or not any(unicodedata.combining(c) for c in unicodedata.normalize("NFKD", text))
    if plain and len(folded(part)) >= 2 and any(c.isalnum() for c in folded(part)):
        assert standing(part, [text]) != []


#: Letters with their marks, as people type them: a mark on its own after a space is no letter.
_LETTERS = [
    "a",
    "é",
    "e\u0301",
    "あ",
    "ｱ",
    "亜",
    "ｶﾞ",
    "か\u3099",
    " ",
    "\n",
    "\u3000",
    "\u2003",
    "。",
    "Ａ",
    "\u200b",
    "㈱",
    "☎\ufe0f",
]
_written = st.lists(st.sampled_from(_LETTERS), max_size=30).map("".join)


@given(_written)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@given(_written)
def test_a_whole_text_stands_in_itself_however_it_is_written(text: str) -> None:
    said = folded(text)
    if len(said) >= 2 and any(character.isalnum() for character in said):
        assert [folded(one.words) for one in standing(said, [text])] == [said]
