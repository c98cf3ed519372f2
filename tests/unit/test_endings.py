"""Who follows a ticket hears once how it ended, and no more than they may see."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.application import Application
from bot.platforms import endings_over
from handlers.pauses import Pauses
from handlers.tickets.records import Actor, Resolution
from memory.errors import Busy, NotAllowed, StepRefused, TicketUnknown
from memory.followers import Follower
from memory.model import Viewer, Visibility
from memory.tickets import State, Step, Ticket
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON, turn

SATO = Actor(viewer=Viewer(user="sato", channel="it-help"), name="佐藤", language="ja")
MORI = Actor(viewer=Viewer(user="mori", channel="it-help"), name="森", language="en")
KATO = Actor(viewer=Viewer(user="kato", agent=True), name="加藤", language="ja")


class Told:
    """A platform that takes what it is told, once it is not `away`."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []
        self.away = False

    async def tell(self, follower: Follower, words: str, about: str) -> bool:
        if not self.away:
            self.said.append((follower.person, words))
        return not self.away


@pytest.fixture
def app(tmp_path: Path) -> Application:
    return small_application(tmp_path, lambda: NOON + timedelta(hours=1))


@pytest.fixture
def tells() -> Told:
    return Told()


async def ticket(app: Application, actor: Actor, visibility: Visibility = Visibility.EVERYONE) -> Ticket:
    person = actor.viewer.user
    asked = turn(
        1, "VPNが切れます。", thread=f"T-{person}", ticket=None, author=person, requester=person, visibility=visibility
    )
    await app.store.writing.record([asked])
    return await app.tickets.open(asked.id, replace(actor, viewer=Viewer(user=person)))


async def both(app: Application) -> Ticket:
    """Sato's is HD-1, and Mori's is HD-2, which is given."""
    await ticket(app, SATO)
    return await ticket(app, MORI)


async def resolve(app: Application, name: str = "HD-1") -> None:
    await app.tickets.resolve(name, Resolution(cause="証明書", fix="更新"), KATO, key="done")


async def test_who_follows_hears_once_in_their_language(app: Application, tells: Told) -> None:
    same = await endings_over(app).same(await both(app), "HD-1", MORI, key="k1")
    assert same.name == "HD-1"
    assert (await app.tickets.seen("HD-2", KATO)).state is State.CLOSED
    assert await endings_over(app).go("import", tells, Pauses()) == 0
    await resolve(app)
    tells.away = True
    assert await endings_over(app).go("import", tells, Pauses()) == 0
    tells.away = False
    assert await endings_over(app).go("slack", tells, Pauses()) == 0
    assert [await endings_over(app).go("import", tells, Pauses()) for _ in range(2)] == [1, 0]
    assert tells.said == [("mori", "HD-1 is resolved.\n原因: 証明書\n対応: 更新")]


async def test_the_same_act_again_follows_once(app: Application, tells: Told) -> None:
    mine = await both(app)
    for _ in range(2):
        await endings_over(app).same(mine, "HD-1", MORI, key="k1")
    await resolve(app)
    assert await endings_over(app).go("import", tells, Pauses()) == 1


async def test_of_a_private_ticket_only_its_end_is_told(app: Application, tells: Told) -> None:
    mine = await both(app)
    await endings_over(app).same(mine, "HD-1", MORI, key="k1")
    opener = (await app.tickets.seen("HD-1", KATO)).opened_by
    [asked] = await app.store.reading.turns([opener], KATO.viewer, app.clock())
    await app.store.writing.record([replace(asked, visibility=Visibility.PRIVATE)])
    await resolve(app)
    await endings_over(app).go("import", tells, Pauses())
    assert tells.said == [("mori", "HD-1 is resolved.")]


async def test_of_a_ticket_that_came_back_or_is_gone_nothing_is_told(app: Application, tells: Told) -> None:
    mine = await both(app)
    await endings_over(app).same(mine, "HD-1", MORI, key="k1")
    for one in await app.store.reading.named("HD-1", KATO.viewer, app.clock()):
        await app.store.mailbox.withdraw(one.id)
    assert await endings_over(app).go("import", tells, Pauses()) == 0
    assert (tells.said, await app.store.followers.owed("import", 9)) == ([], [])


@pytest.mark.parametrize(
    ("actor", "other", "error"),
    [
        (MORI, "HD-2", StepRefused),
        (MORI, "HD-9", TicketUnknown),
        (SATO, "HD-1", NotAllowed),
    ],
)
async def test_what_is_not_theirs_to_say_is_refused(
    app: Application, actor: Actor, other: str, error: type[Exception]
) -> None:
    mine = await both(app)
    with pytest.raises(error):
        await endings_over(app).same(mine, other, actor, key="k1")
    assert (await app.tickets.seen("HD-2", KATO)).state is State.OPEN


async def test_a_ticket_that_nobody_else_may_see_is_not_named(app: Application) -> None:
    await ticket(app, SATO, Visibility.PRIVATE)
    mine = await ticket(app, MORI)
    with pytest.raises(TicketUnknown):
        await endings_over(app).same(mine, "HD-1", MORI, key="k1")


async def test_a_support_agent_says_it_for_who_asked(app: Application, tells: Told) -> None:
    mine = await both(app)
    await endings_over(app).same(mine, "HD-1", KATO, key="k1")
    await app.tickets.step("HD-1", Step.CLOSE, KATO, key="k2")
    await endings_over(app).go("import", tells, Pauses())
    assert tells.said == [("mori", "HD-1 は「終了」になりました。")]


async def test_what_is_done_to_a_ticket_is_dated_by_the_clock_of_the_desk(tmp_path: Path) -> None:
    """22:49 in London is 07:49 of the next day in Tokyo, where the desk is and where people write."""
    late = datetime(2026, 11, 30, 22, 49, tzinfo=UTC)
    app = small_application(tmp_path, lambda: late)
    opened = await ticket(app, SATO)
    await app.tickets.resolve(opened.name, Resolution(cause="期限切れ", fix="証明書を更新"), KATO, key="resolve")
    [said] = [one for one in await app.store.reading.named(opened.name, KATO.viewer, late) if one.status == "resolved"]
    assert f"{said.said_at:%Y-%m-%d %H:%M}" == "2026-12-01 07:49"


KIMURA = Actor(viewer=Viewer(user="kimura", channel="it-help"), name="木村", language="ja")


async def chain(app: Application) -> None:
    """Kimura's HD-3 is the same as Mori's HD-2, and that one is the same as Sato's HD-1."""
    second = await both(app)
    third = await ticket(app, KIMURA)
    await endings_over(app).same(third, "HD-2", KIMURA, key="k1")
    await endings_over(app).same(second, "HD-1", MORI, key="k2")


async def test_who_follows_a_ticket_that_was_the_same_as_another_hears_how_that_one_ends(
    app: Application, tells: Told
) -> None:
    await chain(app)
    assert await endings_over(app).go("import", tells, Pauses()) == 0
    await resolve(app)
    assert [await endings_over(app).go("import", tells, Pauses()) for _ in range(2)] == [2, 0]
    assert sorted(tells.said) == [
        ("kimura", "HD-2 は HD-1 と同じ件でした。HD-1 は「解決済み」になりました。\n原因: 証明書\n対応: 更新"),
        ("mori", "HD-1 is resolved.\n原因: 証明書\n対応: 更新"),
    ]


async def test_the_last_ticket_of_a_chain_is_not_named_to_who_may_not_see_it(app: Application, tells: Told) -> None:
    await chain(app)
    opener = (await app.tickets.seen("HD-1", KATO)).opened_by
    [asked] = await app.store.reading.turns([opener], KATO.viewer, app.clock())
    await app.store.writing.record([replace(asked, visibility=Visibility.PRIVATE)])
    await resolve(app)
    await endings_over(app).go("import", tells, Pauses())
    assert ("kimura", "HD-2 は「解決済み」になりました。") in tells.said


async def test_two_tickets_that_are_each_the_same_as_the_other_end_as_one(app: Application, tells: Told) -> None:
    mine = await both(app)
    await endings_over(app).same(mine, "HD-1", MORI, key="k1")
    await app.tickets.step("HD-2", Step.REOPEN, KATO, key="k2")
    [first] = await app.store.tickets.named(["HD-1"], KATO.viewer)
    await endings_over(app).same(first, "HD-2", SATO, key="k3")
    await resolve(app, "HD-2")
    await endings_over(app).go("import", tells, Pauses())
    assert tells.said == [("sato", "HD-2 は「解決済み」になりました。\n原因: 証明書\n対応: 更新")]


async def test_nobody_is_told_of_an_end_while_it_is_said_to_be_none(app: Application, tells: Told) -> None:
    mine = await both(app)
    third = await ticket(app, KIMURA)
    await endings_over(app).same(third, "HD-2", KIMURA, key="k1")
    async with app.claims.claimed("ending HD-2") as mine_alone:
        assert mine_alone
        with pytest.raises(Busy):
            await endings_over(app).same(mine, "HD-1", MORI, key="k2")
        await app.tickets.step("HD-2", Step.CLOSE, KATO, key="k3")
        assert await endings_over(app).go("import", tells, Pauses()) == 0
    assert tells.said == []
