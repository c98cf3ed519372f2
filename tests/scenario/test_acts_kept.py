"""Acts that a process could not keep, or left undone, and what the next one makes of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from config.slack import Transport
from handlers.claims import Claims
from handlers.slack.acts.names import ASK_PERSON, FEEDBACK
from handlers.slack.address import filed
from memory.acts import TakenAct
from memory.errors import StoreUnavailable
from memory.feedback import Feedback, Tally
from memory.model import Conversation, turn_id
from memory.stores.in_memory_acts import InMemoryActBox
from memory.stores.in_memory_feedback import InMemoryFeedback
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes import slack_place, teams_place
from tests.fakes.slack import AYA, HELPDESK, TEAM
from tests.fakes.slack_acts import SUPPORT, die, forged, idle, posted, with_support
from tests.fakes.teams import Fault
from tests.fakes.teams.server import AYA as TEAMS_AYA
from tests.fakes.teams.server import personal, place_of

QUESTION = "VPNが切れます"


@pytest.fixture
async def slack(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[slack_place.Place]:
    async with slack_place.opened(tmp_path, getattr(request, "param", Transport.SOCKET)) as place:
        with_support(place.slack)
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
        yield place


@pytest.fixture
async def teams(tmp_path: Path) -> AsyncIterator[teams_place.Place]:
    async with teams_place.opened(tmp_path) as place:
        yield place


def store_of(place: slack_place.Place | teams_place.Place) -> InMemoryStore:
    store = place.app.store
    assert isinstance(store, InMemoryStore)
    return store


async def asked(place: slack_place.Place) -> tuple[str, str]:
    """The ts of a question and of the answer to it."""
    ts = await place.slack.say(AYA, HELPDESK, QUESTION, mention=True)
    [answer] = await place.slack.answered(HELPDESK, ts)
    await place.slack.settled()
    return ts, str(answer["ts"])


def turn_of(ts: str) -> str:
    return turn_id(filed(Conversation(platform="slack", workspace=TEAM, channel=HELPDESK, thread=ts)), ts)


class Away(InMemoryActBox):
    """Keeps nothing."""

    async def take(self, act: TakenAct, holder: str, seconds: int) -> bool:
        raise StoreUnavailable


@pytest.mark.parametrize("slack", list(Transport), indirect=True, ids=[each.value for each in Transport])
async def test_what_cannot_be_kept_is_not_acknowledged_and_not_done(slack: slack_place.Place) -> None:
    """Slack itself then says to who clicked that it did not work."""
    store = store_of(slack)
    store.acts = Away(store.redactor)
    slack.slack.wire.ack_limit = 0.5
    async with slack.running():
        _, answer = await asked(slack)
        done = await slack.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
        await idle()
    assert not done.ok
    assert slack.slack.answers(SUPPORT) == []


async def test_a_wish_that_slack_tells_again_after_a_restart_is_granted_once(slack: slack_place.Place) -> None:
    channel = slack.slack.dm(AYA)
    async with slack.running():
        ts = await slack.slack.say(AYA, channel, "チケット")
        await slack.slack.answered(channel, ts)
        await idle()
    [told] = [each["payload"] for each in slack.slack.wire.sent if each["payload"]["event"]["ts"] == ts]
    async with slack.running():
        assert (await slack.slack.wire.deliver("events_api", told)).ok
        await idle()
    assert len(slack.slack.answers(channel, ts)) == 1


@pytest.mark.parametrize("error", ["internal_error", "invalid_auth"])
async def test_while_slack_takes_nothing_an_act_is_owed_and_done_when_it_does(
    slack: slack_place.Place, error: str
) -> None:
    async with slack.running():
        ts, answer = await asked(slack)
        slack.slack.fail("chat.postMessage", error=error, times=2)
        await forged(
            slack.slack,
            AYA,
            FEEDBACK,
            f"+{turn_of(ts)}",
            channel=HELPDESK,
            ts=answer,
            thread=ts,
            response_url="http://127.0.0.1:1/hooks/x",
        )
        await idle()
        assert slack.slack.api.faults.coming == []
        assert slack.slack.answers(slack.slack.dm(AYA)) == []
    async with slack.running():
        [said] = await posted(slack.slack, slack.slack.dm(AYA))
    assert said["text"] == "ありがとうございます。ご意見を記録しました。"


async def test_whom_slack_refuses_to_tell_is_not_told_again_and_again(slack: slack_place.Place) -> None:
    async with slack.running():
        ts, answer = await asked(slack)
        slack.slack.fail("chat.postMessage", error="restricted_action", times=2)
        value, gone = f"+{turn_of(ts)}", "http://127.0.0.1:1/hooks/x"
        await forged(
            slack.slack, AYA, FEEDBACK, value, channel=HELPDESK, ts=answer, thread=ts, response_url=gone
        )  # fmt: skip
        await idle()
    async with slack.running():
        await idle()
    assert slack.slack.answers(slack.slack.dm(AYA)) == []


async def test_what_a_dead_process_had_claimed_is_waited_for_and_nobody_hears_of_it(slack: slack_place.Place) -> None:
    async with slack.running():
        ts, answer = await asked(slack)
        slack.slack.fail("conversations.history", slow=60)
        await slack.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
        await die(slack.slack)
    elsewhere = Claims(slack.app.store.leases, slack.app.clock)
    async with elsewhere.claimed(f"handover {turn_of(ts)}"), slack.running():
        await idle()
    assert (slack.slack.answers(SUPPORT), slack.slack.ephemerals(AYA)) == ([], [])
    async with slack.running():
        await idle()
    assert (len(slack.slack.answers(SUPPORT)), slack.slack.ephemerals(AYA)) == (1, [])


async def test_what_a_forgotten_person_had_wanted_is_not_done(slack: slack_place.Place) -> None:
    async with slack.running():
        _, answer = await asked(slack)
        slack.slack.fail("conversations.history", slow=60)
        await slack.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
        await die(slack.slack)
    await slack.app.store.acts.forget(AYA)
    async with slack.running():
        await idle()
    assert slack.slack.answers(SUPPORT) == []


# --- Teams ------------------------------------------------------------------------------------------------------------


class Forgetful(InMemoryFeedback):
    """A store that is away for the first word on an answer."""

    def __init__(self) -> None:
        super().__init__()
        self.away = True

    async def give(self, feedback: Feedback) -> None:
        if self.away:
            self.away = False
            raise StoreUnavailable
        await super().give(feedback)


async def test_a_thumb_for_which_teams_has_thanked_is_not_lost(teams: teams_place.Place) -> None:
    store, here = store_of(teams), personal(TEAMS_AYA)
    store.feedback = Forgetful()
    async with teams.running():
        await teams.teams.say(TEAMS_AYA, here, QUESTION)
        [answer] = await teams.teams.answered(place_of(here))
        await teams.replied()
        assert (await teams.teams.judge(TEAMS_AYA, answer, "like", here))[0] == 200
        await idle()
        assert await store.feedback.tally(teams_place.LONG_AGO) == Tally()
    async with teams.running():
        await idle()
    assert await store.feedback.tally(teams_place.LONG_AGO) == Tally(helpful=1)
    assert len(teams.teams.messages) == 1


async def test_a_thumb_that_was_owed_does_not_change_what_was_said_since(teams: teams_place.Place) -> None:
    store, here = store_of(teams), personal(TEAMS_AYA)
    store.feedback = Forgetful()
    async with teams.running():
        await teams.teams.say(TEAMS_AYA, here, QUESTION)
        [answer] = await teams.teams.answered(place_of(here))
        await teams.replied()
        for reaction in ("like", "dislike"):
            await teams.teams.judge(TEAMS_AYA, answer, reaction, here)
            await idle()
    async with teams.running():
        await idle()
    assert await store.feedback.tally(teams_place.LONG_AGO) == Tally(unhelpful=1)


async def test_while_teams_takes_nothing_a_wish_is_owed_and_granted_when_it_does(teams: teams_place.Place) -> None:
    here = personal(TEAMS_AYA)
    async with teams.running():
        # Each is tried five times: the card, and the word that it failed.
        teams.teams.coming += [Fault(status=429, retry_after="0")] * 10
        await teams.teams.say(TEAMS_AYA, here, "ヘルプ")
        await idle()
        assert (teams.teams.coming, teams.teams.messages) == ([], [])
    async with teams.running():
        await teams.teams.answered(place_of(here))
        await idle()
    assert len(teams.teams.messages) == 1


async def test_what_was_wished_where_the_bot_was_removed_meanwhile_is_moot(teams: teams_place.Place) -> None:
    here = personal(TEAMS_AYA)
    async with teams.running():
        teams.teams.coming += [Fault(status=429, retry_after="0")] * 10
        await teams.teams.say(TEAMS_AYA, here, "ヘルプ")
        await idle()
        told = teams.teams.activity("installationUpdate", TEAMS_AYA, here, action="remove")
        assert (await teams.teams.tell(told))[0] == 200
    with capture_logs() as logged:
        async with teams.running():
            await idle()
    assert [each["event"] for each in logged if "moot" in each["event"]] == ["act_moot"]
    assert teams.teams.messages == []
    assert await teams.app.store.acts.claim("teams", "anybody", teams_place.LATER, 60, 10) == []
