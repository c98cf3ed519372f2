"""Where a machine in Azure gets its identity from: the service of virtual machines (IMDS) and that of App Service, each
as it is spoken to and answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

MACHINE, SERVICE = "/metadata/identity/oauth2/token", "/msi/token"
SECRET = "of-this-machine"


@dataclass(slots=True, kw_only=True)
class Identity:
    """One machine with one identity, `client`, for one `resource`; `grant` makes the token of the next answer."""

    client: str
    resource: str
    grant: Callable[[], str]
    #: For how long a token holds.
    seconds: int = 86_400
    #: What comes instead, each once.
    coming: list[web.Response] = field(default_factory=list)
    asked: int = 0

    async def machine(self, request: web.Request) -> web.Response:
        """IMDS, version 2018-02-01."""
        if instead := self._instead():
            return instead
        if request.headers.get("Metadata") != "true":
            return _machine_refuses("Required metadata header not specified")
        if request.query.get("api-version") != "2018-02-01" or request.query.get("resource") != self.resource:
            return _machine_refuses("Invalid request")
        if request.query.get("client_id") != self.client:
            return _machine_refuses("Identity not found")
        begins, ends = int(time.time()), int(time.time()) + self.seconds
        more = {"expires_in": str(self.seconds), "ext_expires_in": str(self.seconds), "not_before": str(begins)}
        return web.json_response({**self._granted(ends), **more})

    async def service(self, request: web.Request) -> web.Response:
        """App Service, version 2019-08-01; it tells only when a token ends."""
        if instead := self._instead():
            return instead
        if request.headers.get("X-IDENTITY-HEADER") != SECRET:
            return web.json_response({"statusCode": 403, "message": "Forbidden"}, status=403)
        if request.query.get("api-version") != "2019-08-01" or request.query.get("resource") != self.resource:
            return web.json_response({"statusCode": 400, "message": "Bad request"}, status=400)
        if request.query.get("client_id") != self.client:
            return web.json_response({"statusCode": 400, "message": "No User Assigned identity found"}, status=400)
        return web.json_response(self._granted(int(time.time()) + self.seconds))

    def _instead(self) -> web.Response | None:
        self.asked += 1
        return self.coming.pop(0) if self.coming else None

    def _granted(self, ends: int) -> dict[str, Any]:
        about = {"client_id": self.client, "resource": self.resource, "token_type": "Bearer"}
        return {**about, "access_token": self.grant(), "expires_on": str(ends)}


def _machine_refuses(why: str) -> web.Response:
    return web.json_response({"error": "invalid_request", "error_description": why}, status=400)
