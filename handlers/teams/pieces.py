"""The pieces that cards are made of besides what an answer says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from handlers.characters import cleaned, one_line, readable
from handlers.markup.cutting import cut_at
from handlers.markup.parts import Kind, Part, Span
from handlers.teams.names import LANGUAGE
from handlers.teams.render_elements import elements_of
from handlers.teams.render_runs import Element, inert, rich_text, runs

_LONGEST_NOTE = 1_000
#: A field of a form takes so many characters, and begins with no more than these, of so many bytes: the card holds
#: other words, too.
MOST_WRITTEN, _MOST_GIVEN, _GIVEN_BYTES = 2_000, 1_000, 3_000


def paragraph(text: str) -> Part:
    """One paragraph."""
    return Part(kind=Kind.PARAGRAPH, spans=(Span(text=text),))


def heading(text: str) -> Part:
    """Words that stand above others."""
    return Part(kind=Kind.HEADING, spans=(Span(text=text),))


def items(lines: Iterable[Span | str]) -> list[Part]:
    """A list, one line each."""
    spans = (Span(text=line) if isinstance(line, str) else line for line in lines)
    return [Part(kind=Kind.BULLET, spans=(span,)) for span in spans]


def small(text: str) -> Element:
    """Small print."""
    return rich_text(runs([Span(text=one_line(text, _LONGEST_NOTE) or "…")], size="Small", isSubtle=True))


def button(name: str, title: str, value: str = "", *, style: str = "default") -> Element:
    """`style` is the cards': "default", "positive" or "destructive". What a click brings back may be forged: `value` is
    a claim, never a permission."""
    action = {"type": "Action.Execute", "title": title, "verb": name, "data": {"action": name, "value": value}}
    return action if style == "default" else {**action, "style": style}


def buttons(*actions: Element, language: str = "") -> Element:
    """Buttons in a row. With a `language` a click tells in which one the card was, so that what comes of it is said in
    the same, whatever language the client is in."""
    return {"type": "ActionSet", "actions": [_spoken(action, language) if language else action for action in actions]}


def _spoken(action: Element, language: str) -> Element:
    data = action["data"]
    return {**action, "data": {**data, LANGUAGE: language}} if isinstance(data, Mapping) else action


def text_field(name: str, label: str, given: str = "", *, missing: str = "") -> Element:
    """A field of a form for some lines, with what is in it already; `missing` is said where it may not stay empty."""
    field = {"type": "Input.Text", "id": name, "label": label, "isMultiline": True, "maxLength": MOST_WRITTEN}
    begun = inert(cleaned(given)).encode()[:_GIVEN_BYTES].decode(errors="ignore")
    filled = begun if len(begun) <= _MOST_GIVEN else begun[: cut_at(begun, _MOST_GIVEN)]
    return {
        **field,
        **({"value": filled} if readable(filled) else {}),
        **({"isRequired": True, "errorMessage": missing} if missing else {}),
    }


def form(title: str, fields: Sequence[Element], send: Element) -> Element:
    """A button that opens a form below the card; `send` sends it off."""
    return {
        "type": "Action.ShowCard",
        "title": title,
        "card": {"type": "AdaptiveCard", "body": [*fields], "actions": [send]},
    }


def elements(*parts: Part | Iterable[Part]) -> list[Element]:
    """Parts, and lists of parts, as elements."""
    flat = [one for part in parts for one in ([part] if isinstance(part, Part) else part)]
    return list(elements_of(flat))
