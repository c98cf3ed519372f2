"""What is said to those who ask how to use the bot, the same on every platform."""

from __future__ import annotations

from dataclasses import dataclass

from handlers.wording_acts import ActWords

#: Examples that are read in passing.
_EXAMPLES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpLines:
    """How to `ask`, with `examples`; how to reach a `person`; the words that bring what is one's own; and what is
    remembered and shown to whom."""

    ask: str
    examples: tuple[str, ...]
    person: str
    words: tuple[str, ...]
    memory: tuple[str, ...]


def help_lines(said: ActWords, command: str = "") -> HelpLines:
    """`command` is what stands before the words, where anything has to."""
    return HelpLines(
        ask=said.help_ask,
        examples=said.examples[:_EXAMPLES],
        person=said.help_person.format(button=said.ask_person),
        words=tuple(f"{command} {word}: {does}".lstrip() for word, does in said.commands),
        memory=(said.help_remembered, *said.help_seen),
    )
