"""Where Teams calls (HTTP): everything it tells, at one path."""

from __future__ import annotations

import structlog
from aiohttp import web

from handlers.teams.acts.acting import Acts
from handlers.teams.door import Door
from handlers.teams.guard import Guard, Refusal
from handlers.teams.records import Act, Acted, Ignored, Inbound
from handlers.traces import traced
from memory.errors import Busy, StoreUnavailable

log = structlog.get_logger()

PATH = "/api/messages"

_JSON = "application/json"
_SAID = "application/vnd.microsoft.activity.message"
_ERROR = "application/vnd.microsoft.error"


def messages_route(guard: Guard, door: Door, acts: Acts) -> web.RouteDef:
    """Where Teams posts. 200: it is on the disk; 401: not signed by the Bot Framework for our app; 403: from elsewhere,
    or to be answered elsewhere; 400 and 415: not readable; 413: too large; 501: an invocation that is not ours; 503:
    not taken, so that Teams tells it again."""

    async def hear(request: web.Request) -> web.StreamResponse:
        if request.content_type != _JSON:
            return _refused(Refusal(status=415, why="type"))
        admitted = await guard.admitted(request.headers.get("Authorization", ""), await request.read())
        if isinstance(admitted, Refusal):
            return _refused(admitted)
        try:
            told = await door.hear(admitted)
        except (StoreUnavailable, Busy) as error:
            log.warning("teams_activity_not_taken", error=type(error).__name__)
            return web.json_response({"error": "unavailable"}, status=503)
        except Exception as error:
            return _failed(error)
        return _answered(told, acts, door) if admitted["type"] == "invoke" else web.json_response({})

    return web.post(PATH, hear)


def _answered(told: Inbound, acts: Acts, door: Door) -> web.Response:
    """What Teams shows at once to who clicked; what came of it follows as a message."""
    match told:
        case Acted(kind=Act.FEEDBACK):
            return web.json_response({})
        case Acted() if acts.knows(told) or told.kind is Act.REFRESHED:
            said = door.wording.teams(door.language(told.locale)).taken
            return web.json_response({"statusCode": 200, "type": _SAID, "value": said})
        case Acted():
            failed = {"code": "BadRequest", "message": door.wording.acts(door.language(told.locale)).gone}
            return web.json_response({"statusCode": 400, "type": _ERROR, "value": failed})
        case Ignored(detail=detail):
            log.info("teams_invocation_left", name=detail)
    return web.json_response({"error": "not ours"}, status=501)


def _failed(error: Exception) -> web.Response:
    """The outer loop of a delivery: it is not taken, and Teams tells it again."""
    log.error("teams_activity_failed", **traced(error))
    return web.json_response({"error": "failed"}, status=503)


def _refused(refusal: Refusal) -> web.Response:
    log.warning("teams_call_turned_away", status=refusal.status, why=refusal.why)
    return web.json_response({"error": refusal.why}, status=refusal.status)
