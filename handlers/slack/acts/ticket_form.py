"""The form in which a request is described before it goes to a person."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from handlers.slack.acts.names import NOTE, SUBJECT, TICKET_FORM
from handlers.slack.acts.pieces import plain
from handlers.slack.fields import ident, timestamp
from handlers.wording_acts import ActWords

_SUBJECT, _NOTE = 150, 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A message in its thread, by Slack's ids. It is only a claim: who may read there has to be asked."""

    channel: str
    thread: str
    message: str


def ticket_form(spot: Spot, words: ActWords) -> Mapping[str, object]:
    """The form about the message at this spot."""
    about = {"channel": spot.channel, "thread": spot.thread, "message": spot.message}
    return {
        "type": "modal",
        "callback_id": TICKET_FORM,
        "title": plain(words.form_title),
        "submit": plain(words.form_send),
        "close": plain(words.form_close),
        "private_metadata": json.dumps(about),
        "blocks": [
            _input(SUBJECT, words.form_subject, {"max_length": _SUBJECT}),
            _input(NOTE, words.form_note, {"max_length": _NOTE, "multiline": True}, optional=True),
            {"type": "context", "elements": [plain(words.form_hint)]},
        ],
    }


def _input(name: str, label: str, more: Mapping[str, object], *, optional: bool = False) -> Mapping[str, object]:
    element = {"type": "plain_text_input", "action_id": name, **more}
    return {"type": "input", "block_id": name, "label": plain(label), "element": element, "optional": optional}


def spot_in(metadata: str) -> Spot | None:
    """The spot that a form which was sent off is about; None where it names none."""
    try:
        found = json.loads(metadata)
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    channel, thread, message = ident(found, "channel"), timestamp(found, "thread"), timestamp(found, "message")
    return Spot(channel=channel, thread=thread, message=message) if channel and thread and message else None


def filled_in(inputs: Mapping[str, str]) -> tuple[str, str]:
    """Subject and note, no longer than the form lets them be."""
    return inputs.get(SUBJECT, "").strip()[:_SUBJECT], inputs.get(NOTE, "").strip()[:_NOTE]
