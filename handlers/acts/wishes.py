"""What somebody wants of the bot itself, in words: those of a command, or of a message that is nothing else."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum


class Wish(StrEnum):
    """What somebody wants."""

    HELP = "help"
    TICKETS = "tickets"
    MEMORY = "memory"
    FORGET = "forget"


_WORDS = {
    "help": Wish.HELP,
    "ヘルプ": Wish.HELP,
    "使い方": Wish.HELP,
    "my tickets": Wish.TICKETS,
    "tickets": Wish.TICKETS,
    "ticket": Wish.TICKETS,
    "チケット": Wish.TICKETS,
    "自分のチケット": Wish.TICKETS,
    "マイチケット": Wish.TICKETS,
    "memory": Wish.MEMORY,
    "what do you remember about me": Wish.MEMORY,
    "what do you remember": Wish.MEMORY,
    "記憶": Wish.MEMORY,
    "私について覚えていること": Wish.MEMORY,
    "forget me": Wish.FORGET,
    "forget": Wish.FORGET,
    "忘れて": Wish.FORGET,
    "忘れてください": Wish.FORGET,
    "私を忘れて": Wish.FORGET,
}
_END = re.compile(r"[\s?!.。]+$")


def wish_in(words: str) -> Wish | None:
    """The wish in these words, however wide, large or spaced they are; None where they are anything else."""
    folded = " ".join(unicodedata.normalize("NFKC", words).casefold().split())
    return _WORDS.get(_END.sub("", folded))
