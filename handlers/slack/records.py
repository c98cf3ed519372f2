"""What Slack tells the bot, as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from handlers.decision import Reason
from memory.membership import Move
from memory.model import Conversation, require_aware
from memory.text.language import LanguageCode

#: The platform's name in a `Conversation`.
PLATFORM = "slack"


class ChannelKind(StrEnum):
    """Who can read along. UNKNOWN where Slack does not say (in an `app_mention`): as narrow as PRIVATE."""

    DIRECT = "direct"
    GROUP = "group"
    PRIVATE = "private"
    PUBLIC = "public"
    UNKNOWN = "unknown"


#: By the `channel_type` of events.
KINDS = {
    "im": ChannelKind.DIRECT,
    "mpim": ChannelKind.GROUP,
    "group": ChannelKind.PRIVATE,
    "channel": ChannelKind.PUBLIC,
}


class Act(StrEnum):
    """What somebody did, other than ask. WROTE: in a direct message, what a command does as well."""

    CLICKED = "clicked"
    COMMAND = "command"
    SHORTCUT = "shortcut"
    MESSAGE_SHORTCUT = "message_shortcut"
    SUBMITTED = "submitted"
    CLOSED = "closed"
    OPENED = "opened"
    WROTE = "wrote"


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """By what the bot knows itself: its user, its bot and its app."""

    user: str
    bot: str | None = None
    app: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackFile:
    """A file of a message; `size` in bytes, 0 where Slack does not say. `url_private` needs the bot's token."""

    id: str
    name: str
    mimetype: str
    size: int
    url_private: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Somebody wrote a message, told once or several times: the conversation and `message` (its timestamp) are the same
    each time, the id of the `event` is not.

    `text` is in plain words without the bot's own mention; people who are mentioned stay in it as `<@U…>`. `author` is
    a user's id, or a bot's where no user is named; `bot` is set where a program wrote. `names_others` says that
    somebody else is addressed at the very start and the bot nowhere. `root_author` wrote the first message of the
    thread, None where this is the first, or Slack does not say.
    """

    conversation: Conversation
    message: str
    author: str
    text: str
    said_at: datetime
    kind: ChannelKind
    mentioned: bool
    threaded: bool
    names_others: bool
    bot: str | None = None
    files: tuple[SlackFile, ...] = ()
    event: str | None = None
    enterprise: str | None = None
    root_author: str | None = None

    def __post_init__(self) -> None:
        require_aware(self.said_at, "said_at")

    @property
    def direct(self) -> bool:
        return self.kind is ChannelKind.DIRECT


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelTold:
    """What an event tells of the channel that it comes from; `shared`: with other organisations."""

    channel: str
    kind: ChannelKind
    shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """The words of a message became others. `author` wrote it; `said_at` is when it was first written."""

    conversation: Conversation
    message: str
    author: str
    text: str
    said_at: datetime
    previous: str | None
    bot: str | None = None
    event: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """A message is gone. Where Slack does not say in which thread it was, the conversation is the message's own."""

    conversation: Conversation
    message: str
    at: datetime
    event: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """The bot came into a channel. Who left that meanwhile it was not told."""

    workspace: str
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeOpened:
    """Somebody opened the app: `tab` is "home" or "messages", `channel` the direct message where Slack names it."""

    user: str
    workspace: str
    tab: str
    channel: str | None = None
    enterprise: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Uninstalled:
    """The tokens of a workspace, or of a whole enterprise where `workspace` is None, no longer hold. `at` is when that
    happened, to the second; None where Slack does not say."""

    workspace: str | None
    enterprise: str | None
    reason: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """Somebody clicked, submitted, called a command or a shortcut, opened the app, or wrote what a command does.

    `name` is the id by which the app knows it: an action's, a callback's, the command with its slash, or a tab's.
    `value` is what was chosen, the words after a command or in place of one, or a view's private metadata; `inputs`
    what was filled in, by action id. `language` is that of the buttons that were clicked, where they say so. `at` is
    when it was taken in, None where that is now. Who may do this is not settled by any of it.
    """

    kind: Act
    name: str
    user: str
    workspace: str
    enterprise: str | None = None
    channel: str | None = None
    thread: str | None = None
    message: str | None = None
    value: str | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)
    language: LanguageCode | None = None
    trigger_id: str | None = None
    response_url: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Nothing that the bot has to know; `detail` is Slack's own word for it."""

    reason: Reason
    detail: str = ""


Inbound = Said | Edited | Deleted | Move | Invited | HomeOpened | Uninstalled | Acted | Ignored
