"""What a question about an earlier request is about, beside saying whose it was and when."""

from __future__ import annotations

import pytest

from memory.recall.topic import topic_of
from tests.fakes.turns import NOON


@pytest.mark.parametrize(
    "text",
    [
        "先週問い合わせた件ですが、また同じ症状です",
        "先週と同じ症状がまた出ました",
        "先週問い合わせた者ですが",
        "昨日お問い合わせした件、その後どうなりましたか",
        "先週私が聞いた件はどうなりましたか",
        "また出ました",
        "the same thing as last week",
        "I wrote to you last week, the same problem is back",
        "What did I ask last week?",
        "Have we reported this before?",
        "It's happening again",
    ],
)
def test_who_only_points_at_a_request_says_nothing_to_look_for(text: str) -> None:
    assert topic_of(text, NOON) == ""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("先週VPN接続できなくて問い合わせた者ですが、また同じ症状です", "VPN接続できなくて"),
        ("以前相談した複合機の紙詰まりがまた発生しました", "複合機の紙詰まり"),
        ("先週質問した会議室の予約方法をもう一度教えてください", "会議室の予約方法"),
        ("昨日ご連絡した請求書の件です", "請求書"),
        ("私が申請したモニターはいつ届きますか", "申請したモニター"),
        ("先週、有線または無線で問い合わせました", "または"),
        ("I asked about the VPN last week, it is happening again", "VPN"),
        (
            "I reported on Monday that the projector in room 3 is dark. It's doing it again.",
            "projector in room 3 is dark",
        ),
        ("Last time it was the certificate. Same error again: NL-208", "certificate. : NL-208"),
        ("How do I get my money back?", "get my money back"),
    ],
)
def test_what_a_request_was_about_is_left(text: str, kept: str) -> None:
    assert kept in topic_of(text, NOON)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("先週VPNの件で問い合わせました。また同じ症状です", ("先週", "問い合わせ", "また", "症状")),
        ("I asked about the VPN last week, it is happening again", ("asked", "last week", "happening", "again")),
        ("I had a VPN problem two weeks ago and now it's back", ("two weeks", "back")),
    ],
)
def test_whose_it_was_and_when_are_not_looked_for(text: str, gone: tuple[str, ...]) -> None:
    topic = topic_of(text, NOON)
    assert "VPN" in topic
    assert [word for word in gone if word in topic] == []
