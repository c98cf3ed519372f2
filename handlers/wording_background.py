"""What the note to the support team says of what stands behind a request, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundWords:
    """The words of one language; names in braces are filled in."""

    earlier: str
    found: str
    nothing: str
    category: str


JAPANESE = BackgroundWords(
    earlier="その前の発言: {words}",
    found="ボットが見つけた記録: {record}",
    nothing="ボットは何も見つけられませんでした。",
    category="分類: {category}",
)

ENGLISH = BackgroundWords(
    earlier="Said before: {words}",
    found="What the bot found: {record}",
    nothing="The bot found nothing.",
    category="Category: {category}",
)
