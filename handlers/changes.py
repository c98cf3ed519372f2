"""What people do to their messages afterwards: edit them, and take them back."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace

from config.schema import Settings
from handlers.access import viewer_of
from handlers.input import checked
from handlers.ports import Recorder
from handlers.wordings import SHIPPED
from memory.errors import InputRefused
from memory.model import Conversation, Turn, Viewer, turn_id
from memory.ports import Clock, Reading
from memory.redaction import redacted_text
from memory.text.redact import Redactor

#: Edits of messages that are not known, which are kept in case those still come: they are told seconds apart.
_EARLY = 200


class Changes:
    """Edits and deletions on their way to the memory. Nothing is ever answered because of one.

    A platform may tell an edit before its message. Such an edit waits here, the newest `_EARLY` of them, and not beyond
    the end of the process.
    """

    def __init__(
        self,
        *,
        recorder: Recorder,
        reading: Reading,
        withdraw: Callable[[str], Awaitable[None]],
        redactor: Redactor,
        settings: Callable[[], Settings],
        clock: Clock,
        revised: Callable[[Turn, Viewer], Awaitable[None]],
    ) -> None:
        """`revised` hears of each message that has other words, with whoever may see as much as its author."""
        self._revised = revised
        self._recorder = recorder
        self._reading = reading
        self._withdraw = withdraw
        self._redactor = redactor
        self._settings = settings
        self._clock = clock
        self._early: OrderedDict[str, tuple[str, str]] = OrderedDict()

    @property
    def longest(self) -> int:
        """Characters that the new words of a message may have."""
        return self._settings().bot.max_message_characters

    async def edited(self, conversation: Conversation, message: str, author: str, text: str) -> bool:
        """Whether the message was one that is remembered; it has new words now, and its old ones are a version of it.

        New words that cannot be kept (empty, too long) take the old ones away all the same. Raises StoreUnavailable.
        """
        turn, text = turn_id(conversation, message), await redacted_text(text, self._redactor)
        # Before it is looked up: whoever records the message meanwhile finds the edit, or the look finds the message.
        self._wait(turn, author, text)
        known = await self._known(turn, conversation, author)
        if known is None:
            return False
        self._early.pop(turn, None)
        try:
            # What is wrong with them is said to nobody.
            words = checked(text, limit=self.longest, language=self._settings().bot.language.value, wording=SHIPPED)
        except InputRefused:
            await self._withdraw(known.id)
            return True
        now = replace(known, text=words)
        await self._recorder.record([now])
        await self._revised(now, viewer_of(author, conversation.channel, self._settings().access))
        return True

    async def caught_up(self, conversation: Conversation, message: str) -> str | None:
        """The message was recorded just now: an edit of it that was told before is made, and its words are given.
        Raises StoreUnavailable."""
        author, text = self._early.get(turn_id(conversation, message), ("", ""))
        return text if author and await self.edited(conversation, message, author, text) else None

    async def deleted(self, conversation: Conversation, message: str) -> None:
        """The message is gone, and stays so when it arrives late. Raises StoreUnavailable."""
        await self._withdraw(turn_id(conversation, message))

    async def deleted_if_known(self, conversation: Conversation, message: str) -> bool:
        """The same where the message is remembered, and whether it was; one that is not may still come. Raises
        StoreUnavailable."""
        # Nobody is shown it: it is only asked whether it is there.
        anything = Viewer(user="", agent=True)
        found = await self._reading.turns([turn_id(conversation, message)], anything, self._clock())
        for turn in found:
            await self._withdraw(turn.id)
        return bool(found)

    def _wait(self, turn: str, author: str, text: str) -> None:
        self._early[turn] = author, text
        self._early.move_to_end(turn)
        while len(self._early) > _EARLY:
            self._early.popitem(last=False)

    async def _known(self, turn: str, conversation: Conversation, author: str) -> Turn | None:
        viewer = viewer_of(author, conversation.channel, self._settings().access)
        found = await self._reading.turns([turn], viewer, self._clock())
        return found[0] if found else None
