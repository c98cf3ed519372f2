"""In which language people are answered: that of their words, and where these show none, that around them."""

from __future__ import annotations

from datetime import datetime

import structlog

from handlers.characters import cleaned, readable
from handlers.files import without_files
from handlers.messages import IncomingMessage
from handlers.ports import PLAIN, Manners
from memory.errors import StoreUnavailable
from memory.model import DIRECT, Conversation, Turn, Viewer
from memory.personal import Personal
from memory.ports import Reading
from memory.text.language import LanguageCode, detect_language, own_language

log = structlog.get_logger()

#: Turns of a thread, and of a person, that are looked at.
_TURNS, _WORDS = 10, 5


class Spoken:
    """Knows what language an error code, a link or an emoji was meant in."""

    def __init__(self, *, reading: Reading, personal: Personal, default: LanguageCode) -> None:
        self._reading = reading
        self._personal = personal
        self._default = default

    def at_once(self, text: str) -> LanguageCode:
        """By the words alone, pasted ones included."""
        return detect_language(without_files(text), self._default)

    async def where(self, incoming: IncomingMessage, viewer: Viewer, now: datetime) -> LanguageCode:
        """By the words of what is received; where there is nothing to read, as it goes on there. Never raises."""
        shown = self.at_once(incoming.text)
        if readable(cleaned(incoming.text)):
            return shown
        return await self.around(incoming.conversation, viewer, now, PLAIN) or shown

    async def of(self, turn: Turn, viewer: Viewer, manners: Manners) -> LanguageCode:
        """By its author's own words; else as the thread goes on, as the place wants it, as the author wrote before, as
        their client is set, and in the end by what is pasted or as the administrator says. Never raises."""
        if said := _shown(turn.text):
            return said
        around = await self.around(turn.conversation, viewer, turn.said_at, manners)
        return around or manners.locale or self.at_once(turn.text)

    async def around(
        self, conversation: Conversation, viewer: Viewer, until: datetime, manners: Manners
    ) -> LanguageCode | None:
        """Without words: as the thread goes on, as the place wants it, as this person wrote before. Never raises."""
        try:
            of_thread = await self._of_thread(conversation, viewer, until)
            return of_thread or manners.language or await self._of_person(viewer, until)
        except StoreUnavailable as error:
            log.warning("language_unknown", error=type(error).__name__)
            return manners.language

    async def _of_thread(self, conversation: Conversation, viewer: Viewer, until: datetime) -> LanguageCode | None:
        said = await self._reading.recent(conversation.id, viewer, until, _TURNS)
        return next(filter(None, (_shown(one.text) for one in reversed(said))), None)

    async def _of_person(self, viewer: Viewer, until: datetime) -> LanguageCode | None:
        alone = Viewer(user=viewer.user, channel=DIRECT, confined=viewer.confined)
        wrote = await self._personal.newest(alone, until, _WORDS)
        return next(filter(None, (_shown(one.text) for one in wrote)), None)


def client_language(locale: str | None) -> LanguageCode | None:
    """The language that a client is set to, by a locale like ja-JP or en-GB; None for one the bot does not speak."""
    match (locale or "")[:2].lower():
        case "ja":
            return "ja"
        case "en":
            return "en"
    return None


def _shown(text: str) -> LanguageCode | None:
    return own_language(without_files(text))
