"""What an administrator may say of a channel, on any platform."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeVar

from pydantic import Field

from config.knowledge import CollectionName
from config.strict import Strict


class AnswerOn(StrEnum):
    MENTION = "mention"
    ALWAYS = "always"
    NEVER = "never"


class MemoryOf(StrEnum):
    EVERYONE = "everyone"
    CHANNEL = "channel"


class ChannelSettings(Strict):
    enabled: bool = Field(True, description="`false`: the bot is deaf and mute in this channel.")
    answer: AnswerOn = Field(
        AnswerOn.MENTION,
        description="`mention`: where it is mentioned, and on in that thread. `always`: to every message. `never`.",
    )
    language: Literal["ja", "en"] | None = Field(
        None, description="Language of the bot's own words here; without it, that of the message."
    )
    memory: MemoryOf = Field(
        MemoryOf.EVERYONE,
        description="`everyone`: answers may use what all may see. `channel`: only what was said in this channel, and "
        "nothing said here is shown elsewhere, except in direct messages to who wrote in the same conversation and to "
        "support agents. "
        "Channels shared with other organisations are always `channel`.",
    )
    knowledge: tuple[CollectionName, ...] | None = Field(
        None,
        description="Names of the collections of the knowledge base that answers here may use; all of them where this "
        "is not said, none with `[]`. Outsiders are shown only what is named here.",
    )
    remember: bool = Field(
        False, description="`true`: what is said here without addressing the bot is remembered too, not answered."
    )


def collections_allowed(given: ChannelSettings, *, outsiders: bool) -> frozenset[str] | None:
    """The collections that answers in a channel may use, None for all; where outsiders read along, only named ones."""
    if given.knowledge is None:
        return frozenset() if outsiders else None
    return frozenset(given.knowledge)


Given = TypeVar("Given", bound=ChannelSettings)


def over(default: Given, given: ChannelSettings) -> Given:
    """What `given` says itself, and the rest as in `default`."""
    return default.model_copy(update={name: getattr(given, name) for name in given.model_fields_set})
