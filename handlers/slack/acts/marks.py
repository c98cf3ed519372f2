"""By what a message that stands in Slack is known as one of ours, whoever reads it: its metadata, or its buttons."""

from __future__ import annotations

from handlers.slack.acts.names import (
    ASK_PERSON,
    ASK_USER,
    CONFIRM_INCIDENT,
    DISMISS_INCIDENT,
    END_INCIDENT,
    FEEDBACK,
    HAND_BACK_TICKET,
    REPLY,
    RESOLVE_TICKET,
    SHARE,
    SUBSCRIBE,
    TAKE_TICKET,
    WANTED,
)
from handlers.slack.fields import Fields, inside, several

_METADATA = frozenset((REPLY, WANTED))
_BUTTONS = frozenset(
    (
        ASK_PERSON,
        ASK_USER,
        CONFIRM_INCIDENT,
        DISMISS_INCIDENT,
        END_INCIDENT,
        FEEDBACK,
        HAND_BACK_TICKET,
        RESOLVE_TICKET,
        SHARE,
        SUBSCRIBE,
        TAKE_TICKET,
    )
)


def is_ours(message: Fields) -> bool:
    """Whether the message itself says so; one without metadata and buttons says nothing."""
    if inside(message, "metadata").get("event_type") in _METADATA:
        return True
    elements = (one for block in several(message, "blocks") for one in several(block, "elements"))
    return any(one.get("action_id") in _BUTTONS for one in elements)
