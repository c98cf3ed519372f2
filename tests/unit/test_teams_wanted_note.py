"""The note to the support team in Teams: a card that holds whatever was written, with what can be done from there."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handlers.handover import Handed, Wanted
from handlers.teams.acts.wanted_note import wanted_note, words_note
from handlers.teams.mention import Mention
from handlers.teams.message import TeamsMessage
from handlers.tickets.records import Away, Shared
from memory.model import DIRECT, Conversation, Viewer, Visibility
from memory.tickets import State, Ticket
from tests.fakes.teams_cards import faults
from tests.fakes.turns import turn

JST = timezone(timedelta(hours=9))
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
CHANNEL = Conversation(platform="teams", workspace="t", channel="19:help@thread.tacv2", thread="1")
PRIVATE = replace(CHANNEL, channel=DIRECT, thread="a:1")
LINK = "https://teams.microsoft.com/l/message/19%3Ahelp/1"
WANTED = Wanted(
    conversation=CHANNEL, message="1", viewer=Viewer(user="aya"), language="ja", name="佐藤", link=LINK, said_at=NOON
)
TICKET = Ticket(
    name="HD-1",
    ours=True,
    conversation=CHANNEL,
    opened_by="1",
    requester="aya",
    visibility=Visibility.CHANNEL,
    title="VPN",
    category=None,
    status=None,
    state=State.OPEN,
    assignee=None,
    opened_at=NOON,
    changed_at=NOON,
    changes=1,
)
HANDED = Handed(ticket=TICKET, away=None)


def card(message: TeamsMessage) -> Any:
    attachments: Any = message.content["attachments"]
    return attachments[0]["content"]


def lines(message: TeamsMessage) -> list[str]:
    """What the card says, element by element."""
    return [
        one["text"] if "text" in one else "".join(run["text"] for run in one["inlines"])
        for one in card(message)["body"]
    ]


def titles(message: TeamsMessage) -> list[str]:
    """What stands on the buttons below the card."""
    return [one["title"] for one in card(message).get("actions", [])]


def test_it_says_who_wants_a_person_about_what_since_when_and_where_the_ticket_stands() -> None:
    asked = turn(1, "VPNが切れます", ticket=None)
    note = wanted_note(WANTED, HANDED, asked, "ja", JST)
    assert lines(note) == [
        "HD-1: 佐藤 さんが担当者に相談したいそうです。",
        "質問: VPNが切れます",
        "質問の日時: 2026-11-30 21:00",
        "やり取りを開く",
        "HD-1: 受付済み（担当: なし）",
        "担当者がいる間、ここに私をメンションして返信したことは、依頼した人に届きます。// で始めると届きません。",
    ]
    assert titles(note) == ["担当する", "本人に質問する", "解決にする"]
    english = wanted_note(replace(WANTED, name="Aya"), HANDED, asked, "en", UTC)
    assert lines(english)[0] == "HD-1: Aya would like to talk to a person."
    assert lines(english)[-2] == "HD-1: open (owner: nobody)"
    assert titles(english) == ["Take", "Ask the user", "Resolve"]
    assert faults(note.content, [LINK]) == faults(english.content, [LINK]) == []


@pytest.mark.parametrize(
    ("state", "assignee", "expected"),
    [
        (State.WAITING_FOR_SUPPORT, "岡部", ["Hand back", "Ask the user", "Resolve"]),
        (State.WAITING_FOR_USER, "岡部", ["Hand back", "Ask the user", "Resolve"]),
        (State.REOPENED, None, ["Take", "Ask the user", "Resolve"]),
        (State.RESOLVED, "岡部", ["Share with everyone"]),
        (State.CLOSED, None, []),
    ],
)
def test_the_buttons_are_those_of_the_steps_that_can_be_taken(
    state: State, assignee: str | None, expected: list[str]
) -> None:
    handed = Handed(ticket=replace(TICKET, state=state, assignee=assignee), away=None)
    assert titles(wanted_note(WANTED, handed, None, "en", UTC)) == expected


def test_a_request_of_which_nothing_was_kept_has_no_ticket_and_no_buttons() -> None:
    note = wanted_note(WANTED, Handed(ticket=None, away=None), None, "en", UTC)
    assert lines(note)[0] == "佐藤 would like to talk to a person."
    assert titles(note) == []


def test_of_what_may_not_be_shown_it_says_why() -> None:
    hidden = lines(wanted_note(WANTED, HANDED, None, "en", UTC))
    private = lines(wanted_note(replace(WANTED, conversation=PRIVATE, link=None), HANDED, None, "en", UTC))
    assert hidden[1] == "What was asked may not be shown in this channel. Please ask them."
    assert private[1] == "They asked me in a personal chat, so I do not show what was asked."


def test_outside_working_hours_it_names_who_stands_in() -> None:
    handed = replace(HANDED, away=Away(back=NOON, stand_in="Duty phone, 1234"))
    assert lines(wanted_note(WANTED, handed, None, "en", UTC))[1] == "Outside working hours: Duty phone, 1234"


def test_the_form_asks_for_cause_and_fix_and_takes_none_without_a_fix() -> None:
    [_, _, resolve] = card(wanted_note(WANTED, HANDED, None, "en", UTC, fix="renew it"))["actions"]
    hint, cause, fix = resolve["card"]["body"]
    assert hint["inlines"][0]["text"].startswith("Who asked is told what you write here")
    assert (cause["label"], cause.get("value"), cause.get("isRequired")) == ("Cause (may be left empty)", None, None)
    assert (fix["label"], fix["value"], fix["isRequired"]) == ("Fix (how it was solved)", "renew it", True)
    assert fix["errorMessage"] == "Please write how it was solved."
    assert [one["title"] for one in resolve["card"]["actions"]] == ["Send"]


def test_the_form_that_asks_the_user_takes_no_empty_question() -> None:
    [_, ask, _] = card(wanted_note(WANTED, HANDED, None, "en", UTC))["actions"]
    hint, question = ask["card"]["body"]
    assert hint["inlines"][0]["text"] == "The user reads this under your name. The answer comes into this thread."
    assert (question["label"], question["isRequired"]) == ("What do you want to know?", True)
    assert question["errorMessage"] == "Please write what you want to know."


def test_what_everybody_may_read_of_a_resolved_ticket_is_looked_through_on_a_form() -> None:
    resolved = Handed(ticket=replace(TICKET, state=State.RESOLVED), away=None)
    learned = Shared(symptom="VPN drops", learned="renew it")
    [share] = card(wanted_note(WANTED, resolved, None, "en", UTC, learned=learned))["actions"]
    hint, symptom, fix = share["card"]["body"]
    assert hint["inlines"][0]["text"].startswith("From then on anybody can get this as an answer.")
    assert (symptom["label"], symptom["value"]) == ("What the problem was", "VPN drops")
    assert (fix["label"], fix["value"], fix["isRequired"]) == ("Cause and fix", "renew it", True)


@settings(max_examples=50, deadline=None)
@given(name=st.text(max_size=200), said=st.text(min_size=1, max_size=3_000), fix=st.text(max_size=3_000))
def test_whatever_was_written_teams_takes_the_note_and_parses_nothing_in_it(name: str, said: str, fix: str) -> None:
    ticket = replace(TICKET, assignee=name or None)
    wanted = replace(WANTED, name=name, title=said, note=said, words=said)
    asked = turn(1, f"VPN {said}", ticket=None)
    mention = Mention(id="aya", name=name)
    note = wanted_note(wanted, Handed(ticket=ticket, away=None), asked, "ja", JST, mention, fix=fix)
    resolved = Handed(ticket=replace(ticket, state=State.RESOLVED), away=None)
    shared = wanted_note(wanted, resolved, asked, "ja", JST, mention, learned=Shared(symptom=said, learned=fix))
    assert faults(note.content, [LINK]) == faults(shared.content, [LINK]) == []
    assert faults(words_note(wanted.words, "ja").content) == []


@pytest.mark.parametrize("character", ["あ", "😀", '"', "<at>"])
def test_the_longest_note_with_the_longest_fix_fits_into_a_message(character: str) -> None:
    long = character * 3_000
    wanted = replace(WANTED, name=long, title=long, note=long, words=long)
    note = wanted_note(wanted, HANDED, turn(1, long, ticket=None), "ja", JST, Mention(id="aya", name=long), fix=long)
    resolved = Handed(ticket=replace(TICKET, state=State.RESOLVED), away=None)
    learned = Shared(symptom=long, learned=long)
    shared = wanted_note(wanted, resolved, turn(1, long, ticket=None), "ja", JST, learned=learned)
    assert faults(note.content, [LINK]) == faults(shared.content, [LINK]) == []
    assert faults(words_note(wanted.words, "ja").content) == []
