"""The words of a request on its note to the support team: as they are now, and as the team's channel may see them."""

from __future__ import annotations

from dataclasses import replace

from handlers.characters import one_line
from handlers.slack.acts.pieces import paragraph
from handlers.slack.acts.ticket_note import TicketNote
from handlers.slack.blocks import written
from handlers.slack.installations import Installation
from handlers.slack.intake import Intake
from handlers.slack.looks import without_looks
from handlers.slack.render_blocks import Block
from handlers.slack.rules import Rules
from handlers.tickets.note_lines import LINE, words_line
from handlers.wordings import Wording
from memory.model import Turn, Viewer
from memory.ports import Clock, Reading
from memory.tickets import Ticket

#: By these names the blocks are known that change with the message.
TITLE, WORDS = "helpdesk_note_title", "helpdesk_note_words"
#: With these eyes it is looked whether a message is still there; nobody is shown what they see.
_EYES = Viewer(user="", agent=True)


class NoteWords:
    """Looks up what a note may show. Raises StoreUnavailable."""

    def __init__(self, *, reading: Reading, intake: Intake, rules: Rules, clock: Clock) -> None:
        self._reading = reading
        self._intake = intake
        self._rules = rules
        self._clock = clock

    async def asked(self, request: str, here: Installation, channel: str) -> Turn | None:
        """The message, read as somebody who has nothing but this channel: a private question stays private."""
        room = await self._intake.room(channel, here)
        confined = self._rules.manners(channel, room, guest=False).confined
        return await self._seen(request, Viewer(user="", channel=channel, confined=confined))

    async def there(self, request: str) -> Turn | None:
        """The message, whoever may see it."""
        return await self._seen(request, _EYES)

    async def _seen(self, request: str, viewer: Viewer) -> Turn | None:
        found = await self._reading.turns([request], viewer, self._clock())
        return replace(found[0], text=without_looks(found[0].text)) if found else None


def reworded(note: TicketNote, ticket: Ticket, asked: Turn | None, *, gone: bool, wording: Wording) -> TicketNote:
    """The note with the message as it is; `asked` is None where the channel may not see it, or it is `gone`."""
    blocks: list[Block] = []
    acts, tickets = wording.acts(note.language), wording.tickets(note.language)
    for block in note.blocks:
        match block.get("block_id"):
            case name if name == TITLE:
                blocks += _titled(block, ticket, asked)
            case name if name == WORDS and gone:
                blocks += named(WORDS, tickets.asked_gone)
            case name if name == WORDS and asked is not None:
                blocks += named(WORDS, words_line(asked, acts))
            case _:
                blocks.append(block)
    return replace(note, blocks=blocks)


def named(name: str, line: str) -> list[Block]:
    """One line in a block of this name; nothing where there is none to be read."""
    return [{**block, "block_id": name} for block in paragraph(line)] if line else []


def _titled(block: Block, ticket: Ticket, asked: Turn | None) -> list[Block]:
    """A title that is the message's own first words goes and changes with them; where the channel may not see these,
    only the one stands there that who asked has sent off."""
    title = one_line(ticket.title, LINE) if ticket.titled else ""
    if asked is None and title != one_line(written({"blocks": [block]}), LINE):
        return []
    return named(TITLE, title)
