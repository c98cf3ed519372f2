"""What a person could work on is told from all else that is said to the bot, by rule."""

from __future__ import annotations

import pytest

from handlers.acts.matters import asks_who, is_matter


@pytest.mark.parametrize(
    "words",
    [
        "@",
        "👍",
        "お疲れ様です。山口です。",
        "Hello, this is Mary.",
        "お知らせです。",
        "違います",
        "それはもう試しました",
        "I already tried that",
        "who are you?",
        "あなたは誰ですか",
        "help",
        "ヘルプ",
        "forget me",
        "my tickets",
        "ありがとうございます",
        "担当者と話したい",
        "open a ticket",
        "チケットお願いします",
    ],
)
def test_what_asks_and_tells_nothing_is_no_matter_for_a_person(words: str) -> None:
    assert not is_matter(words)


@pytest.mark.parametrize(
    "words",
    [
        "お疲れ様です。山口です。マウスが壊れました。",
        "火事です",
        "my mouse is broken",
        "where is it?",
        "any idea?",
        "update?",
        "違います、責任者は森さんです",
        "help me with the VPN",
        "open a ticket: my mouse is broken",
        "who are you going to send?",
        "誰が担当ですか",
    ],
)
def test_what_asks_or_tells_something_is_one(words: str) -> None:
    assert is_matter(words)


@pytest.mark.parametrize("words", ["who are you?", "Are you a bot?", "あなたは誰ですか？"])
def test_who_asks_what_it_is_that_answers_is_understood(words: str) -> None:
    assert asks_who(words)
