"""What the administrator wants of each channel."""

from __future__ import annotations

from collections.abc import Callable

from config.channels import MemoryOf, collections_allowed, over
from config.slack import SlackChannelSettings, SlackSettings
from handlers.decision import ChannelPolicy
from handlers.ports import Manners
from handlers.slack.directory import Room
from memory.model import Visibility


class Rules:
    """Looks up a channel's settings, as they are now; what it does not say itself is as in `default`."""

    def __init__(self, settings: Callable[[], SlackSettings]) -> None:
        self._settings = settings

    @property
    def stream(self) -> bool:
        """Whether steps on the way to an answer are shown."""
        return self._settings().stream

    @property
    def wait_seconds(self) -> float:
        """How long a thread waits for a reply that Slack does not take just now."""
        return self._settings().wait_minutes * 60

    @property
    def handover_channel(self) -> str | None:
        """Where support agents are told that somebody wants a person."""
        return self._settings().handover_channel

    @property
    def report_channel(self) -> str | None:
        """Where the report of each week is posted."""
        return self._settings().report_channel

    @property
    def report_workspace(self) -> str | None:
        """In which workspace that is, where the bot is in several."""
        return self._settings().report_workspace

    def of(self, channel: str) -> SlackChannelSettings:
        """The settings that hold in this channel."""
        settings = self._settings()
        given = settings.channels.get(channel)
        return over(settings.default, given) if given else settings.default

    def policy(self, channel: str) -> ChannelPolicy:
        """What is answered and what is remembered there."""
        given = self.of(channel)
        if not given.enabled:
            return ChannelPolicy(answer="never", remember=False)
        return ChannelPolicy(
            answer=given.answer.value, remember=given.remember, allowed_bots=frozenset(self._settings().allowed_bots)
        )

    def manners(self, channel: str, room: Room, *, guest: bool) -> Manners:
        """What an answer there may use, and in which language the bot speaks."""
        given = self.of(channel)
        outside = guest or room.shared
        return Manners(
            confined=outside or given.memory is MemoryOf.CHANNEL,
            language=given.language,
            knowledge=collections_allowed(given, outsiders=outside),
        )

    def visibility(self, channel: str, room: Room) -> Visibility:
        """How widely what is said there may be seen."""
        return Visibility.CHANNEL if self.of(channel).memory is MemoryOf.CHANNEL else room.visibility
