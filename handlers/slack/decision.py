"""What to do with what Slack told: answer it, remember it, act on it, or nothing. Pure rules."""

from __future__ import annotations

from handlers.decision import QUIET, ChannelPolicy, Decision, Kind, LoopBreaker, Reason, decide_edited, decide_said
from handlers.slack.records import Acted, Deleted, Edited, HomeOpened, Ignored, Inbound, Invited, Said, Uninstalled
from memory.membership import Move


def decide(inbound: Inbound, policy: ChannelPolicy, *, engaged: bool, loops: LoopBreaker = QUIET) -> Decision:
    """What to do with `inbound` in a channel with this policy; `engaged`: the bot has spoken in that thread before."""
    match inbound:
        case Said():
            return decide_said(inbound, policy, engaged=engaged and inbound.threaded, loops=loops)
        case Edited():
            return decide_edited(inbound, policy)
        case Ignored():
            return Decision(kind=Kind.IGNORE, reason=inbound.reason)
    return _SETTLED[type(inbound)]


#: What is the same wherever it happens.
_SETTLED = {
    Deleted: Decision(kind=Kind.REMEMBER, reason=Reason.DELETED),
    Move: Decision(kind=Kind.REMEMBER, reason=Reason.MOVED),
    Invited: Decision(kind=Kind.REMEMBER, reason=Reason.INVITED),
    HomeOpened: Decision(kind=Kind.ACT, reason=Reason.HOME_OPENED),
    Uninstalled: Decision(kind=Kind.ACT, reason=Reason.UNINSTALLED),
    Acted: Decision(kind=Kind.ACT, reason=Reason.ACTED),
}
