"""Tickets as people work on them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from config.tickets import HoursSettings, TicketSettings, Weekday
from handlers.handover import Handed, Wanted
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor, Away, Resolution, Shared
from handlers.tickets.requests import handed_to, told
from handlers.wordings import SHIPPED
from memory.errors import NotAllowed, StepRefused, TicketElsewhere, TicketMoved, TicketUnknown
from memory.model import Role, Turn, Viewer, Visibility
from memory.stores.in_memory_words import InMemoryStore
from memory.tickets import State, Step, Ticket, TicketFilter
from tests.fakes.turns import NOON, turn
from tests.fakes.words import Watch

NOW = NOON + timedelta(hours=1)
SATO = Actor(viewer=Viewer(user="sato"), name="佐藤", language="ja")
SATO_IN_ENGLISH = Actor(viewer=Viewer(user="sato"), name="Sato", language="en")
MORI = Actor(viewer=Viewer(user="mori"), name="Mori", language="en")
KATO = Actor(viewer=Viewer(user="kato", agent=True), name="Kato", language="en")
SETTINGS = TicketSettings(categories={"network": ("VPN",)})


@pytest.fixture
async def store() -> InMemoryStore:
    return InMemoryStore(clock=Watch())


@pytest.fixture
def desk(store: InMemoryStore) -> TicketDesk:
    return desk_with(store, SETTINGS)


def desk_with(store: InMemoryStore, settings: TicketSettings, now: datetime = NOW) -> TicketDesk:
    return TicketDesk(
        reading=store.reading,
        tickets=store.tickets,
        writing=store.ticket_writing,
        recorder=store.writing,
        settings=settings,
        clock=lambda: now,
        agents=("kato",),
    )


async def asked(store: InMemoryStore, text: str = "VPNにつながりません。昨日からです。", thread: str = "T1") -> Turn:
    message = turn(1, text, ticket=None, thread=thread, author="sato", visibility=Visibility.PRIVATE)
    await store.writing.record([message])
    return message


async def test_a_message_becomes_a_ticket_with_a_proposed_title_and_category(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    opened = await desk.open((await asked(store)).id, SATO)

    assert (opened.name, opened.title, opened.category) == ("HD-1", "VPNにつながりません。", "network")
    assert (opened.state, opened.requester, opened.assignee) == (State.OPEN, "sato", None)


async def test_the_same_message_is_the_same_ticket(store: InMemoryStore, desk: TicketDesk) -> None:
    message = await asked(store)
    first = await desk.open(message.id, SATO)

    assert await desk.open(message.id, KATO, title="Something else") == first


async def test_a_title_of_ones_own_is_taken(store: InMemoryStore, desk: TicketDesk) -> None:
    assert (await desk.open((await asked(store)).id, SATO, title="VPN (自宅)")).title == "VPN (自宅)"


async def test_nobody_makes_a_ticket_of_a_message_that_they_may_not_see(store: InMemoryStore, desk: TicketDesk) -> None:
    message = await asked(store)

    with pytest.raises(TicketUnknown):
        await desk.open(message.id, MORI)


async def test_a_support_agent_takes_it_asks_and_resolves_it_and_all_stands_in_the_conversation(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name

    taken = await desk.step(name, Step.TAKE, KATO, key="1")
    assert (taken.state, taken.assignee) == (State.WAITING_FOR_SUPPORT, "Kato")
    waiting = await desk.ask(name, "Which network are you on?", KATO, key="2")
    assert (waiting.state, waiting.assignee) == (State.WAITING_FOR_USER, "Kato")
    answered = await desk.step(name, Step.USER_ANSWERED, SATO, key="3")
    assert answered.state is State.WAITING_FOR_SUPPORT
    done = await desk.resolve(name, Resolution(cause="old certificate", fix="renew it"), KATO, key="4")
    assert (done.state, done.assignee) == (State.RESOLVED, "Kato")

    words = await store.reading.named(name, KATO.viewer, NOW + timedelta(days=1))
    assert [(one.said_by, one.role, one.text) for one in words] == [
        ("sato", Role.REQUESTER, "VPNにつながりません。昨日からです。"),
        ("佐藤", Role.REQUESTER, "チケットを作成しました。"),
        ("Kato", Role.AGENT, "Kato takes HD-1."),
        ("Kato", Role.AGENT, "Which network are you on?"),
        ("佐藤", Role.REQUESTER, "HD-1 に 佐藤 から返事がありました。"),
        ("Kato", Role.AGENT, "HD-1 is resolved.\nCause: old certificate\nFix: renew it"),
    ]
    assert {one.visibility for one in words} == {Visibility.PRIVATE}


async def test_an_act_that_is_told_twice_is_done_once(store: InMemoryStore, desk: TicketDesk) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name
    first = await desk.resolve(name, Resolution(fix="restart"), KATO, key="click")

    assert await desk.resolve(name, Resolution(fix="restart"), KATO, key="click") == first
    assert len(await store.reading.named(name, KATO.viewer, NOW + timedelta(days=1))) == 3


@pytest.mark.parametrize("step", [Step.TAKE, Step.ASK_USER, Step.HAND_BACK])
async def test_only_support_agents_take_the_steps_of_support(
    store: InMemoryStore, desk: TicketDesk, step: Step
) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name

    with pytest.raises(NotAllowed):
        await desk.ask(name, "…", SATO, key="1") if step is Step.ASK_USER else await desk.step(
            name, step, SATO, key="1"
        )


async def test_a_requester_closes_and_reopens_an_own_ticket(store: InMemoryStore, desk: TicketDesk) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name

    assert (await desk.step(name, Step.CLOSE, SATO, key="1")).state is State.CLOSED
    with pytest.raises(StepRefused):
        await desk.step(name, Step.CLOSE, SATO, key="2")
    assert (await desk.step(name, Step.REOPEN, SATO, key="3")).state is State.REOPENED


async def test_somebody_elses_ticket_is_not_there(store: InMemoryStore, desk: TicketDesk) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name

    with pytest.raises(TicketUnknown):
        await desk.step(name, Step.CLOSE, MORI, key="1")


async def test_a_conversation_is_held_from_taking_to_handing_back(store: InMemoryStore, desk: TicketDesk) -> None:
    message = await asked(store)
    name = (await desk.open(message.id, SATO)).name

    assert not await desk.held(message)
    await desk.step(name, Step.TAKE, KATO, key="1")
    assert await desk.held(message)
    handed_back = await desk.step(name, Step.HAND_BACK, KATO, key="2")
    assert (handed_back.state, handed_back.assignee) == (State.OPEN, None)
    assert not await desk.held(message)


async def test_a_settled_ticket_holds_nobody_up(store: InMemoryStore, desk: TicketDesk) -> None:
    message = await asked(store)
    name = (await desk.open(message.id, SATO)).name
    await desk.step(name, Step.TAKE, KATO, key="1")
    await desk.resolve(name, Resolution(), KATO, key="2")

    assert not await desk.held(message)


# --- requests that go to a person -------------------------------------------------------------------------------------


async def said(store: InMemoryStore, number: int, text: str) -> Turn:
    """Something that Sato says in the same conversation."""
    message = turn(number, text, ticket=None, thread="T1", author="sato", visibility=Visibility.PRIVATE, minutes=number)
    await store.writing.record([message])
    return message


async def test_a_request_is_about_the_ticket_that_is_under_way_in_its_conversation(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    first = await desk.of_message((await asked(store)).id, SATO)
    later = await said(store, 2, "プリンターも動きません。")

    assert (await desk.of_message(later.id, SATO)).name == first.name == "HD-1"


async def test_after_a_ticket_is_settled_another_request_is_another_ticket(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    message = await asked(store)
    await desk.of_message(message.id, SATO)
    await desk.step("HD-1", Step.CLOSE, SATO, key="1")
    later = await said(store, 90, "プリンターも動きません。")

    evening = desk_with(store, SETTINGS, NOW + timedelta(hours=5))
    assert (await evening.of_message(later.id, SATO)).name == "HD-2"
    assert (await evening.of_message(message.id, SATO)).name == "HD-2"


async def test_a_request_about_a_settled_ticket_names_that_one_again(store: InMemoryStore, desk: TicketDesk) -> None:
    message = await asked(store)
    beside = await said(store, 2, "とても困っています。")
    await desk.of_message(message.id, SATO)
    await desk.step("HD-1", Step.CLOSE, SATO, key="1")

    assert (await desk.of_message(beside.id, SATO)).name == "HD-1"


async def test_a_colleague_who_asks_for_somebody_is_no_support_agent(store: InMemoryStore, desk: TicketDesk) -> None:
    message = turn(1, "VPN is down", ticket=None, thread="T1", author="sato", visibility=Visibility.EVERYONE)
    await store.writing.record([message])
    await desk.of_message(message.id, MORI)

    [_, opening] = await store.reading.named("HD-1", KATO.viewer, NOW + timedelta(days=1))
    assert (opening.said_by, opening.role) == ("Mori", Role.REQUESTER)


async def nothing_settled(_: str, __: Actor) -> Ticket | None:
    """No request is about a ticket that is over."""
    return None


@pytest.mark.parametrize(
    ("message", "root", "name"), [("unkept", "", None), ("unkept", "1", "HD-1"), ("1", "", "HD-1")]
)
async def test_a_request_of_which_nothing_was_kept_has_no_ticket(
    store: InMemoryStore, desk: TicketDesk, message: str, root: str, name: str | None
) -> None:
    first = await asked(store)
    ids = {"1": first.message}
    wanted = Wanted(
        conversation=first.conversation,
        message=ids.get(message, message),
        root=ids.get(root, root),
        viewer=SATO.viewer,
        language="ja",
    )
    ticket = (await handed_to(wanted, desk, nothing_settled)).ticket
    assert (ticket.name if ticket else None) == name


async def test_outside_working_hours_it_is_known_when_support_is_back_and_who_stands_in(store: InMemoryStore) -> None:
    """It is a Friday; support works on Mondays."""
    hours = HoursSettings(days=(Weekday.MONDAY,), begins="10:00", ends="11:00", time_zone="Asia/Tokyo")
    away = desk_with(store, TicketSettings(hours=hours, fallback_owner="Mori")).away()

    assert away is not None
    assert (f"{away.back:%a %H:%M}", away.stand_in) == ("Mon 10:00", "Mori")
    assert desk_with(store, TicketSettings()).away() is None


async def test_who_asks_is_told_the_ticket_and_when_support_is_back_in_their_own_zone(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    back = datetime(2026, 12, 1, 0, 0, tzinfo=UTC)
    ticket = await desk.open((await asked(store)).id, SATO)
    handed = Handed(ticket=ticket, away=Away(back=back, stand_in=None))

    assert told("担当者に伝えました。", handed, language="ja", zone=ZoneInfo("Asia/Tokyo"), wording=SHIPPED) == (
        "HD-1: 担当者に伝えました。\nただいま受付時間外です。担当者は2026年12月1日(火) 09:00に戻ります。"
    )
    assert told("I told them.", handed, language="en", zone=ZoneInfo("Europe/London"), wording=SHIPPED) == (
        "HD-1: I told them.\nSupport is away just now, and back on Tue 1 Dec 2026, 00:00."
    )
    assert told("I told them.", Handed(ticket=None, away=None), language="en", zone=UTC, wording=SHIPPED) == (
        "I told them."
    )


async def test_an_imported_ticket_is_changed_where_it_comes_from(store: InMemoryStore, desk: TicketDesk) -> None:
    await store.writing.record([turn(1, ticket="INC-9", thread="INC-9", status="open")])

    with pytest.raises(TicketElsewhere):
        await desk.step("INC-9", Step.TAKE, KATO, key="1")


# --- what was learned -------------------------------------------------------------------------------------------------

EVERYBODY = Viewer(user="mori", channel="elsewhere")


async def resolved(store: InMemoryStore, desk: TicketDesk) -> str:
    """A private ticket that was resolved."""
    name = (await desk.open((await asked(store)).id, SATO)).name
    await desk.resolve(name, Resolution(cause="old certificate", fix="renew it"), KATO, key="1")
    return name


async def shared_with(store: InMemoryStore, viewer: Viewer) -> list[str]:
    return [one.text for one in await store.reading.named("HD-1", viewer, NOW + timedelta(days=1))]


async def test_what_was_learned_is_proposed_to_the_agent_and_read_by_nobody_else(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    name = await resolved(store, desk)

    assert await desk.learned(name, KATO) == Shared(symptom="", learned="Cause: old certificate\nFix: renew it")
    with pytest.raises(TicketUnknown):
        await desk.learned(name, MORI)
    assert await shared_with(store, EVERYBODY) == []


@pytest.mark.parametrize(
    ("visibility", "title", "symptom"),
    [
        (Visibility.PRIVATE, "", ""),
        (Visibility.PRIVATE, "VPN (自宅)", ""),
        (Visibility.CHANNEL, "", ""),
        (Visibility.EVERYONE, "", "まだVPNにつながりません。"),
        (Visibility.EVERYONE, "VPN (自宅)", "VPN (自宅)"),
    ],
)
async def test_only_a_title_that_everybody_reads_now_is_proposed_to_everybody(
    store: InMemoryStore, desk: TicketDesk, visibility: Visibility, title: str, symptom: str
) -> None:
    message = replace(await asked(store), visibility=visibility)
    await store.writing.record([message])
    name = (await desk.open(message.id, SATO, title=title)).name
    await store.writing.record([replace(message, text="まだVPNにつながりません。昨日からです。")])
    await desk.resolve(name, Resolution(fix="renew it"), KATO, key="1")

    assert await desk.learned(name, KATO) == Shared(symptom=symptom, learned="Fix: renew it")


async def test_what_the_requester_said_of_the_end_is_not_proposed_to_everybody(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name
    await desk.resolve(name, Resolution(fix="I asked my boss"), SATO, key="1")

    assert await desk.learned(name, KATO) == Shared(symptom="", learned="")


async def test_what_a_support_agent_found_out_in_an_own_request_is_proposed_to_everybody(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    message = turn(1, "My screen stays dark.", ticket=None, thread="T1", author="kato", requester="kato")
    await store.writing.record([message])
    name = (await desk.open(message.id, KATO)).name
    for number, words, place in ((2, "It is still dark.", ""), (3, "The cable was loose.", "-support")):
        said = replace(message, message=f"{number}{place}", text=words, ticket=name, said_at=NOW)
        await store.writing.record([said])
    assert await desk.last_words(name, KATO) == "The cable was loose."

    await desk.resolve(name, Resolution(cause="a loose cable", fix="plug it in"), KATO, key="1")
    mai = replace(KATO, viewer=Viewer(user="mai", agent=True))
    for agent in (KATO, mai):
        assert (await desk.learned(name, agent)).learned == "Cause: a loose cable\nFix: plug it in"


async def test_a_title_of_the_messages_own_words_follows_its_edits_and_goes_with_it(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    message = await asked(store, "My VPN is down. Since noon.")
    name = (await desk.open(message.id, SATO_IN_ENGLISH, title="My VPN is down.")).name
    await store.writing.record([replace(message, text="My mouse is broken. Since noon.")])
    assert (await desk.seen(name, KATO)).title == "My mouse is broken."

    await desk.step(name, Step.TAKE, KATO, key="1")
    await store.mailbox.withdraw(message.id)
    left = await store.reading.named(name, KATO.viewer, NOW + timedelta(days=1))

    assert [one.text for one in left] == ["Opened a ticket.", "Kato takes HD-1."]
    assert (await desk.seen(name, KATO)).title == "HD-1"


async def test_what_an_agent_approved_is_read_by_everybody_and_nothing_else_of_the_ticket(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    name = await resolved(store, desk)
    await desk.share(name, Shared(symptom="No VPN", learned="Fix: renew it, token=sk-abcdefghijklmnop123456"), KATO)

    [text] = await shared_with(store, EVERYBODY)
    assert text.startswith("No VPN\nFix: renew it")
    assert "sk-abcdef" not in text
    assert [one.name for one in await store.tickets.named(["HD-1"], MORI.viewer)] == []
    assert len(await store.tickets.listed(KATO.viewer, TicketFilter(), None, 9)) == 1


async def test_sharing_again_changes_the_words(store: InMemoryStore, desk: TicketDesk) -> None:
    name = await resolved(store, desk)
    await desk.share(name, Shared(symptom="", learned="restart"), KATO)
    await desk.share(name, Shared(symptom="", learned="renew it"), KATO)

    assert await shared_with(store, EVERYBODY) == ["renew it"]
    assert await desk.last_words(name, KATO) == ""


@pytest.mark.parametrize(
    ("actor", "words", "error"),
    [(SATO, "restart", NotAllowed), (MORI, "restart", TicketUnknown), (KATO, " ", StepRefused)],
)
async def test_only_an_agent_shares_and_only_words(
    store: InMemoryStore, desk: TicketDesk, actor: Actor, words: str, error: type[Exception]
) -> None:
    name = await resolved(store, desk)
    with pytest.raises(error):
        await desk.share(name, Shared(symptom="", learned=words), actor)
    assert await shared_with(store, EVERYBODY) == []


async def test_what_is_not_settled_is_not_shared(store: InMemoryStore, desk: TicketDesk) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name
    with pytest.raises(StepRefused):
        await desk.share(name, Shared(symptom="", learned="restart"), KATO)


async def test_who_asks_something_has_the_ticket_unless_somebody_has_it(store: InMemoryStore, desk: TicketDesk) -> None:
    okabe = Actor(viewer=Viewer(user="okabe", agent=True), name="Okabe", language="ja")
    name = (await desk.open((await asked(store)).id, SATO)).name

    assert (await desk.ask(name, "いつからですか？", KATO, key="1")).assignee == "Kato"
    assert (await desk.ask(name, "どこですか？", okabe, key="2")).assignee == "Kato"


async def test_a_step_from_how_a_ticket_stood_before_somebody_else_took_it_is_not_taken(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    seen = await desk.open((await asked(store)).id, SATO)
    await desk.step(seen.name, Step.TAKE, KATO, key="1")
    okabe = Actor(viewer=Viewer(user="okabe", agent=True), name="Okabe", language="en")
    with pytest.raises(TicketMoved):
        await desk.step_from(seen, Step.TAKE, okabe, key="2")
    assert (await desk.seen(seen.name, KATO)).assignee == "Kato"


async def test_who_took_a_ticket_has_it_under_another_name_too_and_nobody_else_has(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    opened = await desk.open((await asked(store)).id, SATO)
    assert not await desk.has(opened, KATO)
    taken = await desk.step(opened.name, Step.TAKE, KATO, key="1")
    okabe = Actor(viewer=Viewer(user="okabe", agent=True), name="Okabe", language="en")
    assert [await desk.has(taken, one) for one in (KATO, replace(KATO, name="Kato (IT)"), okabe)] == [True, True, False]
