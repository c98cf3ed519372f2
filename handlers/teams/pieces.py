"""The pieces that cards are made of besides what an answer says."""

from __future__ import annotations

from collections.abc import Iterable

from handlers.characters import one_line
from handlers.markup.parts import Kind, Part, Span
from handlers.teams.render_elements import elements_of
from handlers.teams.render_runs import Element, rich_text, runs

_LONGEST_NOTE = 1_000


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


def buttons(*actions: Element) -> Element:
    """Buttons in a row."""
    return {"type": "ActionSet", "actions": list(actions)}


def elements(*parts: Part | Iterable[Part]) -> list[Element]:
    """Parts, and lists of parts, as elements."""
    flat = [one for part in parts for one in ([part] if isinstance(part, Part) else part)]
    return list(elements_of(flat))
