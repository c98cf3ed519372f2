"""The form in which a support agent says what was wrong and what helped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from handlers.slack.acts.names import CAUSE, FIX, RESOLUTION_FORM
from handlers.slack.acts.pieces import plain
from handlers.slack.fields import ident, timestamp
from handlers.tickets.records import Resolution
from handlers.wording_acts import ActWords
from handlers.wording_tickets import TicketWords

_CHARACTERS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePlace:
    """Where a note stands, by Slack's ids. It is only a claim: the note has to be read."""

    channel: str
    ts: str


def resolution_form(place: NotePlace, fix: str, words: TicketWords, acts: ActWords) -> Mapping[str, object]:
    """The form for the ticket of the note at this place, with what may have been the fix."""
    return {
        "type": "modal",
        "callback_id": RESOLUTION_FORM,
        "title": plain(words.resolve_title),
        "submit": plain(acts.form_send),
        "close": plain(acts.form_close),
        "private_metadata": json.dumps({"channel": place.channel, "ts": place.ts}),
        "blocks": [
            _input(CAUSE, words.cause_asked, ""),
            _input(FIX, words.fix_asked, fix[:_CHARACTERS]),
            {"type": "context", "elements": [plain(words.resolve_hint)]},
        ],
    }


def _input(name: str, label: str, given: str) -> Mapping[str, object]:
    element: dict[str, object] = {"type": "plain_text_input", "action_id": name, "multiline": True}
    element |= {"max_length": _CHARACTERS, **({"initial_value": given} if given else {})}
    return {"type": "input", "block_id": name, "label": plain(label), "element": element, "optional": name == CAUSE}


def place_in(metadata: str) -> NotePlace | None:
    """The place that a form which was sent off is about; None where it names none."""
    try:
        found = json.loads(metadata)
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    channel, ts = ident(found, "channel"), timestamp(found, "ts")
    return NotePlace(channel=channel, ts=ts) if channel and ts else None


def resolution_in(inputs: Mapping[str, str]) -> Resolution:
    """What was filled in, no longer than the form lets it be."""
    return Resolution(cause=inputs.get(CAUSE, "").strip()[:_CHARACTERS], fix=inputs.get(FIX, "").strip()[:_CHARACTERS])
