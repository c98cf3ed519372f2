"""What the people who take over are told."""

from __future__ import annotations

from datetime import tzinfo

from handlers.characters import one_line
from handlers.handover import Wanted
from handlers.markup.inline import may_link
from handlers.markup.parts import Kind, Part, Span
from handlers.teams.mention import Mention
from handlers.teams.message import TeamsMessage, card_message
from handlers.teams.pieces import elements, heading, paragraph
from handlers.wordings import SHIPPED, Wording
from memory.model import Turn

_WORDS, _NAME = 150, 60


def wanted_note(
    wanted: Wanted,
    asked: Turn | None,
    language: str,
    zone: tzinfo,
    mention: Mention | None = None,
    *,
    wording: Wording = SHIPPED,
) -> TeamsMessage:
    """Who wants a person about what was written when, with the link, and with a `mention` by which the person can be
    written to. `asked` is the message, None where the channel may not see it: its words are then left out."""
    words, here = wording.acts(language), wording.teams(language)
    parts = [heading(words.wanted.format(name=one_line(wanted.name, _NAME) or here.somebody))]
    if asked is not None:
        parts.append(paragraph(words.wanted_words.format(words=one_line(asked.text, _WORDS))))
    else:
        parts.append(paragraph(words.wanted_hidden))
    if wanted.said_at is not None:
        parts.append(paragraph(here.wanted_at.format(time=f"{wanted.said_at.astimezone(zone):%Y-%m-%d %H:%M}")))
    links = [wanted.link] if wanted.link and may_link(wanted.link) else []
    parts += [Part(kind=Kind.PARAGRAPH, spans=(Span(text=words.wanted_link, url=link),)) for link in links]
    return card_message(elements(parts), language=language, allowed_links=links, mention=mention, wording=wording)
