"""What the button says by which somebody wants to hear of an incident's end."""

from __future__ import annotations

#: Ids have none.
_JOINT = " "


def subscription(incident: str, turn: str) -> str:
    """The value of the button under the answer to a turn."""
    return f"{incident}{_JOINT}{turn}"


def subscription_in(value: str) -> tuple[str, str]:
    """The incident and the turn that a button names; both are claims."""
    incident, _, turn = value.partition(_JOINT)
    return incident, turn
