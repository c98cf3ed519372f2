"""What to do with what was said, on any platform: answer it, remember it, act on it, or nothing. Pure rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal, Protocol

from handlers.acts.asides import is_courtesy, thanks_another
from memory.model import Conversation


class Reason(StrEnum):
    """Why something was decided as it was; for logs and counters, so these words stay as they are."""

    # No record was made of it.
    BROKEN = "broken"
    OTHER_EVENT = "other_event"
    OTHER_PLATFORM = "other_platform"
    NOTICE = "notice"
    HIDDEN = "hidden"
    OWN = "own"
    SAME_WORDS = "same_words"
    MENTION_EDITED = "mention_edited"
    # It is not for the bot.
    BOT = "bot"
    LOOP = "loop"
    EMPTY = "empty"
    OTHERS_ADDRESSED = "others_addressed"
    OVERHEARD = "overheard"
    COURTESY = "courtesy"
    SWITCHED_OFF = "switched_off"
    REACTED = "reacted"
    # It is.
    DIRECT = "direct"
    MENTION = "mention"
    ENGAGED = "engaged"
    ALWAYS = "always"
    # The memory, or a handler of its own, follows it.
    EDITED = "edited"
    DELETED = "deleted"
    RESTORED = "restored"
    MOVED = "moved"
    INVITED = "invited"
    HOME_OPENED = "home_opened"
    INSTALLED = "installed"
    UNINSTALLED = "uninstalled"
    ACTED = "acted"


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


class Written(Protocol):
    """Who wrote something: `bot` is set where a program did."""

    @property
    def author(self) -> str: ...
    @property
    def bot(self) -> str | None: ...


class Heard(Written, Protocol):
    """A message as far as it matters whether it is answered: the `Said` of each platform."""

    @property
    def conversation(self) -> Conversation: ...
    @property
    def said_at(self) -> datetime: ...
    @property
    def text(self) -> str: ...
    @property
    def files(self) -> Sequence[object]: ...
    @property
    def direct(self) -> bool: ...
    @property
    def mentioned(self) -> bool: ...
    @property
    def names_others(self) -> bool: ...


#: Said among others, by which nobody may have meant the bot: thanks and greetings want no answer there.
_UNCALLED = (Reason.ENGAGED, Reason.ALWAYS)


def decide_said(said: Heard, policy: ChannelPolicy, *, engaged: bool, loops: LoopBreaker) -> Decision:
    """What to do with a new message; `engaged`: it goes on with a talk that the bot is part of."""
    if _is_foreign_program(said, policy):
        return Decision(kind=Kind.IGNORE, reason=Reason.BOT)
    addressed = _addressed(said, policy, engaged=engaged)
    if addressed is None:
        return _overheard(said, policy, engaged=engaged)
    if said.bot and loops.tripped(said.conversation, said.said_at):
        return Decision(kind=Kind.IGNORE, reason=Reason.LOOP)
    if _wants_no_answer(said, addressed):
        return Decision(kind=Kind.REMEMBER, reason=Reason.COURTESY)
    return Decision(kind=Kind.ANSWER, reason=addressed)


def _wants_no_answer(said: Heard, addressed: Reason) -> bool:
    """Among others thanks may be for somebody else; for whom they are says a name, even where the bot is called."""
    if addressed in _UNCALLED:
        return is_courtesy(said.text)
    return addressed is Reason.MENTION and thanks_another(said.text)


def decide_edited(edited: Written, policy: ChannelPolicy) -> Decision:
    """What to do with other words for an old message: never an answer."""
    if _is_foreign_program(edited, policy):
        return Decision(kind=Kind.IGNORE, reason=Reason.BOT)
    return Decision(kind=Kind.REMEMBER, reason=Reason.EDITED)


def _is_foreign_program(inbound: Written, policy: ChannelPolicy) -> bool:
    return inbound.bot is not None and not policy.allowed_bots & {inbound.bot, inbound.author}


def _addressed(said: Heard, policy: ChannelPolicy, *, engaged: bool) -> Reason | None:
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


def _overheard(said: Heard, policy: ChannelPolicy, *, engaged: bool) -> Decision:
    """Not for the bot: kept where the channel says so, and where it belongs to a talk that the bot is part of."""
    if _is_empty(said):
        return Decision(kind=Kind.IGNORE, reason=Reason.EMPTY)
    off = policy.answer == "never"
    reason = Reason.SWITCHED_OFF if off else Reason.OTHERS_ADDRESSED if said.names_others else Reason.OVERHEARD
    kept = policy.remember or (engaged and not off)
    return Decision(kind=Kind.REMEMBER if kept else Kind.IGNORE, reason=reason)


def _is_empty(said: Heard) -> bool:
    return not said.text and not said.files
