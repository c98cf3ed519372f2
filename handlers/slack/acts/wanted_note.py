"""What the people who take over are told."""

from __future__ import annotations

from collections.abc import Sequence

from handlers.characters import readable
from handlers.handover import Handed, Wanted
from handlers.markup.inline import may_link
from handlers.markup.parts import Span
from handlers.slack.acts.note_words import TITLE, WORDS, behind_blocks, named
from handlers.slack.acts.pieces import heading, message, paragraph
from handlers.slack.acts.ticket_note import standing_blocks
from handlers.slack.address import address_of
from handlers.slack.render import SlackMessage
from handlers.slack.render_blocks import Block
from handlers.tickets.note_lines import agreed_line, earlier_line, note_lines
from handlers.wording_acts import ActWords
from handlers.wordings import SHIPPED, Wording
from memory.model import Turn
from memory.text.language import LanguageCode


def wanted_note(
    wanted: Wanted,
    handed: Handed,
    name: str,
    asked: Turn | None,
    behind: Sequence[str] = (),
    *,
    language: LanguageCode,
    wording: Wording = SHIPPED,
) -> SlackMessage:
    """Who wants a person, and where: with the link, or from a direct message, which nobody else can open, with the way
    to that person. `asked` is the message, None where the channel may not see it: its words are then left out. What the
    person wrote for the support team stands there in any case. `behind` are lines on what stands behind the request."""
    words, tickets = wording.acts(language), wording.tickets(language)
    direct = address_of(wanted.conversation).direct
    unshown = words.wanted_direct if direct else words.wanted_hidden
    lines = note_lines(wanted, handed, name or wanted.user, asked, unshown=unshown, acts=words, tickets=tickets)
    blocks = heading(lines.opening)
    for name, line in (("", lines.stand_in), (TITLE, lines.title), ("", lines.note), (WORDS, lines.words)):
        if readable(line):
            blocks += named(name, line) if name else paragraph(line)
    if handed.earlier:
        blocks += paragraph(earlier_line(handed.earlier, wording.comebacks(language), tickets))
    blocks += behind_blocks(behind)
    if direct:
        blocks.append(_way_to(wanted.user, words))
    elif wanted.link and may_link(wanted.link):
        blocks += paragraph(Span(text=words.wanted_link, url=wanted.link))
    if handed.ticket:
        blocks += standing_blocks(handed.ticket, tickets)
    return message(blocks)


def form_note(
    wanted: Wanted, handed: Handed, name: str, *, language: LanguageCode, wording: Wording = SHIPPED
) -> SlackMessage:
    """What somebody filled in about a request that has a note already."""
    acts, tickets = wording.acts(language), wording.tickets(language)
    lines = note_lines(wanted, handed, name or wanted.user, None, unshown="", acts=acts, tickets=tickets)
    filled = [block for line in filter(readable, (lines.title, lines.note)) for block in paragraph(line)]
    return message([*heading(lines.opening), *filled])


def _way_to(user: str, words: ActWords) -> Block:
    """A mention: whoever clicks it can write to the person. It calls nobody who is not in the channel."""
    elements = [{"type": "text", "text": f"{words.wanted_reach} "}, {"type": "user", "user_id": user}]
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}


def words_note(said: str, words: ActWords) -> SlackMessage:
    """What the person wants the support team to read."""
    return message(paragraph(agreed_line(said, words)))


def words_about(request: str) -> str:
    """By what the message with those words is marked."""
    return f"words {request}"
