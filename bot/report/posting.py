"""The report of the week on the boards of the platforms: once on each, whatever becomes of the process."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from urllib.parse import quote
from zoneinfo import ZoneInfo

import structlog

from bot.report.message import lines
from bot.report.picture import picture
from bot.report.reading import Report, report_of
from bot.report.spoken import Spoken
from bot.report.weeks import Week, week_due
from config.schema import Settings
from handlers.boards import Board, Boards, Post
from handlers.wording_names import wording_of
from memory.errors import DeliveryUnknown, PlatformRefused, PlatformUnavailable, WrongUse
from memory.feedback import FeedbackBox
from memory.ports import Clock, Ledger, Reading
from memory.text.language import LanguageCode
from memory.vault import Vault

log = structlog.get_logger()

_NO_BOARD = (
    "There is no place for the report: set `slack.report_channel` or `teams.report_channel`, and let `helpdesk run` be "
    "connected there."
)
#: The colours of the picture, as signs that every client has.
_LEGEND = "🟦 {answered}  🟧 {abstained}"


class _Stage(StrEnum):
    """How far the report of a week has come on a board."""

    BEGUN = "begun"
    POSTED = "posted"


class WeeklyReport:
    """Puts it up when it is due. That it is begun is noted before, and that it stands there afterwards: who finds one
    begun looks whether it stands there, or where nobody can look, takes it that it does. A job's lease keeps others
    from doing it at the same moment."""

    def __init__(
        self,
        *,
        settings: Settings,
        boards: Boards,
        ledger: Ledger,
        feedback: FeedbackBox,
        reading: Reading,
        vault: Vault,
        clock: Clock,
    ) -> None:
        self._settings = settings
        self._boards = boards
        self._ledger = ledger
        self._feedback = feedback
        self._reading = reading
        self._vault = vault
        self._clock = clock

    async def run(self) -> Mapping[str, int]:
        """How many were `posted`. Raises PlatformRefused and PlatformUnavailable, once all boards were tried, and
        StoreUnavailable."""
        zone = ZoneInfo(self._settings.bot.time_zone)
        week = week_due(self._clock(), zone, self._settings.report)
        failed: list[PlatformRefused | PlatformUnavailable] = []
        posted = 0
        for board in self._boards.all if week else ():
            try:
                posted += week is not None and await self._brought(board, week)
            except (PlatformRefused, PlatformUnavailable) as error:
                log.warning("report_not_posted", platform=board.platform, error=type(error).__name__)
                failed.append(error)
        if failed:
            raise failed[0]
        return {"posted": posted}

    async def by_hand(self) -> Mapping[str, int]:
        """The same; raises WrongUse where there is no board to put it on."""
        if not any(board.place for board in self._boards.all):
            raise WrongUse(_NO_BOARD)
        return await self.run()

    async def _brought(self, board: Board, week: Week) -> bool:
        """Whether it was put up now."""
        place = board.place
        if place is None:
            return False
        mark = f"weekly-report/{board.platform}/{quote(place, safe='')}"
        noted = await self._noted(mark, week)
        if noted is _Stage.POSTED:
            return False
        post = await self._post(week, board.language or self._settings.bot.language.value)
        if noted is None or not await board.may_stand(post):
            await self._put_up(board, post, mark, week)
        await self._note(mark, week, _Stage.POSTED)
        log.info("report_posted", platform=board.platform, week=week.name)
        return True

    async def _put_up(self, board: Board, post: Post, mark: str, week: Week) -> None:
        await self._note(mark, week, _Stage.BEGUN)
        try:
            await board.put_up(post)
        except DeliveryUnknown:
            raise  # it stays begun: the next round looks
        except (PlatformRefused, PlatformUnavailable):
            await self._vault.drop(mark)
            raise

    async def _noted(self, mark: str, week: Week) -> _Stage | None:
        """How far this week's report has come; what is noted of another week says nothing."""
        noted = (await self._vault.sealed(mark) or b"").decode(errors="replace")
        name, _, stage = noted.partition(" ")
        return _Stage(stage) if name == week.name and stage in [*_Stage] else None

    async def _note(self, mark: str, week: Week, stage: _Stage) -> None:
        await self._vault.keep({mark: f"{week.name} {stage.value}".encode()}, self._clock())

    async def _post(self, week: Week, language: LanguageCode) -> Post:
        report = await report_of(
            week.period,
            week.end,
            ledger=self._ledger,
            feedback=self._feedback,
            reading=self._reading,
            models=self._settings.models,
        )
        return post_of(report, week, Spoken(language=language, wording=wording_of(self._settings.wording)))


def post_of(report: Report, week: Week, spoken: Spoken) -> Post:
    """The report as it is put up: what `helpdesk stats --message` says, and a picture of the days."""
    said, bars = spoken.words, report.figures.bars
    heading, *rest = lines(report, spoken)
    told = [
        said.bar.format(day=spoken.day(bar.first), answered=f"{bar.answered:,}", abstained=f"{bar.abstained:,}")
        for bar in bars
    ]
    return Post(
        name=f"weekly report {week.name}",
        since=week.due,
        language=spoken.language,
        heading=heading,
        lines=(*rest, _LEGEND.format(answered=said.answered, abstained=said.abstained)),
        picture=picture(bars),
        about=f"{said.each_day}{said.colon}{' '.join(f'{one};' for one in told)}",
    )
