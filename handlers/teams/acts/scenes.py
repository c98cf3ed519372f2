"""Who acts, where, and what that person may see: worked out anew for every act, whatever its payload says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from config.schema import Settings
from handlers.access import viewer_of
from handlers.files import without_files
from handlers.ports import Manners
from handlers.spoken import client_language
from handlers.teams.address import permalink
from handlers.teams.cards import Reader
from handlers.teams.errand import Errand, Writes
from handlers.teams.message import TeamsMessage, plain_message
from handlers.teams.records import PLATFORM, Act, Acted, Place
from handlers.teams.rules import Rules
from handlers.wording_acts import ActWords
from handlers.wording_teams import TeamsWords
from handlers.wordings import SHIPPED, Wording
from memory.errors import DeliveryUnknown, PlatformRefused
from memory.model import DIRECT, Turn, Viewer
from memory.personal import Request
from memory.text.language import LanguageCode, detect_language


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """An act with what is known about it. `alone` reads what is shown to that person and nobody else, `placed` what may
    be shown where it was done."""

    acted: Acted
    errand: Errand
    enabled: bool
    manners: Manners
    alone: Viewer
    placed: Viewer
    language: LanguageCode
    zone: ZoneInfo
    named_contact: str
    wording: Wording = SHIPPED

    @property
    def words(self) -> ActWords:
        return self.wording.acts(self.language)

    @property
    def here(self) -> TeamsWords:
        return self.wording.teams(self.language)

    @property
    def personal(self) -> bool:
        """Whether nobody else reads along."""
        return self.acted.site.place is Place.PERSONAL

    @property
    def contact(self) -> str:
        """Whom to write to instead, as a sentence."""
        named = self.named_contact
        return self.words.contact_named.format(contact=named) if named else self.words.contact

    @property
    def reader(self) -> Reader:
        return Reader(language=self.language, zone=self.zone, link=_link, wording=self.wording)

    def about(self, turn: Turn) -> Scene:
        """The same scene in the language in which this turn was answered."""
        return replace(self, language=self.manners.language or detect_language(without_files(turn.text), self.language))

    async def say(self, words: str) -> None:
        """One sentence of ours, in the conversation. Raises as `Writes` does."""
        await self.errand.post(plain_message(words).content)

    async def show(self, message: TeamsMessage, *, instead: bool = False) -> None:
        """A message in the conversation; `instead`: in the place of the card that was clicked, so that it cannot be
        clicked again. Raises as `Writes` does."""
        if instead and self.acted.message is not None and self.acted.kind is Act.EXECUTED:
            try:
                await self.errand.replace(self.acted.message, message.content)
            except (PlatformRefused, DeliveryUnknown):
                # An old card stays as it is; the word comes below.
                await self.errand.post(message.content)
        else:
            await self.errand.post(message.content)


class Scenes:
    """Works scenes out."""

    def __init__(
        self, *, writes: Writes, rules: Rules, settings: Callable[[], Settings], wording: Callable[[], Wording]
    ) -> None:
        self._writes = writes
        self._rules = rules
        self._settings = settings
        self._wording = wording

    def of(self, acted: Acted) -> Scene:
        """The scene of this act."""
        manners = self._rules.manners(acted.site)
        language = manners.language or client_language(acted.locale) or self._settings().bot.language.value
        alone = viewer_of(acted.user, DIRECT, self._settings().access)
        return Scene(
            acted=acted,
            errand=Errand(
                writes=self._writes,
                site=acted.site,
                conversation=acted.conversation,
                language=language,
                wording=self._wording(),
            ),
            enabled=self._rules.of(acted.site).enabled,
            manners=manners,
            alone=alone,
            placed=replace(alone, channel=acted.conversation.channel, confined=manners.confined),
            language=language,
            zone=ZoneInfo(self._settings().bot.time_zone),
            named_contact=self._settings().bot.contact,
            wording=self._wording(),
        )


def _link(request: Request) -> str | None:
    """Only what was asked in Teams has an address there."""
    if request.message is None or request.conversation.platform != PLATFORM:
        return None
    return permalink(request.conversation, request.message)
