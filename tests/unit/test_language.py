"""In which language a message is written."""

from __future__ import annotations

import pytest

from memory.text.language import LanguageCode, detect_language


@pytest.mark.parametrize(
    "text",
    [
        "VPNにつながらない。error code BL-61 on Windows 11 Enterprise",
        "Outlookを起動すると Access denied. Please contact your administrator と出ます",
        "VPN接続不可",
        "ﾌﾟﾘﾝﾀ",
        "以下のエラーが出ました:\n" + "connection refused by peer, giving up now\n" * 200,
        "connection refused by peer, giving up now\n" * 200 + "と何度も出ます。助けてください",
        "Hi\n山田です。VPNがつながりません",
        "先週と同じで “the printer is on fire and nobody is here to help” と表示されました",
    ],
)
def test_japanese_with_many_ascii_words_is_japanese(text: str) -> None:
    assert detect_language(text, "en") == "ja"


@pytest.mark.parametrize(
    "text",
    [
        "Please ask 山田太郎 about the VPN",
        "Is 営業部 still using the printer on the third floor?",
        "What does 「VPNにつながりません」 mean?",
        "BL-61 again",
        "don't",
        "VPN",
    ],
)
def test_english_with_a_japanese_name_or_quote_is_english(text: str) -> None:
    assert detect_language(text, "ja") == "en"


@pytest.mark.parametrize("text", ["", "😀", "BL-61?", "0x80070005", "مرحبا", "1180"])
@pytest.mark.parametrize("default", ["ja", "en"])
def test_what_shows_no_language_takes_the_default(text: str, default: LanguageCode) -> None:
    assert detect_language(text, default) == default


def test_a_message_that_is_only_a_quote_has_the_language_of_the_quote() -> None:
    assert detect_language("「VPNにつながりません」", "en") == "ja"
