"""What is said to messages that ask nothing: for them nothing is looked up."""

from __future__ import annotations

from handlers.acts.asides import Aside, aside_in
from handlers.characters import one_line, wordless
from handlers.files import without_files
from handlers.messages import OutgoingReply, plainly
from handlers.wording_acts import ActWords
from handlers.wordings import SHIPPED, Wording

#: Characters of whom the administrator named.
_LONGEST = 300


def unasked_reply(text: str, language: str, *, contact: str, wording: Wording = SHIPPED) -> OutgoingReply | None:
    """What is said to a message that asks nothing: one without words, or nothing but an `Aside`; None for all others.
    `contact` is whom the administrator named, or ""."""
    if (aside := aside_in(without_files(text))) is not None:
        return aside_reply(aside, language, contact=contact, wording=wording)
    return plainly(wording.phrases(language).wordless, language) if wordless(text) else None


def aside_reply(aside: Aside, language: str, *, contact: str, wording: Wording = SHIPPED) -> OutgoingReply:
    """What is said to it; `contact` is whom the administrator named, or ""."""
    said, words = wording.phrases(language), wording.acts(language)
    if aside is Aside.PERSON:
        whom = _contact(contact, words)
        body = f"{said.person.format(button=words.ask_person)}\n{said.otherwise.format(contact=whom)}"
        return OutgoingReply(text=whom, language=language, body=body, to_person=True)
    sentences = {
        Aside.TRYING: said.trying,
        Aside.THANKS: said.welcome_back,
        Aside.SETTLED: said.settled,
        Aside.GREETING: said.greeting,
        Aside.NOD: said.nodded,
    }
    return plainly(sentences[aside], language)


def unhelped_reply(about: str, language: str, *, contact: str, wording: Wording = SHIPPED) -> OutgoingReply:
    """What is said to who says that the answer to the turn `about` did not help: as when its button is pressed."""
    words = wording.acts(language)
    text = f"{words.sorry}\n{_contact(contact, words)}"
    return OutgoingReply(text=text, language=language, body=words.sorry, to_person=True, about=about)


def _contact(named: str, words: ActWords) -> str:
    return words.contact_named.format(contact=one_line(named, _LONGEST)) if named else words.contact
