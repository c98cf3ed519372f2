"""What people do to their messages afterwards: edit them, and take them back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from config.schema import AccessSettings, BotSettings
from handlers.access import viewer_of
from handlers.input import checked
from handlers.ports import Recorder
from memory.errors import InputRefused
from memory.model import Conversation, Turn, Viewer, turn_id
from memory.ports import Clock, Reading


class Changes:
    """Edits and deletions on their way to the memory. Nothing is ever answered because of one."""

    def __init__(
        self,
        *,
        recorder: Recorder,
        reading: Reading,
        withdraw: Callable[[str], Awaitable[None]],
        access: AccessSettings,
        bot: BotSettings,
        clock: Clock,
    ) -> None:
        self._recorder = recorder
        self._reading = reading
        self._withdraw = withdraw
        self._access = access
        self._bot = bot
        self._clock = clock

    @property
    def longest(self) -> int:
        """Characters that the new words of a message may have."""
        return self._bot.max_message_characters

    async def edited(self, conversation: Conversation, message: str, author: str, text: str) -> bool:
        """Whether the message was one that is remembered; it has new words now, and its old ones are a version of it.

        New words that cannot be kept (empty, too long) take the old ones away all the same. Raises StoreUnavailable.
        """
        known = await self._known(turn_id(conversation, message), conversation, author)
        if known is None:
            return False
        try:
            words = checked(text, limit=self._bot.max_message_characters, language=self._bot.language.value)
        except InputRefused:
            await self._withdraw(known.id)
            return True
        await self._recorder.record([replace(known, text=words)])
        return True

    async def deleted(self, conversation: Conversation, message: str) -> None:
        """The message is gone, and stays so when it arrives late. Raises StoreUnavailable."""
        await self._withdraw(turn_id(conversation, message))

    async def deleted_if_known(self, conversation: Conversation, message: str) -> None:
        """The same where the message is remembered; one that is not may still come. Raises StoreUnavailable."""
        # Nobody is shown it: it is only asked whether it is there.
        anything = Viewer(user="", agent=True)
        for turn in await self._reading.turns([turn_id(conversation, message)], anything, self._clock()):
            await self._withdraw(turn.id)

    async def _known(self, turn: str, conversation: Conversation, author: str) -> Turn | None:
        viewer = viewer_of(author, conversation.channel, self._access)
        found = await self._reading.turns([turn], viewer, self._clock())
        return found[0] if found else None
