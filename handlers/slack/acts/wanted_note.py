"""What the people who take over are told."""

from __future__ import annotations

from handlers.characters import cleaned, one_line
from handlers.handover import Handed, Wanted
from handlers.markup.inline import may_link
from handlers.markup.parts import Span
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.ticket_note import standing_blocks
from handlers.slack.address import address_of
from handlers.slack.render import SlackMessage
from handlers.slack.render_blocks import Block
from handlers.wording_acts import ActWords
from handlers.wording_tickets import TicketWords
from handlers.wordings import SHIPPED, Wording
from memory.model import Turn
from memory.text.language import LanguageCode

_WORDS, _NAME, _NOTE = 150, 60, 2000
_BOLD = frozenset(("bold",))


def wanted_note(
    wanted: Wanted,
    handed: Handed,
    name: str,
    asked: Turn | None,
    *,
    language: LanguageCode,
    wording: Wording = SHIPPED,
) -> SlackMessage:
    """Who wants a person, and where: with the link, or from a direct message, which nobody else can open, with the way
    to that person. `asked` is the message, None where the channel may not see it: its words are then left out. What the
    person wrote for the support team stands there in any case."""
    words, tickets = wording.acts(language), wording.tickets(language)
    who = one_line(name or wanted.user, _NAME)
    direct = address_of(wanted.conversation).direct
    opening = (words.wanted_ticket if wanted.title else words.wanted).format(name=who)
    blocks = _opening(opening, handed, tickets)
    if wanted.title:
        blocks += paragraph(one_line(wanted.title, _WORDS))
    if wanted.note:
        blocks += paragraph(cleaned(wanted.note[:_NOTE]))
    if asked is not None:
        blocks += paragraph(words.wanted_words.format(words=one_line(asked.text, _WORDS)))
    elif not wanted.title:
        blocks += paragraph(words.wanted_direct if direct else words.wanted_hidden)
    if direct:
        blocks.append(_way_to(wanted.user, words))
    elif wanted.link and may_link(wanted.link):
        blocks += paragraph(Span(text=words.wanted_link, url=wanted.link))
    if handed.ticket:
        blocks += standing_blocks(handed.ticket, tickets)
    return message(blocks)


def _opening(words: str, handed: Handed, tickets: TicketWords) -> list[Block]:
    """By the ticket's name, and with who stands in for those who are away."""
    said = tickets.of.format(ticket=handed.ticket.name, words=words) if handed.ticket else words
    blocks = paragraph(Span(text=said, styles=_BOLD))
    if handed.away and handed.away.stand_in:
        blocks += paragraph(tickets.stand_in.format(name=one_line(handed.away.stand_in, _NAME)))
    return blocks


def _way_to(user: str, words: ActWords) -> Block:
    """A mention: whoever clicks it can write to the person. It calls nobody who is not in the channel."""
    elements = [{"type": "text", "text": f"{words.wanted_reach} "}, {"type": "user", "user_id": user}]
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}


def words_note(wanted: Wanted, words: ActWords) -> SlackMessage:
    """What the person wants the support team to read."""
    return message(paragraph(words.wanted_agreed.format(words=cleaned(wanted.words[:_NOTE]))))
