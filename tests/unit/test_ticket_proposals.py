"""What a new ticket is called, where it belongs, what may have helped, and when support is back."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from config.tickets import HoursSettings, Weekday
from handlers.tickets.hours import back_at
from handlers.tickets.proposals import category_of, fix_of
from memory.text.titles import title_of

TOKYO = ZoneInfo("Asia/Tokyo")
CATEGORIES = {"Network": ("VPN", "Wi-Fi"), "プリンター": ("プリンタ", "複合機")}


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("VPNにつながりません。昨日からです。", "VPNにつながりません。"),
        ("The printer is jammed. It beeps.", "The printer is jammed."),
        ("one\nline each", "one"),
        ("  spaces \t all   over  ", "spaces all over"),
        ("", ""),
    ],
)
def test_a_title_is_the_first_sentence_in_one_line(words: str, title: str) -> None:
    assert title_of(words) == title


def test_a_long_title_ends_with_an_ellipsis_at_eighty_characters() -> None:
    title = title_of("あ" * 200)

    assert title == "あ" * 79 + "…"


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("my vpn is down", "Network"),
        ("ＶＰＮがつながらない", "Network"),
        ("3階の複合機が動かない", "プリンター"),
        ("VPNとプリンタの件", "Network"),
        ("coffee machine", None),
    ],
)
def test_a_category_is_the_first_that_has_a_word_in_the_request(words: str, category: str | None) -> None:
    assert category_of(words, CATEGORIES) == category


@pytest.mark.parametrize(
    ("now", "back"),
    [
        # Friday 27 November 2026.
        (datetime(2026, 11, 27, 9, 0, tzinfo=TOKYO), None),
        (datetime(2026, 11, 27, 17, 59, tzinfo=TOKYO), None),
        (datetime(2026, 11, 27, 8, 59, tzinfo=TOKYO), datetime(2026, 11, 27, 9, 0, tzinfo=TOKYO)),
        (datetime(2026, 11, 27, 18, 0, tzinfo=TOKYO), datetime(2026, 11, 30, 9, 0, tzinfo=TOKYO)),
        (datetime(2026, 11, 28, 12, 0, tzinfo=TOKYO), datetime(2026, 11, 30, 9, 0, tzinfo=TOKYO)),
        # Sunday evening in UTC is Monday morning in Tokyo.
        (datetime(2026, 11, 29, 23, 30, tzinfo=UTC), datetime(2026, 11, 30, 9, 0, tzinfo=TOKYO)),
        (datetime(2026, 11, 30, 0, 0, tzinfo=UTC), None),
    ],
)
def test_support_is_back_at_the_beginning_of_the_next_working_day(now: datetime, back: datetime | None) -> None:
    assert back_at(HoursSettings(), now) == back


def test_support_that_works_one_day_a_week_is_back_a_week_later() -> None:
    hours = HoursSettings(days=(Weekday.FRIDAY,))

    assert back_at(hours, datetime(2026, 11, 27, 18, 0, tzinfo=TOKYO)) == datetime(2026, 12, 4, 9, 0, tzinfo=TOKYO)


def test_without_hours_support_is_always_there() -> None:
    assert back_at(None, datetime(2026, 11, 28, 3, 0, tzinfo=TOKYO)) is None


@pytest.mark.parametrize(
    ("said", "fix"),
    [
        (
            ["Restart the VPN client.", "Hello Emma, I am looking at it. Are you still there?"],
            "Restart the VPN client.",
        ),
        (
            ["クライアントを再起動してください。", "こんにちは、彩さん。直りましたか？"],
            "クライアントを再起動してください。",
        ),
        (["Hi Emma! Renew the certificate. Does it work now?"], "Renew the certificate."),
        (["お世話になっております。証明書を更新してください。いかがでしょうか？"], "証明書を更新してください。"),
        (["1. Stop it\n\n2. Start it"], "1. Stop it\n\n2. Start it"),
        (["Install this [file: driver.exe]"], "Install this"),
        (["Hello Emma, are you still there?"], ""),
        (["お待ちください。", "わかりました"], ""),
        ([], ""),
    ],
)
def test_what_helped_is_neither_a_question_nor_a_greeting(said: list[str], fix: str) -> None:
    assert fix_of(said) == fix


def test_a_sign_alone_is_no_fix() -> None:
    assert fix_of(["再起動してください", "&"]) == "再起動してください"
    assert fix_of(["&", "…"]) == ""
