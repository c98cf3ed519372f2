"""What stands after the slash command, and what is said to those who ask what can."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from handlers.slack.acts.pieces import heading, items
from handlers.slack.render_blocks import Block
from handlers.wording_acts import ActWords


class Wish(StrEnum):
    """What somebody wants of the command."""

    HELP = "help"
    TICKETS = "tickets"
    MEMORY = "memory"
    FORGET = "forget"


_WORDS = {
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


def wish_in(words: str) -> Wish:
    """The wish in these words, however wide, large or spaced they are; help where there is none of ours."""
    folded = " ".join(unicodedata.normalize("NFKC", words).casefold().split())
    return _WORDS.get(_END.sub("", folded), Wish.HELP)


def help_page(command: str, words: ActWords) -> list[Block]:
    """What can stand after the command. `command` is the name under which it was called."""
    return [*heading(words.help), *items(f"{command} {word}: {does}" for word, does in words.commands)]
