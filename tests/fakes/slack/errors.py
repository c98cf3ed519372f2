"""What the Web API says when it refuses."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """`{"ok": false, "error": code, ...}` with status 200, as Slack answers."""

    def __init__(self, code: str, **more: Any) -> None:
        super().__init__(code)
        self.code = code
        self.more = more

    @classmethod
    def because(cls, code: str, *reasons: str) -> Refused:
        """With the reasons where Slack puts them, `response_metadata.messages`."""
        return cls(code, response_metadata={"messages": [f"[ERROR] {reason}" for reason in reasons]})

    @property
    def body(self) -> dict[str, Any]:
        return {"ok": False, "error": self.code, **self.more}
