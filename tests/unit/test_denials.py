"""Whether a message says that an answer was wrong, and what it says instead."""

from __future__ import annotations

import pytest

from handlers.acts.denials import Denial, denial_in


@pytest.mark.parametrize(
    ("words", "rest", "value"),
    [
        ("違います。今は森さんです。", "今は森さんです。", "森さん"),
        ("違います", "", ""),
        ("いいえ、違いますよ。現在は8855です", "現在は8855です", "8855"),
        ("それは間違いです。正しくは３階です。", "正しくは3階です。", "3階"),
        ("その情報は古いです。森さんに変わりました。", "森さんに変わりました。", "森さん"),
        ("違います。VPNの担当は森さんです。", "VPNの担当は森さんです。", ""),
        ("違います。まだつながりません。", "まだつながりません。", ""),
        ("That is wrong, it is now Mori.", "it is now Mori.", "Mori"),
        ("That’s not right. It's Mori now.", "It's Mori now.", "Mori"),
        ("No, that isn't correct any more: it moved to Room 301.", "it moved to Room 301.", "Room 301"),
        ("Wrong. The owner of Andon is now Mori.", "The owner of Andon is now Mori.", ""),
        ("This is no longer true, now it is 60 days", "now it is 60 days", "60 days"),
        ("That is out of date.", "", ""),
        ("wrong", "", ""),
        ("that is wrong it is now Mori", "it is now Mori", "Mori"),
        ("That's incorrect, Mori owns it now", "Mori owns it now", "Mori"),
        ("Wrong. Mori is now in charge of it.", "Mori is now in charge of it.", "Mori"),
        ("違います。もう森さんに代わりました", "もう森さんに代わりました", "森さん"),
    ],
)
def test_a_denial_is_known_with_what_it_says_instead(words: str, rest: str, value: str) -> None:
    assert denial_in(words) == Denial(rest=rest, value=value)


@pytest.mark.parametrize(
    ("words", "rest", "value"),
    [
        ("いえ、もう森さんに代わりました", "もう森さんに代わりました", "森さん"),
        ("いいえ、森さんになりました。", "森さんになりました。", "森さん"),
        ("No, Mori owns it now.", "Mori owns it now.", "Mori"),
        ("No, it works now.", "it works now.", ""),
        ("No, it runs now.", "it runs now.", ""),
    ],
)
def test_a_bare_no_is_one_where_a_change_follows(words: str, rest: str, value: str) -> None:
    assert denial_in(words) == Denial(rest=rest, value=value, expressly=False)


@pytest.mark.parametrize(
    "words",
    [
        "いえ、まだつながりません。",
        "いいえ",
        "No, I cannot log in.",
        "No, thank you.",
        "違いますか？",
        "それは違いますか",
        "違いは何ですか",
        "Is that wrong?",
        "違う部署の人に聞きました。",
        "That is wrong with my laptop, it beeps.",
        "wrong password is what it says",
        "今は森さんです。",
        "It is now Mori.",
        "VPNの担当が違います。",
        "ありがとうございます。",
        "",
        "違います。" + "あ" * 300,
    ],
)
def test_anything_else_is_none(words: str) -> None:
    assert denial_in(words) is None
