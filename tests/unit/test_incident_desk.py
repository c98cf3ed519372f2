"""Trouble that several people report at once: when it is noticed, what is said of it, and to whom."""

from __future__ import annotations

import random
import re
from datetime import timedelta

import pytest

from bot.desks import tickets_over
from config.glossary import TermSettings
from config.incidents import IncidentSettings
from config.loader import load_settings
from handlers.incidents.desk import IncidentDesk
from handlers.incidents.records import Notice, Subscribed
from handlers.incidents.words import notice_line
from handlers.tickets.records import Actor
from handlers.wordings import SHIPPED
from memory.errors import EncoderUnavailable, IncidentSettled, NotAllowed
from memory.incidents import Incident, Phase
from memory.index_ports import Vector
from memory.model import Role, Turn, Viewer, Visibility
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_words import InMemoryStore
from memory.text.glossary import Glossary
from memory.tickets import State, Step
from tests.fakes.incidents import TurnsClock, ask, asked, incident_desk, question
from tests.fakes.turns import NOON

KATO = Actor(viewer=Viewer(user="kato", agent=True), name="Kato", language="en")
SATO = Actor(viewer=Viewer(user="sato"), name="佐藤", language="ja")
ANYBODY = Viewer(user="", channel="")
#: Four people with one trouble, in two languages.
MAIL = [
    ("sato", "メールを送信するとエラー ML-451 で戻ってきます。"),
    ("mori", "メール送信がエラー ML-451 になり、戻ってきます。"),
    ("abe", "メールを送信してもエラー ML-451 で戻ってきます。"),
    ("bob", "My mail bounces with error ML-451."),
]


@pytest.fixture
def clock() -> TurnsClock:
    return TurnsClock(NOON + timedelta(hours=1))


@pytest.fixture
def store(clock: TurnsClock) -> InMemoryStore:
    return InMemoryStore(clock=clock)


@pytest.fixture
def desk(store: InMemoryStore, clock: TurnsClock) -> IncidentDesk:
    return incident_desk(store, clock)


def questions(*said: tuple[str, str], visibility: Visibility = Visibility.EVERYONE) -> list[Turn]:
    return [question(person, text, minutes=number, visibility=visibility) for number, (person, text) in enumerate(said)]


async def going_on(desk: IncidentDesk, store: InMemoryStore) -> Incident:
    """The incident that three people report."""
    await asked(desk, store, questions(*MAIL[:3]))
    [incident] = await desk.listed(10, going_on=True)
    return incident


async def test_the_third_person_is_told_with_a_ticket_and_by_its_public_name(
    desk: IncidentDesk, store: InMemoryStore
) -> None:
    first, second, third = await asked(desk, store, questions(*MAIL[:3]))
    assert (first, second) == (None, None)
    assert third is not None
    told = third.incident
    assert (told.people, told.ticket, told.title, told.phase) == (3, "HD-1", "ML-451", Phase.SUSPECTED)
    said = "いま、ほかの人からも同じような問い合わせが来ています（HD-1: ML-451）。"
    assert notice_line(told, SHIPPED.incidents("ja")) == said
    # The first who said it where everybody may read it.
    assert third.seen_in == question("sato", "").id
    [ticket] = await store.tickets.named(["HD-1"], ANYBODY)
    assert (ticket.title, ticket.state) == ("ML-451", State.OPEN)
    # The message and that a ticket was made of it: both are the bot's.
    history = await store.reading.named("HD-1", ANYBODY, NOON + timedelta(days=1))
    assert [(one.author, one.role) for one in history] == [("helpdesk", Role.BOT)] * 2


async def test_whoever_reports_it_later_joins_in_the_other_language_too(
    desk: IncidentDesk, store: InMemoryStore, clock: TurnsClock
) -> None:
    glossary = Glossary([TermSettings(name="mail", aliases=("メール",))])
    desk = incident_desk(store, clock, glossary=glossary, encoder=Close())
    notices = await asked(desk, store, questions(*MAIL))
    assert [notice.incident.people if notice else None for notice in notices] == [None, None, 3, 4]
    assert len(await desk.listed(10, going_on=False)) == 1


async def test_one_person_who_asks_again_and_again_is_one_person(desk: IncidentDesk, store: InMemoryStore) -> None:
    again = [question("sato", text, minutes=n, message=str(n)) for n, (_, text) in enumerate(MAIL[:3])]
    assert await asked(desk, store, again) == [None, None, None]
    assert await desk.listed(10, going_on=False) == []


async def test_what_lies_too_far_apart_is_not_one_thing(desk: IncidentDesk, store: InMemoryStore) -> None:
    apart = [question(person, text, minutes=61 * n) for n, (person, text) in enumerate(MAIL[:3])]
    assert await asked(desk, store, apart) == [None, None, None]


async def test_codes_that_look_alike_are_different_things(desk: IncidentDesk, store: InMemoryStore) -> None:
    said = [
        (person, text.replace("451", code)) for (person, text), code in zip(MAIL, ("451", "415", "514"), strict=False)
    ]
    assert await asked(desk, store, questions(*said)) == [None, None, None]


@pytest.mark.parametrize(
    "text",
    ["経費精算の締め切りはいつですか？", "ロックされたアカウントの直し方は？", "How do I unlock a locked account?"],
)
async def test_who_asks_how_something_is_done_reports_nothing(
    desk: IncidentDesk, store: InMemoryStore, text: str
) -> None:
    said = [(person, text) for person in ("sato", "mori", "abe", "kudo")]
    assert await asked(desk, store, questions(*said)) == [None] * 4


async def test_where_it_is_switched_off_nothing_is_noticed_or_kept(store: InMemoryStore, clock: TurnsClock) -> None:
    desk = incident_desk(store, clock, incidents=IncidentSettings(enabled=False))
    assert await asked(desk, store, questions(*MAIL[:3])) == [None, None, None]
    assert await store.incidents.signs(NOON, clock.now, 10) == []


async def test_the_administrator_says_how_many_people_make_one(store: InMemoryStore, clock: TurnsClock) -> None:
    desk = incident_desk(store, clock, incidents=IncidentSettings(people=2))
    first, second, third = await asked(desk, store, questions(*MAIL[:3]))
    assert first is None
    assert [notice.incident.people if notice else 0 for notice in (second, third)] == [2, 3]


async def test_a_support_agent_reports_nothing(desk: IncidentDesk, store: InMemoryStore) -> None:
    *two, third = questions(*MAIL[:3])
    await asked(desk, store, two)
    answering = Turn(**{name: getattr(third, name) for name in third.__slots__} | {"role": Role.AGENT})
    assert await ask(desk, store, answering) is None


async def test_it_is_said_once_in_a_conversation_and_again_where_the_answer_was_not_sent(
    desk: IncidentDesk, store: InMemoryStore
) -> None:
    await going_on(desk, store)
    third = question("abe", MAIL[2][1], minutes=2)
    assert await desk.noticed(third) is not None
    follow_up = question("abe", "まだメールが ML-451 で戻ってきます。", minutes=5, message="2")
    assert await ask(desk, store, follow_up) is None


async def test_an_incident_whose_ticket_is_missing_gets_it_later(desk: IncidentDesk, store: InMemoryStore) -> None:
    await asked(desk, store, questions(*MAIL[:2]))
    third = question(*MAIL[2], minutes=2)
    await store.writing.record([third])
    # As a process leaves it that dies right after the signs were gathered.
    signs = await store.incidents.signs(NOON, NOON + timedelta(hours=1), 10)
    gathered = Incident(
        id="I-1",
        phase=Phase.SUSPECTED,
        platform="test",
        workspace="w",
        language="ja",
        began_at=third.said_at,
        changed_at=third.said_at,
        people=0,
    )
    await store.incidents.gather(gathered, [sign.turn for sign in signs])
    for _ in range(2):
        await desk.catch_up()
    named = await desk.seen("I-1")
    assert named is not None
    assert (named.ticket, named.title) == ("HD-1", "ML-451")


async def test_a_confirmed_one_is_called_as_the_agent_calls_it(desk: IncidentDesk, store: InMemoryStore) -> None:
    incident = await going_on(desk, store)
    await desk.rule(incident.id, Phase.CONFIRMED, KATO, words="Outgoing mail is down")
    fourth = await ask(desk, store, question("kudo", MAIL[0][1], minutes=9))
    assert fourth is not None
    said = "This is a known problem (HD-1: Outgoing mail is down). Support is working on it."
    assert notice_line(fourth.incident, SHIPPED.incidents("en")) == said


async def test_nobody_hears_of_one_that_was_dismissed(desk: IncidentDesk, store: InMemoryStore) -> None:
    incident = await going_on(desk, store)
    await desk.rule(incident.id, Phase.DISMISSED, KATO)
    later = [question(person, MAIL[0][1], minutes=10 + n) for n, person in enumerate(("kudo", "ito", "ota", "ueda"))]
    assert await asked(desk, store, later) == [None] * 4
    [ticket] = await store.tickets.named(["HD-1"], ANYBODY)
    assert ticket.state is State.CLOSED


async def test_after_its_end_the_same_trouble_is_another_incident(desk: IncidentDesk, store: InMemoryStore) -> None:
    incident = await going_on(desk, store)
    ended = await desk.rule(incident.id, Phase.OVER, KATO, words="cleared the disk")
    assert (ended.phase, ended.by) == (Phase.OVER, "Kato")
    [ticket] = await store.tickets.named(["HD-1"], ANYBODY)
    assert ticket.state is State.RESOLVED
    assert (await store.tickets.history("HD-1", ANYBODY))[-1].text.endswith("cleared the disk")
    later = [question(person, MAIL[0][1], minutes=10 + n) for n, person in enumerate(("kudo", "ito", "ota"))]
    *silent, third = await asked(desk, store, later)
    assert silent == [None, None]
    assert third is not None
    assert (third.incident.ticket, third.incident.people) == ("HD-2", 3)


async def test_an_incident_ends_with_its_ticket(desk: IncidentDesk, store: InMemoryStore) -> None:
    incident = await going_on(desk, store)
    await desk.catch_up()
    assert [one.phase for one in await desk.listed(10, going_on=True)] == [Phase.SUSPECTED]
    tickets = tickets_over(load_settings(None, {}), lambda: NOON + timedelta(hours=2), store)
    await tickets.step("HD-1", Step.CLOSE, KATO, key="K1")
    await desk.catch_up()
    ended = await desk.seen(incident.id)
    assert ended is not None
    assert ended.phase is Phase.OVER


async def test_only_support_agents_rule_and_what_is_settled_stays_so(desk: IncidentDesk, store: InMemoryStore) -> None:
    incident = await going_on(desk, store)
    with pytest.raises(NotAllowed):
        await desk.rule(incident.id, Phase.OVER, SATO)
    await desk.rule(incident.id, Phase.OVER, KATO)
    with pytest.raises(IncidentSettled):
        await desk.rule(incident.id, Phase.CONFIRMED, KATO)


async def test_a_person_subscribes_once_and_not_to_what_is_over(desk: IncidentDesk, store: InMemoryStore) -> None:
    incident, turn = await going_on(desk, store), question("abe", "")
    assert await desk.subscribe(incident.id, "abe", turn, "ja") is Subscribed.NEW
    assert await desk.subscribe(incident.id, "abe", turn, "ja") is Subscribed.BEFORE
    await desk.rule(incident.id, Phase.OVER, KATO)
    assert await desk.subscribe(incident.id, "sato", turn, "ja") is Subscribed.TOO_LATE
    assert await desk.subscribe("nothing", "sato", turn, "ja") is Subscribed.TOO_LATE


async def test_an_answer_does_not_fail_for_a_missing_encoder(store: InMemoryStore, clock: TurnsClock) -> None:
    desk = incident_desk(store, clock, encoder=Gone())
    assert await asked(desk, store, questions(*MAIL[:3])) == [None, None, None]


async def test_of_private_questions_only_the_number_is_told(desk: IncidentDesk, store: InMemoryStore) -> None:
    *_, third = await asked(desk, store, questions(*MAIL[:3], visibility=Visibility.PRIVATE))
    assert third is not None
    assert (third.incident.people, third.incident.title, third.seen_in) == (3, "", None)
    assert "ML-451" not in notice_line(third.incident, SHIPPED.incidents("en"))


@pytest.mark.parametrize("seed", range(25))
async def test_in_any_world_others_hear_no_word_that_not_everybody_may_read(seed: int) -> None:
    world = random.Random(seed)
    clock = TurnsClock(NOON + timedelta(hours=2))
    store = InMemoryStore(clock=clock)
    desk = incident_desk(store, clock, incidents=IncidentSettings(people=world.choice((2, 3))))
    said = [_random_question(world, number) for number in range(14)]
    notices = [notice for notice in await asked(desk, store, said) if notice]
    told = [line for notice in notices for line in _lines(notice)]
    told += [turn.text for one in await desk.listed(50, going_on=False) for turn in await _ticket(store, one)]
    public = " ".join(turn.text for turn in said if turn.visibility is Visibility.EVERYONE)
    for name in re.findall(r"[A-Z]{2,4}-\d+|own\d+", " ".join(told)):
        assert name.startswith("HD-") or name in public
    for notice in notices:
        assert notice.seen_in is None or notice.seen_in in {
            turn.id for turn in said if turn.visibility is Visibility.EVERYONE
        }


def _random_question(world: random.Random, number: int) -> Turn:
    """About one of two troubles, with a word that only this person says."""
    code, thing = world.choice((("QX-7713", "プリンタ"), ("ML-451", "メール")))
    text = f"{thing}がエラー {code} で止まり、動きません。own{number}"
    visibility = world.choice((Visibility.PRIVATE, Visibility.CHANNEL, Visibility.EVERYONE))
    return question(f"p{number}", text, minutes=number, visibility=visibility)


def _lines(notice: Notice) -> list[str]:
    return [notice.incident.title, *(notice_line(notice.incident, SHIPPED.incidents(name)) for name in ("ja", "en"))]


async def _ticket(store: InMemoryStore, incident: Incident) -> list[Turn]:
    return await store.reading.named(incident.ticket or "", ANYBODY, NOON + timedelta(days=1))


async def test_in_those_worlds_incidents_are_noticed() -> None:
    """Else the property above would hold for nothing."""
    world, clock = random.Random(0), TurnsClock(NOON + timedelta(hours=2))
    store = InMemoryStore(clock=clock)
    desk = incident_desk(store, clock)
    await asked(desk, store, [_random_question(world, number) for number in range(14)])
    assert len(await desk.listed(50, going_on=True)) == 2


class Gone(HashingEncoder):
    """An encoder whose model is not there."""

    async def question(self, text: str) -> Vector:
        raise EncoderUnavailable


class Close(HashingEncoder):
    """An encoder to which all mail is alike, in whatever language."""

    async def question(self, text: str) -> Vector:
        return await super().question(text.replace("mail", "メール送信すると戻ってきます"))
