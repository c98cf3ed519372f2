"""Where an error came from, for the log: types and places, never words, in which a message may stand."""

from __future__ import annotations

import traceback

#: How much of a stack the log keeps.
_FRAMES = 12


def traced(error: BaseException) -> dict[str, object]:
    """The fields of a log line about an error: its type, its cause's, and the frames that it came through."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return {
        "error": type(error).__name__,
        "cause": type(error.__cause__).__name__,
        "at": [f"{frame.filename}:{frame.lineno}" for frame in frames],
    }
