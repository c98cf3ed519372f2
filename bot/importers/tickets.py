"""Ticket files, whatever their syntax: one message a row, with the columns below."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, PlainValidator, ValidationError, ValidationInfo

from bot.importers.rows import BadRow, Moment, ReplacedRow, Row, name, problem, words
from handlers.characters import one_line
from memory.model import IMPORTED, Conversation, Role, Turn, Visibility

REQUIRED = ("ticket", "message", "at", "author", "role", "text")
OPTIONAL = ("channel", "visibility", "title", "status", "assignee", "speaker")
COLUMNS = REQUIRED + OPTIONAL
_UNNAMED = "general"
_SHOWN = 60
#: How widely a ticket may be seen; the other one is for articles.
_VISIBILITIES = (Visibility.PRIVATE, Visibility.CHANNEL, Visibility.EVERYONE)


def _read_moment(value: object, info: ValidationInfo[Moment]) -> datetime:
    if not isinstance(value, str):
        raise ValueError("must be a text such as 2026-03-02T08:47:00+09:00")  # noqa: TRY004 - see rows.words
    return info.context(value)


def _read_visibility(value: object) -> Visibility:
    if value not in _VISIBILITIES:
        raise ValueError("is none of 'private', 'channel' or 'everyone'")
    return Visibility(str(value))


Name = Annotated[str, BeforeValidator(name)]
TicketVisibility = Annotated[Visibility, PlainValidator(_read_visibility)]


class Message(BaseModel):
    """One row, checked; its context is the `Moment` that reads `at`."""

    ticket: Name
    message: Name
    at: Annotated[datetime, PlainValidator(_read_moment)]
    author: Name
    role: Role
    text: Annotated[str, BeforeValidator(words)]
    speaker: Name | None = None
    channel: Name | None = None
    visibility: TicketVisibility = Visibility.PRIVATE
    title: Name | None = None
    status: Name | None = None
    assignee: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row as the syntax gives it: its fields, or the problem that hides them."""

    number: int
    fields: Mapping[str, Any] | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What only the whole file tells: each ticket's channel and requester, and where each message stands last, with a
    hash of that row."""

    channels: dict[str, str] = field(default_factory=dict)
    requesters: dict[str, tuple[bool, datetime, str]] = field(default_factory=dict)
    newest: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    def note(self, message: Message, line: int) -> None:
        """Take a row in. One in another channel than its ticket's is not counted: it will be refused."""
        if self.channel_of(message) != (message.channel or self.channel_of(message)):
            return
        self.channels.setdefault(message.ticket, self.channel_of(message))
        opener = (message.role is not Role.REQUESTER, message.at, message.author)
        self.requesters[message.ticket] = min(self.requesters.get(message.ticket, opener), opener, key=lambda o: o[:2])
        self.newest[message.ticket, message.message] = line, _content(message)

    def channel_of(self, message: Message) -> str:
        """The channel of the ticket's first row; without a name there it has one of its own, however widely it may be
        seen, so that a ticket whose visibility is corrected stays the same ticket."""
        return self.channels.get(message.ticket) or message.channel or _UNNAMED


def _content(message: Message) -> int:
    """Equal for rows that say the same; good for this process only."""
    return hash(tuple(message))


def turns(lines: Callable[[], Iterable[Line]], file: str, source: str, moment: Moment) -> Iterator[Row]:
    """Every row as a turn or as one that was left out. The file is read twice, so that memory holds its ids and not its
    words.

    Of a message that the file has several times, the last version is taken: importing again then changes nothing. Other
    versions are told; rows that only repeat the last one are passed over.
    """
    survey = Survey()
    for line in lines():
        message = _checked(line, file, moment)
        if isinstance(message, Message):
            survey.note(message, line.number)
    for line in lines():
        row = _row(line, file, source, moment, survey)
        if row is not None:
            yield row


def _row(line: Line, file: str, source: str, moment: Moment, survey: Survey) -> Row | None:
    message = _checked(line, file, moment)
    if isinstance(message, BadRow):
        return message
    channel = survey.channel_of(message)
    if message.channel not in (None, channel):
        reason = f"is {message.channel}, but ticket {message.ticket} is in {channel}; a ticket has one channel"
        return BadRow(file=file, line=line.number, field="channel", reason=reason)
    newest, content = survey.newest[message.ticket, message.message]
    if newest == line.number:
        return _turn(message, channel, source, survey)
    if content == _content(message):
        return None
    return ReplacedRow(file=file, line=line.number, message=f"{message.ticket}/{message.message}", by=newest)


def _checked(line: Line, file: str, moment: Moment) -> Message | BadRow:
    if line.fields is None:
        return BadRow(file=file, line=line.number, reason=line.problem)
    unknown = next((str(key) for key in line.fields if key not in COLUMNS), None)
    if unknown is not None:
        return BadRow(file=file, line=line.number, field=one_line(unknown, _SHOWN), reason=_no_column(unknown))
    given = {key: value for key, value in line.fields.items() if value is not None and value != ""}
    try:
        return Message.model_validate(given, context=moment)
    except ValidationError as error:
        column, reason = problem(error)
        return BadRow(file=file, line=line.number, field=column, reason=reason)


def _no_column(name: str) -> str:
    """A mistyped `visibility` must not make a public ticket private, or a private one public, without a word."""
    near = difflib.get_close_matches(name.lower(), COLUMNS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"columns are {', '.join(COLUMNS)}"
    return f"is no column; {hint}"


def _turn(message: Message, channel: str, source: str, survey: Survey) -> Turn:
    return Turn(
        conversation=Conversation(platform=IMPORTED, workspace=source, channel=channel, thread=message.ticket),
        ticket=message.ticket,
        message=message.message,
        author=message.author,
        role=message.role,
        text=message.text,
        said_at=message.at,
        visibility=message.visibility,
        requester=survey.requesters[message.ticket][2],
        title=message.title,
        status=message.status,
        assignee=message.assignee,
        speaker=message.speaker,
    )
