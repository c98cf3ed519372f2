"""Whether a message's or a view's blocks are ones that Slack takes; refuses them the way Slack does."""

from __future__ import annotations

import json
from typing import Any

from tests.fakes.slack import elements, rich_text
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.shapes import Check, Text, choice, identity, label, mapping, only, sequence, short, words
from tests.fakes.slack.world import Json

MESSAGE_BLOCKS, VIEW_BLOCKS = 50, 100
SECTION_TEXT, FIELD_TEXT, HEADER_TEXT, MARKDOWN_TEXT, CONTEXT_ELEMENTS, ACTION_ELEMENTS = (
    3000,
    2000,
    150,
    12_000,
    10,
    25,
)
#: Not documented; measured by others at about 13,200 characters in all.
TOTAL_TEXT = 13_000
ANY_TEXT = elements.ANY_TEXT
ACCESSORIES = elements.ACTIONS | {"image"}


def of_message(value: Any) -> list[Json]:
    """The blocks of a message, from JSON text or a list; `Refused` when Slack would refuse them."""
    check, found = Check(), _read(value)
    if len(found) > MESSAGE_BLOCKS:
        raise Refused.because("invalid_blocks", f"no more than {MESSAGE_BLOCKS} items allowed [json-pointer:/blocks]")
    for place, block in enumerate(found):
        _block(check, block, f"/blocks/{place}", MESSAGE)
    if check.tables > 1:
        raise Refused.because("invalid_attachments", "only_one_table_allowed")
    if check.faults:
        raise Refused.because("invalid_blocks", *check.faults)
    if check.markdown > MARKDOWN_TEXT or check.characters > TOTAL_TEXT:
        raise Refused.because("msg_blocks_too_long", "must be less than 13001 characters in all blocks")
    return [{"block_id": f"b{place}", **block} for place, block in enumerate(found)]


def faults_of_view(view: Json) -> list[str]:
    """What is wrong with the blocks of a view."""
    check = Check()
    for place, block in sequence(check, view, "blocks", "/view", least=0, most=VIEW_BLOCKS):
        _block(check, block, place, VIEW)
    return check.faults


def _read(value: Any) -> list[Json]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as problem:
            raise Refused("invalid_blocks_format") from problem
    if not isinstance(value, list) or not all(isinstance(block, dict) for block in value):
        raise Refused("invalid_blocks_format")
    return value


def _block(check: Check, block: Any, at: str, known: dict[str, Any]) -> None:
    kind = choice(check, block, "type", at, known)
    if kind is not None:
        identity(check, block, at)
        known[kind](check, block, at)


def section(check: Check, block: Json, at: str) -> None:
    only(check, block, at, {"type", "block_id", "text", "fields", "accessory", "expand"}, set())
    if "text" not in block and "fields" not in block:
        check.fault("missing required field: text", at)
    label(check, block, "text", at, Text(least=1, most=SECTION_TEXT), ANY_TEXT)
    for place, field in sequence(check, block, "fields", at, least=1 if "fields" in block else 0, most=10):
        label(check, {"": field}, "", place, Text(least=1, most=FIELD_TEXT), ANY_TEXT)
    if "accessory" in block:
        elements.element(check, block["accessory"], f"{at}/accessory", ACCESSORIES)


def divider(check: Check, block: Json, at: str) -> None:
    only(check, block, at, {"type", "block_id"}, set())


def header(check: Check, block: Json, at: str) -> None:
    only(check, block, at, {"type", "block_id", "text"}, {"text"})
    label(check, block, "text", at, Text(least=1, most=HEADER_TEXT))


def markdown(check: Check, block: Json, at: str) -> None:
    only(check, block, at, {"type", "block_id", "text"}, {"text"})
    words(check, block, "text", at, Text(least=1, most=MARKDOWN_TEXT))
    check.markdown += len(str(block.get("text", "")))


def context(check: Check, block: Json, at: str) -> None:
    only(check, block, at, {"type", "block_id", "elements"}, {"elements"})
    for place, inner in sequence(check, block, "elements", at, most=CONTEXT_ELEMENTS):
        if mapping(check, inner, place).get("type") == "image":
            elements.image(check, inner, place)
        else:
            label(check, {"": inner}, "", place, Text(least=1, most=SECTION_TEXT), ANY_TEXT)


def actions(check: Check, block: Json, at: str) -> None:
    only(check, block, at, {"type", "block_id", "elements"}, {"elements"})
    seen: set[str] = set()
    for place, inner in sequence(check, block, "elements", at, most=ACTION_ELEMENTS):
        elements.element(check, inner, place, elements.ACTIONS)
        action = inner.get("action_id") if isinstance(inner, dict) else None
        if action is not None and action in seen:
            check.fault(f"action_id already exists: {action}", f"{place}/action_id")
        seen.add(str(action))


def context_actions(check: Check, block: Json, at: str) -> None:
    only(check, block, at, {"type", "block_id", "elements"}, {"elements"})
    for place, inner in sequence(check, block, "elements", at, most=5):
        elements.element(check, inner, place, {"feedback_buttons", "icon_button"})


def image(check: Check, block: Json, at: str) -> None:
    known = {"type", "block_id", "image_url", "slack_file", "alt_text", "title"}
    only(check, block, at, known, {"alt_text"})
    elements.image(check, {name: block[name] for name in block.keys() - {"block_id", "title"}}, at)
    label(check, block, "title", at, Text(most=2000))


def table(check: Check, block: Json, at: str) -> None:
    check.tables += 1
    rich_text.table(check, block, at)


def entry(check: Check, block: Json, at: str) -> None:
    """An input block."""
    known = {"type", "block_id", "label", "element", "hint", "optional", "dispatch_action"}
    only(check, block, at, known, {"label", "element"})
    label(check, block, "label", at, Text(least=1, most=2000))
    label(check, block, "hint", at, Text(most=2000))
    elements.element(check, block.get("element"), f"{at}/element", set(elements.INPUT_FIELDS))


def video(check: Check, block: Json, at: str) -> None:
    must = {"alt_text", "title", "thumbnail_url", "video_url"}
    may = {"author_name", "description", "provider_icon_url", "provider_name", "title_url"}
    only(check, block, at, {"type", "block_id", *must, *may}, must)
    label(check, block, "title", at, Text(most=199))


def alert(check: Check, block: Json, at: str) -> None:
    only(check, block, at, {"type", "block_id", "text", "level"}, {"text"})
    label(check, block, "text", at, Text(least=1), ANY_TEXT)
    if "level" in block:
        choice(check, block, "level", at, {"default", "info", "warning", "error", "success"})


def task_card(check: Check, block: Json, at: str) -> None:
    must = {"task_id", "title", "status"}
    only(check, block, at, {"type", "block_id", "details", "output", "sources", *must}, must)
    words(check, block, "title", at, Text(least=1))
    choice(check, block, "status", at, {"pending", "in_progress", "complete", "error"})
    for name in ("details", "output"):
        if name in block:
            rich_text.rich_text(check, block[name], f"{at}/{name}")


def plan(check: Check, block: Json, at: str) -> None:
    only(check, block, at, {"type", "block_id", "title", "tasks"}, {"title"})
    words(check, block, "title", at, Text(least=1))
    for place, task in sequence(check, block, "tasks", at, least=0, most=50):
        task_card(check, mapping(check, task, place), place)


def file(check: Check, block: Json, at: str) -> None:
    only(check, block, at, {"type", "block_id", "external_id", "source"}, {"external_id", "source"})
    short(check, block, "external_id", at, 255)


def card(check: Check, block: Json, at: str) -> None:
    known = {"hero_image", "icon", "title", "subtitle", "body", "actions"}
    only(check, block, at, {"type", "block_id", *known}, set())
    if not block.keys() & {"hero_image", "title", "body", "actions"}:
        check.fault("missing required field: title", at)
    for name, most in (("title", 150), ("subtitle", 150), ("body", 200)):
        label(check, block, name, at, Text(least=1, most=most), ANY_TEXT)
    for place, inner in sequence(check, block, "actions", at, least=0, most=5):
        elements.element(check, inner, place, {"button"})


def carousel(check: Check, block: Json, at: str) -> None:
    only(check, block, at, {"type", "block_id", "elements"}, {"elements"})
    for place, inner in sequence(check, block, "elements", at, most=10):
        _block(check, inner, place, {"card": card})


def container(check: Check, block: Json, at: str) -> None:
    known = {"title", "rich_text_title", "subtitle", "child_blocks", "width", "icon", "is_collapsible"}
    only(check, block, at, {"type", "block_id", "default_collapsed", "has_header_divider", *known}, {"child_blocks"})
    if not block.keys() & {"title", "rich_text_title"}:
        check.fault("missing required field: title", at)
    label(check, block, "title", at, Text(least=1, most=150))
    label(check, block, "subtitle", at, Text(least=1, most=150), ANY_TEXT)
    if "rich_text_title" in block:
        rich_text.rich_text(check, block["rich_text_title"], f"{at}/rich_text_title")
    for place, inner in sequence(check, block, "child_blocks", at, most=10):
        _block(check, inner, place, MESSAGE)


BOTH = {
    "section": section, "divider": divider, "header": header, "context": context, "actions": actions,
    "image": image, "rich_text": rich_text.rich_text, "video": video, "input": entry, "alert": alert,
    "card": card, "carousel": carousel,
}  # fmt: skip
MESSAGE = {
    **BOTH, "markdown": markdown, "table": table, "context_actions": context_actions, "task_card": task_card,
    "plan": plan, "file": file, "container": container,
}  # fmt: skip
VIEW = BOTH
