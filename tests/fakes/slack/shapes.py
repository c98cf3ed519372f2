"""Steps that the checks of blocks are made of. Each notes what is wrong and where, as a JSON pointer."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.slack.world import Json

BLOCK_ID, ACTION_ID = 255, 255


@dataclass(slots=True)
class Check:
    """What one message or view has been found to hold: its faults, all characters, markdown's characters, ids."""

    faults: list[str] = field(default_factory=list)
    characters: int = 0
    markdown: int = 0
    tables: int = 0
    block_ids: set[str] = field(default_factory=set)

    def fault(self, words: str, at: str) -> None:
        self.faults.append(f"{words} [json-pointer:{at}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Bounds of a string, in characters."""

    least: int = 0
    most: int = 3000


def mapping(check: Check, value: Any, at: str) -> Json:
    if isinstance(value, dict):
        return value
    check.fault("must be an object", at)
    return {}


def only(check: Check, value: Any, at: str, known: Collection[str], must: Collection[str]) -> None:
    """Nothing but the known fields, and all that must be there."""
    found = mapping(check, value, at)
    for name in found.keys() - set(known):
        check.fault(f"no such property: {name}", f"{at}/{name}")
    for name in set(must) - found.keys():
        check.fault(f"missing required field: {name}", at)


def choice(check: Check, value: Any, name: str, at: str, known: Collection[str]) -> str | None:
    """The value of a field when it is one of the known ones; otherwise a fault."""
    found = mapping(check, value, at).get(name)
    if isinstance(found, str) and found in known:
        return found
    check.fault(f"unsupported {name}: {found}", f"{at}/{name}")
    return None


def words(check: Check, value: Any, name: str, at: str, bounds: Text) -> None:
    """A string field inside its bounds; its characters are counted."""
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, str):
        check.fault("must provide a string", f"{at}/{name}")
        return
    check.characters += len(found)
    if len(found) < bounds.least:
        check.fault(f"must be more than {bounds.least - 1} characters", f"{at}/{name}")
    if len(found) > bounds.most:
        check.fault(f"must be less than {bounds.most + 1} characters", f"{at}/{name}")


def label(
    check: Check, value: Json, name: str, at: str, bounds: Text, kinds: Collection[str] = ("plain_text",)
) -> None:
    """A text object in a field; the field may be missing."""
    if name not in value:
        return
    text, place = value[name], f"{at}/{name}"
    kind = choice(check, text, "type", place, kinds)
    if kind is None:
        return
    only(check, text, place, {"type", "text", "emoji" if kind == "plain_text" else "verbatim"}, {"text"})
    words(check, text, "text", place, bounds)


def sequence(
    check: Check, value: Json, name: str, at: str, *, least: int = 1, most: int = 10_000
) -> Iterator[tuple[str, Any]]:
    """Each element of a list with its place; a missing list is empty."""
    found = value.get(name, []) if isinstance(value, dict) else []
    if not isinstance(found, list):
        check.fault("must be an array", f"{at}/{name}")
        return
    if len(found) < least:
        check.fault(f"no fewer than {least} items required", f"{at}/{name}")
    if len(found) > most:
        check.fault(f"no more than {most} items allowed", f"{at}/{name}")
    for place, element in enumerate(found):
        yield f"{at}/{name}/{place}", element


def identity(check: Check, block: Json, at: str) -> None:
    """A block_id inside its bounds, and not twice in one message."""
    if "block_id" not in block:
        return
    words(check, block, "block_id", at, Text(least=0, most=BLOCK_ID))
    check.characters -= len(str(block["block_id"]))
    if str(block["block_id"]) in check.block_ids:
        check.fault("block_id already exists", f"{at}/block_id")
    check.block_ids.add(str(block["block_id"]))


def short(check: Check, value: Json, name: str, at: str, most: int) -> None:
    """An optional string that nobody reads: bounded, not counted."""
    found = value.get(name, "")
    if not isinstance(found, str):
        check.fault("must provide a string", f"{at}/{name}")
    elif len(found) > most:
        check.fault(f"must be less than {most + 1} characters", f"{at}/{name}")
