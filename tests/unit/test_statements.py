"""What a text states and what it asks, in both languages."""

from __future__ import annotations

import pytest

from memory.text.statements import stated_share, statements


def test_statements_are_what_says_something_by_itself() -> None:
    text = "Thanks, Mel! I just signed up for a pottery class yesterday. Have you found any activities that calm you?"
    assert statements(text) == ("I just signed up for a pottery class yesterday.",)


def test_a_japanese_sentence_says_as_much_in_half_the_letters() -> None:
    text = "お疲れさまです。時刻サーバーを変更して今すぐ同期を押してください。直りましたか。"
    assert statements(text) == ("時刻サーバーを変更して今すぐ同期を押してください。",)


def test_one_sentence_is_no_part_of_a_text() -> None:
    assert statements("The yearly credit check of the supplier expired on 31 March.") == ()


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("It works.", 1.0),
        ("", 1.0),
        ("Did you see that?", 0.0),
        ("直りましたか。", 0.0),
        ("12345678. 12345678?", 0.5),
        ("Is it up? Yes!", 4 / 13),
        ("何ですか？ab", 2 / 11),
    ],
)
def test_the_share_that_is_no_question(text: str, share: float) -> None:
    """Japanese letters count twice: 何ですか has four of them, and a mark."""
    assert stated_share(text) == pytest.approx(share)
