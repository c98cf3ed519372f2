"""Who left a channel while nobody told the bot is found by looking, and reads nothing of it any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.slack_client import client_of
from bot.wiring import system_clock
from handlers.claims import Claims
from handlers.slack.census import Census
from handlers.slack.installations import Installation
from handlers.slack.records import PLATFORM, Me
from memory.membership import Circle, Move
from memory.model import IMPORTED, Conversation, Role, Turn, Viewer, Visibility
from tests.fakes.slack import AYA, KEN, TEAM
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import LATER, Place, opened

SECRET = "C0SECRET"


class Everywhere:
    """One installation that serves every workspace."""

    def __init__(self, here: Installation) -> None:
        self._here = here

    async def of(self, workspace: str, enterprise: str | None = None) -> Installation | None:
        return self._here

    async def drop(self, gone: Installation) -> None:
        raise AssertionError

    async def doubt(self, here: Installation) -> None:
        raise AssertionError


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """A channel that not everybody may read, in which Aya asked and Ken answered."""
    async with opened(tmp_path) as place:
        place.slack.add_channel(SECRET, "secret", AYA, KEN, place.slack.me, kind="private")
        await place.app.store.writing.record([said(AYA, 1), said(KEN, 2)])
        yield place


def said(author: str, number: int, platform: str = PLATFORM, channel: str = SECRET) -> Turn:
    return Turn(
        conversation=Conversation(platform=platform, workspace=TEAM, channel=channel, thread="1700000000.000001"),
        ticket=None,
        message=f"170000000{number}.000001",
        author=author,
        role=Role.REQUESTER,
        text="VPNの証明書",
        said_at=system_clock() - timedelta(days=1),
        visibility=Visibility.CHANNEL,
        requester=AYA,
    )


def census(place: Place) -> Census:
    store = place.app.store
    client = client_of(place.settings, place.slack.bot_token)
    here = Installation(workspace=TEAM, client=client, me=Me(user=place.slack.me), home="")
    return Census(
        membership=store.membership,
        installations=Everywhere(here),
        claims=Claims(store.leases, system_clock),
        clock=system_clock,
    )


async def read(place: Place, user: str, platform: str = PLATFORM, channel: str = SECRET) -> bool:
    """Whether this person is shown in a direct message what was said there."""
    turns = [said(author, number, platform, channel).id for author, number in ((AYA, 1), (KEN, 2))]
    return bool(await place.app.store.reading.turns(turns, Viewer(user=user), LATER))


def members(place: Place) -> set[str]:
    return place.slack.world.channels[SECRET].members


async def look(place: Place) -> int:
    return await census(place).look(Circle(workspace=TEAM, channel=SECRET))


async def until_read(place: Place, user: str, wanted: bool) -> None:
    for _ in range(500):
        if await read(place, user) is wanted:
            return
        await asyncio.sleep(0.02)
    raise TimeoutError


async def test_who_left_while_the_bot_was_not_running_is_found_out_by_the_next_process(place: Place) -> None:
    assert await read(place, KEN)
    members(place).discard(KEN)
    async with place.running():
        await until_read(place, KEN, False)
    assert await read(place, AYA)


async def test_a_group_message_has_members_too(place: Place) -> None:
    place.slack.world.channels[SECRET].kind = "mpim"
    members(place).discard(KEN)
    assert await look(place) == 1
    assert (await read(place, AYA), await read(place, KEN)) == (True, False)


async def test_nobody_waits_for_the_looking(place: Place) -> None:
    place.slack.fail("conversations.members", slow=60)
    async with place.running():
        asked = await place.slack.say(AYA, place.slack.dm(AYA), "VPNが切れます")
        await place.slack.answered(place.slack.dm(AYA), asked)
    assert place.slack.calls("conversations.members") == []


async def test_who_came_back_meanwhile_reads_again(place: Place) -> None:
    left = system_clock() - timedelta(hours=1)
    move = Move(platform=PLATFORM, channel=SECRET, member=KEN, gone=True, at=left)
    await place.app.store.membership.note([move])
    assert not await read(place, KEN)
    assert await look(place) == 1
    assert await read(place, KEN)
    assert await look(place) == 0


async def test_who_left_in_this_very_minute_is_not_brought_back_by_an_older_list(place: Place) -> None:
    """Slack's clock and ours may differ, and a list is as old as the question for it."""
    just_now = system_clock() - timedelta(seconds=5)
    await place.app.store.membership.note([Move(platform=PLATFORM, channel=SECRET, member=KEN, gone=True, at=just_now)])
    await look(place)
    assert not await read(place, KEN)


async def test_of_a_channel_that_the_bot_is_not_in_nobody_reads_anything(place: Place) -> None:
    members(place).discard(place.slack.me)
    assert await look(place) == 2
    assert (await read(place, AYA), await read(place, KEN)) == (False, False)


async def test_when_the_bot_is_invited_again_it_looks_at_once(place: Place) -> None:
    then = system_clock() - timedelta(hours=1)
    left = [Move(platform=PLATFORM, channel=SECRET, member=who, gone=True, at=then) for who in (AYA, KEN)]
    await place.app.store.membership.note(left)
    members(place).difference_update({KEN, place.slack.me})
    async with place.running():
        await place.slack.join(place.slack.me, SECRET)
        await until_read(place, AYA, True)
        await idle()
        assert not await read(place, KEN)


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 503},
        {"error": "internal_error"},
        {"error": "invalid_auth"},
        {"drop": "before", "times": 2},
        {"garbled": True},
    ],
    ids=str,
)
async def test_where_slack_does_not_say_just_now_all_stays_as_it_was(place: Place, fault: dict[str, Any]) -> None:
    """A connection that breaks is tried once more by the library below."""
    members(place).discard(KEN)
    place.slack.fail("conversations.members", **fault)
    assert await look(place) == 0
    assert await read(place, KEN)
    assert await look(place) == 1
    assert not await read(place, KEN)


@pytest.mark.parametrize("error", ["channel_not_found", "not_in_channel", "missing_scope", "is_archived"])
async def test_where_slack_does_not_let_the_bot_know_nobody_is_a_member(place: Place, error: str) -> None:
    place.slack.fail("conversations.members", error=error)
    assert await look(place) == 2
    assert not await read(place, AYA)


async def test_the_wait_that_slack_asks_for_is_kept(place: Place) -> None:
    members(place).discard(KEN)
    place.slack.fail("conversations.members", status=429, retry_after=1)
    assert await look(place) == 1
    assert [made.status for made in place.slack.calls("conversations.members")] == [429, 200]


async def test_a_list_of_many_pages_is_read_to_its_end(place: Place) -> None:
    """Pages hold a thousand, in the order of the ids."""
    members(place).update(f"A{number:04}" for number in range(1500))
    assert await look(place) == 0
    assert len(place.slack.calls("conversations.members")) == 2


async def test_what_was_imported_follows_where_slack_knows_its_channel_and_else_stays_as_it_was(place: Place) -> None:
    elsewhere = "C0NEVER"
    imported = [said(who, number, IMPORTED, channel) for channel in (SECRET, elsewhere) for who, number in ((KEN, 2),)]
    await place.app.store.writing.record(imported)
    members(place).discard(KEN)
    await census(place).go()
    assert not await read(place, KEN, IMPORTED)
    assert await read(place, KEN, IMPORTED, elsewhere)


async def test_who_is_told_to_have_left_leaves_what_was_imported_too(place: Place) -> None:
    await place.app.store.writing.record([said(KEN, 2, IMPORTED)])
    async with place.running():
        await place.slack.leave(KEN, SECRET)
        await place.slack.settled()
        await until_read(place, KEN, False)
        assert not await read(place, KEN, IMPORTED)


async def test_one_of_two_processes_looks(place: Place) -> None:
    members(place).discard(KEN)
    place.slack.fail("conversations.members", slow=0.2)
    assert sorted(await asyncio.gather(census(place).go(), census(place).go())) == [0, 1]
