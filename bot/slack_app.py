"""Slack, opened: the app, the way its events come, and what sees to messages that were left without a reply."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from aiohttp import ClientSession
from aiohttp.web import RouteDef
from slack_bolt.async_app import AsyncApp

from bot.application import Application
from bot.environment import without_variables
from bot.health import Health
from bot.platforms import ACTS_AT_ONCE, FINISH_SECONDS, changes_over, repeating, resuming
from bot.remembering import remembering
from bot.slack_acts import Acting
from bot.slack_client import bot_token_of, calling, client_of, preflight, quiet
from bot.slack_http import events_route
from bot.slack_oauth import installation_routes
from bot.slack_socket import Connection, connected, logged
from bot.slack_vault import VaultInstallations, seal_of
from bot.slack_workspaces import ManyWorkspaces, OneWorkspace
from bot.support_lines import background_over, lines_over
from config.slack import SlackSettings, Transport
from handlers.lanes import Lanes, lanes
from handlers.ports import Soon
from handlers.rush import Rush
from handlers.slack.above import Above
from handlers.slack.acts.acting import Acts
from handlers.slack.acts.ends import SlackEnds
from handlers.slack.acts.note_words import NoteWords
from handlers.slack.acts.report_board import SlackBoard
from handlers.slack.authorization import authorized, known_workspace
from handlers.slack.bringing import Bringing
from handlers.slack.census import Census
from handlers.slack.directory import Directory
from handlers.slack.door import Door
from handlers.slack.installations import Installations
from handlers.slack.intake import Intake
from handlers.slack.listeners import register
from handlers.slack.owed import Owed
from handlers.slack.records import PLATFORM
from handlers.slack.rules import Rules
from handlers.slack.scopes import cost
from handlers.slack.team_channel import TeamChannel
from handlers.turn_lanes import TurnLanes

#: Signs that messages were seen, shown at the same time; none is worth waiting for when the process ends.
_SIGNS_AT_ONCE, _SIGN_SECONDS = 16, 1.0
#: By which Slack is known to whoever asks how the bot is.
_NAME = "slack"
_ACTS = "slack acts"
_MEMBERS = "slack members"
#: How often the members of channels are compared with the memory.
_CENSUS_SECONDS = 3600.0
_TOKEN = "slack token"
_TEAM = "slack handover"


#: What the kit takes from the environment unasked, of which the configuration alone is to speak.
_READ_BY_KIT = ("SLACK_BOT_TOKEN", "SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_VERIFICATION_TOKEN")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Workspaces:
    """Where the bot is installed; what asks again about a token that was refused; the pages on which others install it;
    and what an administrator ought to know."""

    installations: Installations
    ask_again: Callable[[], Awaitable[int]] | None = None
    pages: Sequence[RouteDef] = ()
    remark: str = ""


@asynccontextmanager
async def slack_running(settings: SlackSettings, app: Application) -> AsyncIterator[Sequence[RouteDef]]:
    """The bot in Slack while the context is open; the paths on which Slack and installers call it are given.

    Raises PlatformRefused where a token is wrong or lacks a scope, PlatformUnavailable where Slack cannot be reached,
    and SealUnopened where kept installations do not fit the key.
    """
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(calling())
        workspaces = await _workspaces(settings, app, session)
        signs = await stack.enter_async_context(lanes(_SIGNS_AT_ONCE, finish_seconds=_SIGN_SECONDS))
        rush = Rush()
        under_way = await stack.enter_async_context(
            lanes(settings.answers_at_once, finish_seconds=FINISH_SECONDS, ready=rush.over)
        )
        # Lanes of their own: who opens a form does not wait for answers.
        acting = await stack.enter_async_context(lanes(ACTS_AT_ONCE, finish_seconds=FINISH_SECONDS))
        rules = Rules(lambda: app.settings.slack or settings)
        soon = await stack.enter_async_context(remembering(app))
        parts = _parts(app, rules, workspaces.installations, soon)
        board = SlackBoard(installations=workspaces.installations, rules=rules, intake=parts.intake)
        stack.enter_context(app.boards.standing(board))
        acts = parts.acts(acting)
        census = Census(
            membership=app.store.membership,
            installations=workspaces.installations,
            claims=app.claims,
            clock=app.clock,
        )
        door = _door(parts, acts, census, lanes=under_way, signs=signs, rush=rush)
        bolt = _bolt(settings, workspaces.installations)
        register(bolt, door, acts, workspaces.installations)
        await stack.enter_async_context(resuming(_NAME, door.resume))
        await stack.enter_async_context(resuming(_ACTS, acts.resume))
        await stack.enter_async_context(resuming(_NAME, parts.incident_rounds().go))
        await stack.enter_async_context(resuming(_NAME, parts.tell_endings))
        await stack.enter_async_context(repeating(_MEMBERS, census.go, first=0.0, every=_CENSUS_SECONDS))
        if workspaces.ask_again is not None:
            await stack.enter_async_context(resuming(_TOKEN, workspaces.ask_again))
        await stack.enter_async_context(_team_channel_seen(app, workspaces.installations, rules))
        yield await _heard(stack, settings, app.health, bolt, workspaces)


def _parts(app: Application, rules: Rules, installations: Installations, soon: Soon) -> Acting:
    """What the way in and the acts share."""
    directory = Directory(app.clock)
    intake = Intake(directory, rules)
    words = NoteWords(
        reading=app.store.reading,
        intake=intake,
        rules=rules,
        clock=app.clock,
        background=background_over(app),
        wording=lambda: app.desk.wording,
    )
    ends = SlackEnds(installations=installations, rules=rules, words=words, wording=lambda: app.desk.wording)
    return Acting(
        app=app,
        rules=rules,
        directory=directory,
        intake=intake,
        installations=installations,
        lines=lines_over(app, ends, changes_over(app), soon),
        words=words,
    )


@asynccontextmanager
async def _team_channel_seen(app: Application, installations: Installations, rules: Rules) -> AsyncIterator[None]:
    """Whether the support team can be told, at the start and from then on."""

    def report(why: str) -> None:
        # Everything else goes on.
        if why or _TEAM in app.health.ready():
            app.health.report(_TEAM, True, why)

    async with resuming(_TEAM, TeamChannel(installations=installations, rules=rules, report=report).look):
        yield


def _door(parts: Acting, acts: Acts, census: Census, *, lanes: Lanes, signs: Lanes, rush: Rush) -> Door:
    """The way in, and the way back. `parts` are those that it shares with the acts."""
    app = parts.app
    mailbox, changes = app.store.mailbox, parts.lines.changes
    bringing = Bringing(
        desk=lambda: app.desk,
        changes=changes,
        mailbox=mailbox,
        rules=parts.rules,
        directory=parts.directory,
        intake=parts.intake,
        installations=parts.installations,
        to_person=parts.lines.relay.to_support,
        lanes=lanes,
        propose=lambda words: app.tickets.proposal(words),
    )
    above = Above(
        desk=lambda: app.desk, mailbox=mailbox, intake=parts.intake, directory=parts.directory, rules=parts.rules
    )
    return Door(
        desk=lambda: app.desk,
        changes=changes,
        mailbox=mailbox,
        membership=app.store.membership,
        lanes=lanes,
        turns=TurnLanes(lanes, mailbox, app.claims),
        signs=signs,
        rules=parts.rules,
        directory=parts.directory,
        intake=parts.intake,
        installations=parts.installations,
        bringing=bringing,
        acts=acts,
        rush=rush,
        support=parts.lines.support_end(PLATFORM, lanes, lambda: parts.rules.handover_channel),
        census=census,
        above=above,
        owed=Owed(mailbox, lambda: parts.rules.wait_seconds, app.clock),
        held=lambda conversation: app.tickets.taken(conversation),
    )


async def _workspaces(settings: SlackSettings, app: Application, session: ClientSession) -> _Workspaces:
    if settings.client_id is None:
        here = await preflight(client_of(settings, bot_token_of(settings), session))
        one = OneWorkspace(here, app.health)
        return _Workspaces(installations=one, ask_again=one.ask_again, remark=cost(here.lacking))
    stored = VaultInstallations(app.store.vault, seal_of(settings), app.clock)
    await stored.renew()
    return _Workspaces(
        installations=ManyWorkspaces(stored, settings, app.clock, session),
        pages=installation_routes(settings, stored, app.store.vault, app.clock),
    )


async def _heard(
    stack: AsyncExitStack, settings: SlackSettings, health: Health, bolt: AsyncApp, workspaces: _Workspaces
) -> Sequence[RouteDef]:
    """Have Slack's events come to the app until the stack is left, in the way that is configured."""

    def report(connection: Connection) -> None:
        logged(connection)
        health.report(_NAME, connection.connected, connection.why or workspaces.remark)

    if settings.transport is Transport.SOCKET:
        await stack.enter_async_context(connected(settings, bolt, report=report))
        return workspaces.pages
    health.report(_NAME, True, workspaces.remark)
    return [events_route(bolt, _signing_secret(settings)), *workspaces.pages]


def _bolt(settings: SlackSettings, installations: Installations) -> AsyncApp:
    with without_variables(_READ_BY_KIT):
        return _app(settings, installations)


def _app(settings: SlackSettings, installations: Installations) -> AsyncApp:
    return AsyncApp(
        # Without a token of its own: each request has that of its workspace.
        client=client_of(settings, None),
        signing_secret=_signing_secret(settings),
        before_authorize=known_workspace(installations),
        authorize=authorized(installations),
        # What is acknowledged is on the disk: the listeners are quick, and end before Slack gets its answer.
        process_before_response=True,
        # Our own messages are told apart in one place, with those of other bots.
        ignoring_self_events_enabled=False,
        logger=quiet(),
    )


def _signing_secret(settings: SlackSettings) -> str:
    """Never None, in whose place the kit would take one from the environment."""
    return settings.signing_secret.get_secret_value() if settings.signing_secret else ""
