"""An answer as data for scripts, and as an explanation for people."""

from __future__ import annotations

from memory.model import Answer


def answer_object(answer: Answer, text: str) -> dict[str, object]:
    """What `helpdesk ask --json` prints; `text` is the answer as it was worded."""
    raise NotImplementedError


def explain_text(answer: Answer) -> str:
    """What `helpdesk ask --explain` adds: what was read and why, what it cost and how long it took."""
    raise NotImplementedError
