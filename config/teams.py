"""What the bot does in which team and channel of Microsoft Teams."""

from __future__ import annotations

from pydantic import Field

from config.channels import AnswerOn, ChannelSettings, MemoryOf
from config.strict import Strict


class TeamsChannelSettings(ChannelSettings):
    """Teams does not say with a message who may join its team: unless told otherwise, what is said stays there."""

    answer: AnswerOn = Field(
        AnswerOn.MENTION, description="`mention`: where it is mentioned. `always`: to every message. `never`."
    )
    memory: MemoryOf = Field(
        MemoryOf.CHANNEL,
        description="`channel`: only what was said in this channel, and nothing said here is shown elsewhere. "
        "`everyone`: answers may use what all may see, and all may see what is said here.",
    )


class TeamsSettings(Strict):
    default: TeamsChannelSettings = Field(
        TeamsChannelSettings(), description="What holds in teams and channels that are not named below."
    )
    teams: dict[str, TeamsChannelSettings] = Field(
        {}, description="By the team's id (19:…); what a team does not say is as in `default`."
    )
    channels: dict[str, TeamsChannelSettings] = Field(
        {}, description="By the id of a channel or group chat (19:…); what it does not say is as in its team."
    )
