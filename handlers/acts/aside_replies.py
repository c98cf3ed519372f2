"""What is said to messages that ask nothing: for them nothing is looked up."""

from __future__ import annotations

from handlers.acts.asides import Aside, aside_in
from handlers.characters import one_line, wordless
from handlers.files import without_files
from handlers.messages import OutgoingReply, plainly
from handlers.wordings import SHIPPED, Wording

#: Characters of whom the administrator named.
_LONGEST = 300


def unasked_reply(text: str, language: str, *, contact: str, wording: Wording = SHIPPED) -> OutgoingReply | None:
    """What is said to a message that asks nothing: one without words, thanks, a greeting or the wish for a person; None
    for all others. `contact` is whom the administrator named, or ""."""
    if wordless(text):
        return plainly(wording.phrases(language).wordless, language)
    aside = aside_in(without_files(text))
    return aside_reply(aside, language, contact=contact, wording=wording) if aside else None


def aside_reply(aside: Aside, language: str, *, contact: str, wording: Wording = SHIPPED) -> OutgoingReply:
    """What is said to thanks, a greeting or the wish for a person; `contact` is whom the administrator named, or ""."""
    said, words = wording.phrases(language), wording.acts(language)
    match aside:
        case Aside.THANKS:
            return plainly(said.welcome_back, language)
        case Aside.GREETING:
            return plainly(said.greeting, language)
        case Aside.PERSON:
            whom = words.contact_named.format(contact=one_line(contact, _LONGEST)) if contact else words.contact
            body = f"{said.person.format(button=words.ask_person)}\n{said.otherwise.format(contact=whom)}"
            return OutgoingReply(text=whom, language=language, body=body, to_person=True)
