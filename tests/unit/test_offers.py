"""What is said with a reply of the way to a person, so that nobody is promised a ticket that is not made."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from handlers.earlier import CALLED
from handlers.messages import OutgoingReply, plainly
from handlers.offers import Offers
from handlers.wordings import SHIPPED
from memory.answers import AnswerKind
from memory.model import Conversation, Turn, Viewer, Visibility, reply_message
from memory.stores.in_memory_words import InMemoryStore
from memory.tickets import State, Ticket
from tests.fakes.answers import abstained
from tests.fakes.turns import NOON, turn

ANYBODY = Viewer(user="U0BOB", channel="it-help")


def said(number: int, text: str, author: str = "U0BOB") -> Turn:
    return turn(
        number, text, ticket=None, minutes=number, author=author, requester="U0AYA", visibility=Visibility.EVERYONE
    )


def ticket(of: str) -> Ticket:
    opened = said(1, "VPN", of)
    return Ticket(
        name="HD-7",
        ours=True,
        conversation=opened.conversation,
        opened_by=opened.id,
        requester=of,
        visibility=opened.visibility,
        title="VPN",
        category=None,
        status=None,
        state=State.OPEN,
        assignee=None,
        opened_at=NOON,
        changed_at=NOON,
        changes=1,
    )


async def told(
    reply: OutgoingReply, message: Turn, known: Ticket | None, *before: Turn, back: Ticket | None = None
) -> OutgoingReply:
    """The reply to this message where that ticket is under way, these were said before, and a click for a person brings
    that ticket `back`."""
    store = InMemoryStore(clock=lambda: NOON + timedelta(hours=1))
    await store.writing.record([*before, message])

    async def under_way(_: Conversation, __: Viewer) -> Ticket | None:
        return known

    async def returning(_: Turn, __: Viewer) -> Ticket | None:
        return back

    offers = Offers(reading=store.reading, under_way=under_way, returning=returning, wording=SHIPPED)
    return await offers.told(reply, message, ANYBODY)


def unknown(language: str = "en") -> OutgoingReply:
    return replace(plainly("Still open", language), answer=abstained())


@pytest.mark.parametrize(
    ("language", "note"),
    [
        (
            "en",
            "Another person's request, HD-7, is under way here. If you ask a person here, what you wrote is added to "
            "it. For a request of your own, please write to me directly.",
        ),
        (
            "ja",
            "ここでは、ほかの方の依頼 HD-7 が進行中です。ここで担当者に相談すると、書かれた内容はそれに加わります。"
            "ご自分の依頼にするには、私に直接書いてください。",
        ),
    ],
)
async def test_beside_somebody_elses_ticket_none_is_offered_and_it_is_said_what_a_click_does(
    language: str, note: str
) -> None:
    reply = await told(unknown(language), said(2, "The lift is stuck"), ticket("U0AYA"))
    assert (reply.matter, reply.notes) == ("", (note,))
    person = replace(plainly("To talk to a person, click below.", language), to_person=True)
    assert (await told(person, said(2, "a person please"), ticket("U0AYA"))).notes == (note,)


async def test_beside_an_own_ticket_that_is_said_in_the_place_of_an_offer_alone() -> None:
    message, own = said(2, "The lift is stuck"), ticket("U0BOB")
    note = "Your request HD-7 is under way here. If you ask a person, what you wrote is added to HD-7."
    assert (await told(unknown(), message, own)).notes == (note,)
    quoted = replace(plainly("Look", "en"), answer=replace(abstained(), kind=AnswerKind.QUOTES))
    assert (await told(quoted, message, own)).notes == ()


async def test_the_message_of_a_ticket_is_not_said_to_be_added_to_it() -> None:
    known = ticket("U0AYA")
    assert (await told(unknown(), said(1, "VPN", "U0AYA"), known)).notes == ()


async def test_a_reply_that_leads_to_nobody_says_nothing_of_tickets() -> None:
    assert await told(plainly("Hello", "en"), said(2, "hi"), ticket("U0AYA")) == plainly("Hello", "en")


@pytest.mark.parametrize("call", [CALLED, "any idea?"])
async def test_of_a_call_a_ticket_would_be_made_of_what_stands_above_it(call: str) -> None:
    assert (
        await told(unknown(), said(2, call), None, said(1, "The lift is stuck", "U0AYA"))
    ).matter == "The lift is stuck"
    assert (await told(unknown(), said(2, call), None)).matter == ""


async def test_a_second_call_means_what_the_first_one_did() -> None:
    first = said(2, CALLED)
    reply = replace(first, message=reply_message(first.message), author="bot", text="I do not know", derived=True)
    reply = replace(reply, said_at=first.said_at + timedelta(seconds=9))
    assert (await told(unknown(), said(4, CALLED), None, said(1, "The lift is stuck"), first, reply)).matter == (
        "The lift is stuck"
    )


@pytest.mark.parametrize("words", ["help", "違います", "お疲れ様です。山口です。"])
async def test_of_what_nobody_could_work_on_no_ticket_would_be_made(words: str) -> None:
    assert (await told(unknown(), said(2, words), None)).matter == ""


async def test_where_a_click_brings_a_resolved_ticket_back_no_new_one_is_offered() -> None:
    answer = unknown()
    assert (await told(answer, said(2, "It still beeps at night"), None, back=ticket("U0BOB"))).notes == (
        *answer.notes,
        "If you ask a person, HD-7, which is resolved, is opened again.",
    )
    assert (await told(answer, said(2, "It still beeps at night"), None, back=ticket("U0BOB"))).matter == ""
    assert (await told(answer, said(2, "It still beeps at night"), None)).matter == "It still beeps at night"
