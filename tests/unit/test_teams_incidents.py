"""In Teams the support team is told of an incident in its channel once, and each subscriber once of its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.application import Application
from bot.support_lines import incident_rounds_over
from config.teams import TeamsChannelSettings, TeamsSettings
from handlers.incidents.rounds import IncidentRounds
from handlers.teams.acts.incident_notes import IncidentNotes
from handlers.teams.acts.incident_teller import TeamsTeller
from handlers.teams.notebook import Notebook
from handlers.teams.records import PLATFORM, Place, Site
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.wordings import SHIPPED
from memory.errors import DeliveryUnknown, PlatformRefused, PlatformUnavailable
from memory.incidents import Phase, Ruling
from memory.model import DIRECT, Conversation, Turn, Visibility
from tests.fakes.incidents import TurnsClock, question
from tests.fakes.small_application import small_application
from tests.fakes.teams_acts import lines_of
from tests.fakes.turns import NOON

SERVICE, SUPPORT = "https://smba.trafficmanager.net/amer/", "19:support@thread.tacv2"
SHOWN = "すべての報告は、サーバーで helpdesk incidents show HD-1 を実行すると見られます。"
TOLD = f"3人から同じような問い合わせが来ています（HD-1: 同じような問い合わせ）。\n{SHOWN}\nHD-1: 確認待ち"
OVER = "HD-1: 同じような問い合わせ は終わりました。まだ困っている場合は、もう一度質問してください。"


class Posted:
    """Takes what is written, or raises what stands in `errors` first."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, str, str]] = []
        self.errors: list[Exception] = []

    async def post(self, service: str, conversation: str, content: Mapping[str, object]) -> str | None:
        if self.errors:
            raise self.errors.pop(0)
        self.messages.append((service, conversation, _seen(content)))
        return None

    async def replace(self, service: str, conversation: str, message: str, content: Mapping[str, object]) -> None:
        raise AssertionError

    async def remove(self, service: str, conversation: str, message: str) -> None:
        raise AssertionError


def _seen(content: Mapping[str, object]) -> str:
    """The words of a message, or of its card."""
    return str(content["text"]) if "text" in content else "\n".join(lines_of(content))


def asked(person: str, minutes: float) -> Turn:
    """In a personal chat, which nobody else may read."""
    said = question(person, "メールを送信するとエラー ML-451 で戻ってきます。", minutes=minutes)
    where = Conversation(platform=PLATFORM, workspace="tenant", channel=DIRECT, thread=f"a:{person}")
    return Turn(
        **{name: getattr(said, name) for name in said.__slots__}
        | {"conversation": where, "visibility": Visibility.PRIVATE}
    )


@pytest.fixture
async def app(tmp_path: Path) -> Application:
    app = small_application(tmp_path, TurnsClock(NOON + timedelta(hours=1)))
    for number, person in enumerate(("sato", "mori", "abe")):
        turn = asked(person, number)
        await app.store.writing.record([turn])
        await app.incidents.noticed(turn)
    return app


async def rounds(
    app: Application, posted: Posted, channel: str | None = SUPPORT, chats: Sequence[str] = ("a:mori",)
) -> IncidentRounds:
    """The bot is in these chats."""
    everybody = TeamsChannelSettings(memory="everyone")
    settings = TeamsSettings(development=True, handover_channel=channel, default=everybody)
    sites = Sites(Notebook(app.store.vault, app.clock), ["smba.trafficmanager.net"])
    for chat in chats:
        await sites.remember(Site(tenant="tenant", chat=chat, place=Place.PERSONAL, service=SERVICE))
    notebook = Notebook(app.store.vault, app.clock)
    teller = TeamsTeller(
        box=app.store.incidents,
        notes=IncidentNotes(
            incidents=lambda: app.incidents,
            writes=posted,
            rules=Rules(lambda: settings),
            notebook=notebook,
            wording=lambda: SHIPPED,
        ),
        writes=posted,
        sites=sites,
        rules=Rules(lambda: settings),
        wording=lambda: SHIPPED,
    )
    return incident_rounds_over(app, teller)


async def test_the_team_is_told_once_without_a_word_of_private_questions(app: Application) -> None:
    posted = Posted()
    assert [await (await rounds(app, posted)).go() for _ in range(3)] == [1, 0, 0]
    assert posted.messages == [(SERVICE, SUPPORT, TOLD)]


async def test_the_team_is_led_to_the_reports_that_its_channel_may_read(app: Application) -> None:
    where = Conversation(platform=PLATFORM, workspace="tenant", channel="19:all@thread.tacv2", thread="1764000000001")
    public = replace(asked("kimura", 9), conversation=where, message="1764000000001", visibility=Visibility.EVERYONE)
    await app.store.writing.record([public])
    await app.incidents.noticed(public)
    posted = Posted()
    await (await rounds(app, posted)).go()
    [(_, _, said_there)] = posted.messages
    assert said_there.splitlines()[1:] == ["• 報告 1", SHOWN, "HD-1: 確認待ち"]


async def test_what_did_not_arrive_is_told_in_the_next_round(app: Application) -> None:
    posted = Posted()
    posted.errors.append(PlatformUnavailable())
    assert [await (await rounds(app, posted)).go() for _ in range(3)] == [0, 1, 0]
    assert len(posted.messages) == 1


@pytest.mark.parametrize("error", [PlatformRefused(), DeliveryUnknown()])
async def test_what_is_refused_or_may_have_arrived_is_not_told_again(app: Application, error: Exception) -> None:
    posted = Posted()
    posted.errors.append(error)
    assert [await (await rounds(app, posted)).go() for _ in range(2)] == [1, 0]
    assert posted.messages == []


async def test_without_a_channel_nobody_is_told(app: Application) -> None:
    posted = Posted()
    assert await (await rounds(app, posted, None)).go() == 0
    assert posted.messages == []


# --- subscribers ------------------------------------------------------------------------------------------------------


async def over(app: Application) -> None:
    """Mori wants to hear of the end, and it comes."""
    [found] = await app.incidents.listed(9, going_on=True)
    await app.incidents.subscribe(found.id, "mori", asked("mori", 1), "ja")
    await app.store.incidents.told(found.id)
    await app.store.incidents.rule(found.id, Ruling(phase=Phase.OVER, by="kato", at=app.clock()))


async def test_a_subscriber_hears_once_in_the_chat_that_it_is_over(app: Application) -> None:
    posted = Posted()
    await over(app)
    assert [await (await rounds(app, posted)).go() for _ in range(3)] == [1, 0, 0]
    assert posted.messages == [(SERVICE, "a:mori", OVER)]


@pytest.mark.parametrize("channel", [SUPPORT, None])
async def test_what_did_not_reach_a_subscriber_comes_in_the_next_round(app: Application, channel: str | None) -> None:
    posted = Posted()
    posted.errors.append(PlatformUnavailable())
    await over(app)
    assert [await (await rounds(app, posted, channel)).go() for _ in range(3)] == [0, 1, 0]
    assert posted.messages == [(SERVICE, "a:mori", OVER)]


@pytest.mark.parametrize("error", [PlatformRefused(), DeliveryUnknown()])
async def test_what_a_subscriber_may_have_heard_is_not_said_again(app: Application, error: Exception) -> None:
    posted = Posted()
    posted.errors.append(error)
    await over(app)
    assert [await (await rounds(app, posted)).go() for _ in range(2)] == [1, 0]
    assert posted.messages == []


async def test_a_subscriber_whose_chat_the_bot_was_removed_from_is_owed_nothing(app: Application) -> None:
    posted = Posted()
    await over(app)
    assert await (await rounds(app, posted, chats=())).go() == 1
    assert posted.messages == []
