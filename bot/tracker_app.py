"""An outside tracker, connected: what it is told, and the path on which it tells."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from aiohttp import ClientSession, DummyCookieJar
from aiohttp.web import RouteDef

from bot.application import Application
from bot.platforms import endings_over, repeating
from bot.tracker_http import tracker_route
from bot.tracker_webhook import WebhookTracker
from config.tracker import TrackerSettings, keys_in
from handlers.tickets.tracking import Tracking

#: How often it is looked for changes that are to be told.
_SECONDS = 3.0


@asynccontextmanager
async def tracker_running(settings: TrackerSettings, app: Application) -> AsyncIterator[Sequence[RouteDef]]:
    """The tracker hears of changes while the context is open; the path on which it says what became of tickets is
    given."""
    keys = keys_in(settings.secret)
    async with ClientSession(cookie_jar=DummyCookieJar(), trust_env=True) as session:
        tracking = Tracking(
            deliveries=app.store.deliveries,
            tracker=WebhookTracker(session, settings.url, keys, app.clock),
            reading=app.store.reading,
            tickets=app.store.tickets,
            claims=app.claims,
            clock=app.clock,
            words=settings.words,
        )
        async with repeating("tracker", tracking.go, first=_SECONDS, every=_SECONDS):
            yield [
                tracker_route(lambda: app.tickets, endings_over(app), keys=keys, called=settings.name, clock=app.clock)
            ]
