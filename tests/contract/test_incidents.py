"""The port `IncidentBox`, on every backend."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from memory.errors import IncidentSettled, IncidentUnknown
from memory.incidents import Incident, Phase, Ruling, Sign, Subscriber
from memory.model import Turn
from tests.fakes.forgetting import forget_in
from tests.fakes.turns import NOON, conversation, turn
from tests.fakes.words import BACKENDS, Store, Watch, opened


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


def asked(person: str, minutes: float = 0) -> Turn:
    return turn(1, f"{person} cannot print", thread=f"T-{person}", ticket=None, author=person, minutes=minutes)


def sign_of(said: Turn) -> Sign:
    return Sign(
        turn=said.id,
        conversation=said.conversation,
        person=said.author,
        at=said.said_at,
        language="en",
        meaning=np.array([0.5, -0.25, 0.125, 0.0], dtype=np.float32),
    )


async def noted(store: Store, *people: str) -> list[Sign]:
    """A sign of each, a minute apart."""
    said = [asked(person, minutes) for minutes, person in enumerate(people)]
    await store.writing.record(said)
    for one in said:
        await store.incidents.note(sign_of(one))
    return [sign_of(one) for one in said]


def incident(name: str = "I-1", *, minutes: float = 5) -> Incident:
    at = NOON + timedelta(minutes=minutes)
    return Incident(
        id=name,
        phase=Phase.SUSPECTED,
        platform="import",
        workspace="test",
        language="en",
        began_at=at,
        changed_at=at,
        people=0,
    )


def subscriber(person: str, to: str = "I-1", *, minutes: float = 6) -> Subscriber:
    return Subscriber(
        incident=to,
        person=person,
        conversation=conversation(f"T-{person}"),
        message="1",
        language="ja",
        at=NOON + timedelta(minutes=minutes),
    )


def ruling(phase: Phase, *, by: str = "kato", title: str | None = None, minutes: float = 30) -> Ruling:
    return Ruling(phase=phase, by=by, at=NOON + timedelta(minutes=minutes), title=title)


async def going_on(store: Store, *people: str) -> list[Sign]:
    """The incident I-1, which these report."""
    signs = await noted(store, *people)
    await store.incidents.gather(incident(), [sign.turn for sign in signs])
    return signs


def same(one: Sign, other: Sign) -> bool:
    """Records that hold arrays have no equality of their own."""
    alike = replace(one, meaning=other.meaning)
    return bool(np.array_equal(one.meaning, other.meaning)) and all(
        getattr(alike, name) == getattr(other, name)
        for name in ("turn", "conversation", "person", "at", "language", "incident")
    )


async def test_signs_of_a_period_come_the_newest_first_as_they_were_noted(store: Store) -> None:
    early, middle, late = await noted(store, "sato", "mori", "abe")
    found = await store.incidents.signs(NOON, NOON + timedelta(minutes=2), 10)
    assert len(found) == 3
    assert all(map(same, found, (late, middle, early)))
    assert [sign.turn for sign in await store.incidents.signs(NOON, late.at, 1)] == [late.turn]
    assert [sign.turn for sign in await store.incidents.signs(middle.at, middle.at, 10)] == [middle.turn]


async def test_the_same_turn_is_one_sign_and_keeps_its_incident(store: Store) -> None:
    first, *_ = await going_on(store, "sato", "mori")
    await store.incidents.note(first)
    found = await store.incidents.signs(NOON, first.at, 10)
    assert [(sign.turn, sign.incident) for sign in found] == [(first.turn, "I-1")]


async def test_a_sign_goes_with_its_turn_and_does_not_come_back(store: Store) -> None:
    first, second = await going_on(store, "sato", "mori")
    await store.mailbox.withdraw(first.turn)
    await store.incidents.note(first)
    assert [sign.turn for sign in await store.incidents.signs(NOON, NOON + timedelta(days=1), 10)] == [second.turn]
    assert [sign.turn for sign in await store.incidents.reports("I-1", 10)] == [second.turn]
    left = await store.incidents.seen("I-1")
    assert left is not None
    assert left.people == 1


async def test_gathered_signs_are_one_incident_and_people_are_counted_once(store: Store) -> None:
    signs = await noted(store, "sato", "mori")
    again = asked("sato", 3)
    second = replace(again, message="2")
    await store.writing.record([second])
    await store.incidents.note(sign_of(second))
    made = await store.incidents.gather(incident(), [*(sign.turn for sign in signs), second.id])
    assert made == replace(incident(), people=2)
    assert await store.incidents.seen("I-1") == made
    assert [sign.turn for sign in await store.incidents.reports("I-1", 2)] == [sign.turn for sign in signs]


async def test_what_several_gather_at_once_is_one_incident(store: Store) -> None:
    signs = await noted(store, "sato", "mori", "abe")
    turns = [sign.turn for sign in signs]
    made = await asyncio.gather(*(store.incidents.gather(incident(f"I-{n}"), turns) for n in range(6)))
    assert len({one.id for one in made}) == 1
    assert await store.incidents.listed(10, going_on=True) == [made[0]]


async def test_who_gathers_reports_of_an_incident_adds_to_it(store: Store) -> None:
    signs = await going_on(store, "sato", "mori", "abe")
    more = asked("kudo", 9)
    await store.writing.record([more])
    await store.incidents.note(sign_of(more))
    made = await store.incidents.gather(incident("I-2"), [signs[0].turn, more.id])
    assert (made.id, made.people) == ("I-1", 4)
    assert await store.incidents.seen("I-2") is None


async def test_a_sign_joins_what_is_going_on_and_nothing_else(store: Store) -> None:
    await going_on(store, "sato", "mori")
    for number, person in enumerate(("abe", "kudo")):
        said = asked(person, 10 + number)
        await store.writing.record([said])
        await store.incidents.note(sign_of(said))
    joined = await store.incidents.join("I-1", asked("abe").id)
    assert joined is not None
    assert joined.people == 3
    await store.incidents.rule("I-1", ruling(Phase.OVER))
    over = await store.incidents.join("I-1", asked("kudo").id)
    assert over is not None
    assert (over.phase, over.people) == (Phase.OVER, 3)
    assert await store.incidents.join("I-9", asked("kudo").id) is None


async def test_a_ticket_is_named_once(store: Store) -> None:
    await going_on(store, "sato", "mori")
    await store.incidents.name("I-1", "HD-7", "ML-451")
    await store.incidents.name("I-1", "HD-8", "else")
    found = await store.incidents.seen("I-1")
    assert found is not None
    assert (found.ticket, found.title) == ("HD-7", "ML-451")


async def test_what_somebody_rules_holds_and_the_same_again_changes_nothing(store: Store) -> None:
    await going_on(store, "sato", "mori")
    confirmed = await store.incidents.rule("I-1", ruling(Phase.CONFIRMED, title="Mail is down"))
    assert (confirmed.phase, confirmed.by, confirmed.title) == (Phase.CONFIRMED, "kato", "Mail is down")
    assert confirmed.changed_at == NOON + timedelta(minutes=30)
    again = await store.incidents.rule("I-1", ruling(Phase.CONFIRMED, by="ito", minutes=40))
    assert again == confirmed == await store.incidents.seen("I-1")


@pytest.mark.parametrize("settled", [Phase.DISMISSED, Phase.OVER])
async def test_what_is_settled_stays_so(store: Store, settled: Phase) -> None:
    await going_on(store, "sato", "mori")
    await store.incidents.rule("I-1", ruling(settled))
    assert (await store.incidents.rule("I-1", ruling(settled, by="ito"))).by == "kato"
    for other in set(Phase) - {settled}:
        with pytest.raises(IncidentSettled):
            await store.incidents.rule("I-1", ruling(other))
    with pytest.raises(IncidentUnknown):
        await store.incidents.rule("I-2", ruling(settled))


async def test_incidents_are_listed_the_last_one_first(store: Store) -> None:
    signs = await noted(store, "sato", "mori", "abe")
    for number, sign in enumerate(signs, 1):
        await store.incidents.gather(incident(f"I-{number}", minutes=number), [sign.turn])
    await store.incidents.rule("I-2", ruling(Phase.DISMISSED))
    assert [one.id for one in await store.incidents.listed(10, going_on=False)] == ["I-3", "I-2", "I-1"]
    assert [one.id for one in await store.incidents.listed(10, going_on=True)] == ["I-3", "I-1"]
    assert [one.id for one in await store.incidents.listed(1, going_on=True)] == ["I-3"]


async def test_nobody_is_subscribed_twice_or_to_what_is_not_going_on(store: Store) -> None:
    await going_on(store, "sato", "mori")
    assert await store.incidents.subscribe(subscriber("sato"))
    assert not await store.incidents.subscribe(replace(subscriber("sato"), conversation=conversation("elsewhere")))
    assert not await store.incidents.subscribe(subscriber("sato", to="I-2"))
    await store.incidents.rule("I-1", ruling(Phase.OVER))
    assert not await store.incidents.subscribe(subscriber("abe"))
    assert await store.incidents.owed("import", 10) == [subscriber("sato")]


@pytest.mark.parametrize("settled", [Phase.DISMISSED, Phase.OVER])
async def test_subscribers_are_owed_a_word_when_it_is_settled_until_they_are_paid(store: Store, settled: Phase) -> None:
    await going_on(store, "sato", "mori")
    for number, person in enumerate(("mori", "sato", "abe")):
        await store.incidents.subscribe(subscriber(person, minutes=10 + number))
    await store.incidents.forget("abe")
    await store.incidents.rule("I-1", ruling(Phase.CONFIRMED))
    assert await store.incidents.owed("import", 10) == []
    await store.incidents.rule("I-1", ruling(settled))
    assert [one.person for one in await store.incidents.owed("import", 10)] == ["mori", "sato"]
    assert await store.incidents.owed("slack", 10) == []
    await store.incidents.paid("I-1", "mori")
    await store.incidents.paid("I-1", "mori")
    assert [one.person for one in await store.incidents.owed("import", 10)] == ["sato"]


async def test_support_is_told_of_what_has_a_ticket_once(store: Store) -> None:
    signs = await noted(store, "sato", "mori", "abe")
    for number, sign in enumerate(signs, 1):
        await store.incidents.gather(incident(f"I-{number}", minutes=number), [sign.turn])
    await store.incidents.name("I-1", "HD-1", "")
    await store.incidents.name("I-3", "HD-3", "")
    assert [one.id for one in await store.incidents.untold("import", 10)] == ["I-1", "I-3"]
    assert await store.incidents.untold("slack", 10) == []
    await store.incidents.told("I-1")
    assert [one.id for one in await store.incidents.untold("import", 10)] == ["I-3"]
    await store.incidents.rule("I-3", ruling(Phase.OVER))
    assert await store.incidents.untold("import", 10) == []


async def test_nothing_is_left_of_what_a_forgotten_person_reported_or_wanted_to_hear(store: Store) -> None:
    _, other = await going_on(store, "sato", "mori")
    await store.incidents.subscribe(subscriber("sato"))
    forget = forget_in(store, lambda: NOON)
    await forget("sato")
    assert [sign.turn for sign in await store.incidents.signs(NOON, NOON + timedelta(days=1), 10)] == [other.turn]
    await store.incidents.rule("I-1", ruling(Phase.OVER))
    assert await store.incidents.owed("import", 10) == []


async def test_texts_that_no_database_holds_are_one_person_all_the_same(store: Store) -> None:
    await going_on(store, "sato", "mori")
    assert await store.incidents.subscribe(subscriber("sa\x00to"))
    assert not await store.incidents.subscribe(subscriber("sa\x00to"))
    await store.incidents.forget("sa\x00to")
    await store.incidents.rule("I-1", ruling(Phase.OVER))
    assert await store.incidents.owed("import", 10) == []


def test_a_time_without_a_zone_is_refused() -> None:
    naive = NOON.replace(tzinfo=None)
    with pytest.raises(ValueError, match="time zone"):
        replace(incident(), began_at=naive)
    with pytest.raises(ValueError, match="time zone"):
        replace(ruling(Phase.OVER), at=naive)
