"""What a text states and what it asks, in both languages."""

from __future__ import annotations

import pytest

from memory.text.statements import asks_the_same, only_repeats, stated_share, statements


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


@pytest.mark.parametrize(
    ("text", "question", "same"),
    [
        ("What is the PIN?", "what is the  PIN？", True),
        ("Is the VPN down?", "Is the VPN down again?", True),
        ("The wifi is slow. Why?", "The wifi is slow. Why is that?", True),
        ("プリンターが動きません。なぜですか。", "プリンターが動きません。どうすればいいですか。", True),
        ("The VPN works again. Does it for you?", "Does the VPN work again for you?", False),
        ("The VPN is down.", "Is the VPN down?", False),
        ("Is the PIN 4711?", "What is the PIN?", False),
        ("What is the PIN? It is 4711.", "What is the PIN?", False),
        ("暗証番号は何ですか。4711です。", "暗証番号は何ですか。", False),
    ],
)
def test_a_text_asks_the_same_in_nearly_the_same_words_unless_it_states_more(
    text: str, question: str, same: bool
) -> None:
    assert asks_the_same(text, question) is same


@pytest.mark.parametrize(
    ("text", "question", "repeats"),
    [
        ("good question", "Who looks after the signage now?\ngood question", True),
        ("Good  question", "Who looks after the signage now?\ngood question", True),
        ("私もです", "VPNは緑なのにX:ドライブが見えません\n私もです", True),
        ("good question\nIt is Mori.", "Who looks after the signage now?\ngood question", False),
        ("question", "Who looks after the signage now?\ngood question", False),
        ("Who looks after the signage now?", "Who looks after the signage now?", False),
    ],
)
def test_a_text_repeats_where_each_of_its_lines_is_one_of_a_question_of_several(
    text: str, question: str, repeats: bool
) -> None:
    assert only_repeats(text, question) is repeats
