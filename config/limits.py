"""How much of the bot one person, one channel and one day may take."""

from __future__ import annotations

from pydantic import Field

from config.strict import Strict

_MOST_TOKENS = 1_000_000_000_000


class LimitSettings(Strict):
    person_messages_a_minute: int = Field(
        20,
        ge=1,
        le=1_000,
        description="Messages to the bot of one person that are answered in a minute; to the next one the bot says "
        "when to write again. All are kept.",
    )
    channel_messages_a_minute: int = Field(
        120,
        ge=1,
        le=10_000,
        description="The same for all people of one channel together; direct messages are not counted in it.",
    )
    tokens_a_day: int | None = Field(
        None,
        ge=1,
        le=_MOST_TOKENS,
        description="Tokens, read and written, that all models together may take in a day of `bot.time_zone`; from "
        "then on answers are quotes and notes are made by rule. At most half of them go into notes.",
    )
    person_tokens_a_day: int | None = Field(
        None,
        ge=1,
        le=_MOST_TOKENS,
        description="Tokens that answers to one person may take in a day; from then on that person gets quotes.",
    )
