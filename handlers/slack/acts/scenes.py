"""Who acts, where, and what that person may see: worked out anew for every act, whatever its payload says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import tzinfo
from zoneinfo import ZoneInfo

from config.schema import Settings
from handlers.access import viewer_of
from handlers.ports import PLAIN, Manners
from handlers.slack.acts.own_pages import Reader
from handlers.slack.address import Address
from handlers.slack.directory import SOON, UNKNOWN_PERSON, Directory, Person
from handlers.slack.installations import Installation
from handlers.slack.intake import Intake
from handlers.slack.records import Act, Acted
from handlers.slack.rules import Rules
from handlers.wording_acts import ActWords
from handlers.wordings import SHIPPED, Wording
from memory.model import DIRECT, Viewer
from memory.text.language import LanguageCode, detect_language


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """An act with what is known about it. `manners`, and whether the bot is `enabled` and answers are `ephemeral`, are
    those of the channel in which it was done; `named_contact` is
    whom the administrator names for those who cannot be helped from here."""

    acted: Acted
    here: Installation
    person: Person
    manners: Manners
    enabled: bool
    ephemeral: bool
    agent: bool
    language: LanguageCode
    zone: tzinfo
    named_contact: str
    wording: Wording = SHIPPED

    @property
    def words(self) -> ActWords:
        return self.wording.acts(self.language)

    @property
    def at_home(self) -> bool:
        """Whether this was done on the bot's own page, which is in no channel."""
        return self.acted.kind is Act.CLICKED and self.acted.channel is None

    @property
    def known(self) -> bool:
        """Whether Slack told who acts; who is not known sees as little as a guest."""
        return self.person is not UNKNOWN_PERSON

    @property
    def aloud(self) -> bool:
        """Whether this was written where others read along."""
        return self.acted.kind is Act.WROTE and not is_direct(self.acted.channel or "")

    @property
    def contact(self) -> str:
        """Whom to write to instead, as a sentence."""
        named = self.named_contact
        return self.words.contact_named.format(contact=named) if named else self.words.contact

    @property
    def alone(self) -> Viewer:
        """Who reads what is shown to this person and to nobody else. Guests stay confined."""
        return Viewer(user=self.acted.user, agent=self.agent, confined=self.person.guest)

    @property
    def placed(self) -> Viewer:
        """Who reads in the place where this was done."""
        channel = self.acted.channel or ""
        direct = not channel or is_direct(channel)
        confined = self.manners.confined or self.person.guest
        return replace(self.alone, channel=DIRECT if direct else channel, confined=confined)

    @property
    def reader(self) -> Reader:
        tickets = self.wording.tickets(self.language)
        return Reader(
            user=self.acted.user,
            language=self.language,
            words=self.words,
            tickets=tickets,
            zone=self.zone,
            here=self.here,
        )


class Scenes:
    """Works scenes out."""

    def __init__(
        self,
        *,
        directory: Directory,
        intake: Intake,
        rules: Rules,
        settings: Callable[[], Settings],
        wording: Callable[[], Wording],
    ) -> None:
        self._directory = directory
        self._intake = intake
        self._rules = rules
        self._settings = settings
        self._wording = wording

    async def of(self, acted: Acted, here: Installation) -> Scene:
        """Never raises: whom Slack does not tell about is treated as a guest."""
        person = await self._directory.person(here.client, here.workspace, acted.user)
        return self._scene(acted, here, person, await self._manners(acted, here, person))

    async def soon(self, acted: Acted, here: Installation) -> Scene:
        """The same where there is hardly any time: who acts is asked for a second at most, and the place is taken to be
        as narrow as can be. Never raises."""
        person = await self._directory.person(here.client, here.workspace, acted.user, seconds=SOON)
        return self._scene(acted, here, person, Manners(confined=True))

    def at_once(self, acted: Acted, here: Installation) -> Scene:
        """The same without asking Slack anything: for a word to who acted, and for nothing that only some may see."""
        person = self._directory.person_at_hand(here.workspace, acted.user)
        return self._scene(acted, here, person, Manners(confined=True))

    def _scene(self, acted: Acted, here: Installation, person: Person, manners: Manners) -> Scene:
        settings = self._rules.of(acted.channel) if acted.channel else None
        return Scene(
            acted=acted,
            here=here,
            person=person,
            manners=manners,
            enabled=settings is None or settings.enabled,
            ephemeral=settings is not None and settings.ephemeral,
            agent=viewer_of(acted.user, DIRECT, self._settings().access).agent,
            language=manners.language or acted.language or _chosen(acted) or person.language or self._spoken(acted),
            zone=person.zone or ZoneInfo(self._settings().bot.time_zone),
            named_contact=self._settings().bot.contact,
            wording=self._wording(),
        )

    async def _manners(self, acted: Acted, here: Installation, person: Person) -> Manners:
        if acted.channel is None:
            return PLAIN
        room = await self._intake.room(acted.channel, here)
        return self._rules.manners(acted.channel, room, guest=person.guest)

    def _spoken(self, acted: Acted) -> LanguageCode:
        typed = acted.value if acted.kind in (Act.COMMAND, Act.WROTE) else None
        return detect_language(typed or "", self._settings().bot.language.value)


def _chosen(acted: Acted) -> LanguageCode | None:
    """Who writes a wish in Japanese wants Japanese; the English ones are short enough for everybody."""
    return "ja" if acted.kind is Act.WROTE and detect_language(acted.value or "", "en") == "ja" else None


def is_direct(channel: str) -> bool:
    """Whether this is a direct message, by its id."""
    return Address(workspace="", channel=channel, thread="").direct
