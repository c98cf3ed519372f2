"""The settings of Slack: how the bot is connected, and what it does in which channel."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from config.channels import ChannelSettings
from config.credentials import APP_TOKEN, BOT_TOKEN
from config.strict import Strict
from config.values import begins, empty_is_none, slack_bot, slack_channel, slack_place, slack_workspace, web_address

_Secret = Annotated[SecretStr | None, BeforeValidator(empty_is_none)]
_Place = Annotated[str, AfterValidator(slack_place)]
_Channel = Annotated[str, AfterValidator(slack_channel)]
_Workspace = Annotated[str, AfterValidator(slack_workspace)]
_Bot = Annotated[str, AfterValidator(slack_bot)]


def _bot_token(token: SecretStr | None) -> SecretStr | None:
    return begins(token, "xoxb-", BOT_TOKEN)


def _app_token(token: SecretStr | None) -> SecretStr | None:
    return begins(token, "xapp-", APP_TOKEN)


class Transport(StrEnum):
    SOCKET = "socket"
    HTTP = "http"


class SlackChannelSettings(ChannelSettings):
    ephemeral: bool = Field(False, description="`true`: only who asked sees the answer.")


class SlackSettings(Strict):
    transport: Transport = Field(
        Transport.SOCKET,
        description="`socket`: the bot opens the connection, with `app_token`. `http`: Slack sends signed requests to "
        "/slack/events of the server under `web`, with `signing_secret`.",
    )
    bot_token: Annotated[_Secret, AfterValidator(_bot_token)] = Field(
        None, description="Token of the bot in one workspace (xoxb-…), as ${ENV}. For several see `client_id`."
    )
    app_token: Annotated[_Secret, AfterValidator(_app_token)] = Field(
        None, description="Token of the app for its connection to Slack, Socket Mode (xapp-…), as ${ENV}."
    )
    signing_secret: _Secret = Field(
        None, description="Proves that a request is Slack's (Basic Information, Signing Secret), as ${ENV}."
    )
    client_id: str | None = Field(
        None,
        min_length=1,
        description="Id of the app (Basic Information), in quotes: others install it at /slack/install of the server "
        "under `web`, each workspace with a token of its own, in place of `bot_token`.",
    )
    client_secret: _Secret = Field(None, description="Secret that belongs to `client_id`, as ${ENV}.")
    installation_key: _Secret = Field(
        None,
        description="Seals the tokens of workspaces, as ${ENV}: 32 bytes in URL-safe base64. To change it write the "
        "new one, a comma and the old one; after a start the old one is no longer needed.",
    )
    api_url: Annotated[str, AfterValidator(web_address)] = Field(
        "https://slack.com/api/", description="Address of Slack's Web API; another only for trying things out."
    )
    allowed_bots: tuple[_Bot, ...] = Field(
        (), description="Ids of other bots (B…) whose messages are answered; all others are left alone."
    )
    default: SlackChannelSettings = Field(
        SlackChannelSettings(), description="What holds in channels that are not named below."
    )
    channels: dict[_Place, SlackChannelSettings] = Field(
        {}, description="By the channel's id (C…); what a channel does not say is as in `default`, not as shipped."
    )
    handover_channel: _Channel | None = Field(
        None,
        description="Id of the channel (C…) in which support agents are told that somebody asks for a person; the bot "
        "has to be invited to it. Without it people are told whom to contact, see `bot.contact`.",
    )
    report_channel: _Channel | None = Field(
        None,
        description="Id of the channel (C…) in which the report of each week is posted, see `report`; the bot has to "
        "be invited to it. Whoever reads there reads what everybody may read: choose none with guests.",
    )
    report_workspace: _Workspace | None = Field(
        None, description="Id of the workspace (T…) of `report_channel`; only with `client_id`."
    )
    answers_at_once: int = Field(8, ge=1, le=256, description="Threads that are answered at the same time.")
    wait_minutes: float = Field(
        5,
        gt=0,
        le=60,
        description="How long a thread waits for an answer that Slack does not take just now; then a sentence with a "
        "number for the log takes its place. Other threads never wait for it.",
    )
    silence_minutes: float = Field(
        30, gt=0, le=1440, description="A connection over which nothing has come for so long is replaced by a new one."
    )
    stream: bool = Field(
        True,
        description="`true`: in direct messages, an answer that takes longer shows its steps and then takes their "
        "place. Channels get one message, the answer.",
    )
