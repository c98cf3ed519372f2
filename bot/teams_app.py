"""Teams, opened: the guard, the door behind it, and what sees to messages that were left without a reply."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import structlog
from aiohttp import ClientSession, DummyCookieJar
from aiohttp.web import RouteDef

from bot.application import Application
from bot.platforms import ACTS_AT_ONCE, FINISH_SECONDS, repeating, resuming
from bot.remembering import remembering
from bot.teams_acts import Acting, acting_over
from bot.teams_http import messages_route
from config.teams import Identity, TeamsSettings
from config.values import LOOPBACK
from handlers.lanes import Lanes, lanes
from handlers.pauses import Pauses
from handlers.ports import Soon
from handlers.teams.acts.acting import Acts
from handlers.teams.bringing import Bringing
from handlers.teams.credentials import Ask, Tokens, by_managed_identity, by_password, nothing
from handlers.teams.delivery import Delivery
from handlers.teams.door import Door
from handlers.teams.errand import Writes
from handlers.teams.files import Files
from handlers.teams.guard import Admission, Guard
from handlers.teams.intake import Intake
from handlers.teams.keys import Keys
from handlers.teams.kit import Kit
from handlers.teams.notebook import Notebook
from handlers.teams.outlet import Outlets
from handlers.teams.progress import Replies
from handlers.teams.records import PLATFORM, Me
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.teams.tokens import Signer
from handlers.turn_lanes import TurnLanes
from memory.errors import PlatformRefused, PlatformUnavailable

log = structlog.get_logger()

#: By which Teams is known to whoever asks how the bot is.
_NAME = "teams"
_ACTS = "teams acts"
_BOT = "28:"
#: How often it is looked whether there is a token. While there is one nobody is asked for it.
_SIGN_IN_SECONDS = 15.0


@asynccontextmanager
async def teams_running(settings: TeamsSettings, app: Application) -> AsyncIterator[Sequence[RouteDef]]:
    """The bot in Teams while the context is open; the path on which Teams calls it is given.

    Raises PlatformRefused where the app's credentials are wrong. Where nobody can say, the bot runs, and
    `app.health` says why it is not well.
    """
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(ClientSession(cookie_jar=DummyCookieJar(), trust_env=True))
        tokens = Tokens(_ask(settings, session), lambda why: app.health.report(_NAME, not why, why))
        await stack.enter_async_context(_signed_in(tokens))
        hosts = hosts_of(settings)
        calling = await stack.enter_async_context(ClientSession(cookie_jar=DummyCookieJar()))
        writes = Kit(Delivery(calling, tokens, hosts), settings.app_id or "")
        under_way = await stack.enter_async_context(lanes(settings.answers_at_once, finish_seconds=FINISH_SECONDS))
        # Lanes of their own: who asks what is remembered does not wait for answers.
        acting = await stack.enter_async_context(lanes(ACTS_AT_ONCE, finish_seconds=FINISH_SECONDS))
        soon = await stack.enter_async_context(remembering(app))
        parts = _parts(app, settings, writes, hosts, soon)
        stack.enter_context(app.boards.standing(parts.board(settings.tenant or "")))
        acts = parts.acts(acting)
        door = _door(parts, acts, settings, session, under_way)
        await stack.enter_async_context(resuming(_NAME, door.resume))
        await stack.enter_async_context(resuming(_ACTS, acts.resume))
        await stack.enter_async_context(resuming(_NAME, parts.incident_rounds().go))
        await stack.enter_async_context(resuming(_NAME, parts.tell_endings))
        guard = Guard(_admission(settings, hosts), Keys(session, settings.openid_url))
        yield [messages_route(guard, door, acts)]


@asynccontextmanager
async def _signed_in(tokens: Tokens) -> AsyncIterator[None]:
    """Sign in: a wrong secret is better known now than at the first answer. Where nobody can say, that is tried again
    while the context is open, as nobody may be let through to a bot that is not well. Raises PlatformRefused."""
    pauses = Pauses()

    async def again() -> int:
        if pauses.due(_NAME):
            try:
                pauses.settled(_NAME, await _signs_in(tokens))
            except PlatformRefused as error:
                log.warning("teams_not_signed_in", why=str(error))
                pauses.settled(_NAME, False)
        return 0

    pauses.settled(_NAME, await _signs_in(tokens))
    async with repeating(_NAME, again, first=_SIGN_IN_SECONDS, every=_SIGN_IN_SECONDS):
        yield


async def _signs_in(tokens: Tokens) -> bool:
    """Whether we are let in; False where nobody says. Raises PlatformRefused."""
    try:
        await tokens.current()
    except PlatformUnavailable as error:
        log.warning("teams_not_signed_in", why=str(error))
        return False
    return True


def hosts_of(settings: TeamsSettings) -> frozenset[str]:
    """The hosts to which answers may go. In development that is this machine and nothing else."""
    return frozenset(LOOPBACK if settings.development else settings.service_hosts)


def _ask(settings: TeamsSettings, session: ClientSession) -> Ask:
    if settings.development:
        return nothing
    app_id, tenant = settings.app_id or "", settings.tenant or ""
    if settings.identity is Identity.MANAGED:
        return by_managed_identity(app_id, settings.scope)
    secret = settings.app_password
    return by_password(
        session,
        url=f"{settings.login_url.rstrip('/')}/{tenant}/oauth2/v2.0/token",
        app_id=app_id,
        password=secret.get_secret_value() if secret else "",
        scope=settings.scope,
    )


def _admission(settings: TeamsSettings, hosts: frozenset[str]) -> Admission:
    signer = None if settings.app_id is None else Signer(issuer=settings.issuer, app_id=settings.app_id)
    if signer is None and not settings.development:
        raise ValueError("a bot without credentials would believe anybody: set teams.development to try things out")
    return Admission(signer=signer, tenant=settings.tenant, hosts=hosts)


def _parts(app: Application, settings: TeamsSettings, writes: Writes, hosts: frozenset[str], soon: Soon) -> Acting:
    notebook = Notebook(app.store.vault, app.clock)
    rules = Rules(lambda: app.settings.teams or settings)
    return acting_over(app, writes=writes, rules=rules, sites=Sites(notebook, hosts), notebook=notebook, soon=soon)


def _door(parts: Acting, acts: Acts, settings: TeamsSettings, session: ClientSession, under_way: Lanes) -> Door:
    """The way in, and the way back. `parts` are those that it shares with the acts."""
    app, changes, replies = parts.app, parts.lines.changes, Replies(parts.notebook)
    bringing = Bringing(
        writes=parts.writes,
        desk=lambda: app.desk,
        mailbox=app.store.mailbox,
        rules=parts.rules,
        sites=parts.sites,
        replies=replies,
        outlets=Outlets(replies, parts.answers),
        files=Files(session, settings.file_hosts, changes),
        to_person=parts.lines.relay.to_support,
        clock=app.clock,
    )
    return Door(
        me=None if settings.app_id is None else Me(id=f"{_BOT}{settings.app_id}"),
        desk=lambda: app.desk,
        changes=changes,
        membership=app.store.membership,
        lanes=under_way,
        turns=TurnLanes(under_way, app.store.mailbox, app.claims),
        rules=parts.rules,
        sites=parts.sites,
        intake=Intake(parts.rules, parts.sites, app.store.reading, app.clock),
        bringing=bringing,
        acts=acts,
        support=parts.lines.support_end(PLATFORM, under_way, lambda: parts.rules.handover_channel),
        held=lambda conversation: app.tickets.taken(conversation),
    )
