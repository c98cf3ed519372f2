"""What the administrator wants of each team, channel and chat."""

from __future__ import annotations

from collections.abc import Callable

from config.channels import MemoryOf, collections_allowed, over
from config.teams import TeamsChannelSettings, TeamsSettings
from handlers.decision import ChannelPolicy
from handlers.ports import Manners
from handlers.teams.records import Place, Site
from memory.model import Visibility


class Rules:
    """Looks up settings, as they are now: a channel's own are over its team's, and these over `default`."""

    def __init__(self, settings: Callable[[], TeamsSettings]) -> None:
        self._settings = settings

    @property
    def streaming(self) -> bool:
        """Whether personal chats see the steps of the work as a stream."""
        return self._settings().streaming

    @property
    def handover_channel(self) -> str | None:
        """Where support agents are told that somebody wants a person."""
        return self._settings().handover_channel

    @property
    def report_channel(self) -> str | None:
        """Where the report of each week is posted."""
        return self._settings().report_channel

    def of(self, site: Site) -> TeamsChannelSettings:
        """The settings that hold there; personal chats are in no channel and have those of `default`."""
        settings = self._settings()
        found = settings.default
        if site.place is Place.PERSONAL:
            return found
        if site.team in settings.teams:
            found = over(found, settings.teams[site.team])
        return over(found, settings.channels[site.chat]) if site.chat in settings.channels else found

    def policy(self, site: Site) -> ChannelPolicy:
        """What is answered and what is remembered there. Other bots never are."""
        given = self.of(site)
        if not given.enabled:
            return ChannelPolicy(answer="never", remember=False)
        return ChannelPolicy(answer=given.answer.value, remember=given.remember)

    def greets(self, site: Site) -> bool:
        """Whether the bot says there how to ask it: not where it answers nobody, and not where support agents read its
        notes, who know."""
        return site.chat != self.handover_channel and self.policy(site).answer != "never"

    def manners(self, site: Site) -> Manners:
        """What an answer there may use, and in which language the bot speaks."""
        given = self.of(site)
        confined = site.place is not Place.PERSONAL and given.memory is MemoryOf.CHANNEL
        allowed = collections_allowed(given, outsiders=False)
        return Manners(confined=confined, language=given.language, knowledge=allowed)

    def visibility(self, site: Site) -> Visibility:
        """How widely what is said there may be seen: a chat is never open to everyone."""
        if site.place is Place.PERSONAL:
            return Visibility.PRIVATE
        wide = site.place is Place.CHANNEL and self.of(site).memory is MemoryOf.EVERYONE
        return Visibility.EVERYONE if wide else Visibility.CHANNEL
