"""What Teams sends, as it sends it: activities of all kinds."""

from __future__ import annotations

from typing import Any

from handlers.teams.records import Me

TENANT, TEAM, CHANNEL = "3fa1-tenant", "19:team0desk@thread.tacv2", "19:chan0help@thread.tacv2"
PERSONAL, GROUP = "a:1personal0sato", "19:group0net@thread.v2"
PERSON, PERSON_ID = "0b7e-sato", "29:1sato"
OTHER_ID = "29:1okabe"
ME = Me(id="28:app0desk")
BOT_NAME = "ヘルプデスク"
MESSAGE, ROOT = "1796083200123", "1796079600000"
SERVICE = "https://smba.trafficmanager.net/jp/"
CALL = f"<at>{BOT_NAME}</at>"


def activity(kind: str, **more: Any) -> dict[str, Any]:
    """Something that happened in a personal chat; None for a field takes it out."""
    around = {
        "type": kind,
        "id": MESSAGE,
        "channelId": "msteams",
        "timestamp": "2026-12-01T00:00:00.1234567Z",
        "localTimestamp": "2026-12-01T09:00:00.1234567+09:00",
        "serviceUrl": SERVICE,
        "from": {"id": PERSON_ID, "name": "佐藤", "aadObjectId": PERSON},
        "recipient": {"id": ME.id, "name": BOT_NAME},
        "conversation": {"conversationType": "personal", "id": PERSONAL, "tenantId": TENANT},
        "channelData": {"tenant": {"id": TENANT}},
        "locale": "ja-JP",
        **more,
    }
    return {key: value for key, value in around.items() if value is not None}


def message(text: str | None = "VPNにつながりません", /, **more: Any) -> dict[str, Any]:
    """A message in a personal chat."""
    return activity("message", **{"text": text, "textFormat": "plain", **more})


def in_channel(thread: str | None = ROOT) -> dict[str, Any]:
    """What stands around something that happened in a channel."""
    id = CHANNEL if thread is None else f"{CHANNEL};messageid={thread}"
    return {
        "conversation": {"conversationType": "channel", "isGroup": True, "id": id, "tenantId": TENANT},
        "channelData": {"tenant": {"id": TENANT}, "team": {"id": TEAM}, "channel": {"id": CHANNEL}},
    }


def in_group() -> dict[str, Any]:
    """What stands around something that happened in a group chat."""
    return {"conversation": {"conversationType": "groupChat", "isGroup": True, "id": GROUP, "tenantId": TENANT}}


def mention(id: str = ME.id, name: str | None = BOT_NAME, text: str | None = CALL) -> dict[str, Any]:
    """A mention as it is listed beside the text."""
    entity = {"type": "mention", "mentioned": {"id": id, "name": name}, "text": text}
    return {key: value for key, value in entity.items() if value is not None}


def html(content: str) -> dict[str, Any]:
    """What was written, with its looks."""
    return {"contentType": "text/html", "content": content}


def called(name: str = BOT_NAME, number: int = 0) -> str:
    """A mention as it stands in the HTML."""
    return f'<span itemscope="" itemtype="http://schema.skype.com/Mention" itemid="{number}">{name}</span>'


def to_the_bot(text: str = f"{CALL} VPNにつながりません", /, **more: Any) -> dict[str, Any]:
    """A message in a channel's thread that calls the bot."""
    return message(text, **{"entities": [mention()], **in_channel(), **more})
