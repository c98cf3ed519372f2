"""The settings of Slack: how the bot is connected, and what it does in which channel."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from config.channels import ChannelSettings
from config.strict import Strict
from config.values import empty_is_none, web_address

_Secret = Annotated[SecretStr | None, BeforeValidator(empty_is_none)]


class SlackChannelSettings(ChannelSettings):
    ephemeral: bool = Field(False, description="`true`: only who asked sees the answer.")


class SlackSettings(Strict):
    bot_token: _Secret = Field(None, description="Token of the bot in one workspace (xoxb-…), as ${ENV}.")
    app_token: _Secret = Field(
        None, description="Token of the app for its connection to Slack, Socket Mode (xapp-…), as ${ENV}."
    )
    api_url: Annotated[str, AfterValidator(web_address)] = Field(
        "https://slack.com/api/", description="Address of Slack's Web API; another only for trying things out."
    )
    allowed_bots: tuple[str, ...] = Field(
        (), description="Ids of other bots (B…) whose messages are answered; all others are left alone."
    )
    default: SlackChannelSettings = Field(
        SlackChannelSettings(), description="What holds in channels that are not named below."
    )
    channels: dict[str, SlackChannelSettings] = Field(
        {}, description="By the channel's id (C…); what a channel does not say is as in `default`, not as shipped."
    )
    answers_at_once: int = Field(8, ge=1, le=256, description="Threads that are answered at the same time.")
