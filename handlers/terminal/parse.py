"""What a line typed in the terminal is: a command of the chat, or a message to the desk."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, tzinfo
from enum import StrEnum
from itertools import count

from handlers.messages import IncomingMessage
from memory.model import DIRECT, Conversation, Visibility
from memory.ports import Clock

_COMMAND = re.compile(r"/[a-z]+")


class Command(StrEnum):
    """What can be asked of the chat itself."""

    HELP = "/help"
    WHO = "/who"
    FORGET = "/forget"
    QUIT = "/quit"


def command_in(line: str) -> str | None:
    """The command that the line is, known or not; None for a message. `/etc/hosts` and `/help me` are messages."""
    word = unicodedata.normalize("NFKC", line).strip().lower()
    return word if _COMMAND.fullmatch(word) else None


class Typist:
    """Makes messages of one user's lines, each with an id of its own across runs."""

    def __init__(self, *, user: str, clock: Clock, zone: tzinfo) -> None:
        self._user = user
        self._clock = clock
        self._zone = zone
        self._numbers = count(1)
        self._conversation = Conversation(platform="terminal", workspace="local", channel=DIRECT, thread=f"dm-{user}")

    def message(self, line: str) -> IncomingMessage:
        now = self._clock()
        return IncomingMessage(
            conversation=self._conversation,
            message=f"{now.astimezone(UTC):%Y%m%dT%H%M%S%f}-{next(self._numbers)}",
            author=self._user,
            text=line,
            said_at=now.astimezone(self._zone),
            visibility=Visibility.PRIVATE,
        )
