"""What to do with what Slack told: answer it, remember it, act on it, or nothing. Pure rules."""

from __future__ import annotations

from handlers.decision import QUIET, ChannelPolicy, Decision, Kind, LoopBreaker, Reason, decide_edited, decide_said
from handlers.slack.records import Acted, Deleted, Edited, HomeOpened, Ignored, Inbound, Said, Uninstalled


def decide(inbound: Inbound, policy: ChannelPolicy, *, engaged: bool, loops: LoopBreaker = QUIET) -> Decision:
    """What to do with `inbound` in a channel with this policy; `engaged`: the bot has spoken in that thread before."""
    match inbound:
        case Said():
            return decide_said(inbound, policy, engaged=engaged and inbound.threaded, loops=loops)
        case Edited():
            return decide_edited(inbound, policy)
        case Deleted():
            return Decision(kind=Kind.REMEMBER, reason=Reason.DELETED)
        case HomeOpened():
            return Decision(kind=Kind.ACT, reason=Reason.HOME_OPENED)
        case Uninstalled():
            return Decision(kind=Kind.ACT, reason=Reason.UNINSTALLED)
        case Acted():
            return Decision(kind=Kind.ACT, reason=Reason.ACTED)
        case Ignored():
            return Decision(kind=Kind.IGNORE, reason=inbound.reason)
