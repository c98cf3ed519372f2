"""The form in which a support agent says what was wrong and what helped."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
    inputs = [{**text_input(CAUSE, words.cause_asked), "optional": True}, text_input(FIX, words.fix_asked, fix)]
    return form_about(place, RESOLUTION_FORM, words.resolve_title, inputs, words.resolve_hint, acts)


def form_about(
    place: NotePlace,
    name: str,
    title: str,
    inputs: Sequence[Mapping[str, object]],
    hint: str,
    acts: ActWords,
) -> Mapping[str, object]:
    """A form of this name about the note at this place."""
    return {
        "type": "modal",
        "callback_id": name,
        "title": plain(title),
        "submit": plain(acts.form_send),
        "close": plain(acts.form_close),
        "private_metadata": json.dumps({"channel": place.channel, "ts": place.ts}),
        "blocks": [*inputs, {"type": "context", "elements": [plain(hint)]}],
    }


def text_input(name: str, label: str, given: str = "") -> Mapping[str, object]:
    """Room for some sentences, in which `given` stands already."""
    element: dict[str, object] = {"type": "plain_text_input", "action_id": name, "multiline": True}
    element |= {"max_length": _CHARACTERS, **({"initial_value": given[:_CHARACTERS]} if given else {})}
    return {"type": "input", "block_id": name, "label": plain(label), "element": element, "optional": False}


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
