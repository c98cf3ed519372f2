"""Several workspaces: each installs the app by itself, speaks with a token of its own, and may leave at any time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from cryptography.fernet import Fernet
from pydantic import SecretStr
from structlog.testing import capture_logs
from yarl import URL

from bot.slack_client import calling
from bot.slack_vault import VaultInstallations, VaultStates, seal_of
from bot.slack_workspaces import ManyWorkspaces
from bot.wiring import system_clock
from config.slack import SlackSettings, Transport
from handlers.slack.acts.names import FEEDBACK
from handlers.slack.scopes import SCOPES
from handlers.wording_install import Outcome, page
from memory.errors import Busy, SealUnopened
from memory.model import Viewer
from memory.stores.in_memory_vault import InMemoryVault
from tests.fakes.slack import AYA, HELPDESK, TEAM
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import Place, opened

KEY, NEWER = Fernet.generate_key().decode(), Fernet.generate_key().decode()
OTHER, FAR = "T0002", "C0FAR"
EVA = "U0EVA"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    status: int
    text: str


@pytest.fixture
async def place(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    """Two workspaces in which nothing is installed yet."""
    async with opened(tmp_path, getattr(request, "param", Transport.HTTP)) as place:
        place.slack.api.bot_tokens.clear()
        place.slack.add_team(OTHER, "Far Away")
        place.slack.add_person(EVA, "eva", team=OTHER)
        place.slack.add_channel(FAR, "far", EVA, place.slack.me, team=OTHER)
        place.settings = place.settings.model_copy(
            update={
                "bot_token": None,
                "client_id": "1.2",
                "client_secret": SecretStr("hush"),
                "installation_key": SecretStr(KEY),
            }
        )
        yield place


async def begun(place: Place, query: str = "") -> tuple[str, str]:
    """Where the page leads, and the cookie that it leaves in the browser."""
    jar = aiohttp.DummyCookieJar()
    async with (
        aiohttp.ClientSession(place.address, cookie_jar=jar) as browser,
        browser.get(URL(f"/slack/install{query}", encoded=True), allow_redirects=False) as answer,
    ):
        assert answer.status == 302
        [cookie] = answer.cookies.values()
        return answer.headers["Location"], f"{cookie.key}={cookie.value}"


async def returned(place: Place, cookie: str, **query: str) -> Page:
    """What the browser shows when Slack has sent it back."""
    headers = {"Cookie": cookie} if cookie else {}
    async with (
        aiohttp.ClientSession(place.address, headers=headers) as browser,
        browser.get("/slack/oauth_redirect", params=query) as answer,
    ):
        return Page(status=answer.status, text=await answer.text())


def state_in(location: str) -> str:
    return parse_qs(urlsplit(location).query)["state"][0]


async def install(place: Place, team: str, token: str, *, wide: bool = False) -> Page:
    place.slack.offer(f"code-{token}", team=team, token=token, wide=wide)
    location, cookie = await begun(place)
    return await returned(place, cookie, code=f"code-{token}", state=state_in(location))


def tokens_used(place: Place) -> list[str]:
    return [made.token for made in place.slack.calls("chat.postMessage")]


async def eventually(ask: Callable[..., Awaitable[object]], *arguments: str, is_now: object) -> None:
    """Wait until that is the answer; raises TimeoutError."""
    for _ in range(500):
        if await ask(*arguments) == is_now:
            return
        await asyncio.sleep(0.02)
    raise TimeoutError


async def kept_names(place: Place) -> list[str]:
    return await place.app.store.vault.names("slack/")


async def test_the_page_leads_to_slack_with_every_scope(place: Place) -> None:
    async with place.running():
        location, _ = await begun(place)
        forged, _ = await begun(place, "?team=T1%26user_scope%3Dadmin%0d%0aX:y")
    asked = parse_qs(urlsplit(location).query)
    assert parse_qs(urlsplit(forged).query).keys() == asked.keys() == {"client_id", "scope", "state"}
    assert urlsplit(location).path == "/oauth/v2/authorize"
    assert asked["client_id"] == ["1.2"]
    assert asked["scope"] == [",".join(scope.name for scope in SCOPES)]


@pytest.mark.parametrize("place", list(Transport), indirect=True, ids=[each.value for each in Transport])
async def test_each_workspace_is_answered_with_its_own_token(place: Place) -> None:
    async with place.running():
        assert await install(place, TEAM, "xoxb-one") == Page(status=200, text=page(Outcome.INSTALLED))
        assert (await install(place, OTHER, "xoxb-two")).status == 200
        near = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, near)
        far = await place.slack.say(EVA, FAR, "The VPN drops", mention=True)
        await place.slack.answered(FAR, far)
        await place.slack.settled()
    assert tokens_used(place) == ["xoxb-one", "xoxb-two"]
    assert await place.kept(HELPDESK, near) == ["VPNが切れます"]
    assert await place.kept(FAR, far, OTHER) == ["The VPN drops"]
    assert await place.kept(FAR, far, TEAM) == []


async def test_what_one_workspace_says_privately_is_not_seen_from_another(place: Place) -> None:
    direct = place.slack.add_channel("D0EVA", "", EVA, place.slack.me, kind="im", team=OTHER).id
    async with place.running():
        await install(place, TEAM, "xoxb-one")
        await install(place, OTHER, "xoxb-two")
        asked = await place.slack.say(EVA, direct, "my salary is missing")
        await place.slack.answered(direct, asked)
        await place.slack.settled()
    [question] = place.answers.questions
    assert question.conversation is not None
    assert question.conversation.workspace == OTHER
    reading, now = place.app.store.reading, system_clock() + timedelta(days=1)
    assert question.turn is not None
    assert len(await reading.turns([question.turn], Viewer(user=EVA), now)) == 1
    assert await reading.turns([question.turn], Viewer(user=AYA), now) == []
    assert await reading.turns([question.turn], Viewer(user=EVA, channel=HELPDESK), now) == []


async def test_an_installation_outlives_the_process_and_no_token_lies_open(place: Place) -> None:
    async with place.running():
        await install(place, TEAM, "xoxb-one")
    vault = place.app.store.vault
    pieces = [await vault.sealed(name) for name in await vault.names("")]
    assert len(pieces) == 1
    assert b"xoxb" not in b"".join(piece or b"" for piece in pieces)
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)
    assert tokens_used(place) == ["xoxb-one"]


async def test_tokens_and_states_are_not_logged(place: Place) -> None:
    with capture_logs() as entries:
        async with place.running():
            location, cookie = await begun(place)
            place.slack.offer("code-1", team=TEAM, token="xoxb-one")
            await returned(place, cookie, code="code-1", state=state_in(location))
            await returned(place, cookie, error="<script>", state="xoxb-forged")
    logged = str(entries)
    assert "slack_installed" in logged
    for secret in ("xoxb", "code-1", "hush", "script", state_in(location)):
        assert secret not in logged


async def test_a_workspace_that_has_not_installed_the_app_is_acknowledged_and_left_alone(place: Place) -> None:
    with capture_logs() as entries:
        async with place.running():
            await install(place, TEAM, "xoxb-one")
            asked = await place.slack.say(EVA, FAR, "The VPN drops", mention=True)
            await place.slack.settled()
            assert await place.slack.verify_url()
    assert {ack.status for ack in place.slack.acks} == {200}
    assert place.slack.answers(FAR, asked) == []
    assert await place.kept(FAR, asked, OTHER) == []
    assert "slack_not_installed" in {entry["event"] for entry in entries}


async def test_an_app_that_is_removed_is_forgotten_at_once_and_may_come_back(place: Place) -> None:
    async with place.running():
        await install(place, TEAM, "xoxb-one")
        await install(place, OTHER, "xoxb-two")
        await place.slack.uninstall(TEAM)
        await place.slack.settled()
        assert await kept_names(place) == [f"slack/installation/-/{OTHER}"]
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.settled()
        assert place.slack.answers(HELPDESK, asked) == []
        await install(place, TEAM, "xoxb-three")
        again = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, again)
        await place.slack.settled()
    assert tokens_used(place) == ["xoxb-three"]
    assert {ack.status for ack in place.slack.acks} == {200}


async def test_a_removal_that_is_told_late_takes_nothing_from_a_newer_installation(place: Place) -> None:
    async with place.running():
        await install(place, TEAM, "xoxb-one")
        late = place.slack.wire.callback({"type": "app_uninstalled"}, TEAM)
        late["event_time"] = int((datetime.now(UTC) - timedelta(minutes=5)).timestamp())
        assert (await place.slack.post(late))[0] == 200
        assert await kept_names(place) == [f"slack/installation/-/{TEAM}"]


async def test_a_token_that_slack_calls_revoked_is_forgotten_and_its_reply_is_owed_to_the_next(place: Place) -> None:
    async with place.running():
        await install(place, TEAM, "xoxb-one")
        place.slack.revoke("xoxb-one")
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await eventually(place.app.store.vault.names, "slack/", is_now=[])
        await place.slack.settled()
        await idle()
        assert await place.owed() == 1
        await install(place, TEAM, "xoxb-two")
    async with place.running():
        await place.slack.answered(HELPDESK, asked)
        await idle()
    assert await place.owed() == 0


async def test_what_is_owed_to_a_workspace_that_has_left_is_owed_no_more(place: Place) -> None:
    place.answers.seconds = 60
    async with place.running():
        await install(place, TEAM, "xoxb-one")
        await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.answers.asked.wait()
        for task in (cut_off := [task for task in asyncio.all_tasks() if task.get_name() == "lane"]):
            task.cancel()
        await asyncio.wait(cut_off)
        await place.slack.settled()
        assert await place.owed() == 1
        await place.slack.uninstall(TEAM)
        await place.slack.settled()
    async with place.running():
        await eventually(place.owed, is_now=0)


async def test_an_organisation_installs_once_for_all_its_workspaces(place: Place) -> None:
    for team in (TEAM, OTHER):
        place.slack.world.teams[team].enterprise_id = "E0001"
    async with place.running():
        assert (await install(place, TEAM, "xoxb-wide", wide=True)).status == 200
        far = await place.slack.say(EVA, FAR, "The VPN drops", mention=True)
        [answer] = await place.slack.answered(FAR, far)
        assert answer["team"] == OTHER
        place.slack.fail("chat.postMessage", times=1, error="internal_error")
        near = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.until(lambda: len(place.slack.calls("chat.postMessage")) == 2)
        await place.slack.settled()
    # The next process knows only the workspace of what is owed, and finds its organisation.
    async with place.running():
        await place.slack.answered(HELPDESK, near)
    assert set(tokens_used(place)) == {"xoxb-wide"}


@pytest.mark.parametrize("wide", [False, True])
async def test_buttons_and_the_page_act_in_the_workspace_where_they_stand(place: Place, wide: bool) -> None:
    """Also where an organisation installed the app once for all of its workspaces."""
    for team in (TEAM, OTHER) if wide else ():
        place.slack.world.teams[team].enterprise_id = "E0001"
    async with place.running():
        await install(place, OTHER, "xoxb-two", wide=wide)
        far = await place.slack.say(EVA, FAR, "The VPN drops", mention=True)
        [answer] = await place.slack.answered(FAR, far)
        await place.slack.press(EVA, FEEDBACK, channel=FAR, ts=answer["ts"])
        await place.slack.until(lambda: len(place.slack.ephemerals(EVA, FAR)) == 1)
        await place.slack.open_home(EVA)
        await place.slack.until(lambda: place.slack.home(EVA) is not None)
        await idle()
    assert [said["text"] for said in place.slack.ephemerals(EVA, FAR)] == ["Thank you. I made a note of it."]
    home = place.slack.home(EVA)
    assert home is not None
    assert home["app_installed_team_id"] == OTHER
    assert (await place.app.store.feedback.tally(datetime(2000, 1, 1, tzinfo=UTC))).helpful == 1


async def test_a_workspaces_own_installation_comes_before_that_of_its_organisation(place: Place) -> None:
    for team in (TEAM, OTHER):
        place.slack.world.teams[team].enterprise_id = "E0001"
    async with place.running():
        await install(place, TEAM, "xoxb-wide", wide=True)
        await install(place, OTHER, "xoxb-own")
        for user, channel in ((AYA, HELPDESK), (EVA, FAR)):
            asked = await place.slack.say(user, channel, "VPN?", mention=True)
            await place.slack.answered(channel, asked)
    assert tokens_used(place) == ["xoxb-wide", "xoxb-own"]


@pytest.mark.parametrize("spoiled", ["no cookie", "other browser", "no state", "used", "no code", "unknown code"])
async def test_an_answer_that_does_not_belong_to_the_browser_installs_nothing(place: Place, spoiled: str) -> None:
    async with place.running():
        place.slack.offer("good", team=TEAM, token="xoxb-one")
        location, cookie = await begun(place)
        _, others = await begun(place)
        state = state_in(location)
        if spoiled == "used":
            await returned(place, cookie, code="unknown", state=state)
        query = {"code": "unknown" if spoiled == "unknown code" else "good", "state": state}
        if spoiled in ("no state", "no code"):
            del query[spoiled.removeprefix("no ")]
        sent = {"no cookie": "", "other browser": others}.get(spoiled, cookie)
        shown = await returned(place, sent, **query)
    assert 400 <= shown.status < 500
    assert shown.text == page(Outcome.FAILED)
    assert await place.app.store.vault.names("slack/installation/") == []


async def test_who_does_not_want_to_is_told_that_nothing_happened(place: Place) -> None:
    async with place.running():
        location, cookie = await begun(place)
        shown = await returned(place, cookie, error="access_denied", state=state_in(location))
    assert shown == Page(status=200, text=page(Outcome.DECLINED))


async def test_an_installation_without_a_scope_that_is_needed_is_not_kept(place: Place) -> None:
    place.slack.api.granted = frozenset(scope.name for scope in SCOPES) - {"chat:write"}
    async with place.running():
        shown = await install(place, TEAM, "xoxb-one")
    assert shown == Page(status=503, text=page(Outcome.FAILED))
    assert await place.app.store.vault.names("slack/installation/") == []


async def test_slack_that_does_not_answer_is_no_installation_and_no_traceback(place: Place) -> None:
    place.slack.fail("oauth.v2.access", times=1, drop="before")
    async with place.running():
        shown = await install(place, TEAM, "xoxb-one")
    assert shown == Page(status=503, text=page(Outcome.FAILED))


async def test_a_new_key_opens_what_the_old_one_sealed_and_then_needs_it_no_more(place: Place) -> None:
    async with place.running():
        await install(place, TEAM, "xoxb-one")
    for key in (f"{NEWER}, {KEY}", NEWER):
        place.settings = place.settings.model_copy(update={"installation_key": SecretStr(key)})
        async with place.running():
            asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
            await place.slack.answered(HELPDESK, asked)


async def test_another_key_is_refused_at_the_start(place: Place) -> None:
    async with place.running():
        await install(place, TEAM, "xoxb-one")
    place.settings = place.settings.model_copy(update={"installation_key": SecretStr(NEWER)})
    with pytest.raises(SealUnopened, match="installation_key"):
        async with place.running():
            pass


# --- what is kept, by itself ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Clock:
    now: datetime = datetime(2026, 9, 10, 5, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


SETTINGS = SlackSettings(client_id="1.2", client_secret=SecretStr("hush"), installation_key=SecretStr(KEY))


async def test_a_state_holds_once() -> None:
    states = VaultStates(InMemoryVault(), seal_of(SETTINGS), Clock())
    state = await states.async_issue()
    found = await asyncio.gather(*(states.async_consume(state) for _ in range(5)))
    assert sorted(found) == [False, False, False, False, True]


@pytest.mark.parametrize("forged", ["", "x", "1789016400-short", "9999999999-" + "A" * 43, "../installation/-/T0001"])
async def test_a_state_that_was_never_given_does_not_hold(forged: str) -> None:
    assert await VaultStates(InMemoryVault(), seal_of(SETTINGS), Clock()).async_consume(forged) is False


async def test_a_state_holds_for_ten_minutes_and_what_is_past_is_cleared_away() -> None:
    clock, vault = Clock(), InMemoryVault()
    states = VaultStates(vault, seal_of(SETTINGS), clock)
    early, late = await states.async_issue(), await states.async_issue()
    clock.now += timedelta(minutes=9, seconds=59)
    assert await states.async_consume(early)
    clock.now += timedelta(seconds=2)
    assert not await states.async_consume(late)
    left = await states.async_issue()
    clock.now += timedelta(minutes=11)
    await states.async_issue()
    assert not await states.async_consume(left)
    assert len(await vault.names("slack/state/")) == 1


async def test_states_that_nobody_comes_back_with_do_not_fill_the_store() -> None:
    clock, vault = Clock(), InMemoryVault()
    states = VaultStates(vault, seal_of(SETTINGS), clock)
    for _ in range(1000):
        await states.async_issue()
    with pytest.raises(Busy):
        await states.async_issue()
    clock.now += timedelta(minutes=11)
    await states.async_issue()
    assert len(await vault.names("slack/state/")) == 1


async def test_a_sealed_piece_is_of_no_use_in_another_place() -> None:
    seal = seal_of(SETTINGS)
    sealed = seal.sealed("slack/installation/-/T0001", {"bot_token": "xoxb-one"})
    assert seal.opened("slack/installation/-/T0001", sealed) == {"bot_token": "xoxb-one"}
    with pytest.raises(SealUnopened):
        seal.opened("slack/installation/-/T0002", sealed)


async def test_clients_that_are_kept_are_bounded_and_looked_up_again_after_a_while(place: Place) -> None:
    async with place.running():
        await install(place, TEAM, "xoxb-one")
    clock = Clock()
    stored = VaultInstallations(place.app.store.vault, seal_of(place.settings), clock)
    async with calling() as session:
        workspaces = ManyWorkspaces(stored, place.settings, clock, session)
        first = await workspaces.of(TEAM)
        assert first is not None
        assert await workspaces.of(TEAM) is first
        assert (first.workspace, first.client.token, first.home) == (TEAM, "xoxb-one", "https://example.slack.com/")
        await stored.async_delete_installation(enterprise_id=None, team_id=TEAM)
        clock.now += timedelta(minutes=6)
        assert await workspaces.of(TEAM) is None
        assert await workspaces.of("") is None


def test_every_outcome_is_told_in_both_languages() -> None:
    for outcome in Outcome:
        assert page(outcome).count("<section") == 2
        assert '<section lang="ja">' in page(outcome)
        assert '<section lang="en">' in page(outcome)


async def test_what_the_kit_would_take_from_the_environment_changes_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("BOT_TOKEN", "CLIENT_ID", "CLIENT_SECRET", "SIGNING_SECRET", "SCOPES", "REDIRECT_URI"):
        monkeypatch.setenv(f"SLACK_{name}", "of-another-app")
    async with place.running():
        location, _ = await begun(place)
        assert "of-another-app" not in location
        await install(place, TEAM, "xoxb-one")
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
    assert tokens_used(place) == ["xoxb-one"]
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("kind", ["interactive", "slash_commands"])
async def test_a_click_or_a_command_from_a_workspace_without_the_app_does_nothing(place: Place, kind: str) -> None:
    click = {"type": "block_actions", "team": {"id": OTHER}, "user": {"id": EVA}, "actions": [{"action_id": "any"}]}
    command = {"command": "/helpdesk", "team_id": OTHER, "user_id": EVA, "text": "", "channel_id": FAR}
    async with place.running():
        url = f"{place.slack.base_url}/hooks/none"
        payload = {**(click if kind == "interactive" else command), "response_url": url}
        acknowledged = await place.slack.wire.attempt(kind, payload, 0)
    assert (acknowledged.status, acknowledged.payload) == (200, {})
    assert place.slack.calls() == []


async def test_a_process_that_still_has_the_old_token_does_not_take_away_the_new_one(place: Place) -> None:
    async with place.running(), calling() as session:
        await install(place, TEAM, "xoxb-one")
        stored = VaultInstallations(place.app.store.vault, seal_of(place.settings), system_clock)
        another = ManyWorkspaces(stored, place.settings, system_clock, session)
        old = await another.of(TEAM)
        assert old is not None
        await install(place, TEAM, "xoxb-two")
        await another.drop(old)
        new = await another.of(TEAM)
        assert new is not None
        assert new.client.token == "xoxb-two"
        await another.drop(new)
        assert await another.of(TEAM) is None
