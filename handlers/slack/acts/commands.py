"""What is said to those who ask what can stand after the slash command."""

from __future__ import annotations

from handlers.acts.help_lines import help_lines
from handlers.slack.acts.pieces import heading, items, paragraph
from handlers.slack.render_blocks import Block
from handlers.wording_acts import ActWords


def help_page(command: str, words: ActWords) -> list[Block]:
    """How to use the bot. `command` is the name under which it was called, empty where the same is written in a direct
    message."""
    lines = help_lines(words, command)
    return [
        *heading(words.help),
        *paragraph(lines.ask),
        *items(lines.examples),
        *paragraph(lines.person),
        *paragraph(words.help_words),
        *items(lines.words),
        *heading(words.help_memory),
        *items(lines.memory),
    ]
