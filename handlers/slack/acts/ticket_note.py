"""The note to the support team as the card of its ticket: where it stands, whose it is, and what can be done."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from handlers.slack.acts.names import ASK_USER, HAND_BACK_TICKET, RESOLVE_TICKET, SHARE, TAKE_TICKET
from handlers.slack.acts.pages import mark, marked
from handlers.slack.acts.pieces import button, buttons, message, paragraph, small
from handlers.slack.installations import Installation
from handlers.slack.render import SlackMessage
from handlers.slack.render_blocks import Block
from handlers.tickets.note_lines import standing_line
from handlers.wording_tickets import TicketWords
from memory.text.language import LanguageCode
from memory.tickets import UNSETTLED, State, Ticket

_SECONDS = 20.0
_TICKET, _LANGUAGE, _FORM = "ticket", "language", "form"
#: By these names the blocks are known that change with the ticket.
_STATE, _STEPS, _HINT = "helpdesk_ticket_state", "helpdesk_ticket_steps", "helpdesk_ticket_hint"
_CHANGING = frozenset((_STATE, _STEPS, _HINT))


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketNote:
    """A note of ours as it stands in Slack: about which ticket, in which language."""

    channel: str
    ts: str
    ticket: str
    language: LanguageCode
    blocks: Sequence[Block]
    metadata: Block


def note_mark(request: str, ticket: Ticket | None, language: LanguageCode, *, form: str = "") -> dict[str, object]:
    """The metadata of the note on a request; `form` names what was filled in, where that was."""
    filled = {_FORM: form} if form else {}
    return mark(request, **{_TICKET: ticket.name, _LANGUAGE: language}, **filled) if ticket else mark(request, **filled)


def is_on(note: Any, ticket: Ticket) -> bool:
    """Whether a note is one on this ticket; those of older versions of this program do not say on which."""
    return str(marked(note).get(_TICKET, ticket.name)) == ticket.name


def of_form(note: Any) -> str:
    """What names the form that a note shows; empty where it shows none."""
    return str(marked(note).get(_FORM, ""))


def standing_blocks(ticket: Ticket, words: TicketWords) -> list[Block]:
    """Where the ticket stands, and the steps that can be taken from there."""
    state: list[Block] = [{**block, "block_id": _STATE} for block in paragraph(standing_line(ticket, words))]
    if ticket.state is State.RESOLVED:
        return [*state, {**buttons(button(SHARE, words.share, ticket.name)), "block_id": _STEPS}]
    if ticket.state not in UNSETTLED:
        return state
    mine = button(HAND_BACK_TICKET, words.hand_back) if ticket.assignee else button(TAKE_TICKET, words.take)
    resolve = button(RESOLVE_TICKET, words.resolve, ticket.name, style="primary")
    steps = {**buttons(mine, button(ASK_USER, words.ask_user, ticket.name), resolve), "block_id": _STEPS}
    hint = {**small(words.thread_hint), "block_id": _HINT}
    return [*state, steps, hint]


async def note_at(here: Installation, channel: str, ts: str) -> TicketNote | None:
    """The note that stands there, read from Slack itself; None where no note on a ticket does. Raises SlackClientError
    and TimeoutError."""
    async with asyncio.timeout(_SECONDS):
        said = await here.client.conversations_history(
            channel=channel, latest=ts, oldest=ts, inclusive=True, limit=1, include_all_metadata=True
        )
    found = next((one for one in said.get("messages") or () if one.get("ts") == ts), None)
    return _note(channel, found) if found and found.get("user") == here.me.user else None


def _note(channel: str, said: Any) -> TicketNote | None:
    told = marked(said)
    ticket = told.get(_TICKET)
    if not isinstance(ticket, str):
        return None
    return TicketNote(
        channel=channel,
        ts=str(said["ts"]),
        ticket=ticket,
        language="ja" if told.get(_LANGUAGE) == "ja" else "en",
        blocks=[one for one in said.get("blocks") or () if one.get("block_id") not in _CHANGING],
        metadata=said["metadata"],
    )


async def show_deleted(here: Installation, note: TicketNote, said: str) -> None:
    """Leave nothing of the note but this sentence, and nothing that leads to a ticket. Raises as `show_standing`."""
    request = marked({"metadata": dict(note.metadata)}).get("request", "")
    await _show(here, note, message(paragraph(said)), mark(str(request)))


async def show_standing(here: Installation, note: TicketNote, ticket: Ticket, words: TicketWords) -> None:
    """Change the note in its place. Raises SlackClientError and TimeoutError."""
    await _show(here, note, message([*note.blocks, *standing_blocks(ticket, words)]), note.metadata)


async def _show(here: Installation, note: TicketNote, shown: SlackMessage, metadata: Block) -> None:
    async with asyncio.timeout(_SECONDS):
        await here.client.chat_update(
            channel=note.channel,
            ts=note.ts,
            text=shown.text,
            blocks=[dict(block) for block in shown.blocks],
            metadata=dict(metadata),
        )
