"""The seam to Microsoft's kit (botbuilder), which is out of support: all of it that this bot uses is in this file.

The kit's adapter continues conversations and its connector client words the calls. What it would do by itself is done
here instead: its sender waits in threads of the whole process, follows redirects with people's words in hand and
repeats what may have arrived, and its records drop the AI label and the citations of a message.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from botbuilder.core import BotAdapter, TurnContext
from botbuilder.integration.aiohttp import CloudAdapter
from botbuilder.schema import Activity, ConversationAccount, ConversationReference
from botframework.connector import AsyncBfPipeline, BotFrameworkConnectorConfiguration
from botframework.connector.aio import ConnectorClient
from botframework.connector.auth import (
    AuthenticateRequestResult,
    BotFrameworkAuthentication,
    ClaimsIdentity,
    ConnectorFactory,
    UserTokenClient,
)
from msrest.pipeline import Request, Response
from msrest.serialization import Model

from handlers.teams.delivery import Delivery, Reply

#: Under this name what is sent reaches the sender, past the kit's records.
_CONTENT = "content"
#: In the place of an activity: the kit checks and words each of its fifty fields, for nobody.
_NOTHING = Model()  # type: ignore[no-untyped-call]
#: Teams has an address for each part of the world.
_MOST_CLIENTS = 32


class Kit:
    """Writes into conversations, by the kit's adapter."""

    def __init__(self, delivery: Delivery, app_id: str) -> None:
        self._adapter = CloudAdapter(_Authentication(delivery))
        self._app_id = app_id

    async def post(self, service: str, conversation: str, content: Mapping[str, object]) -> str | None:
        """A new message; its id where Teams tells one. Raises as `Delivery.send` does."""

        async def send(client: Any) -> Any:
            return await client.conversations.send_to_conversation(conversation, _NOTHING, **{_CONTENT: content})

        done = await self._continued(service, conversation, send)
        return done.id if done is not None else None

    async def replace(self, service: str, conversation: str, message: str, content: Mapping[str, object]) -> None:
        """Other content for one of our messages. Raises as `Delivery.send` does."""

        async def send(client: Any) -> Any:
            return await client.conversations.update_activity(
                conversation, message, _NOTHING, **{_CONTENT: {**content, "id": message}}
            )

        await self._continued(service, conversation, send)

    async def remove(self, service: str, conversation: str, message: str) -> None:
        """One of our messages goes. Raises as `Delivery.send` does."""

        async def send(client: Any) -> Any:
            return await client.conversations.delete_activity(conversation, message, **{_CONTENT: {}})

        await self._continued(service, conversation, send)

    async def _continued(self, service: str, conversation: str, send: Any) -> Any:
        done: list[Any] = []

        async def turn(context: TurnContext) -> None:
            done.append(await send(context.turn_state[BotAdapter.BOT_CONNECTOR_CLIENT_KEY]))

        reference = ConversationReference(
            channel_id="msteams", service_url=service, conversation=ConversationAccount(id=conversation)
        )
        await self._adapter.continue_conversation(reference, turn, self._app_id)
        return done[0]


class _Authentication(BotFrameworkAuthentication):  # type: ignore[misc]  # the kit ships no types
    """What the adapter needs to write. What comes in goes through our own guard and never through the adapter."""

    def __init__(self, delivery: Delivery) -> None:
        self._connectors = _Connectors(delivery)

    def create_connector_factory(self, claims_identity: ClaimsIdentity) -> ConnectorFactory:
        return self._connectors

    async def create_user_token_client(self, claims_identity: ClaimsIdentity) -> UserTokenClient | None:
        return None

    async def authenticate_request(self, activity: Activity, auth_header: str) -> AuthenticateRequestResult:
        raise PermissionError

    async def authenticate_streaming_request(
        self, auth_header: str, channel_id_header: str
    ) -> AuthenticateRequestResult:
        raise PermissionError


class _Connectors(ConnectorFactory):  # type: ignore[misc]
    """One client for each address: the kit takes 10 ms to make one."""

    def __init__(self, delivery: Delivery) -> None:
        self._delivery = delivery
        self._made: OrderedDict[str, ConnectorClient] = OrderedDict()

    async def create(self, service_url: str, audience: str) -> ConnectorClient:
        if service_url not in self._made:
            self._made[service_url] = self._connector(service_url)
            if len(self._made) > _MOST_CLIENTS:
                self._made.popitem(last=False)
        return self._made[service_url]

    def _connector(self, service_url: str) -> ConnectorClient:
        # Without credentials of its own: `Delivery` signs what it sends.
        configuration = BotFrameworkConnectorConfiguration(
            (), service_url, pipeline_type=AsyncBfPipeline, sender=_Sender(self._delivery)
        )
        return ConnectorClient((), service_url, custom_configuration=configuration)


class _Sender:
    """At the end of the kit's pipeline: the call with our content, sent by us."""

    def __init__(self, delivery: Delivery) -> None:
        self._delivery = delivery

    def build_context(self) -> None:
        """The kit asks for one."""

    async def send(self, request: Request[Any], **given: Any) -> Response[Any, Any]:
        called = request.http_request
        reply = await self._delivery.send(called.method, called.url, given[_CONTENT])
        return Response(request, _Replied(reply))


class _Replied:
    """A reply as the kit reads it, which stumbles over any other than this one."""

    def __init__(self, reply: Reply) -> None:
        self.status_code = 200
        self.headers = {"content-type": "application/json"}
        self.reason = ""
        self._body = json.dumps({} if reply.id is None else {"id": reply.id}).encode()

    def body(self) -> bytes:
        return self._body

    def text(self, encoding: str | None = None) -> str:
        return self._body.decode(encoding or "utf-8", errors="replace")
