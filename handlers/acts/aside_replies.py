"""What is said to messages that ask nothing: for them nothing is looked up."""

from __future__ import annotations

from handlers.acts.asides import Aside
from handlers.characters import one_line
from handlers.messages import OutgoingReply, plainly
from handlers.wording_acts import ActWords
from handlers.wordings import SHIPPED, Wording

#: Characters of whom the administrator named.
_LONGEST = 300


def aside_reply(aside: Aside, language: str, *, wording: Wording = SHIPPED) -> OutgoingReply:
    """What is said to what asks nothing, and wants nobody."""
    said = wording.phrases(language)
    sentences = {
        Aside.TRYING: said.trying,
        Aside.THANKS: said.welcome_back,
        Aside.SETTLED: said.settled,
        Aside.GREETING: said.greeting,
        Aside.NOD: said.nodded,
    }
    return plainly(sentences[aside], language)


def person_reply(
    said: str, about: str | None, language: str, *, contact: str, wording: Wording = SHIPPED
) -> OutgoingReply:
    """What is said to the wish for a person or a ticket, in the words of `said`, where the button has a name in braces.
    `about` is the turn that it is about, `contact` whom the administrator named, or ""."""
    words = wording.acts(language)
    whom = one_line(contact, _LONGEST) or words.contact
    body = f"{said.format(button=words.ask_person)}\n{wording.phrases(language).otherwise.format(contact=whom)}"
    return OutgoingReply(text=_contact(contact, words), language=language, body=body, to_person=True, about=about)


def unhelped_reply(
    about: str, ticket: str | None, language: str, *, contact: str, wording: Wording = SHIPPED
) -> OutgoingReply:
    """What is said to who says that the answer to the turn `about` did not help, as when its button is pressed; the
    support team has it as `ticket`, None where it has not."""
    if ticket is not None:
        return plainly(wording.tickets(language).unhelped.format(ticket=ticket), language)
    words = wording.acts(language)
    text = f"{words.sorry}\n{_contact(contact, words)}"
    return OutgoingReply(text=text, language=language, body=words.sorry, to_person=True, about=about)


def _contact(named: str, words: ActWords) -> str:
    return words.contact_named.format(contact=one_line(named, _LONGEST)) if named else words.contact
