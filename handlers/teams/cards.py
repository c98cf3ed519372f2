"""The bot's own cards: a welcome, help, and what belongs to one person, which is for a personal chat only.

Whatever people wrote is shown as it stands. What a button brings back is a claim: who clicked decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from handlers.acts.help_lines import help_lines
from handlers.acts.own import WouldGo
from handlers.acts.own_lines import (
    MOST_REQUESTS,
    RECENT,
    going_lines,
    kept_line,
    known_lines,
    known_title,
    request_lines,
)
from handlers.acts.pasted import Pasted
from handlers.incidents.clicks import subscription
from handlers.markup.parts import Part
from handlers.messages import OutgoingReply
from handlers.teams.message import TeamsMessage, card_message
from handlers.teams.names import (
    ASK_PERSON,
    FORGET,
    FORGET_NO,
    FORGET_PASTED,
    FORGET_PASTED_NO,
    FORGET_PASTED_YES,
    FORGET_YES,
    MEMORY,
    SUBSCRIBE,
    TICKETS,
)
from handlers.teams.pieces import button, buttons, elements, heading, items, paragraph, small
from handlers.teams.records import Place
from handlers.teams.render_runs import Element
from handlers.wording_acts import ActWords
from handlers.wording_tickets import TicketWords
from handlers.wordings import SHIPPED, Wording
from memory.personal import Kept, Request
from memory.remember.profiles import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """For whom a card is: the language ("ja" or "en"), the clock, and where a request is in Teams, if it is there."""

    language: str
    zone: tzinfo
    link: Callable[[Request], str | None]
    wording: Wording = SHIPPED

    @property
    def words(self) -> ActWords:
        return self.wording.acts(self.language)

    @property
    def tickets(self) -> TicketWords:
        return self.wording.tickets(self.language)


def ask_person(turn: str, language: str, *, wording: Wording = SHIPPED) -> Element:
    """The button under the answer to this turn."""
    return button(ASK_PERSON, wording.acts(language).ask_person, turn)


def answer_buttons(turn: str, reply: OutgoingReply, *, wording: Wording = SHIPPED) -> list[Element]:
    """The buttons under the answer to this turn: for the author of a secret the way to have the message forgotten, and
    where others report the same, too, the way to hear of its end."""
    found = [ask_person(turn, reply.language, wording=wording)]
    if reply.incident is not None:
        label = wording.incidents(reply.language).subscribe
        found.insert(0, button(SUBSCRIBE, label, subscription(reply.incident, turn)))
    if reply.pasted:
        found.insert(0, button(FORGET_PASTED, wording.secrets(reply.language).forget, turn, style="destructive"))
    return found


def welcome_card(language: str, place: Place, *, wording: Wording = SHIPPED) -> TeamsMessage:
    """What is said in a place where the bot is new: what it does, how to ask, and examples."""
    words, here = wording.acts(language), wording.teams(language)
    body = [
        *elements(
            heading(here.welcome),
            paragraph(here.welcome_how),
            paragraph(here.welcome_channel),
            heading(words.home_examples),
            items(words.examples),
        ),
        *_own_buttons(language, place, wording),
    ]
    return card_message(body, language=language, wording=wording)


def help_card(language: str, place: Place, *, wording: Wording = SHIPPED) -> TeamsMessage:
    """How to use the bot, and the words that can be sent."""
    words = wording.acts(language)
    lines = help_lines(words)
    body = [
        *elements(
            heading(words.help),
            paragraph(lines.ask),
            items(lines.examples),
            paragraph(lines.person),
            paragraph(words.help_words),
            items(lines.words),
            heading(words.help_memory),
            items(lines.memory),
        ),
        *_own_buttons(language, place, wording),
    ]
    return card_message(body, language=language, wording=wording)


def _own_buttons(language: str, place: Place, wording: Wording) -> list[Element]:
    """What is one's own is shown in the personal chat alone: elsewhere a button would only say so."""
    here = wording.teams(language)
    own = buttons(button(TICKETS, here.show_requests), button(MEMORY, here.show_memory), language=language)
    return [own] if place is Place.PERSONAL else []


def requests_card(requests: Sequence[Request], reader: Reader) -> TeamsMessage:
    """The person's requests with date, state and link, in the order given."""
    body = elements(heading(reader.words.requests), _request_list(requests, reader, MOST_REQUESTS))
    if len(requests) > MOST_REQUESTS:
        body.append(small(reader.words.requests_more.format(count=MOST_REQUESTS)))
    return card_message(body, language=reader.language, wording=reader.wording)


def _request_list(requests: Sequence[Request], reader: Reader, most: int) -> list[Part]:
    if not requests:
        return [paragraph(reader.words.requests_none)]
    return items(request_lines(requests, reader, most))


def memory_card(kept: Kept, requests: Sequence[Request], profile: Profile | None, reader: Reader) -> TeamsMessage:
    """How much of the person's words is kept since when, the latest requests, what is on record under the person's
    name, and the way to be forgotten."""
    words = reader.words
    recent = [heading(words.recent), *_request_list(requests, reader, RECENT)] if requests else []
    body = elements(heading(words.memory), paragraph(kept_line(kept, reader)), recent, _known(profile, reader))
    if kept.messages:
        body.append(buttons(button(FORGET, words.forget, style="destructive"), language=reader.language))
    return card_message(body, language=reader.language, wording=reader.wording)


def _known(profile: Profile | None, reader: Reader) -> list[Part]:
    lines = known_lines(profile, reader)
    return [heading(known_title(profile, reader)), *items(lines)] if profile and lines else []


def forget_card(would: WouldGo, person: str, language: str, *, wording: Wording = SHIPPED) -> TeamsMessage:
    """What will go and what stays, before it does. The buttons say whom the question was put to, so that another's
    click can be refused; who clicks is forgotten, and nobody else."""
    words = wording.acts(language)
    lines = going_lines(would, wording.teams(language).forget_stays, words, wording.tickets(language))
    yes = button(FORGET_YES, words.forget_yes, person, style="destructive")
    body = [
        *elements(heading(words.forget_question), items(lines)),
        buttons(yes, button(FORGET_NO, words.forget_no, person), language=language),
    ]
    return card_message(body, language=language, wording=wording)


def pasted_card(value: str, pasted: Pasted) -> TeamsMessage:
    """The question before one message goes. Its buttons bring back `value`, which message; who may answer is looked
    up."""
    words, language = pasted.wording.acts(pasted.language), pasted.language
    yes = button(FORGET_PASTED_YES, words.forget_yes, value, style="destructive")
    body = [
        *elements(heading(pasted.question), items(pasted.consequences)),
        buttons(yes, button(FORGET_PASTED_NO, words.forget_no, value), language=language),
    ]
    return card_message(body, language=language, wording=pasted.wording)
