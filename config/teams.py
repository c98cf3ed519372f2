"""The settings of Microsoft Teams: as which app the bot is there, and what it does in which team and channel."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from config.channels import AnswerOn, ChannelSettings, MemoryOf
from config.strict import Strict
from config.values import directory_id, empty_is_none, host_name, host_names, secure_address, some_hosts, teams_channel

_Id = Annotated[str, AfterValidator(directory_id)]
_Channel = Annotated[str, AfterValidator(teams_channel)]


class Identity(StrEnum):
    PASSWORD = "password"
    MANAGED = "managed"


class TeamsChannelSettings(ChannelSettings):
    """Teams does not say with a message who may join its team: unless told otherwise, what is said stays there."""

    answer: AnswerOn = Field(
        AnswerOn.MENTION, description="`mention`: where it is mentioned. `always`: to every message. `never`."
    )
    memory: MemoryOf = Field(
        MemoryOf.CHANNEL,
        description="`channel`: answers here use only what was said here, and what is said here is shown elsewhere "
        "only in personal chats, to who wrote in the same conversation and to support agents. `everyone`: answers may "
        "use what all may see, and all may see what is said here; what is said in a group chat stays as with "
        "`channel`.",
    )


class TeamsSettings(Strict):
    app_id: _Id | None = Field(None, description="Id of the app registration (Microsoft App ID) of the Azure bot.")
    tenant: _Id | None = Field(
        None,
        description="Id of the organisation (directory, tenant) to which the app belongs; nobody else is answered.",
    )
    identity: Identity = Field(
        Identity.PASSWORD,
        description="How the app proves itself. `password`: by `app_password`. `managed`: by the managed identity of "
        "the machine in Azure on which it runs.",
    )
    app_password: Annotated[SecretStr | None, BeforeValidator(empty_is_none)] = Field(
        None, description="Client secret of the app registration, its value and not its id, as ${ENV}."
    )
    development: bool = Field(
        False,
        description="`true`: no credentials and no proof of who calls, for the Agents Playground on this machine only; "
        "`web.host` must be a loopback address.",
    )
    service_hosts: Annotated[tuple[Annotated[str, AfterValidator(host_name)], ...], AfterValidator(some_hosts)] = Field(
        ("smba.trafficmanager.net",),
        description="Hosts to which answers may go, each in full; government clouds have others.",
    )
    file_hosts: tuple[Annotated[str, AfterValidator(host_names)], ...] = Field(
        (".sharepoint.com",),
        description="Hosts from which attached text files are read; with a dot in front, all hosts below.",
    )
    login_url: Annotated[str, AfterValidator(secure_address)] = Field(
        "https://login.microsoftonline.com",
        description="Where the app signs in; another only in government clouds and for trying things out.",
    )
    openid_url: Annotated[str, AfterValidator(secure_address)] = Field(
        "https://login.botframework.com/v1/.well-known/openidconfiguration",
        description="Where the keys are named by which Teams' calls are known; another as with `login_url`.",
    )
    issuer: str = Field(
        "https://api.botframework.com", min_length=1, description="Who signs Teams' calls; another as with `login_url`."
    )
    scope: str = Field(
        "https://api.botframework.com", min_length=1, description="For what the app signs in; as with `login_url`."
    )
    default: TeamsChannelSettings = Field(
        TeamsChannelSettings(), description="What holds in teams and channels that are not named below."
    )
    teams: dict[_Channel, TeamsChannelSettings] = Field(
        {}, description="By the team's id (19:…); what a team does not say is as in `default`."
    )
    channels: dict[_Channel, TeamsChannelSettings] = Field(
        {}, description="By the id of a channel or group chat (19:…); what it does not say is as in its team."
    )
    handover_channel: _Channel | None = Field(
        None,
        description="Id of the channel (19:…) in which support agents are told that somebody asks for a person; the "
        "bot has to be in its team. Without it people are told whom to contact, see `bot.contact`.",
    )
    report_channel: _Channel | None = Field(
        None,
        description="Id of the channel (19:…) in which the report of each week is posted, see `report`; the bot has to "
        "be in its team. Whoever reads there reads what everybody may read: choose none with guests.",
    )
    streaming: bool = Field(
        False,
        description="`true`: in personal chats, an answer that takes longer shows its steps (as a stream of Teams) and "
        "then takes their place. `false`: Teams shows that the bot types.",
    )
    answers_at_once: int = Field(8, ge=1, le=256, description="Conversations that are answered at the same time.")
