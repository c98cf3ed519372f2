"""That an answer did not help is told from questions, by rule."""

from __future__ import annotations

import pytest

from handlers.acts.unhelped import is_unhelped


@pytest.mark.parametrize(
    "words",
    [
        "this did not help",
        "That didn't work.",
        "that didn’t help me at all",
        "still not working",
        "Still not working :(",
        "it's still not working, sorry",
        "It still doesn't work",
        "no",
        "Nope!",
        "no, it didn't",
        "No, that did not solve the problem",
        "doesn't help",
        "not helpful",
        "Thanks, but that didn't work",
        "I tried that but it did not work",
        "tried it, no luck",
        "still the same error",
        "same problem again",
        "Nothing worked.",
        "none of these helped",
        "that's not what I asked",
        "that is not what i was looking for",
        "your answer was useless",
        "I'm still stuck",
        "still no",
        "not really",
        "STILL BROKEN",
        "解決しませんでした",
        "ダメでした",
        "まだ直りません",
        "だめです",
        "うまくいきません",
        "ありがとうございます。でもダメでした…",
        "試しましたが、ダメでした。",
        "試してみましたが解決しませんでした",
        "残念ながら直りませんでした",
        "やっぱりだめみたいです",
        "その方法ではうまくいきませんでした",
        "これでは解決しません",
        "それでも直らないです",
        "いいえ",
        "いえ、まだです",
        "役に立ちませんでした",
        "変わりませんでした。",
        "同じです",
        "状況は変わりません",
        "まだ直ってないです😢",
        "全然ダメ",
        "👎",
        "👎🏽",
        ":-1:",
        ":thumbsdown::skin-tone-3:",
    ],
)
def test_what_only_says_that_it_did_not_help_is_known(words: str) -> None:
    assert is_unhelped(words)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "👍",
        "VPN still not working after the reboot, what now?",
        "still not working, now it says E-7731",
        "still not working after the reboot",
        "still not working?",
        "no sound in Teams",
        "no network in room 3",
        "No, the other printer",
        "nothing happens when I press the button",
        "that did not work on the second floor, only here",
        "this does not help with the scanner",
        "the printer is not working",
        "why did this not help?",
        "no thanks",
        "that worked",
        "it works",
        "that helped",
        "試してみたけどエラー0x80が出ます",
        "VPNがまだ直りません",
        "再起動しても直りません",
        "ダメでした。今度はE-7731と出ます",
        "まだですか？",
        "だめですか",
        "同じエラーが二階のプリンタでも出ます",
        "解決しました",
        "直りました",
        "いいえ、プリンタの方です",
        "音が出ません",
        "no " * 1000,
        "それでも" * 1000,
    ],
)
def test_what_says_anything_else_is_not(words: str) -> None:
    assert not is_unhelped(words)
