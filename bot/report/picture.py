"""The questions of each day as a picture for a chat: columns and figures, which are the same in every language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from bot.report.figures import Bar
from bot.report.png import Colour, png

#: By their places in a row of pixels.
_PAPER, _INK, _SOFT, _LINE, _ANSWERED, _OPEN = range(6)
#: The colours of the page (`bot.report.style`).
_PALETTE: Sequence[Colour] = (
    (0xFF, 0xFF, 0xFF),
    (0x1C, 0x27, 0x33),
    (0x55, 0x60, 0x6C),
    (0xD5, 0xDB, 0xE1),
    (0x1F, 0x5F, 0x99),
    (0xE3, 0x9B, 0x2D),
)
WIDTH, HEIGHT = 720, 300
_LEFT, _TOP, _FLOOR = 16, 44, 256
#: A dot of a figure is a square of so many pixels; a figure is five dots wide and seven high, and one lies between two.
_DOT, _WIDE, _HIGH = 3, 5, 7
_STEP = _DOT * (_WIDE + 1)
_SHAPES = {
    "0": ("01110", "10001", "10011", "10101", "11001", "10001", "01110"),
    "1": ("00100", "01100", "00100", "00100", "00100", "00100", "01110"),
    "2": ("01110", "10001", "00001", "00010", "00100", "01000", "11111"),
    "3": ("11111", "00010", "00100", "00010", "00001", "10001", "01110"),
    "4": ("00010", "00110", "01010", "10010", "11111", "00010", "00010"),
    "5": ("11111", "10000", "11110", "00001", "00001", "10001", "01110"),
    "6": ("00110", "01000", "10000", "11110", "10001", "10001", "01110"),
    "7": ("11111", "00001", "00010", "00100", "01000", "01000", "01000"),
    "8": ("01110", "10001", "10001", "01110", "10001", "10001", "01110"),
    "9": ("01110", "10001", "10001", "01111", "00001", "00010", "01100"),
    "/": ("00001", "00001", "00010", "00100", "01000", "10000", "10000"),
}


def picture(bars: Sequence[Bar]) -> bytes:
    """A PNG of 720 by 300 pixels: a column for each bar, what was answered below and what was left open above, with how
    many there were over it and the day under it. Some 2 kB for a week. There has to be a bar."""
    sheet = _Sheet(rows=[bytearray(WIDTH) for _ in range(HEIGHT)])
    highest = max(bar.asked for bar in bars) or 1
    slot = (WIDTH - 2 * _LEFT) // len(bars)
    sheet.fill(_LEFT, _TOP, WIDTH - 2 * _LEFT, 1, _LINE)
    for place, bar in enumerate(bars):
        _column(sheet, _LEFT + place * slot, slot, bar, highest)
    sheet.fill(_LEFT, _FLOOR, WIDTH - 2 * _LEFT, 2, _INK)
    return png([bytes(row) for row in sheet.rows], _PALETTE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sheet:
    """Rows of pixels, painted over."""

    rows: list[bytearray]

    def fill(self, left: int, top: int, width: int, height: int, colour: int) -> None:
        for row in self.rows[top : top + height]:
            row[left : left + width] = bytes([colour]) * width

    def write(self, text: str, middle: int, top: int, colour: int) -> None:
        """Figures around `middle`; what is wider than the sheet is left out."""
        left = middle - (len(text) * _STEP - _DOT) // 2
        if left < 0 or left + len(text) * _STEP > WIDTH:
            return
        for place, sign in enumerate(text):
            for line, dots in enumerate(_SHAPES[sign]):
                for dot in (dot for dot, set_ in enumerate(dots) if set_ == "1"):
                    self.fill(left + place * _STEP + dot * _DOT, top + line * _DOT, _DOT, _DOT, colour)


def _column(sheet: _Sheet, left: int, slot: int, bar: Bar, highest: int) -> None:
    room, width = _FLOOR - _TOP, slot * 3 // 5
    answered, asked = (count * room // highest for count in (bar.answered, bar.asked))
    start, middle = left + (slot - width) // 2, left + slot // 2
    sheet.fill(start, _FLOOR - answered, width, answered, _ANSWERED)
    sheet.fill(start, _FLOOR - asked, width, asked - answered, _OPEN)
    if bar.asked and len(str(bar.asked)) * _STEP <= slot:
        sheet.write(str(bar.asked), middle, _FLOOR - asked - _DOT * (_HIGH + 2), _INK)
    if len(day := _day(bar.first)) * _STEP <= slot:
        sheet.write(day, middle, _FLOOR + 12, _SOFT)


def _day(day: date) -> str:
    """Month and day, as both languages write them in short."""
    return f"{day.month}/{day.day}"
