"""What goes in and what comes out of the desk, the same for every platform."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.answers import Answer
from memory.model import Conversation, Visibility, require_aware


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """One message as a platform's parser understood it.

    `message` is the platform's own id, the same when it delivers the message again. `said_at` carries the author's UTC
    offset. `requester` is whose request the conversation is about; None means the author's own.
    `speaker` is the author's name among colleagues, None where the author's id is that name; `room` the channel's, None
    where nobody told it or it has none. `program`: no person wrote it, and it is kept as what it is.
    """

    conversation: Conversation
    message: str
    author: str
    text: str
    said_at: datetime
    visibility: Visibility = Visibility.PRIVATE
    requester: str | None = None
    speaker: str | None = None
    room: str | None = None
    program: bool = False

    def __post_init__(self) -> None:
        require_aware(self.said_at, "said_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """One piece of evidence in words; `turn` is the id of the turn that it cites, `link` where people read it, where
    that is no chat."""

    text: str
    turn: str
    link: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingReply:
    """What the bot says to one message: `text` in `language` ("ja" or "en") for plain places; for others its `body`
    (Markdown where a model wrote it), the `sources` under it and small print, to be rendered by the platform.

    `answer` is what the text was made from, None where nothing was looked up. `reference` is the id of an error that
    stands in the text and in the log, None when all went well. `to_person`: it is about the way to a person, which a
    platform offers with it; `about` is the turn with which that person is asked to help, None where it is the message
    itself. `matter` are the words of which a ticket would be made, empty where there is nothing to make one of, or one
    is under way already. `incident` is the id of one that goes on, of whose end the asker may want to hear. `pasted`:
    secrets were taken out of the message, which its author may want to have forgotten.
    """

    text: str
    language: str
    body: str
    sources: tuple[SourceLine, ...] = ()
    notes: tuple[str, ...] = ()
    answer: Answer | None = None
    reference: str | None = None
    to_person: bool = False
    about: str | None = None
    matter: str = ""
    incident: str | None = None
    pasted: bool = False


def plainly(text: str, language: str, *, reference: str | None = None) -> OutgoingReply:
    """A reply that is one plain text."""
    return OutgoingReply(text=text, language=language, body=text, reference=reference)
