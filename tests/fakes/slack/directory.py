"""auth, users, team, bots, files and the OAuth exchange."""

from __future__ import annotations

from tests.fakes.slack.calls import Call
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.world import Json, Person


def auth_test(call: Call) -> Json:
    team, me = call.world.teams[call.team], call.world.me
    return {
        "ok": True, "url": f"https://{team.domain}.slack.com/", "team": team.name, "user": me.name, "team_id": team.id,
        "user_id": me.id, "bot_id": me.bot_id, "is_enterprise_install": False,
        **({"enterprise_id": team.enterprise_id} if team.enterprise_id else {}),
    }  # fmt: skip


def described(person: Person, *, locale: bool) -> Json:
    profile = {
        "real_name": person.real_name, "real_name_normalized": person.real_name, "display_name": person.display_name,
        "display_name_normalized": person.display_name, "email": person.email, "team": person.team, "title": "",
    }  # fmt: skip
    more = {"locale": person.locale} if locale else {}
    return {
        "id": person.id, "team_id": person.team, "name": person.name, "deleted": False, "real_name": person.real_name,
        "tz": person.tz, "tz_label": person.tz, "tz_offset": person.tz_offset, "profile": profile,
        "is_bot": person.is_bot, "is_admin": False, "is_owner": False, "is_restricted": person.is_restricted,
        "is_app_user": False, "updated": 1_750_000_000, **more,
    }  # fmt: skip


def users_info(call: Call) -> Json:
    person = call.world.people.get(call.text("user"))
    if person is None:
        raise Refused("user_not_found")
    return {"ok": True, "user": described(person, locale=call.yes("include_locale"))}


def team_info(call: Call) -> Json:
    team = call.world.teams.get(call.maybe("team") or call.team)
    if team is None:
        raise Refused("team_not_found")
    about = {"id": team.id, "name": team.name, "domain": team.domain, "email_domain": "", "icon": {}}
    enterprise = {"enterprise_id": team.enterprise_id, "enterprise_name": "Example"} if team.enterprise_id else {}
    return {"ok": True, "team": {**about, **enterprise}}


def bots_info(call: Call) -> Json:
    wanted = call.text("bot")
    bot = next((person for person in call.world.people.values() if person.bot_id == wanted), None)
    if bot is None:
        raise Refused("bot_not_found")
    app = call.world.app_id if bot.id == call.world.me.id else f"A{bot.id}"
    return {"ok": True, "bot": {"id": bot.bot_id, "deleted": False, "name": bot.name, "user_id": bot.id, "app_id": app}}


def files_info(call: Call) -> Json:
    found = call.world.files.get(call.text("file"))
    if found is None:
        raise Refused("file_not_found")
    return {"ok": True, "file": found, "content": "", "comments": [], "response_metadata": {"next_cursor": ""}}
