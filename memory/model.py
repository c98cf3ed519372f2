"""The records that flow through the memory: frozen, slotted, keyword-only; naive times are refused at birth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from uuid import UUID, uuid5

from memory.text.language import LanguageCode, detect_language

#: All ids are uuid5 below this namespace, so that a rerun of any step yields the same ids.
NAMESPACE = UUID("6a0f5b1e-3c1d-5f57-9b55-0d5f3a1c7e11")

#: The channel name of a direct message with the bot.
DIRECT = "dm"
#: The platform of what was said before the bot came, and read from files.
IMPORTED = "import"

#: The platform in the name of the conversation in which what was learned from a ticket is shared; its thread is the
#: ticket's name.
SHARED = "resolutions"


@lru_cache(maxsize=8192)
def derived_id(*parts: str) -> str:
    """A stable id made of names; parts are joined with a separator that no source id contains.

    Remembered: one question asks for the ids of the same few hundred turns again and again.
    """
    return str(uuid5(NAMESPACE, "\x1f".join(parts)))


def require_aware(value: datetime, name: str) -> None:
    """Raise ValueError for a time without a zone: nobody downstream checks again."""
    if value.tzinfo is None:
        raise ValueError(f"{name} must carry a time zone")


class Role(StrEnum):
    """Who speaks in a turn."""

    REQUESTER = "requester"
    AGENT = "agent"
    BOT = "bot"


class Visibility(StrEnum):
    """How widely a record may be seen, narrowest first (see `memory.scope.may_read`). What is in a `collection` of the
    knowledge base was said by nobody: it is looked up by itself, by who may use that collection."""

    PRIVATE = "private"
    CHANNEL = "channel"
    EVERYONE = "everyone"
    COLLECTION = "collection"


class KeyKind(StrEnum):
    """What an index entry was made from: a turn, a turn with its neighbours (one, or three, on each side), an episode's
    summary, one statement of a turn, a fact. Windows are found by their words; by meaning a neighbour is found through
    its own turn. Statements are found by meaning."""

    TURN = "turn"
    WINDOW = "window"
    WIDE = "wide"
    SUMMARY = "summary"
    STATEMENT = "statement"
    FACT = "fact"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Who may see a record. `requester` is the person whose request it is. In a collection `channel` is its name."""

    visibility: Visibility
    channel: str
    requester: str
    participants: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who asks and where the answer will be seen. Every read takes one.

    `confined`: the answer will be seen by outsiders, or in a channel whose memory is kept apart; only what was said in
    that channel, or privately by the same person, may be used.
    `collections`: articles of these are looked up, and nothing that people said; without any, only what people said.
    """

    user: str
    channel: str = DIRECT
    agent: bool = False
    confined: bool = False
    collections: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The unit that has a hot buffer: (platform, workspace or tenant, channel, thread)."""

    platform: str
    workspace: str
    channel: str
    thread: str

    @property
    def id(self) -> str:
        return derived_id("conversation", self.platform, self.workspace, self.channel, self.thread)


def turn_id(conversation: Conversation, message: str) -> str:
    """The id of the turn that is this message, whether or not it was ever recorded."""
    return derived_id("turn", conversation.id, message)


def reply_message(message: str) -> str:
    """The name of the bot's reply to this message, as a message of the same conversation."""
    return f"{message}-reply"


def replied_to(message: str) -> str | None:
    """The name of the message to which the bot's message of this name replies; None where it replies to none."""
    end = reply_message("")
    return message.removesuffix(end) if message.endswith(end) and message != end else None


def correction_message(message: str) -> str:
    """The name of the message that says in one sentence what this message put right."""
    return f"{message}-correction"


def reply_id(conversation: str, message: str) -> str:
    """The id of the turn that is the bot's reply to this message of a conversation, which is named by its id."""
    return derived_id("turn", conversation, reply_message(message))


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message by one author in one conversation, in the words it was written in.

    `author` is the id by which scope knows a person, `speaker` the name by which colleagues do, None where the id is
    that name; `room` is the name by which they know the channel, None where nobody told it or it has none. `said_at`
    keeps the author's UTC offset: relative dates in the text count from it. `title`, `status` and `assignee` are the
    ticket's state from this turn on. `derived` marks recalled text and the bot's own answers, which are never learned
    from again.
    """

    conversation: Conversation
    ticket: str | None
    message: str
    author: str
    role: Role
    text: str
    said_at: datetime
    visibility: Visibility = Visibility.PRIVATE
    requester: str
    revision: int = 1
    title: str | None = None
    status: str | None = None
    assignee: str | None = None
    derived: bool = False
    speaker: str | None = None
    room: str | None = None

    def __post_init__(self) -> None:
        require_aware(self.said_at, "said_at")

    @property
    def id(self) -> str:
        return turn_id(self.conversation, self.message)

    @property
    def said_by(self) -> str:
        """The author by the name that people read."""
        return self.speaker or self.author

    @property
    def ref(self) -> str:
        """The name people use: the ticket's (or thread's) own id and the message's, as in INC-1007/3."""
        return f"{self.ticket or self.conversation.thread}/{self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A verbatim run of turns of one conversation, in time order; the unit that assistants read whole."""

    id: str
    conversation: Conversation
    ticket: str | None
    turns: tuple[Turn, ...]
    scope: Scope
    tokens: int

    @property
    def first_at(self) -> datetime:
        return self.turns[0].said_at

    @property
    def last_at(self) -> datetime:
        return self.turns[-1].said_at

    @property
    def name(self) -> str:
        """What people call it: the ticket, or the thread where there is no ticket."""
        return self.ticket or self.conversation.thread

    @property
    def ticketed(self) -> bool:
        """Whether `name` is that of a ticket."""
        return self.ticket is not None or self.conversation.platform == SHARED

    @property
    def fingerprint(self) -> str:
        """Changes when a turn joins, leaves or is edited: tells whether a note or a key is still of these words."""
        return derived_id("episode-content", *(f"{turn.id}:{turn.revision}" for turn in self.turns))


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What was generated about an episode. Never changed in place: a new `version` is written, and `cause` says why."""

    episode: str
    version: int
    fingerprint: str
    summary: str
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    context: str = ""
    entities: tuple[str, ...] = ()
    made_by: str
    made_at: datetime
    cause: str = ""

    def __post_init__(self) -> None:
        require_aware(self.made_at, "made_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUse:
    """Tokens of one or more model calls, as the endpoint's `usage` counts them; `cached` is part of `prompt`."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0

    def __add__(self, other: TokenUse) -> TokenUse:
        return TokenUse(
            prompt=self.prompt + other.prompt,
            cached=self.cached + other.cached,
            completion=self.completion + other.completion,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked: the words, by whom and where (`viewer`), and which clock and horizon count.

    `now` carries the asker's UTC offset. `as_of` is when what is told has to be true, and `known_at` limits the memory
    that may be used to what we knew then; None means `now`. `turn` is the id of the turn that asks: it is no evidence
    for itself. `collections` are those of the knowledge base that may be used where the answer will be seen. `language`
    is the one that is meant, None where the words tell.
    """

    text: str
    viewer: Viewer
    now: datetime
    conversation: Conversation | None = None
    turn: str | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    collections: frozenset[str] = frozenset()
    language: LanguageCode | None = None

    def __post_init__(self) -> None:
        for name in ("now", "as_of", "known_at"):
            value = getattr(self, name)
            if value is not None:
                require_aware(value, name)

    @property
    def spoken(self) -> LanguageCode:
        """The language in which it is answered."""
        return self.language or detect_language(self.text, "ja")

    @property
    def until(self) -> datetime:
        """The newest moment whose words may be used: what was told after `as_of` may well have been true then."""
        return self.now if self.known_at is None else min(self.now, self.known_at)


def utc(value: datetime) -> datetime:
    """The same moment in UTC."""
    require_aware(value, "value")
    return value.astimezone(UTC)
