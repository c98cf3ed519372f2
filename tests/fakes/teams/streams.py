"""Messages that Teams shows while they are made, as strictly as it asks for: one at a time in a personal chat, numbered
without a gap, not faster than once a second, and over after two minutes at the latest."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

_APART_SECONDS = 1.0
_KINDS = ("informative", "streaming")
_PERSONAL = "a:"


@dataclass(slots=True, kw_only=True)
class Stream:
    """One message that is being made: what was shown of it so far."""

    id: str
    conversation: str
    began: float
    last: float
    shown: list[str] = field(default_factory=list)
    streamed: str = ""
    #: By its last message, by the person, or by Teams.
    over: bool = False


@dataclass(slots=True)
class Streams:
    """All of them. `life` is for how many seconds one may last."""

    life: float = 120.0
    all: list[Stream] = field(default_factory=list)
    #: Why what was told was not taken.
    faults: list[str] = field(default_factory=list)

    def told(self, conversation: str, body: Mapping[str, Any], id: str) -> tuple[int, str]:
        """A step: the status, and the id by which the stream goes on. `id` is for a new one."""
        now, text, info = time.monotonic(), body.get("text"), _info(body)
        going = self._going(conversation, now)
        if wrong := _wrong(conversation, text, info, going):
            self.faults.append(wrong)
            return 400, ""
        if "streamId" not in info:
            self.all.append(Stream(id=id, conversation=conversation, began=now, last=now, shown=[str(text)]))
            return 201, id
        if going is None or going.id != info["streamId"]:
            return 403, ""
        if now - going.last < _APART_SECONDS:
            self.faults.append("faster than once a second")
            return 429, ""
        going.last = now
        going.shown.append(str(text))
        going.streamed = str(text) if info["streamType"] == "streaming" else going.streamed
        return 202, going.id

    def ended(self, conversation: str, info: Mapping[str, Any]) -> int:
        """The last message of a stream: the status."""
        going = self._going(conversation, time.monotonic())
        if going is None or going.id != info["streamId"]:
            return 403
        going.over = True
        return 202

    def stop(self) -> None:
        """The person has seen enough of all of them."""
        for one in self.all:
            one.over = True

    def _going(self, conversation: str, now: float) -> Stream | None:
        found = [one for one in self.all if one.conversation == conversation and not one.over]
        return found[-1] if found and now - found[-1].began < self.life else None


def parted(body: Json) -> tuple[Json, Json | None]:
    """A message, and what it says of the stream that it ends; a text that is empty beside a card shows nothing."""
    given = body.get("entities")
    entities: list[Json] = given if isinstance(given, list) else []
    about = [one for one in entities if one.get("type") == "streaminfo"]
    if not about:
        return body, None
    rest = {**body, "entities": [one for one in entities if one not in about]}
    [info] = about
    if {*info} != {"type", "streamType", "streamId"} or info["streamType"] != "final" or "text" not in body:
        return {**body, "stream": "a last message names its stream, has a text, and no number"}, None
    return ({name: value for name, value in rest.items() if name != "text" or value}), info


def _info(body: Mapping[str, Any]) -> Json:
    entities = body["entities"]
    return dict(entities[0]) if isinstance(entities, list) and len(entities) == 1 else {}


def _wrong(conversation: str, text: object, info: Json, going: Stream | None) -> str:
    """What is wrong with a step; empty for nothing."""
    if not conversation.startswith(_PERSONAL):
        return "not a personal chat"
    if not isinstance(text, str) or not 1 <= len(text) <= 1000:
        return "a text of 1 to 1,000 characters"
    if info.get("type") != "streaminfo" or info.get("streamType") not in _KINDS:
        return "what it is of a stream"
    first = "streamId" not in info
    if {*info} - {"type", "streamType", "streamId", "streamSequence"}:
        return "something unknown"
    if info.get("streamSequence") != (1 if first else len(going.shown) + 1 if going else info.get("streamSequence")):
        return "out of order"
    if first and going is not None:
        return "a second stream in the same chat"
    if going is not None and info["streamType"] == "streaming" and not text.startswith(going.streamed):
        return "what was shown does not go on"
    return ""
