"""Markup that is well-formed and escaped by its making: text becomes markup in one place only."""

from __future__ import annotations

from html import escape
from typing import NewType

from handlers.characters import cleaned

Markup = NewType("Markup", str)


def words(text: str) -> Markup:
    """Anybody's words as text of a page: nothing in them opens a tag, an entity or a direction."""
    return Markup(escape(cleaned(text)))


def element(tag: str, /, *inside: Markup, **attributes: str | float) -> Markup:
    """An element around what is inside; without any it closes itself. An underscore in an attribute's name is a hyphen
    (`aria_label`), one at its end is left out (`class_`)."""
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{words(_value(value))}"' for name, value in attributes.items()
    )
    return Markup(f"<{tag}{named}>{''.join(inside)}</{tag}>" if inside else f"<{tag}{named}/>")


def joined(*parts: Markup) -> Markup:
    """One after the other."""
    return Markup("".join(parts))


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"
