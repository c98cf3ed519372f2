"""What Teams tells the bot, as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from handlers.decision import Reason
from memory.model import Conversation, require_aware

#: The platform's name in a `Conversation`.
PLATFORM = "teams"
#: How ids of bots begin.
_BOT = "28:"


class Place(StrEnum):
    """Who reads along: one person, those in a chat, those in a channel of a team."""

    PERSONAL = "personal"
    GROUP = "group"
    CHANNEL = "channel"


class Act(StrEnum):
    """What somebody did with a card or an answer. REFRESHED is no click: Teams shows a card and asks for its state."""

    SUBMITTED = "submitted"
    EXECUTED = "executed"
    REFRESHED = "refreshed"
    FEEDBACK = "feedback"


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """By what the bot knows itself: its id as a member of conversations, which is its app's with "28:" before it."""

    id: str

    def is_known_as(self, id: str | None) -> bool:
        """Whether this id is the bot's, with or without what ids of bots begin with."""
        return id is not None and id.removeprefix(_BOT).casefold() == self.id.removeprefix(_BOT).casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where something happened, in Teams' own ids.

    `chat` is the id of a conversation without its thread; `team` is None outside of channels. `service` is the address
    that answers go to: whoever uses it must know it for one of Teams'.
    """

    tenant: str
    chat: str
    place: Place
    team: str | None = None
    service: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsFile:
    """A file of a message. `download_url` is open to whoever has it, for minutes; `content_url` needs a token. Both are
    only said to be Teams'."""

    name: str
    mimetype: str
    download_url: str | None = None
    content_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Somebody wrote a message, told once or several times with the same `conversation` and `message` (its id, which
    other conversations may have too).

    `text` is in plain words without the bot's own mention, other people are in it as "@name". `author` is the person's
    id in the organisation (Entra), or the one in Teams where that is not told; `bot` is set where a program wrote.
    `said_at` has the author's UTC offset where Teams tells it. `names_others` says that somebody else is addressed at
    the very start and the bot nowhere. `reply_to` is the message that this one answers.
    """

    conversation: Conversation
    message: str
    author: str
    name: str
    text: str
    said_at: datetime
    site: Site
    mentioned: bool
    names_others: bool
    bot: str | None = None
    reply_to: str | None = None
    files: tuple[TeamsFile, ...] = ()
    locale: str | None = None

    def __post_init__(self) -> None:
        require_aware(self.said_at, "said_at")

    @property
    def direct(self) -> bool:
        return self.site.place is Place.PERSONAL

    @property
    def threaded(self) -> bool:
        """Whether it is a reply in a channel's thread, which goes by the id of its first message."""
        return self.site.place is Place.CHANNEL and self.conversation.thread != self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """The words of a message became others. Teams does not tell which they were, nor when they were written."""

    conversation: Conversation
    message: str
    author: str
    text: str
    at: datetime
    bot: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """A message is gone, for as long as its author leaves it so."""

    conversation: Conversation
    message: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A deleted message is there again. The time of `said` is that of the restoring: Teams tells no other."""

    said: Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """People left a chat or a team, or came into it. Each of `members` is an id by which somebody is an author."""

    site: Site
    members: tuple[str, ...]
    gone: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """The bot was added to a conversation; where it was only `updated`, people know it already. `by` added it, whose
    client is set to `locale`. Teams may tell it twice, as an installation and as a new member."""

    site: Site
    by: str | None
    updated: bool
    locale: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Uninstalled:
    """The bot was removed from a conversation, and can no longer write there."""

    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """Somebody used a card, or said what an answer was worth.

    `name` is the one that the app gave (a verb, or the `action` of a submission), `message` the one that the card is or
    the answer was. `inputs` are all words that came with it, by their names; of FEEDBACK they are `reaction` ("like" or
    "dislike") and `text`. `called` is what colleagues call the user, `delivery` the id by which Teams tells it each
    time; `at` is when it was taken in, None where that is now. `locale` is that of the card, where its button says so,
    else that of the client. Who may do this is not settled by any of it.
    """

    kind: Act
    name: str
    user: str
    conversation: Conversation
    site: Site
    message: str | None = None
    called: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)
    locale: str | None = None
    delivery: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reacted:
    """Somebody put reactions to a message, or took them back."""

    site: Site
    user: str
    message: str
    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Nothing that the bot has to know; `detail` is Teams' own word for it."""

    reason: Reason
    detail: str = ""


Inbound = Said | Edited | Deleted | Restored | Moved | Installed | Uninstalled | Acted | Reacted | Ignored


def is_program(id: str | None) -> bool:
    """Whether an id is that of a bot, of whomever."""
    return id is not None and id.startswith(_BOT)
