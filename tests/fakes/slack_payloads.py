"""What Slack sends, as it sends it: bodies of events and of interactions."""

from __future__ import annotations

from typing import Any

from handlers.slack.records import Me

TEAM, CHANNEL, PERSON, OTHER = "T0DESK", "C0HELP", "U0SATO", "U0OKABE"
ME = Me(user="U0BOT", bot="B0BOT", app="A0BOT")
#: 2024-04-05 19:35:12 UTC.
TS = "1712345712.000200"
LATER = "1712345790.000300"


def event_body(event: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The whole body of an Events API callback around an event."""
    around = {
        "token": "verification",
        "team_id": TEAM,
        "api_app_id": ME.app,
        "event": event,
        "type": "event_callback",
        "event_id": "Ev0001",
        "event_time": 1712345712,
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": TEAM,
                "user_id": ME.user,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
    }
    return {**around, **more}


def message(text: str = "VPNにつながりません", **more: Any) -> dict[str, Any]:
    """A message in a public channel; None for a field takes it out."""
    event = {
        "type": "message",
        "client_msg_id": "c9b466b5-845c-49c6-a371-57ae44359bf1",
        "text": text,
        "user": PERSON,
        "ts": TS,
        "team": TEAM,
        "channel": CHANNEL,
        "event_ts": TS,
        "channel_type": "channel",
        **more,
    }
    return {key: value for key, value in event.items() if value is not None}


def mention(text: str = f"<@{ME.user}> VPNにつながりません", **more: Any) -> dict[str, Any]:
    """The event that goes with a message that mentions the bot: without a channel type."""
    return message(text, **{"type": "app_mention", "channel_type": None, **more})


def changed(new: dict[str, Any], old: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    """The event when a message is told again."""
    event = {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "channel": CHANNEL,
        "channel_type": "channel",
        "ts": LATER,
        "event_ts": LATER,
        "message": new,
        "previous_message": old,
        **more,
    }
    return {key: value for key, value in event.items() if value is not None}


def inner(text: str = "VPNにつながりません", **more: Any) -> dict[str, Any]:
    """A message as it stands inside another event: it has no channel there."""
    return message(text, **{"channel": None, "channel_type": None, "event_ts": None, **more})


def deleted(before: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    """The event when a message is deleted: it has no text of its own."""
    event = {
        "type": "message",
        "subtype": "message_deleted",
        "hidden": True,
        "channel": CHANNEL,
        "channel_type": "channel",
        "ts": LATER,
        "event_ts": LATER,
        "deleted_ts": TS,
        "previous_message": before,
        **more,
    }
    return {key: value for key, value in event.items() if value is not None}


def rich_text(*elements: dict[str, Any]) -> list[dict[str, Any]]:
    """The blocks of a message of one paragraph."""
    section = {"type": "rich_text_section", "elements": [*elements]}
    return [{"type": "rich_text", "block_id": "b1", "elements": [section]}]


def click(action: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The payload when somebody clicks below a reply in a thread."""
    return {
        "type": "block_actions",
        "user": {"id": PERSON, "username": "sato", "team_id": TEAM},
        "api_app_id": ME.app,
        "container": {
            "type": "message",
            "message_ts": LATER,
            "channel_id": CHANNEL,
            "thread_ts": TS,
            "is_ephemeral": False,
        },
        "trigger_id": "12.34.ab",
        "team": {"id": TEAM, "domain": "desk"},
        "enterprise": None,
        "is_enterprise_install": False,
        "channel": {"id": CHANNEL, "name": "help"},
        "message": {"type": "message", "bot_id": ME.bot, "ts": LATER, "thread_ts": TS, "text": "…"},
        "response_url": "https://hooks.slack.com/actions/T0DESK/1/x",
        "actions": [action],
        **more,
    }


def command(text: str = "help", **more: Any) -> dict[str, Any]:
    """The form that comes with a slash command."""
    return {
        "token": "verification",
        "team_id": TEAM,
        "team_domain": "desk",
        "channel_id": CHANNEL,
        "channel_name": "help",
        "user_id": PERSON,
        "user_name": "sato",
        "command": "/helpdesk",
        "text": text,
        "api_app_id": ME.app,
        "is_enterprise_install": "false",
        "response_url": "https://hooks.slack.com/commands/T0DESK/1/x",
        "trigger_id": "12.34.ab",
        **more,
    }
