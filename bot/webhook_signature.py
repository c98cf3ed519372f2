"""Signatures of webhooks, as the Standard Webhooks specification has them: over id, time and body, by HMAC-SHA256."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Mapping, Sequence

ID, TIME, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
#: An older request may be one that somebody recorded and sends again.
TOLERANCE_SECONDS = 300
_VERSION = "v1"
#: Without a dot, so that nobody can move the border between the parts that are signed.
_ID, _TIME = re.compile(r"[\w-]{1,128}", re.ASCII), re.compile(r"[0-9]{1,12}")
#: More signatures than anybody has keys are not looked at.
_MOST = 8


def signed(keys: Sequence[bytes], delivery: str, seconds: int, body: bytes) -> Mapping[str, str]:
    """The headers of a request: one signature by each key. `seconds` is the time, in Unix seconds."""
    time = str(seconds)
    signatures = " ".join(f"{_VERSION},{_signature(key, delivery, time, body)}" for key in keys)
    return {ID: delivery, TIME: time, SIGNATURE: signatures}


def delivery_in(headers: Mapping[str, str], keys: Sequence[bytes], seconds: float, body: bytes) -> str | None:
    """The id of a request that was signed with one of the keys within the tolerance before or after `seconds`; None
    where it was not."""
    delivery, time = headers.get(ID, ""), headers.get(TIME, "")
    if not _ID.fullmatch(delivery) or not _TIME.fullmatch(time) or abs(int(time) - seconds) > TOLERANCE_SECONDS:
        return None
    given = [part.removeprefix(f"{_VERSION},").encode() for part in headers.get(SIGNATURE, "").split()[:_MOST]]
    known = [_signature(key, delivery, time, body).encode() for key in keys]
    right = [hmac.compare_digest(one, other) for one in given for other in known]
    return delivery if any(right) else None


def _signature(key: bytes, delivery: str, time: str, body: bytes) -> str:
    content = b".".join((delivery.encode(), time.encode(), body))
    return base64.b64encode(hmac.digest(key, content, "sha256")).decode()
