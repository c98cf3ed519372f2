"""Numbers and days as a report says them, in one language."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from bot.report.figures import Period
from handlers.wording_report import ReportWords
from handlers.wordings import SHIPPED, Wording
from memory.text.language import LanguageCode
from memory.text.times.model import Precision
from memory.text.times.worded import worded_day, worded_days


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A language with its words. What is None is said as a dash."""

    language: LanguageCode
    wording: Wording = SHIPPED

    @property
    def words(self) -> ReportWords:
        return self.wording.report(self.language)

    def day(self, day: date) -> str:
        return worded_day(day, self.language)

    def period(self, period: Period) -> str:
        days = worded_days(period.first, period.last, Precision.DAY, self.language)
        return self.words.period.format(days=days, count=f"{period.days:,}")

    def share(self, share: float | None) -> str:
        """A part from 0 to 1 as whole percents; beyond the last but one to a tenth, so that 99.6% is not all."""
        if share is None:
            return self.words.none
        return f"{share:.1%}" if 0.99 < share < 1 else f"{share:.0%}"

    def time(self, milliseconds: float | None) -> str:
        """To the millisecond, or from a second on to a tenth of one."""
        if milliseconds is None:
            return self.words.none
        if milliseconds < 1000:
            return self.words.milliseconds.format(number=f"{milliseconds:.0f}")
        return self.words.seconds.format(number=f"{milliseconds / 1000:,.1f}")

    def money(self, amount: float) -> str:
        """Small amounts to four places: a question costs little."""
        return f"{amount:,.2f}" if amount >= 1 or amount == 0 else f"{amount:.4f}"


def part(some: float, of: float) -> float | None:
    """The share; None of nothing."""
    return some / of if of else None
