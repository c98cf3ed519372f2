"""views.*, assistant.threads.*: modals, the home tab, status lines and prompts."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from tests.fakes.slack.blocks import faults_of_view
from tests.fakes.slack.calls import Call
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.shapes import Check, Text, label, short
from tests.fakes.slack.world import Channel, Json, World

FIELDS = {
    "type", "title", "blocks", "close", "submit", "private_metadata", "callback_id", "clear_on_close",
    "notify_on_close", "external_id", "submit_disabled",
}  # fmt: skip
TITLE, CALLBACK, PRIVATE, STATUS, PROMPTS, LOADING = 24, 255, 3000, 255, 4, 10


def check_view(view: Any, kind: str) -> Json:
    """A view that Slack would show; `Refused` with its reasons otherwise."""
    if not isinstance(view, dict) or view.get("type") != kind:
        raise Refused.because("invalid_arguments", f"must be of type {kind} [json-pointer:/view/type]")
    check = Check()
    for name in view.keys() - FIELDS:
        check.fault(f"no such property: {name}", "/view")
    _about(check, view)
    reasons = [*check.faults, *faults_of_view(view)]
    if reasons:
        raise Refused.because("invalid_arguments", *reasons)
    return view


def _about(check: Check, view: Json) -> None:
    short(check, view, "callback_id", "/view", CALLBACK)
    short(check, view, "private_metadata", "/view", PRIVATE)
    if not isinstance(view.get("blocks"), list):
        check.fault("missing required field: blocks", "/view")
    if view["type"] == "modal":
        if "title" not in view:
            check.fault("missing required field: title", "/view")
        for name in ("title", "submit", "close"):
            label(check, view, name, "/view", Text(least=1, most=TITLE))
        if any(isinstance(b, dict) and b.get("type") == "input" for b in view.get("blocks") or ()):
            _submittable(check, view)


def _submittable(check: Check, view: Json) -> None:
    if "submit" not in view:
        check.fault("`submit` is required because the view contains an input block", "/view/submit")


class Unfilled(ValueError):
    """A form with an empty field that has to be filled in: Slack's own client does not send it off."""


def unfilled(view: Json, values: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """By block, what Slack says of the fields that are empty and must not be. What was not touched is as it stood."""
    said = {}
    for block in view["blocks"]:
        if block["type"] != "input" or block.get("optional"):
            continue
        element, given = block["element"], values.get(block["block_id"])
        untouched = next((value for name, value in element.items() if name.startswith("initial_")), None)
        if not (untouched if given is None else given.get(element["action_id"])):
            said[block["block_id"]] = "Please complete this required field."
    return said


def shown(world: World, view: Json, user: str, team: str, previous: str | None = None) -> Json:
    """A view with all that Slack adds to it."""
    id = world.fresh("V")
    blocks = [{"block_id": f"b{place}", **block} for place, block in enumerate(view["blocks"])]
    absent = {"callback_id": "", "private_metadata": "", "external_id": "", "close": None, "submit": None}
    return {
        **absent, "clear_on_close": False, "notify_on_close": False, **view, "blocks": blocks, "id": id,
        "team_id": team, "state": {"values": {}}, "hash": f"{time.time():.6f}.{id.lower()}",
        "previous_view_id": previous,
        "root_view_id": id, "app_id": world.app_id, "app_installed_team_id": team,
        "bot_id": world.me.bot_id, "user": user,
    }  # fmt: skip


def trigger(call: Call) -> str:
    """The person whose trigger this is; it opens one view within its life."""
    found = call.world.triggers.get(call.text("trigger_id"))
    if found is None or found.team != call.team:
        raise Refused("invalid_trigger_id")
    if time.monotonic() - found.at > call.trigger_life:
        raise Refused("expired_trigger_id")
    if found.used:
        raise Refused("exchanged_trigger_id")
    found.used = True
    return found.user


def opened(call: Call) -> Json:
    view = check_view(call.json("view"), "modal")
    user = trigger(call)
    found = shown(call.world, view, user, call.team)
    return _keep(call, found)


def pushed(call: Call) -> Json:
    view = check_view(call.json("view"), "modal")
    user = trigger(call)
    top = next((v["id"] for v in reversed(call.world.views.values()) if v["user"] == user), None)
    if top is None:
        raise Refused("not_found")
    return _keep(call, shown(call.world, view, user, call.team, previous=top))


def _keep(call: Call, view: Json) -> Json:
    call.world.views[view["id"]] = view
    call.world.touch()
    return {"ok": True, "view": view}


def updated(call: Call) -> Json:
    id = call.maybe("view_id") or next(
        (
            v["id"]
            for v in call.world.views.values()
            if v["external_id"] and v["external_id"] == call.maybe("external_id")
        ),
        "",
    )
    old = call.world.views.get(id)
    view = check_view(call.json("view"), old["type"] if old else "modal")
    if old is None:
        raise Refused("not_found")
    if call.maybe("hash") not in (None, old["hash"]):
        raise Refused("hash_conflict")
    new = shown(call.world, view, old["user"], call.team)
    return _keep(call, {**new, "id": id, "root_view_id": old["root_view_id"]})


def published(call: Call) -> Json:
    view, user = check_view(call.json("view"), "home"), call.text("user_id")
    if user not in call.world.people:
        raise Refused("user_not_found")
    old = call.world.homes.get(user)
    if old is not None and call.maybe("hash") not in (None, old["hash"]):
        raise Refused("hash_conflict")
    new = shown(call.world, view, user, call.team)
    call.world.homes[user] = new if old is None else {**new, "id": old["id"], "root_view_id": old["id"]}
    call.world.touch()
    return {"ok": True, "view": call.world.homes[user]}


def _thread(call: Call) -> tuple[Channel, str]:
    channel = call.channel("channel_id")
    if not call.member(channel):
        raise Refused("not_in_channel")
    thread = call.text("thread_ts")
    if call.world.message(channel.id, thread) is None:
        raise Refused("invalid_thread_ts")
    return channel, thread


def set_status(call: Call) -> Json:
    channel, thread = _thread(call)
    status = call.arguments.get("status")
    if not isinstance(status, str) or len(status) > STATUS:
        raise Refused.because("invalid_arguments", "missing required field: status")
    loading = call.json("loading_messages") or []
    if not isinstance(loading, list) or len(loading) > LOADING:
        raise Refused.because("invalid_arguments", f"no more than {LOADING} items allowed: loading_messages")
    call.world.set_status(channel.id, thread, status, by="call", loading=tuple(str(words) for words in loading))
    return {"ok": True}


def set_title(call: Call) -> Json:
    channel, thread = _thread(call)
    call.world.titles[channel.id, thread] = call.text("title")
    call.world.touch()
    return {"ok": True}


def set_prompts(call: Call) -> Json:
    """Suggested prompts of a thread, or of the whole direct conversation when no thread is named."""
    channel = call.channel("channel_id")
    thread = _thread(call)[1] if call.maybe("thread_ts") else ""
    prompts = call.json("prompts")
    if not isinstance(prompts, list) or not 0 < len(prompts) <= PROMPTS:
        raise Refused.because("invalid_arguments", f"between 1 and {PROMPTS} prompts are needed")
    for prompt in prompts:
        if not isinstance(prompt, dict) or not prompt.get("title") or not prompt.get("message"):
            raise Refused.because("invalid_arguments", "each prompt needs a title and a message")
    call.world.prompts[channel.id, thread] = {"title": call.maybe("title") or "", "prompts": prompts}
    call.world.touch()
    return {"ok": True}
