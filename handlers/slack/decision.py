"""What to do with what Slack told: answer it, remember it, act on it, or nothing. Pure rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from handlers.slack.records import (
    Acted,
    Deleted,
    Edited,
    HomeOpened,
    Ignored,
    Inbound,
    Reason,
    Said,
    Uninstalled,
)
from memory.model import Conversation


class Kind(StrEnum):
    """ANSWER: say something, and remember it. REMEMBER: the memory follows, nothing is said. ACT: a handler has to."""

    ANSWER = "answer"
    REMEMBER = "remember"
    IGNORE = "ignore"
    ACT = "act"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    kind: Kind
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelPolicy:
    """What the administrator wants of a channel. `allowed_bots` are ids of bots, or of their users, which are treated
    like people; all others are ignored."""

    answer: Literal["mention", "always", "never"] = "mention"
    remember: bool = False
    allowed_bots: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopBreaker:
    """How often programs were answered lately in each thread: two that answer one another would never end.

    At most `most` answers to programs are given in a thread within `window`. What is kept is bounded: `most` times for
    each of the `threads` that were answered last.
    """

    most: int = 5
    window: timedelta = timedelta(minutes=10)
    threads: int = 1000
    answered: Mapping[str, tuple[datetime, ...]] = field(default_factory=dict)

    def tripped(self, conversation: Conversation, at: datetime) -> bool:
        """Whether an answer to a program at `at` would be one too many."""
        recent = [each for each in self.answered.get(conversation.id, ()) if each > at - self.window]
        return len(recent) >= self.most

    def after(self, conversation: Conversation, at: datetime) -> LoopBreaker:
        """The breaker when a program has been answered at `at`."""
        times = (*self.answered.get(conversation.id, ()), at)[-self.most :]
        others = [(name, given) for name, given in self.answered.items() if name != conversation.id]
        kept = others[len(others) - self.threads + 1 :] if len(others) >= self.threads else others
        return replace(self, answered=dict([*kept, (conversation.id, times)]))


#: Nothing has been answered yet.
QUIET = LoopBreaker()


def decide(inbound: Inbound, policy: ChannelPolicy, *, engaged: bool, loops: LoopBreaker = QUIET) -> Decision:
    """What to do with `inbound` in a channel with this policy; `engaged`: the bot has spoken in that thread before."""
    match inbound:
        case Said():
            return _said(inbound, policy, engaged=engaged and inbound.threaded, loops=loops)
        case Edited():
            return _edited(inbound, policy)
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


def _edited(edited: Edited, policy: ChannelPolicy) -> Decision:
    if _is_foreign_program(edited, policy):
        return Decision(kind=Kind.IGNORE, reason=Reason.BOT)
    return Decision(kind=Kind.REMEMBER, reason=Reason.EDITED)


def _said(said: Said, policy: ChannelPolicy, *, engaged: bool, loops: LoopBreaker) -> Decision:
    if _is_foreign_program(said, policy):
        return Decision(kind=Kind.IGNORE, reason=Reason.BOT)
    addressed = _addressed(said, policy, engaged=engaged)
    if addressed is None:
        return _overheard(said, policy, engaged=engaged)
    if said.bot and loops.tripped(said.conversation, said.said_at):
        return Decision(kind=Kind.IGNORE, reason=Reason.LOOP)
    return Decision(kind=Kind.ANSWER, reason=addressed)


def _is_foreign_program(inbound: Said | Edited, policy: ChannelPolicy) -> bool:
    return inbound.bot is not None and not policy.allowed_bots & {inbound.bot, inbound.author}


def _addressed(said: Said, policy: ChannelPolicy, *, engaged: bool) -> Reason | None:
    """Why a message is for the bot. Called by name it answers even to nothing else: silence would be worse."""
    if policy.answer == "never":
        return None
    if said.direct:
        return Reason.DIRECT
    if said.mentioned:
        return Reason.MENTION
    if said.names_others or _is_empty(said):
        return None
    if engaged:
        return Reason.ENGAGED
    return Reason.ALWAYS if policy.answer == "always" else None


def _overheard(said: Said, policy: ChannelPolicy, *, engaged: bool) -> Decision:
    """Not for the bot: kept where the channel says so, and where it belongs to a talk that the bot is part of."""
    if _is_empty(said):
        return Decision(kind=Kind.IGNORE, reason=Reason.EMPTY)
    off = policy.answer == "never"
    reason = Reason.SWITCHED_OFF if off else Reason.OTHERS_ADDRESSED if said.names_others else Reason.OVERHEARD
    kept = policy.remember or (engaged and not off)
    return Decision(kind=Kind.REMEMBER if kept else Kind.IGNORE, reason=reason)


def _is_empty(said: Said) -> bool:
    return not said.text and not said.files
