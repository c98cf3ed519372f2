"""Messages that say of something that it is so still, or again."""

from __future__ import annotations

import pytest

from handlers.acts.still import says_still


@pytest.mark.parametrize(
    "words",
    [
        "ダメでした",
        "カメラがまた映らなくなりました。エラー KM-12 のままです。",
        "カメラはまだ映りません。チケットを作成してください",
        "直っていないようです。ランプも消えました。",
        "That did not help.",
        "It still beeps, and the lamp is red now.",
        "The same error came up again this morning",
        "The printer has not been fixed",
    ],
)
def test_what_goes_on_or_is_back_is_so_still(words: str) -> None:
    assert says_still(words)


@pytest.mark.parametrize(
    "words",
    [
        "マウスも動きません",
        "また、マウスも動きません",
        "会議室Bのカメラが映りません。",
        "My mouse is dead as well",
        "How do I ask for a new laptop?",
    ],
)
def test_another_matter_is_not(words: str) -> None:
    assert not says_still(words)
