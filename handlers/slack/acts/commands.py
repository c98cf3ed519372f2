"""What is said to those who ask what can stand after the slash command."""

from __future__ import annotations

from handlers.slack.acts.pieces import heading, items
from handlers.slack.render_blocks import Block
from handlers.wording_acts import ActWords


def help_page(command: str, words: ActWords) -> list[Block]:
    """What can stand after the command. `command` is the name under which it was called, empty where the same is
    written in a direct message."""
    return [*heading(words.help), *items(f"{command} {word}: {does}".lstrip() for word, does in words.commands)]
