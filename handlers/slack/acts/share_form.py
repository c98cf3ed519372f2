"""The form in which a support agent looks through what everybody is to read of a resolved ticket."""

from __future__ import annotations

from collections.abc import Mapping

from handlers.slack.acts.names import LEARNED, SHARE_FORM, SYMPTOM
from handlers.slack.acts.resolution_form import NotePlace, form_about, text_input
from handlers.tickets.records import Shared
from handlers.wording_acts import ActWords
from handlers.wording_tickets import TicketWords

_CHARACTERS = 2000


def share_form(place: NotePlace, learned: Shared, words: TicketWords, acts: ActWords) -> Mapping[str, object]:
    """The form for the ticket of the note at this place, with what could be shared."""
    inputs = [
        text_input(SYMPTOM, words.symptom_asked, learned.symptom),
        text_input(LEARNED, words.learned_asked, learned.learned),
    ]
    return form_about(place, SHARE_FORM, words.share_title, inputs, words.share_hint, acts)


def shared_in(inputs: Mapping[str, str]) -> Shared:
    """What was approved, no longer than the form lets it be."""
    return Shared(symptom=inputs.get(SYMPTOM, "")[:_CHARACTERS], learned=inputs.get(LEARNED, "")[:_CHARACTERS])
