"""Which scope each method asks for; where it depends on the conversation, by its kind."""

from __future__ import annotations

from collections.abc import Mapping

READS = {"public": "channels:read", "private": "groups:read", "im": "im:read", "mpim": "mpim:read"}
HISTORY = {"public": "channels:history", "private": "groups:history", "im": "im:history", "mpim": "mpim:history"}
WRITES = {"public": "channels:manage", "private": "groups:write", "im": "im:write", "mpim": "mpim:write"}

#: An empty scope: any token will do.
NEEDED: Mapping[str, str | Mapping[str, str]] = {
    "auth.test": "",
    "auth.revoke": "",
    "apps.uninstall": "",
    "oauth.v2.access": "",
    "apps.connections.open": "connections:write",
    "chat.postMessage": "chat:write",
    "chat.postEphemeral": "chat:write",
    "chat.update": "chat:write",
    "chat.delete": "chat:write",
    "chat.getPermalink": "",
    "chat.startStream": "chat:write",
    "chat.appendStream": "chat:write",
    "chat.stopStream": "chat:write",
    "assistant.threads.setStatus": "chat:write",
    "assistant.threads.setSuggestedPrompts": "assistant:write",
    "assistant.threads.setTitle": "assistant:write",
    "reactions.add": "reactions:write",
    "reactions.remove": "reactions:write",
    "conversations.info": READS,
    "conversations.members": READS,
    "conversations.list": "channels:read",
    "conversations.replies": HISTORY,
    "conversations.history": HISTORY,
    "conversations.open": "im:write",
    "users.info": "users:read",
    "team.info": "team:read",
    "bots.info": "users:read",
    "files.info": "files:read",
    "files.getUploadURLExternal": "files:write",
    "files.completeUploadExternal": "files:write",
    "views.open": "",
    "views.update": "",
    "views.publish": "",
    "views.push": "",
}
#: What an app is granted that was set up in full.
ALL = frozenset(
    {scope for need in NEEDED.values() for scope in ([need] if isinstance(need, str) else need.values())}
    | {"app_mentions:read", "commands", "users:read.email", "metadata.message:read"}
) - {"", "connections:write"}
