"""What Teams takes as a message and shows as it is meant: a strict reading of Adaptive Cards 1.5, as far as Teams goes.

Anything that is not known here is a fault, so that a property that only looks right is found. Stricter than Teams in
two things: text that Teams parses (`TextBlock`) must hold nothing that could be markup, and nothing anywhere may look
like a mention.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

MOST_BYTES = 20_000
MOST_CITATIONS = 20
SIZES = {"Small", "Default", "Medium", "Large", "ExtraLarge"}
WEIGHTS = {"Lighter", "Default", "Bolder"}
SPACINGS = {"None", "Small", "Default", "Medium", "Large", "ExtraLarge", "Padding"}
STYLES = {"default", "emphasis", "good", "attention", "warning", "accent"}
ALIGNMENTS = {"Left", "Center", "Right"}

#: A mention: a name in which nothing could be markup.
CALL = r"<at>[^<>*_`~\\\[\]&#|{}@\n]{1,60}</at>"

Rule = Callable[[Any, str, frozenset[str]], Iterator[str]]


def faults(message: Mapping[str, Any], allowed_links: Collection[str] = ()) -> list[str]:
    """What is wrong with a message, each with its place; a URL is right if it is in `allowed_links` to the letter."""
    links = frozenset(allowed_links)
    found = list(_object(message, "message", links, MESSAGE, {"type"}))
    if message.get("type") != "message":
        found.append("message.type")
    if ("text" in message) == ("attachments" in message):
        found.append("message: either words or a card, for Teams sends both as two messages")
    text = json.dumps(message, ensure_ascii=False)
    size = max(len(text.encode()), len(text.encode("utf-16-le")) // 2)
    if size >= MOST_BYTES:
        found.append(f"message: {size} bytes")
    called = [] if found else _called(message)
    if any(text.count(f'"{one}"') != 2 for one in called):
        found.append("message: a mention that is announced stands on one line of its own, and nowhere else")
    for one in called:
        text = text.replace(one, "")
    if re.search(r"<[\s/]*at\b", text, re.IGNORECASE):
        found.append("message: what looks like a mention")
    if re.search(r"\{\{(DATE|TIME)\(", text):
        found.append("message: what looks like a date to fill in")
    return found


def _called(message: Mapping[str, Any]) -> list[str]:
    """What is announced as a mention, in a card without other faults."""
    cards = [one["content"] for one in message.get("attachments", ())]
    return [entity["text"] for card in cards for entity in card.get("msteams", {}).get("entities", ())]


# --- rules for single values ------------------------------------------------------------------------------------------


def _one_of(values: Collection[object]) -> Rule:
    def rule(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
        if not isinstance(value, (str, bool, int)) or value not in values:
            yield f"{at}: {value!r}"

    return rule


def _words(most: int, least: int = 1) -> Rule:
    """A text of so many UTF-16 units."""

    def rule(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
        if not isinstance(value, str) or not least <= len(value.encode("utf-16-le")) // 2 <= most:
            yield f"{at}: {value!r}"

    return rule


def _whole(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
    if type(value) is not int or value < 1:
        yield f"{at}: {value!r}"


def _link(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
    if value not in links or not re.match("(https?://|mailto:)", value, re.IGNORECASE):
        yield f"{at}: a foreign link {value!r}"


def _unparsed(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
    yield from _words(150)(value, at, links)
    if re.fullmatch(CALL, str(value)):
        return
    if re.search(r"[*_`~\\\[\]<>&#|{}@\n]|://|^\s*([-+]|\d+[.)])", str(value)):
        yield f"{at}: Teams would parse {value!r}"


def _run_text(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
    yield from _words(MOST_BYTES)(value, at, links)
    if re.search(r"<[\s/]*at\b", str(value), re.IGNORECASE):
        yield f"{at}: what looks like a mention"


def _call(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
    if not re.fullmatch(CALL, str(value)):
        yield f"{at}: no mention {value!r}"


def _list(rule: Rule, *, least: int = 1, most: int = 10_000) -> Rule:
    def each(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            yield f"{at}: not a list of {least} to {most}"
            return
        for place, one in enumerate(value):
            yield from rule(one, f"{at}[{place}]", links)

    return each


def _one(rules: Mapping[str, Rule], needed: Collection[str]) -> Rule:
    def rule(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
        yield from _object(value, at, links, rules, needed)

    return rule


def _object(
    value: Any, at: str, links: frozenset[str], rules: Mapping[str, Rule], needed: Collection[str]
) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"{at}: not an object"
        return
    yield from (f"{at}.{name} is missing" for name in needed if name not in value)
    for name, one in value.items():
        if name not in rules:
            yield f"{at}.{name} is not known"
        else:
            yield from rules[name](one, f"{at}.{name}", links)


def _typed(kinds: Mapping[str, tuple[Mapping[str, Rule], Collection[str]]]) -> Rule:
    """An object whose `type` says what it is."""

    def rule(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
        kind = value.get("type") if isinstance(value, Mapping) else None
        if not isinstance(kind, str) or kind not in kinds:
            yield f"{at}: {kind!r} is no element here"
            return
        rules, needed = kinds[kind]
        yield from _object(value, f"{at}:{kind}", links, {"type": _one_of([kind]), **rules}, needed)

    return rule


# --- the card ---------------------------------------------------------------------------------------------------------

BOOLEAN = _one_of([True, False])
PLACED: Mapping[str, Rule] = {"spacing": _one_of(SPACINGS), "separator": BOOLEAN}
LOOKS: Mapping[str, Rule] = {
    "size": _one_of(SIZES),
    "weight": _one_of(WEIGHTS),
    "isSubtle": BOOLEAN,
    "fontType": _one_of({"Default", "Monospace"}),
}
OPEN_URL = _typed({"Action.OpenUrl": ({"url": _link}, {"url"})})
RUN: Mapping[str, Rule] = {
    **LOOKS,
    "text": _run_text,
    "italic": BOOLEAN,
    "strikethrough": BOOLEAN,
    "selectAction": OPEN_URL,
}
DATA: Mapping[str, Rule] = {
    "action": _words(64),
    "value": _words(200, least=0),
    "language": _one_of({"ja", "en"}),
}
EXECUTE = (
    {
        "title": _words(60),
        "verb": _words(64),
        "data": _one(DATA, {"action", "value"}),
        "style": _one_of({"positive", "destructive"}),
    },
    {"title", "verb", "data"},
)
ACTION = _typed({"Action.Execute": EXECUTE})


def _form(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
    """The card that a button opens: fields, and what sends them off."""
    known = {"type": _one_of({"AdaptiveCard"}), "body": _list(_field), "actions": _list(ACTION, most=1)}
    yield from _object(value, at, links, known, known)


def _field(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
    yield from _typed({**ELEMENTS, "Input.Text": FIELD})(value, at, links)


#: Below a card; a form is nowhere else.
BELOW = _typed(
    {"Action.Execute": EXECUTE, "Action.ShowCard": ({"title": _words(60), "card": _form}, {"title", "card"})}
)


def _element(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
    yield from _typed(ELEMENTS)(value, at, links)


def _table(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
    """The rows of a table; all have one length."""
    yield from _list(_typed({"TableRow": ({"cells": _list(CELL)}, {"cells"})}), least=1)(value, at, links)
    if len({len(row["cells"]) for row in value}) != 1:
        yield f"{at}: rows of different lengths"


def _picture(value: Any, at: str, links: frozenset[str]) -> Iterator[str]:
    """A PNG in the card itself: nothing is fetched from anywhere."""
    kind, _, data = str(value).partition(",")
    try:
        picture = b64decode(data, validate=True)
    except ValueError:
        picture = b""
    if kind != "data:image/png;base64" or not picture.startswith(b"\x89PNG\r\n\x1a\n"):
        yield f"{at}: no picture {str(value)[:60]!r}"


CELL = _typed({"TableCell": ({"items": _list(_element)}, {"items"})})
FIELD: tuple[Mapping[str, Rule], Collection[str]] = (
    {
        "id": _words(64),
        "label": _words(150),
        "isMultiline": BOOLEAN,
        "maxLength": _whole,
        "value": _words(2_000),
        "isRequired": _one_of([True]),
        "errorMessage": _words(150),
    },
    {"id", "label", "maxLength"},
)
COLUMN = _one({"width": _whole, "horizontalCellContentAlignment": _one_of(ALIGNMENTS)}, {"width"})
ELEMENTS: Mapping[str, tuple[Mapping[str, Rule], Collection[str]]] = {
    "TextBlock": ({**PLACED, **LOOKS, "text": _unparsed, "wrap": _one_of([True]), "style": _one_of({"heading"})},
                  {"text", "wrap"}),
    "RichTextBlock": ({**PLACED, "inlines": _list(_typed({"TextRun": (RUN, {"text"})}))}, {"inlines"}),
    "Container": ({**PLACED, "style": _one_of(STYLES), "items": _list(_element)}, {"items"}),
    "Image": (
        {**PLACED, "url": _picture, "altText": _words(500), "size": _one_of({"Stretch"})},
        {"url", "altText", "size"},
    ),
    "ActionSet": ({**PLACED, "actions": _list(ACTION, most=6)}, {"actions"}),
    "Table": (
        {**PLACED, "firstRowAsHeaders": BOOLEAN, "columns": _list(COLUMN), "rows": _table},
        {"columns", "rows"},
    ),
}  # fmt: skip
MENTION: Mapping[str, Rule] = {
    "type": _one_of({"mention"}),
    "text": _call,
    "mentioned": _one({"id": _words(200), "name": _words(60)}, {"id", "name"}),
}
CARD = {
    "type": _one_of({"AdaptiveCard"}),
    "$schema": _one_of({"http://adaptivecards.io/schemas/adaptive-card.json"}),
    "version": _one_of({"1.5"}),
    "fallbackText": _unparsed,
    "lang": _one_of({"ja", "en"}),
    "msteams": _one({"width": _one_of({"Full"}), "entities": _list(_one(MENTION, MENTION), most=1)}, {"width"}),
    "body": _list(_element),
    "actions": _list(BELOW, most=6),
}

# --- what stands around it --------------------------------------------------------------------------------------------

APPEARANCE = {"@type": _one_of({"DigitalDocument"}), "name": _words(80), "abstract": _words(160), "url": _link}
CLAIM = {
    "@type": _one_of({"Claim"}),
    "position": _whole,
    "appearance": _one(APPEARANCE, {"@type", "name"}),
}
ENTITY = {
    "type": _one_of({"https://schema.org/Message"}),
    "@type": _one_of({"Message"}),
    "@context": _one_of({"https://schema.org"}),
    "@id": _one_of({""}),
    "additionalType": _list(_one_of({"AIGeneratedContent"}), most=1),
    "citation": _list(_one(CLAIM, CLAIM), most=MOST_CITATIONS),
}
ATTACHMENT = {
    "contentType": _one_of({"application/vnd.microsoft.card.adaptive"}),
    "content": _one(CARD, {"type", "version", "fallbackText", "body"}),
}
MESSAGE: Mapping[str, Rule] = {
    "type": _one_of({"message"}),
    "textFormat": _one_of({"plain"}),
    "text": _words(6_000),
    "summary": _words(400),
    "attachments": _list(_one(ATTACHMENT, ATTACHMENT), most=1),
    "entities": _list(_one(ENTITY, {"type", "@type", "@context"}), least=0, most=1),
    "channelData": _one({"feedbackLoop": _one({"type": _one_of({"default"})}, {"type"})}, {"feedbackLoop"}),
}
