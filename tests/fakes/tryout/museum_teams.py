"""The museum of the demo's history as an organisation in Teams, and that history by its people's ids there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from tests.fakes.tryout.museum import shown, told

#: Who sits at the Playground.
ME = "sato"
_OTHERS = ("lucas", "tanaka", "emma", "okabe", "nadia")
TENANT = "00000000-0000-0000-0000-0000000000001"
#: A team's first channel has the id of the team; there the support agents are told who wants a person.
TEAM = SUPPORT = "19:museum@thread.tacv2"
CHANNELS = {
    "it-desk": "19:it-desk@thread.tacv2",
    "gallery-ops": "19:gallery-ops@thread.tacv2",
    "collections": "19:collections@thread.tacv2",
    "finance": "19:finance@thread.tacv2",
}
GROUP = "19:museum-chat@thread.v2"
BOT, BOT_NAME = "28:helpdesk", "Helpdesk"


def person(name: str) -> str:
    """The id in the organisation of somebody in the history."""
    return str(uuid5(NAMESPACE_URL, name))


AGENTS = (person("okabe"), person("nadia"))


def history(now: datetime, only: Collection[str] = ()) -> str:
    """The demo's tickets, all or some, as JSONL for `helpdesk import`, dated from `now`."""
    return told(now, only, person, CHANNELS)


def organisation() -> Mapping[str, Any]:
    """Some of its people and one channel, in the words of the Playground's configuration, which takes five people
    beside who sits there, and one channel beside the first."""
    return {
        "version": "0.1.0",
        "tenantId": TENANT,
        "bot": {"id": BOT, "name": BOT_NAME},
        "currentUser": _user(ME),
        "users": [_user(name) for name in _OTHERS],
        "personalChat": {"id": f"a:1{ME}"},
        "groupChat": {"id": GROUP, "name": "Museum"},
        "team": {
            "id": TEAM,
            "name": "汐見 Museum",
            "aadGroupId": "00000000-0000-0000-0000-000000000031",
            "channels": [{"id": CHANNELS["it-desk"], "name": "it-desk"}],
        },
    }


def _user(name: str) -> Mapping[str, str]:
    address = f"{name}@shiomi.example"
    return {
        "id": f"29:{name}",
        "name": shown(name),
        "userPrincipleName": address,
        "aadObjectId": person(name),
        "givenName": shown(name),
        "surname": "-",
        "email": address,
    }
