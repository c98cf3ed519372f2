"""The report of a week: when it is due, its picture, and that it stands once on each board."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.application import Application
from bot.report.figures import Bar
from bot.report.picture import HEIGHT, WIDTH, picture
from bot.report.weeks import week_due
from config.loader import load_settings
from config.problems import ConfigProblems
from config.report import ReportSettings, Weekday
from config.schema import Settings
from config.wording import WordingSettings
from handlers.boards import Post
from memory.errors import DeliveryUnknown, PlatformRefused, PlatformUnavailable, WrongUse
from memory.model import Visibility
from memory.stores.in_memory_words import InMemoryStore
from memory.text.language import LanguageCode
from tests.fakes.reports import asked
from tests.fakes.small_application import small_application
from tests.fakes.turns import turn
from tests.fakes.words import Watch

TOKYO = ZoneInfo("Asia/Tokyo")
#: A Monday in Tokyo, nine o'clock.
MONDAY = datetime(2026, 11, 23, 9, tzinfo=TOKYO)


# --- when -------------------------------------------------------------------------------------------------------------


def test_a_report_is_of_the_seven_whole_days_before_its_hour() -> None:
    week = week_due(MONDAY.astimezone(UTC), TOKYO, ReportSettings())
    assert week is not None
    assert (week.due, week.name) == (MONDAY, "2026-11-23")
    assert (week.period.first, week.period.last, week.period.days) == (date(2026, 11, 16), date(2026, 11, 22), 7)
    assert week.end < datetime(2026, 11, 23, tzinfo=TOKYO) <= week.end + timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("after", "name"),
    [
        (timedelta(seconds=-1), None),  # the one of the week before is too late
        (timedelta(0), "2026-11-23"),
        (timedelta(days=3), "2026-11-23"),
        (timedelta(days=3, seconds=1), None),
        (timedelta(days=7), "2026-11-30"),
    ],
)
def test_a_report_is_posted_up_to_three_days_late(after: timedelta, name: str | None) -> None:
    week = week_due(MONDAY + after, TOKYO, ReportSettings())
    assert (week.name if week else None) == name


def test_day_and_hour_are_those_of_the_desk() -> None:
    """Sunday, 23:30 in UTC is Monday in Tokyo."""
    late = datetime(2026, 11, 22, 23, 30, tzinfo=UTC)
    week = week_due(late, TOKYO, ReportSettings(hour=8))
    assert week is not None
    assert week.name == "2026-11-23"
    friday = week_due(late, ZoneInfo("UTC"), ReportSettings(weekday=Weekday.FRIDAY, hour=0))
    assert friday is not None
    assert friday.name == "2026-11-20"


# --- the picture ------------------------------------------------------------------------------------------------------

_WHITE, _BLUE, _ORANGE = (0xFF, 0xFF, 0xFF), (0x1F, 0x5F, 0x99), (0xE3, 0x9B, 0x2D)


def pixels(file: bytes) -> list[list[tuple[int, ...]]]:
    """What a decoder sees: every check sum, the palette, the rows."""
    assert file[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, rest = {}, file[8:]
    while rest:
        size, kind = struct.unpack(">I4s", rest[:8])
        data, check = rest[8 : 8 + size], rest[8 + size : 12 + size]
        assert struct.unpack(">I", check)[0] == zlib.crc32(kind + data)
        chunks[kind], rest = data, rest[12 + size :]
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    colours = [tuple(chunks[b"PLTE"][start : start + 3]) for start in range(0, len(chunks[b"PLTE"]), 3)]
    raw = zlib.decompress(chunks[b"IDAT"])
    assert len(raw) == height * (width + 1)
    lines = [raw[start : start + width + 1] for start in range(0, len(raw), width + 1)]
    assert {line[0] for line in lines} == {0}
    return [[colours[number] for number in line[1:]] for line in lines]


def bars(*counts: tuple[int, int]) -> list[Bar]:
    return [
        Bar(first=date(2026, 11, 16) + timedelta(days=day), answered=answered, abstained=abstained)
        for day, (answered, abstained) in enumerate(counts)
    ]


def test_a_column_is_as_high_as_the_questions_of_its_day() -> None:
    """Seven slots of 98 pixels from 16 on; 212 pixels are four questions."""
    drawn = pixels(picture(bars((3, 1), (2, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0))))
    assert (len(drawn[0]), len(drawn)) == (WIDTH, HEIGHT) == (720, 300)
    first, second, third = ([row[16 + 98 * day + 49] for row in drawn] for day in range(3))
    assert (first.count(_BLUE), first.count(_ORANGE)) == (159, 53)
    assert (second.count(_BLUE), second.count(_ORANGE)) == (106, 0)
    assert (third.count(_BLUE), third.count(_ORANGE)) == (0, 0)


def test_a_week_without_a_question_has_a_picture_too() -> None:
    drawn = pixels(picture(bars(*[(0, 0)] * 7)))
    assert {colour for row in drawn[:40] for colour in row} == {_WHITE}


@pytest.mark.parametrize("day", range(7))
def test_every_day_of_a_week_fits_under_its_column(day: int) -> None:
    """Whatever the count, something stands under each of seven columns."""
    drawn = pixels(picture(bars(*[(99_999, 99_999)] * 7)))
    slot = [row[16 + 98 * day : 16 + 98 * (day + 1)] for row in drawn[260:]]
    assert any(colour != _WHITE for row in slot for colour in row)


def test_the_picture_of_a_week_is_small_enough_for_a_card() -> None:
    assert len(picture(bars(*[(97, 13)] * 7))) < 6_000


# --- once on each board -----------------------------------------------------------------------------------------------


class Died(BaseException):
    """The process is gone."""


class Wall:
    """A board whose posts can be looked at."""

    platform = "slack"
    place: str | None = "C1"
    language: LanguageCode | None = None

    def __init__(self, *, readable: bool = True) -> None:
        self.posts: list[Post] = []
        self.readable = readable
        self.before: list[BaseException] = []
        self.after: list[BaseException] = []

    async def may_stand(self, post: Post) -> bool:
        return not self.readable or any(one.name == post.name for one in self.posts)

    async def put_up(self, post: Post) -> None:
        if self.before:
            raise self.before.pop(0)
        self.posts.append(post)
        if self.after:
            raise self.after.pop(0)


class House:
    """Processes over one database, on a Monday."""

    def __init__(self, folder: Path, settings: Settings | None = None) -> None:
        self.watch = Watch()
        self.watch.now = MONDAY.astimezone(UTC)
        self.folder = folder
        self.settings = settings
        self.store = InMemoryStore(clock=self.watch)

    def process(self) -> Application:
        return small_application(self.folder, self.watch, store=self.store, settings=self.settings)

    async def round(self, *walls: Wall) -> int:
        """What a process posts that is connected to these."""
        app = self.process()
        with ExitStack() as stack:
            for wall in walls:
                stack.enter_context(app.boards.standing(wall))
            return (await app.jobs.run("weekly-report")).counts["posted"]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


async def test_the_report_is_posted_once_a_week_by_whichever_process(house: House) -> None:
    wall = Wall()
    assert [await house.round(wall), await house.round(wall)] == [1, 0]
    house.watch.now += timedelta(days=7)
    assert [await house.round(wall), await house.round(wall)] == [1, 0]
    assert [post.name for post in wall.posts] == ["weekly report 2026-11-23", "weekly report 2026-11-30"]


async def test_before_its_hour_nothing_is_posted(house: House) -> None:
    wall = Wall()
    house.watch.now -= timedelta(minutes=1)
    assert await house.round(wall) == 0
    assert wall.posts == []


@pytest.mark.parametrize("readable", [True, False])
async def test_a_process_that_died_after_it_had_posted_is_not_repeated(house: House, readable: bool) -> None:
    wall = Wall(readable=readable)
    wall.after = [Died()]
    with pytest.raises(Died):
        await house.round(wall)
    await house.round(wall)
    await house.round(wall)
    assert len(wall.posts) == 1


async def test_a_process_that_died_before_it_had_posted_is_made_good_where_one_can_look(house: House) -> None:
    wall = Wall()
    wall.before = [Died()]
    with pytest.raises(Died):
        await house.round(wall)
    await house.round(wall)
    assert len(wall.posts) == 1


async def test_what_may_have_arrived_is_not_said_again_where_nobody_can_look(house: House) -> None:
    wall = Wall(readable=False)
    wall.before = [DeliveryUnknown()]
    with pytest.raises(DeliveryUnknown):
        await house.round(wall)
    await house.round(wall)
    assert wall.posts == []


@pytest.mark.parametrize("error", [PlatformUnavailable(), PlatformRefused("Invite the bot.")], ids=["away", "refused"])
async def test_what_did_not_arrive_is_posted_in_a_later_round(
    house: House, error: PlatformUnavailable | PlatformRefused
) -> None:
    failing, other = Wall(readable=False), Wall()
    other.platform = "teams"
    failing.before = [error]
    with pytest.raises(type(error)):
        await house.round(failing, other)
    assert (len(failing.posts), len(other.posts)) == (0, 1)
    assert await house.round(failing, other) == 1
    assert (len(failing.posts), len(other.posts)) == (1, 1)


async def test_another_channel_gets_its_own(house: House) -> None:
    wall = Wall()
    await house.round(wall)
    wall.place = "C2"
    assert await house.round(wall) == 1


async def test_without_a_place_a_person_is_told_what_to_set(house: House) -> None:
    wall = Wall()
    wall.place = None
    with pytest.raises(WrongUse, match=r"slack\.report_channel"):
        await house.round(wall)
    [job] = [job for job in house.process().jobs.all if job.name == "weekly-report"]
    assert not job.enabled


async def test_a_job_waits_for_the_report_where_a_place_is_configured(tmp_path: Path) -> None:
    text = "slack:\n  bot_token: ${T}\n  app_token: ${A}\n  report_channel: C0HELP\n"
    house = House(tmp_path, configured(tmp_path, text))
    [job] = [job for job in house.process().jobs.all if job.name == "weekly-report"]
    assert (job.enabled, job.lease) == (True, "weekly-report")


# --- what it says -----------------------------------------------------------------------------------------------------

SAID = {
    "en": ("Helpdesk report: 16–22 November 2026 (7 days)", "🟦 answered  🟧 unanswered"),
    "ja": ("ヘルプデスクの記録：2026年11月16日〜22日（7日間）", "🟦 回答した  🟧 未回答"),
}


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_it_says_in_its_language_what_everybody_may_read(house: House, language: LanguageCode) -> None:
    wall = Wall()
    wall.language = language
    open_one = turn(1, "Where is the badge printer?", thread="Q1", ticket=None, said_at=MONDAY - timedelta(days=2))
    private = turn(
        1, "my salary", thread="Q2", ticket=None, said_at=MONDAY - timedelta(days=2), visibility=Visibility.PRIVATE
    )
    await house.store.writing.record([open_one, private])
    for one in (open_one, private):
        entry = asked(one.id, conversation=one.conversation.id, at=one.said_at, abstained=True)
        await house.store.ledger.add(entry)
    await house.store.ledger.add(asked("T9", at=MONDAY - timedelta(hours=1)))  # of the week to come
    await house.round(wall)
    [post] = wall.posts
    shown = "\n".join((post.heading, *post.lines, post.about))
    assert (post.heading, post.lines[-1]) == SAID[language]
    assert "• Where is the badge printer?" in post.lines
    assert "salary" not in shown
    told = {"en": "Questions: 2 (0 answered, 2 unanswered)", "ja": "質問：2（回答0件、未回答2件）"}
    assert told[language] in post.lines
    assert drawn_questions(post.picture) == 1


async def test_it_says_what_the_administrator_wrote(tmp_path: Path) -> None:
    wording = WordingSettings(en={"report.title": "Our desk", "report.abstained": "still open"})
    house, wall = House(tmp_path, load_settings(None, {}).model_copy(update={"wording": wording})), Wall()
    wall.language = "en"
    await house.round(wall)
    [post] = wall.posts
    assert post.heading == "Our desk: 16–22 November 2026 (7 days)"
    assert post.lines[-1] == "🟦 answered  🟧 still open"


def drawn_questions(file: bytes) -> int:
    """On how many days something was left open."""
    drawn = pixels(file)
    return sum(any(row[16 + 98 * day + 49] == _ORANGE for row in drawn) for day in range(7))


# --- settings ---------------------------------------------------------------------------------------------------------


def configured(folder: Path, text: str) -> Settings:
    file = folder / "desk.yaml"
    file.write_text(text, encoding="utf-8")
    return load_settings(file, {"T": "xoxb-1", "A": "xapp-1", "S": "s", "K": "A" * 43 + "="})


def problems(folder: Path, text: str) -> Sequence[str]:
    with pytest.raises(ConfigProblems) as caught:
        configured(folder, text)
    return [str(problem).partition(": ")[2] for problem in caught.value.problems]


def test_the_workspace_of_the_channel_is_named_where_there_are_several(tmp_path: Path) -> None:
    several = (
        "web: {}\nslack:\n  app_token: ${A}\n  client_id: '1.2'\n  client_secret: ${S}\n  installation_key: ${K}\n"
        "  report_channel: C0HELP\n"
    )
    assert problems(tmp_path, several) == [
        "slack.report_workspace: is missing; it says in which workspace `report_channel` is"
    ]
    assert configured(tmp_path, f"{several}  report_workspace: T0001\n").slack is not None
    one = "slack:\n  bot_token: ${T}\n  app_token: ${A}\n  report_workspace: T0001\n"
    assert problems(tmp_path, one) == ["slack.report_workspace: has no effect without `client_id`; delete it"]
