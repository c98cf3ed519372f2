"""Who somebody is to the desk: what they may see, and as whom they speak."""

from __future__ import annotations

from config.schema import AccessSettings
from memory.model import Role, Viewer


def viewer_of(user: str, channel: str, access: AccessSettings) -> Viewer:
    """The eyes with which memory is read for `user`, whose answer will be seen in `channel`."""
    return Viewer(user=user, channel=channel, agent=user in access.agents)


def role_of(author: str, requester: str, access: AccessSettings) -> Role:
    """A support agent speaks as one in other people's requests, and asks like everybody in their own."""
    return Role.AGENT if author in access.agents and author != requester else Role.REQUESTER
