"""What the people who take over are told, and what they can do with the ticket of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from handlers.handover import Handed, Wanted
from handlers.markup.inline import may_link
from handlers.markup.parts import Kind, Part, Span
from handlers.teams.mention import Mention
from handlers.teams.message import TeamsMessage, card_message
from handlers.teams.names import (
    ASK_USER,
    ASKED,
    CAUSE,
    FIX,
    HAND_BACK_TICKET,
    LEARNED,
    RESOLVE_TICKET,
    SHARE_TICKET,
    SYMPTOM,
    TAKE_TICKET,
)
from handlers.teams.pieces import button, elements, form, heading, paragraph, small, text_field
from handlers.teams.render_runs import Element
from handlers.tickets.note_lines import agreed_line, earlier_line, note_lines, standing_line
from handlers.tickets.records import Shared
from handlers.wordings import SHIPPED, Wording
from memory.model import DIRECT, Turn
from memory.tickets import UNSETTLED, State, Ticket

NOTHING_LEARNED = Shared(symptom="", learned="")


def wanted_note(
    wanted: Wanted,
    handed: Handed,
    asked: Turn | None,
    language: str,
    zone: tzinfo,
    mention: Mention | None = None,
    *,
    fix: str = "",
    learned: Shared = NOTHING_LEARNED,
    unshown: str = "",
    behind: Sequence[str] = (),
    wording: Wording = SHIPPED,
) -> TeamsMessage:
    """Who wants a person about what was written when, with the link, and with a `mention` by which the person can be
    written to. `asked` is the message, None where the channel may not see it: its words are then left out, and
    `unshown`, or why not, stands there. `behind` are lines on what stands behind the request. Where there is a ticket,
    how it stands and what can be done with it; `fix` may have been what helped, and `learned` is what everybody could
    read of it."""
    words, here = wording.acts(language), wording.teams(language)
    hidden = here.wanted_direct if wanted.conversation.channel == DIRECT else words.wanted_hidden
    lines = note_lines(
        wanted,
        handed,
        wanted.name.strip() or here.somebody,
        asked,
        unshown=unshown or hidden,
        acts=words,
        tickets=wording.tickets(language),
    )
    parts = [heading(lines.opening), *map(paragraph, lines.rest)]
    if handed.earlier is not None:
        parts.append(paragraph(earlier_line(handed.earlier, wording.comebacks(language), wording.tickets(language))))
    parts += map(paragraph, behind)
    if wanted.said_at is not None:
        parts.append(paragraph(here.wanted_at.format(time=f"{wanted.said_at.astimezone(zone):%Y-%m-%d %H:%M}")))
    links = [wanted.link] if wanted.link and may_link(wanted.link) else []
    parts += [Part(kind=Kind.PARAGRAPH, spans=(Span(text=words.wanted_link, url=link),)) for link in links]
    if handed.ticket:
        parts.append(paragraph(standing_line(handed.ticket, wording.tickets(language))))
    hint = [small(here.thread_hint)] if handed.ticket and handed.ticket.state in UNSETTLED else []
    return card_message(
        [*elements(parts), *hint, *(elements(paragraph(words.wanted_reach)) if mention else [])],
        language=language,
        allowed_links=links,
        mention=mention,
        actions=_steps(handed.ticket, fix, learned, language, wording) if handed.ticket else (),
        wording=wording,
    )


def _steps(ticket: Ticket, fix: str, learned: Shared, language: str, wording: Wording) -> list[Element]:
    """What can be done with a ticket as it stands."""
    words, send = wording.tickets(language), wording.acts(language).form_send
    missing, unasked = wording.teams(language).fix_missing, wording.teams(language).ask_missing
    if ticket.state is State.RESOLVED:
        fields = [
            small(words.share_hint),
            text_field(SYMPTOM, words.symptom_asked, learned.symptom),
            text_field(LEARNED, words.learned_asked, learned.learned, missing=missing),
        ]
        return [form(words.share, fields, button(SHARE_TICKET, send, style="positive"))]
    if ticket.state not in UNSETTLED:
        return []
    mine = button(HAND_BACK_TICKET, words.hand_back) if ticket.assignee else button(TAKE_TICKET, words.take)
    fields = [
        small(words.resolve_hint),
        text_field(CAUSE, words.cause_asked),
        text_field(FIX, words.fix_asked, fix, missing=missing),
    ]
    question = [small(words.ask_hint), text_field(ASKED, words.ask_asked, missing=unasked)]
    ask = form(words.ask_user, question, button(ASK_USER, send, style="positive"))
    return [mine, ask, form(words.resolve, fields, button(RESOLVE_TICKET, send, style="positive"))]


def words_note(said: str, language: str, *, wording: Wording = SHIPPED) -> TeamsMessage:
    """What the person wants the support team to read."""
    line = agreed_line(said, wording.acts(language))
    return card_message(elements(paragraph(line)), language=language, wording=wording)
