"""Where an outside tracker says what became of tickets: signed requests, each taken once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import structlog
from aiohttp import web
from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError

from bot.webhook_signature import delivery_in
from handlers.characters import cleaned, one_line
from handlers.tickets.desk import TicketDesk
from handlers.tickets.endings import Endings
from handlers.tickets.records import Resolution
from handlers.tickets.tracked import Tracked, take_in
from memory.errors import StepRefused, StoreUnavailable, TicketElsewhere, TicketMoved, TicketUnknown
from memory.ports import Clock
from memory.tickets import State

log = structlog.get_logger()

PATH = "/tickets/tracker"
_CALLED, _WRITTEN = 80, 4_000


def _line(value: object) -> object:
    return one_line(value, _CALLED) if isinstance(value, str) else value


def _words(value: object) -> object:
    return cleaned(value).strip() if isinstance(value, str) else value


_Name = Annotated[str, BeforeValidator(_line), StringConstraints(min_length=1)]
_Words = Annotated[str, BeforeValidator(_words), StringConstraints(max_length=_WRITTEN)]


class _News(BaseModel):
    """What may be said; anything else is refused, so that a mistake shows."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ticket: _Name
    state: State
    by: _Name | None = None
    assignee: _Name | None = None
    cause: _Words = ""
    fix: _Words = ""


def tracker_route(
    desk: Callable[[], TicketDesk], endings: Endings, *, keys: Sequence[bytes], called: str, clock: Clock
) -> web.RouteDef:
    """Where the tracker posts; `called` is what it is called where it names nobody. 200: the ticket as it stands; 400:
    not readable; 401: not signed within five minutes; 404: no ticket of ours; 409: not in its state; 413: too large;
    503: to be sent again."""

    async def hear(request: web.Request) -> web.Response:
        body = await request.read()
        delivery = delivery_in(request.headers, keys, clock().timestamp(), body)
        if delivery is None:
            return _refused(401, "unsigned")
        try:
            news = _News.model_validate_json(body)
        except ValidationError as error:
            return _refused(400, "unreadable: " + ", ".join(sorted({_place(one["loc"]) for one in error.errors()})))
        return await _taken(_tracked(news, delivery, called), desk(), endings)

    return web.post(PATH, hear)


async def _taken(tracked: Tracked, desk: TicketDesk, endings: Endings) -> web.Response:
    try:
        ticket = await take_in(tracked, desk, endings)
    except TicketUnknown:
        return _refused(404, "no such ticket")
    except (StepRefused, TicketElsewhere) as error:
        return _refused(409, str(error))
    except (TicketMoved, StoreUnavailable) as error:
        log.warning("tracker_request_not_taken", error=type(error).__name__)
        return _refused(503, "please send it again")
    log.info("tracker_heard", ticket=ticket.name, state=ticket.state.value)
    return web.json_response({"ticket": ticket.name, "state": ticket.state.value})


def _tracked(news: _News, delivery: str, called: str) -> Tracked:
    return Tracked(
        delivery=delivery,
        ticket=news.ticket,
        state=news.state,
        by=news.by or called,
        assignee=news.assignee,
        resolution=Resolution(cause=news.cause, fix=news.fix),
    )


def _place(path: tuple[int | str, ...]) -> str:
    """The field that is wrong, where it is one of ours: what a stranger calls things is not repeated."""
    name = str(path[0]) if path else ""
    return name if name in _News.model_fields else "body"


def _refused(status: int, why: str) -> web.Response:
    log.warning("tracker_request_refused", status=status, why=why)
    return web.json_response({"error": why}, status=status)
