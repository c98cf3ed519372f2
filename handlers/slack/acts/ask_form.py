"""The form in which a support agent asks who made a request."""

from __future__ import annotations

from collections.abc import Mapping

from handlers.slack.acts.names import ASK_FORM, ASKED
from handlers.slack.acts.resolution_form import NotePlace, form_about, text_input
from handlers.wording_acts import ActWords
from handlers.wording_tickets import TicketWords

_CHARACTERS = 2000


def ask_form(place: NotePlace, words: TicketWords, acts: ActWords) -> Mapping[str, object]:
    """The form for the ticket of the note at this place."""
    asked = text_input(ASKED, words.ask_asked)
    return form_about(place, ASK_FORM, words.ask_title, [asked], words.ask_hint, acts)


def asked_in(inputs: Mapping[str, str]) -> str:
    """What was filled in, no longer than the form lets it be."""
    return inputs.get(ASKED, "").strip()[:_CHARACTERS]
