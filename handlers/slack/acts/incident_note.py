"""The note to the support team about an incident: what it is, where it stands, and what can be said of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from handlers.incidents.records import Reports
from handlers.incidents.words import about
from handlers.markup.parts import Span
from handlers.slack.acts.names import CONFIRM_INCIDENT, DISMISS_INCIDENT, END_INCIDENT
from handlers.slack.acts.pages import mark, marked
from handlers.slack.acts.pieces import button, buttons, items, message, paragraph
from handlers.slack.installations import Installation
from handlers.slack.render import SlackMessage
from handlers.slack.render_blocks import Block
from handlers.wording_incidents import IncidentWords
from memory.incidents import Incident, Phase
from memory.text.language import LanguageCode

_SECONDS = 20.0
_INCIDENT, _LANGUAGE = "incident", "language"
_BOLD = frozenset(("bold",))


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentNote:
    """A note of ours as it stands in Slack: about which incident, in which language."""

    incident: str
    language: LanguageCode
    metadata: Block


def request_of(incident: str) -> str:
    """By which the note on an incident is found again."""
    return f"incident {incident}"


def incident_mark(incident: Incident, language: LanguageCode) -> dict[str, object]:
    """The metadata of the note."""
    return mark(request_of(incident.id), **{_INCIDENT: incident.id, _LANGUAGE: language})


def incident_note(incident: Incident, reports: Reports, words: IncidentWords) -> SlackMessage:
    """What support is told, with what can be said of it while it goes on. Of what people asked there is not a word, but
    the way to it, as far as those who read the note may go there."""
    told = words.noted.format(people=incident.people, about=about(incident, words))
    where = words.standing.format(ticket=incident.ticket, phase=words.phases[incident.phase])
    above = [*paragraph(Span(text=told, styles=_BOLD)), *_reported(incident, reports, words), *paragraph(where)]
    return message([*above, *_rulings(incident, words)])


def _reported(incident: Incident, reports: Reports, words: IncidentWords) -> list[Block]:
    numbered = enumerate(reports.links, start=1)
    linked = items(Span(text=words.report.format(number=number), url=link) for number, link in numbered)
    rest = [] if reports.complete else paragraph(words.reports_shown.format(ticket=incident.ticket))
    return [*linked, *rest]


def _rulings(incident: Incident, words: IncidentWords) -> Sequence[Block]:
    if not incident.going_on:
        return []
    known = [] if incident.phase is Phase.CONFIRMED else [button(CONFIRM_INCIDENT, words.confirm, style="primary")]
    return [buttons(*known, button(END_INCIDENT, words.end), button(DISMISS_INCIDENT, words.dismiss))]


async def incident_note_at(here: Installation, channel: str, ts: str) -> IncidentNote | None:
    """The note that stands there, read from Slack itself; None where none of ours does. Raises SlackClientError and
    TimeoutError."""
    async with asyncio.timeout(_SECONDS):
        said = await here.client.conversations_history(
            channel=channel, latest=ts, oldest=ts, inclusive=True, limit=1, include_all_metadata=True
        )
    found = next((one for one in said.get("messages") or () if one.get("ts") == ts), None)
    return _note(found) if found and found.get("user") == here.me.user else None


def _note(found: Any) -> IncidentNote | None:
    told = marked(found)
    incident = told.get(_INCIDENT)
    if not isinstance(incident, str):
        return None
    language: LanguageCode = "ja" if told.get(_LANGUAGE) == "ja" else "en"
    return IncidentNote(incident=incident, language=language, metadata=found["metadata"])


async def show_incident(
    here: Installation,
    channel: str,
    ts: str,
    note: IncidentNote,
    incident: Incident,
    reports: Reports,
    words: IncidentWords,
) -> None:
    """Change the note in its place. Raises SlackClientError and TimeoutError."""
    said = incident_note(incident, reports, words)
    async with asyncio.timeout(_SECONDS):
        await here.client.chat_update(
            channel=channel,
            ts=ts,
            text=said.text,
            blocks=[dict(block) for block in said.blocks],
            metadata=dict(note.metadata),
        )
