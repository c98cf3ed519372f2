"""/api/*: the token, the scope, the fault, then the method; every call is written down."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from aiohttp import web

from tests.fakes.slack import chat, conversations, directory, scopes, streams, uploads, views
from tests.fakes.slack.calls import Call, Made, read_arguments
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.faults import Fault, Faults, dropped
from tests.fakes.slack.links import Links
from tests.fakes.slack.wire import Wire
from tests.fakes.slack.world import Json, World

METHODS: Mapping[str, Callable[[Call], Json]] = {
    "auth.test": directory.auth_test,
    "users.info": directory.users_info,
    "team.info": directory.team_info,
    "bots.info": directory.bots_info,
    "files.info": directory.files_info,
    "files.getUploadURLExternal": uploads.get_url,
    "files.completeUploadExternal": uploads.complete,
    "chat.postMessage": chat.post_message,
    "chat.postEphemeral": chat.post_ephemeral,
    "chat.update": chat.update,
    "chat.delete": chat.delete,
    "chat.getPermalink": chat.get_permalink,
    "chat.startStream": streams.start,
    "chat.appendStream": streams.append,
    "chat.stopStream": streams.stop,
    "reactions.add": conversations.add_reaction,
    "reactions.remove": conversations.remove_reaction,
    "conversations.info": conversations.info,
    "conversations.list": conversations.listed,
    "conversations.members": conversations.members,
    "conversations.replies": conversations.replies,
    "conversations.history": conversations.history,
    "conversations.open": conversations.opened,
    "assistant.threads.setStatus": views.set_status,
    "assistant.threads.setTitle": views.set_title,
    "assistant.threads.setSuggestedPrompts": views.set_prompts,
    "views.open": views.opened,
    "views.push": views.pushed,
    "views.update": views.updated,
    "views.publish": views.published,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """An OAuth code and what it is exchanged for, once."""

    code: str
    team: str
    token: str
    client_id: str
    client_secret: str
    wide: bool = False


@dataclass(slots=True, kw_only=True)
class Api:
    """The Web API of this Slack."""

    world: World
    wire: Wire
    links: Links
    bot_tokens: dict[str, str]
    app_tokens: set[str]
    revoked: set[str] = field(default_factory=set)
    #: Tokens of whole organisations.
    wide: dict[str, str] = field(default_factory=dict)
    granted: frozenset[str] = scopes.ALL
    needed: dict[str, str | Mapping[str, str]] = field(default_factory=lambda: dict(scopes.NEEDED))
    offers: dict[str, Offer] = field(default_factory=dict)
    faults: Faults = field(default_factory=Faults)
    calls: list[Made] = field(default_factory=list)
    stream_life: float = 300.0
    trigger_life: float = 3.0

    async def serve(self, request: web.Request) -> web.StreamResponse:
        method, began = request.match_info["method"], time.monotonic()
        try:
            arguments, token = await read_arguments(request)
        except Refused as refused:
            return web.json_response(refused.body)
        fault = await self.faults.meet(method, arguments)
        made: Json = {"method": method, "arguments": arguments, "token": token, "at": began}
        if fault is not None and (fault.answers or fault.drop == "before"):
            return self._failed(request, fault, made)
        body = self._carried_out(request, method, arguments, token)
        self.calls.append(Made(**made, error=body.get("error")))
        self.world.touch()
        if fault is not None and fault.drop == "after":
            return dropped(request)
        return web.json_response(body, headers={"X-OAuth-Scopes": ",".join(sorted(self.granted))})

    def _failed(self, request: web.Request, fault: Fault, made: Json) -> web.StreamResponse:
        response = dropped(request) if fault.drop else fault.response()
        error = "dropped" if fault.drop else fault.error or "ratelimited" if fault.status in (None, 429) else "status"
        self.calls.append(Made(**made, status=0 if fault.drop else response.status, error=error))
        self.world.touch()
        return response

    def _carried_out(self, request: web.Request, method: str, arguments: Json, token: str) -> Json:
        try:
            if method == "oauth.v2.access":
                return self._exchange(request, arguments)
            if method == "apps.connections.open":
                return self._open(request, token)
            team = self._where(self._team(method, token), token, arguments)
            if method in ("auth.revoke", "apps.uninstall"):
                self.revoked.add(token)
                return {"ok": True, "revoked": True}
            call = Call(
                method=method, arguments=arguments, token=token, team=team, world=self.world, wire=self.wire,
                granted=self.granted, stream_life=self.stream_life, trigger_life=self.trigger_life,
            )  # fmt: skip
            self._allow(call)
            return METHODS[method](call)
        except Refused as refused:
            return refused.body

    def _team(self, method: str, token: str) -> str:
        """The team of a bot token; refuses every other token, and methods that there are not."""
        if method not in self.needed:
            raise Refused("unknown_method", req_method=method)
        if not token:
            raise Refused("not_authed")
        if token in self.revoked:
            raise Refused("token_revoked")
        if token in self.app_tokens:
            raise Refused("not_allowed_token_type")
        if token not in self.bot_tokens:
            raise Refused("invalid_auth")
        return self.bot_tokens[token]

    def _where(self, team: str, token: str, arguments: Json) -> str:
        """A token of a whole organisation works in the workspace of the channel that is spoken of."""
        found = self.world.by_name(str(arguments.get("channel") or arguments.get("channel_id") or ""))
        here = found is not None and self.world.teams[found.team].enterprise_id == self.wide.get(token, "")
        return found.team if found is not None and here else team

    def _allow(self, call: Call) -> None:
        need = self.needed[call.method]
        if not isinstance(need, str):
            found = self.world.by_name(str(call.arguments.get("channel", "")))
            need = need[found.kind if found else "public"]
        if need and need not in self.granted:
            raise Refused("missing_scope", needed=need, provided=",".join(sorted(self.granted)))

    def _open(self, request: web.Request, token: str) -> Json:
        """A new place for a WebSocket; only an app-level token gets one."""
        if not token:
            raise Refused("not_authed")
        if token in self.revoked:
            raise Refused("token_revoked")
        if token not in self.app_tokens:
            raise Refused("not_allowed_token_type" if token in self.bot_tokens else "invalid_auth")
        return {"ok": True, "url": f"ws://{request.host}/link?ticket={self.links.ticket()}&app_id={self.world.app_id}"}

    def _exchange(self, request: web.Request, arguments: Json) -> Json:
        """oauth.v2.access: the client's id and secret in the header or in the body, a code once."""
        offer = self.offers.get(str(arguments.get("code", "")))
        if offer is None:
            raise Refused("invalid_code")
        if _client(request, arguments) != (offer.client_id, offer.client_secret):
            raise Refused("bad_client_secret")
        del self.offers[offer.code]
        team = self.world.teams[offer.team]
        self.bot_tokens[offer.token] = team.id
        enterprise = {"id": team.enterprise_id, "name": "Example"} if team.enterprise_id else None
        if offer.wide and team.enterprise_id:
            self.wide[offer.token] = team.enterprise_id
            self.world.wide.add(team.enterprise_id)
        installer = next((p.id for p in self.world.people.values() if p.team == team.id and not p.is_bot), "U0000")
        return {
            "ok": True, "app_id": self.world.app_id, "authed_user": {"id": installer}, "scope": ",".join(self.granted),
            "token_type": "bot", "access_token": offer.token, "bot_user_id": self.world.me.id,
            "team": None if offer.wide else {"id": team.id, "name": team.name}, "enterprise": enterprise,
            "is_enterprise_install": offer.wide,
        }  # fmt: skip


def _client(request: web.Request, arguments: Json) -> tuple[str, str]:
    header = request.headers.get("Authorization", "")
    if header.startswith("Basic "):
        login, _, password = base64.b64decode(header.removeprefix("Basic ")).decode().partition(":")
        return login, password
    return str(arguments.get("client_id", "")), str(arguments.get("client_secret", ""))
