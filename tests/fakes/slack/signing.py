"""Slack's request signature."""

from __future__ import annotations

import hashlib
import hmac
import time


def signed(secret: str, body: bytes, age: float = 0.0) -> dict[str, str]:
    """The two headers that prove a body; `age` in seconds makes an old one."""
    timestamp = str(int(time.time() - age))
    digest = hmac.new(secret.encode(), b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": f"v0={digest}"}
