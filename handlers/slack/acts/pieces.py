"""The pieces that our own messages and pages are made of. Words of people go into rich text, in which nothing is
parsed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from handlers.markup.parts import Kind, Part, Span
from handlers.slack.render import SlackMessage
from handlers.slack.render_blocks import Block, blocks_of
from handlers.slack.render_paging import fallback

_BOLD = frozenset(("bold",))


def paragraph(*spans: Span | str) -> list[Block]:
    """One paragraph."""
    return [*blocks_of([Part(kind=Kind.PARAGRAPH, spans=tuple(map(_span, spans)))])]


def heading(text: str) -> list[Block]:
    """Words that stand above others."""
    return paragraph(Span(text=text, styles=_BOLD))


def items(lines: Iterable[Span | str]) -> list[Block]:
    """A list, one line each; nothing where there is none."""
    return [*blocks_of([Part(kind=Kind.BULLET, spans=(_span(line),)) for line in lines])]


def _span(words: Span | str) -> Span:
    return Span(text=words) if isinstance(words, str) else words


def small(text: str) -> Block:
    """Small print."""
    return {"type": "context", "elements": [plain(text)]}


def plain(text: str) -> dict[str, object]:
    """Words of ours on a button, a form, in small print."""
    return {"type": "plain_text", "text": text, "emoji": False}


def button(action: str, label: str, value: str = "", *, style: str = "") -> Mapping[str, object]:
    """`style` is Slack's: "primary", "danger" or, for the usual look, empty."""
    more = {name: given for name, given in (("value", value), ("style", style)) if given}
    return {"type": "button", "action_id": action, "text": plain(label), **more}


def buttons(*elements: Mapping[str, object], language: str = "") -> Block:
    """Buttons in a row, of which a message has no second one that begins with the same. With a `language` a click tells
    in which one they are, so that what comes of it is said in the same, whatever language the client is in."""
    row = {"type": "actions", "elements": list(elements)}
    return {**row, "block_id": f"{language} {elements[0]['action_id']}"} if language else row


def message(blocks: Sequence[Block]) -> SlackMessage:
    """A message of these blocks."""
    return SlackMessage(text=fallback(blocks, ()), blocks=tuple(blocks))
