"""Thanks, greetings and the wish for a person are told from questions, by rule."""

from __future__ import annotations

import pytest

from handlers.acts.asides import Aside, aside_in


@pytest.mark.parametrize(
    "words",
    [
        "人間と話したい",
        "人と話したいです",
        "担当者につないで",
        "担当者に繋いでください。",
        "担当の方をお願いします",
        "オペレーターに代わってもらえますか？",
        "すみません、誰か呼んでください",
        "サポートの人に相談したいのですが",
        "talk to a human",
        "I want to talk to a real person",
        "Can I speak with someone, please?",
        "agent please",
        "Human!",
        "please connect me to an agent",
    ],
)
def test_the_wish_for_a_person_is_known(words: str) -> None:
    assert aside_in(words) is Aside.PERSON


@pytest.mark.parametrize(
    "words",
    [
        "thanks, that worked!",
        "Thank you so much :)",
        "OK, got it. Thanks!",
        "ありがとうございました",
        "どうもありがとうございます！",
        "了解です",
        "はい、了解しました。",
        "無事直りました、ありがとうございました🙏",
        "わかりました",
    ],
)
def test_thanks_are_known(words: str) -> None:
    assert aside_in(words) is Aside.THANKS


@pytest.mark.parametrize(
    "words", ["hello", "Hi there!", "Good morning", "こんにちは", "お疲れさまです。", "おはようございます"]
)
def test_greetings_are_known(words: str) -> None:
    assert aside_in(words) is Aside.GREETING


@pytest.mark.parametrize(
    "words",
    [
        "",
        "👍",
        "VPNが切れます",
        "ありがとうございます。ところでVPNが切れます",
        "thanks, but it still does not work",
        "hello, my VPN is down",
        "it works?",
        "どうも動きません",
        "again",
        "はい",
        "担当者は誰ですか？",
        "VPNの担当者につないでもらったのはいつですか",
        "who is the agent for printers",
        "the user agent is blocked",
        "印刷できました？",
        "ok " * 1000,
    ],
)
def test_everything_else_is_a_matter(words: str) -> None:
    assert aside_in(words) is None
