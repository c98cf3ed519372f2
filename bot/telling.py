"""What a use-case tells while it runs, to whoever waits for it: how far it is, and what a person should know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

#: What use-cases take and return: plain JSON.
JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How far the work called `what` is: `done` of `total` units; None where nobody knows how many there will be."""

    what: str
    done: int
    total: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A sentence for the person who waits."""

    text: str


Told = Step | Notice
Tell = Callable[[Told], None]


def unheard(_: Told) -> None:
    """For work that nobody waits for."""


def to_json(told: Told) -> JsonObject:
    """One line of what the owner says over its socket."""
    if isinstance(told, Notice):
        return {"notice": told.text}
    return {"progress": {"what": told.what, "done": told.done, "total": told.total}}


def from_json(event: Mapping[str, Any]) -> Told | None:
    """The other way around; None for an event of another kind."""
    if "notice" in event:
        return Notice(text=str(event["notice"]))
    if "progress" in event:
        step = event["progress"]
        return Step(what=str(step["what"]), done=int(step["done"]), total=step["total"])
    return None
