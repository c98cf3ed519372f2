"""Who somebody is to the desk: what they may see, and as whom they speak."""

from __future__ import annotations

from config.knowledge import KnowledgeSettings, OpenTo
from config.schema import AccessSettings
from handlers.ports import Manners
from memory.model import DIRECT, Role, Viewer


def viewer_of(user: str, channel: str, access: AccessSettings) -> Viewer:
    """The eyes with which memory is read for `user`, whose answer will be seen in `channel`."""
    return Viewer(user=user, channel=channel, agent=user in access.agents)


def collections_for(viewer: Viewer, knowledge: KnowledgeSettings, manners: Manners) -> frozenset[str]:
    """The collections that an answer for `viewer` may use: those that the place allows, and of them those for agents
    only where an agent alone sees the answer."""
    agent = viewer.agent and viewer.channel == DIRECT and not viewer.confined
    return frozenset(
        one.name
        for one in knowledge.collections
        if (manners.knowledge is None or one.name in manners.knowledge) and (one.visibility is OpenTo.EVERYONE or agent)
    )


def role_of(author: str, requester: str, access: AccessSettings) -> Role:
    """A support agent speaks as one in other people's requests, and asks like everybody in their own."""
    return Role.AGENT if author in access.agents and author != requester else Role.REQUESTER
