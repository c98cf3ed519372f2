"""Everything the bot says, in Japanese and English."""

from __future__ import annotations

from datetime import tzinfo

from memory.model import Answer


def answer_text(answer: Answer, *, zone: tzinfo) -> str:
    """The answer as plain text in its own language; dates as they are in `zone`, the asker's."""
    raise NotImplementedError
