"""What to do with what Teams told: answer it, remember it, act on it, or nothing. Pure rules."""

from __future__ import annotations

from handlers.decision import QUIET, ChannelPolicy, Decision, Kind, Reason, decide_edited, decide_said
from handlers.teams.records import (
    Acted,
    Deleted,
    Edited,
    Ignored,
    Inbound,
    Installed,
    Moved,
    Reacted,
    Restored,
    Said,
    Uninstalled,
)


def decide(inbound: Inbound, policy: ChannelPolicy, *, held: bool = False) -> Decision:
    """What to do with `inbound` in a chat or channel with this policy; `held`: where a person has taken over.

    In Teams people call a bot each time: a thread that it spoke in is none that it is engaged in, and where the app may
    hear everything, it is still no part of every talk. Only what is said to a person who has a ticket is passed on.
    """
    match inbound:
        case Said():
            return decide_said(inbound, policy, engaged=held, loops=QUIET)
        case Edited():
            return decide_edited(inbound, policy)
        case Restored():
            return _restored(inbound.said, policy, held=held)
        case Ignored():
            return Decision(kind=Kind.IGNORE, reason=inbound.reason)
    return _SETTLED[type(inbound)]


#: What is the same wherever it happens.
_SETTLED = {
    Deleted: Decision(kind=Kind.REMEMBER, reason=Reason.DELETED),
    Moved: Decision(kind=Kind.REMEMBER, reason=Reason.MOVED),
    Installed: Decision(kind=Kind.ACT, reason=Reason.INSTALLED),
    Uninstalled: Decision(kind=Kind.ACT, reason=Reason.UNINSTALLED),
    Acted: Decision(kind=Kind.ACT, reason=Reason.ACTED),
    Reacted: Decision(kind=Kind.IGNORE, reason=Reason.REACTED),
}


def _restored(said: Said, policy: ChannelPolicy, *, held: bool) -> Decision:
    """It was answered when it was new: it is kept again if it was worth keeping then."""
    before = decide_said(said, policy, engaged=held, loops=QUIET)
    return before if before.kind is Kind.IGNORE else Decision(kind=Kind.REMEMBER, reason=Reason.RESTORED)
