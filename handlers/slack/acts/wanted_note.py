"""What the people who take over are told."""

from __future__ import annotations

from handlers.characters import cleaned, one_line
from handlers.handover import Wanted
from handlers.markup.inline import may_link
from handlers.markup.parts import Span
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.address import address_of
from handlers.slack.render import SlackMessage
from handlers.slack.render_blocks import Block
from handlers.wording_acts import ActWords
from memory.model import Turn

_WORDS, _NAME, _NOTE = 150, 60, 2000
_BOLD = frozenset(("bold",))


def wanted_note(wanted: Wanted, name: str, asked: Turn | None, words: ActWords) -> SlackMessage:
    """Who wants a person, and where: with the link, or from a direct message, which nobody else can open, with the way
    to that person. `asked` is the message, None where the channel may not see it: its words are then left out. What the
    person wrote for the support team stands there in any case."""
    who = one_line(name or wanted.user, _NAME)
    direct = address_of(wanted.conversation).direct
    opening = (words.wanted_ticket if wanted.title else words.wanted).format(name=who)
    blocks = paragraph(Span(text=opening, styles=_BOLD))
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
    return message(blocks)


def _way_to(user: str, words: ActWords) -> Block:
    """A mention: whoever clicks it can write to the person. It calls nobody who is not in the channel."""
    elements = [{"type": "text", "text": f"{words.wanted_reach} "}, {"type": "user", "user_id": user}]
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}


def words_note(wanted: Wanted, words: ActWords) -> SlackMessage:
    """What the person wants the support team to read."""
    return message(paragraph(words.wanted_agreed.format(words=cleaned(wanted.words[:_NOTE]))))
