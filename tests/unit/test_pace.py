"""How fast people may write: what counts, who is told, and what is let through all the same."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from config.limits import LimitSettings
from handlers.pace import Pace, Window, Windows
from handlers.ports import by_nobody
from handlers.wordings import SHIPPED
from memory.model import DIRECT, Turn
from memory.text.language import LanguageCode
from tests.fakes.turns import NOON, turn


def said(number: int, seconds: float = 0, *, author: str = "sato", channel: str = DIRECT, text: str = "VPN") -> Turn:
    return turn(number, text, minutes=seconds / 60, author=author, channel=channel)


class Place:
    """A pace of three messages a minute for a person and five for a channel, with a clock to turn."""

    def __init__(self, windows: Windows | None = None, *, held: bool = False, language: LanguageCode = "en") -> None:
        self.now = NOON
        self._language = language
        self._held = held
        self.pace = Pace(
            LimitSettings(person_messages_a_minute=3, channel_messages_a_minute=5),
            windows or Windows(),
            self.clock,
            held=self.holds,
            spoken=self.speaks,
            wording=SHIPPED,
        )

    def clock(self) -> datetime:
        return self.now

    async def holds(self, _: Turn) -> bool:
        return self._held

    async def speaks(self, _: Turn) -> LanguageCode:
        return self._language

    async def becomes(self, one: Turn) -> str | None:
        """What is said to a message that is refused, "" where nothing is; None where it is taken."""
        self.now = max(self.now, one.said_at)
        refused = await self.pace.refused(one)
        if refused is None:
            return None
        return refused.reply.text if refused.reply else ""


def test_a_window_is_full_from_its_limit_on_and_opens_a_minute_after_the_message_that_has_to_leave() -> None:
    window = Window().taking(said(1, 0), 3).taking(said(2, 10), 3)
    assert window.opens(NOON + timedelta(seconds=20), 3) is None
    window = window.taking(said(3, 20), 3)
    assert window.opens(NOON + timedelta(seconds=30), 3) == NOON + timedelta(seconds=60)
    assert window.opens(NOON + timedelta(seconds=59.9), 3) == NOON + timedelta(seconds=60)
    assert window.opens(NOON + timedelta(seconds=60), 3) is None


def test_a_window_remembers_no_more_than_its_limit_and_nothing_older_than_a_minute() -> None:
    window = Window()
    for number in range(100):
        window = window.taking(said(number, number / 10), 3)
    assert [moment for moment, _ in window.taken] == [NOON + timedelta(seconds=tenths / 10) for tenths in (97, 98, 99)]
    assert len(window.taking(said(100, 200), 3).taken) == 1


async def test_who_writes_too_much_is_told_once_in_a_minute_when_to_write_again() -> None:
    place = Place()
    assert [await place.becomes(said(number, number)) for number in (1, 2, 3)] == [None, None, None]
    told = await place.becomes(said(4, 25))
    assert told == (
        "That was a lot of messages in a short time, so I did not answer this one (up to 3 a minute from one person). "
        "It was kept. Please ask again in about 40 seconds."
    )
    assert [await place.becomes(said(number, 20 + number)) for number in (6, 7, 8)] == ["", "", ""]


async def test_it_is_said_in_japanese_as_well() -> None:
    place = Place(language="ja")
    for number in (1, 2, 3):
        await place.becomes(said(number, number))
    assert await place.becomes(said(4, 4)) == (
        "短い時間にたくさんのメッセージをいただいたため、このメッセージにはお答えしていません"
        "（お一人につき1分に3件まで）。保存はしました。60秒ほどおいて、もう一度お尋ねください。"
    )


async def test_who_waited_is_answered_and_is_told_again_the_next_time() -> None:
    place = Place()
    for number in (1, 2, 3, 4):
        await place.becomes(said(number, 0))
    assert [await place.becomes(said(number, 61)) for number in (5, 6, 7)] == [None, None, None]
    assert (await place.becomes(said(8, 62)) or "").endswith("in about 60 seconds.")


async def test_what_was_refused_does_not_make_anybody_wait_longer() -> None:
    place = Place()
    for number in range(30):
        await place.becomes(said(number, number))
    assert await place.becomes(said(31, 61)) is None


async def test_others_are_not_held_up() -> None:
    place = Place()
    for number in range(10):
        await place.becomes(said(number, 0))
    assert await place.becomes(said(11, 1, author="kato")) is None


async def test_a_channel_that_is_full_is_full_for_everybody_and_each_is_told() -> None:
    place = Place()
    for number in range(5):
        await place.becomes(said(number, 0, author=f"person{number}", channel="it-help"))
    assert await place.becomes(said(5, 1, author="kato", channel="it-help")) == (
        "A lot of messages are coming into this channel, so I did not answer yours (up to 5 a minute from everybody "
        "here). It was kept. Please ask again in about 60 seconds."
    )
    assert await place.becomes(said(6, 2, author="kato", channel="it-help")) == ""
    assert await place.becomes(said(7, 2, author="mori", channel="it-help")) != ""
    assert await place.becomes(said(8, 3, author="kato", channel="general")) is None


async def test_direct_messages_are_no_channel() -> None:
    place = Place()
    outcomes = [await place.becomes(said(number, 0, author=f"person{number}")) for number in range(20)]
    assert outcomes == [None] * 20


async def test_a_message_that_is_told_again_counts_once() -> None:
    place = Place()
    first = said(1, 0)
    assert [await place.becomes(first) for _ in range(10)] == [None] * 10
    assert [await place.becomes(said(number, number)) for number in (2, 3)] == [None, None]
    assert await place.becomes(said(4, 4)) is not None
    assert await place.becomes(first) is None


async def test_a_refused_message_that_is_told_again_stays_refused_and_is_not_answered_twice() -> None:
    place = Place()
    for number in (1, 2, 3):
        await place.becomes(said(number, 0))
    one_too_many = said(4, 1)
    assert await place.becomes(one_too_many)
    place.now = NOON + timedelta(minutes=30)
    assert await place.becomes(one_too_many) == ""


async def test_what_a_platform_tells_late_all_at_once_counts_as_it_was_said() -> None:
    place = Place()
    place.now = NOON + timedelta(hours=2)
    told = [*range(60, 0, -1)]
    assert [await place.becomes(said(number, 30 * number)) for number in told] == [None] * 60


@pytest.mark.parametrize("text", ["thanks!", "ありがとうございます", "hello", "I want to talk to a person", "👍"])
async def test_what_asks_nothing_is_let_through(text: str) -> None:
    place = Place()
    for number in (1, 2, 3):
        await place.becomes(said(number, 0))
    assert await place.becomes(said(4, 1, text=text)) is None
    assert await place.becomes(said(5, 2)) not in (None, "")


async def test_a_call_by_name_alone_is_a_question_like_others() -> None:
    place = Place()
    for number in (1, 2, 3):
        await place.becomes(said(number, 0))
    assert await place.becomes(said(4, 1, text="@"))


async def test_what_is_for_the_person_who_has_the_conversation_is_let_through() -> None:
    place = Place(held=True)
    assert [await place.becomes(said(number, 0)) for number in range(20)] == [None] * 20


async def test_other_settings_go_on_with_the_same_windows() -> None:
    windows = Windows()
    for number in (1, 2, 3):
        await Place(windows).becomes(said(number, 0))
    assert await Place(windows).becomes(said(4, 1))
    wider = Pace(LimitSettings(), windows, lambda: NOON, held=by_nobody, spoken=Place().speaks, wording=SHIPPED)
    assert await wider.refused(said(5, 2)) is None


def test_only_those_who_wrote_last_are_remembered() -> None:
    windows, taken = Windows(), Window().taking(said(1), 3)
    for number in range(10_001):
        windows.keep(("terminal", str(number)), taken)
    assert windows.of(("terminal", "0")) == Window()
    assert windows.of(("terminal", "1")) == windows.of(("terminal", "10000")) == taken
