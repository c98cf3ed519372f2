"""The words of a request on its note to the support team: as they are now, and as the team's channel may see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from handlers.tickets.background import Background
from handlers.tickets.note_lines import LINE, behind_lines, words_line
from handlers.wordings import Wording
from memory.model import Turn, Viewer
from memory.ports import Clock, Reading
from memory.text.language import LanguageCode
from memory.tickets import Ticket

#: By these names the blocks are known that change with the message.
TITLE, WORDS, _BEHIND = "helpdesk_note_title", "helpdesk_note_words", "helpdesk_note_behind"
#: With these eyes it is looked whether a message is still there; nobody is shown what they see.
_EYES = Viewer(user="", agent=True)


class NoteWords:
    """Looks up what a note may show. Raises StoreUnavailable."""

    def __init__(
        self,
        *,
        reading: Reading,
        intake: Intake,
        rules: Rules,
        clock: Clock,
        background: Background,
        wording: Callable[[], Wording],
    ) -> None:
        self._reading = reading
        self._background = background
        self._wording = wording
        self._intake = intake
        self._rules = rules
        self._clock = clock

    async def asked(self, request: str, here: Installation, channel: str) -> Turn | None:
        """The message, read as somebody who has nothing but this channel: a private question stays private."""
        return await self._seen(request, await self.reader(here, channel))

    async def behind(
        self, asked: Turn | None, ticket: Ticket | None, here: Installation, channel: str, language: LanguageCode
    ) -> Sequence[str]:
        """What stands behind the request, line by line, as far as the channel may see it; nothing where it may not see
        the message itself."""
        if asked is None:
            return ()
        found = await self._background.of(asked, await self.reader(here, channel))
        shown = replace(found, found=_as_shown(found.found), earlier=_as_shown(found.earlier))
        return behind_lines(shown, ticket, language=language, wording=self._wording())

    async def reader(self, here: Installation, channel: str) -> Viewer:
        """Somebody who has nothing but this channel."""
        room = await self._intake.room(channel, here)
        return Viewer(user="", channel=channel, confined=self._rules.manners(channel, room, guest=False).confined)

    async def there(self, request: str) -> Turn | None:
        """The message, whoever may see it."""
        return await self._seen(request, _EYES)

    async def _seen(self, request: str, viewer: Viewer) -> Turn | None:
        found = await self._reading.turns([request], viewer, self._clock())
        return next(iter(_as_shown(found)), None)


def _as_shown(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    return tuple(replace(one, text=without_looks(one.text)) for one in turns)


def reworded(
    note: TicketNote, ticket: Ticket, asked: Turn | None, behind: Sequence[str] = (), *, gone: bool, wording: Wording
) -> TicketNote:
    """The note with the message as it is, and what stands behind it; `asked` is None where the channel may not see it,
    or it is `gone`."""
    blocks: list[Block] = []
    acts, tickets = wording.acts(note.language), wording.tickets(note.language)
    for block in _without_behind(note.blocks):
        match block.get("block_id"):
            case name if name == TITLE:
                blocks += _titled(block, ticket, asked)
            case name if name == WORDS and gone:
                blocks += named(WORDS, tickets.asked_gone)
            case name if name == WORDS and asked is not None:
                blocks += named(WORDS, words_line(asked, acts))
            case _:
                blocks.append(block)
    above = max((place for place, one in enumerate(blocks, 1) if one.get("block_id") in (TITLE, WORDS)), default=1)
    return replace(note, blocks=[*blocks[:above], *behind_blocks(behind), *blocks[above:]])


def behind_blocks(lines: Sequence[str]) -> list[Block]:
    """What stands behind the request, in blocks that are known again."""
    return [block for number, line in enumerate(lines) for block in named(f"{_BEHIND}_{number}", line)]


def _without_behind(blocks: Sequence[Block]) -> Iterator[Block]:
    return (one for one in blocks if not str(one.get("block_id", "")).startswith(_BEHIND))


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
