"""What people press, choose, type after a slash and send off, and what Slack makes of the app's answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aiohttp import web

from tests.fakes.slack import blocks as checked
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.events import action_ts, interaction, slash_command
from tests.fakes.slack.people import People
from tests.fakes.slack.views import Unfilled, check_view, shown, unfilled
from tests.fakes.slack.wire import Acknowledged
from tests.fakes.slack.world import Hook, Json

HOOK_USES = 5


class NotThere(LookupError):
    """What somebody wants to press is not there, for that person."""


class Gestures(People):
    """Each gesture waits for the acknowledgement and gives it back; `payload` is what the app answered with it."""

    __slots__ = ()

    async def press(
        self,
        user: str,
        action_id: str,
        *,
        channel: str | None = None,
        ts: str | None = None,
        view: str | None = None,
        value: str | None = None,
    ) -> Acknowledged:
        """Press a button that is really there: on a message, on an ephemeral one, or in a view ("home" for the tab).

        `value` picks one of several that share an action id, as the two feedback buttons do, or is what was chosen.
        """
        if channel is not None and ts is not None:
            about, blocks = self._on_message(user, channel, ts)
        else:
            about, blocks = self._in_view(user, view or "home")
        action = pressed(blocks, action_id, value)
        person = self.world.people[user]
        payload = interaction(self.world, person, "block_actions", **about, actions=[action])
        return await self.wire.deliver("interactive", payload)

    def _on_message(self, user: str, channel: str, ts: str) -> tuple[Json, list[Json]]:
        place, message = self.world.channels[channel], self.world.message(channel, ts)
        hidden = message is None
        if message is None:
            message = self._shown_to(user, channel, ts)
        container = {"type": "message", "message_ts": ts, "channel_id": channel, "is_ephemeral": hidden}
        thread = {"thread_ts": message["thread_ts"]} if "thread_ts" in message else {}
        about = {
            "container": {**container, **thread},
            "channel": {"id": channel, "name": "directmessage" if place.kind == "im" else place.name},
            "state": {"values": {}},
            "response_url": self.hook(user, channel, ts, message.get("thread_ts")),
        }
        return (about if hidden else {**about, "message": message}), message["blocks"]

    def _shown_to(self, user: str, channel: str, ts: str) -> Json:
        """A message that this person alone sees."""
        for message in self.world.ephemerals:
            if (message["channel"], message["ts"], message["to"]) == (channel, ts, user):
                return message
        raise NotThere(f"{user} sees no message {ts} in {channel}, so there is nothing to press")

    def _in_view(self, user: str, view: str) -> tuple[Json, list[Json]]:
        found = self.world.homes[user] if view == "home" else self.world.views[view]
        return {"container": {"type": "view", "view_id": found["id"]}, "view": found}, found["blocks"]

    def hook(self, user: str, channel: str | None, ts: str | None = None, thread: str | None = None) -> str:
        """A fresh response_url."""
        id = self.world.fresh("H")
        self.world.hooks[id] = Hook(channel=channel, user=user, ts=ts, thread=thread)
        return f"{self.base_url}/hooks/{id}"

    async def slash(self, user: str, channel: str, command: str, text: str = "") -> Acknowledged:
        """Type a slash command; what the app answers at once is shown to that person."""
        place, person = self.world.channels[channel], self.world.people[user]
        payload = slash_command(self.world, person, place, command, text, self.hook(user, channel))
        done = await self.wire.deliver("slash_commands", payload)
        if done.ok and (done.payload.get("text") or done.payload.get("blocks")):
            respond(self, Hook(channel=channel, user=user, ts=None), done.payload)
        return done

    async def shortcut(
        self, user: str, callback_id: str, *, channel: str | None = None, ts: str | None = None
    ) -> Acknowledged:
        """A global shortcut, or one on a message when channel and ts are given."""
        person, more = self.world.people[user], {"callback_id": callback_id, "action_ts": action_ts()}
        if channel is None or ts is None:
            return await self.wire.deliver("interactive", interaction(self.world, person, "shortcut", **more))
        place, message = self.world.channels[channel], self.world.posted[channel][ts]
        about = {
            "channel": {"id": channel, "name": "directmessage" if place.kind == "im" else place.name},
            "message_ts": ts,
            "message": message,
            "response_url": self.hook(user, channel, None, message.get("thread_ts")),
        }
        payload = interaction(self.world, person, "message_action", **more, **about)
        return await self.wire.deliver("interactive", payload)

    async def submit(self, user: str, view: str, values: Mapping[str, Mapping[str, Any]] | None = None) -> Acknowledged:
        """Send a modal off; `values` are {block_id: {action_id: value}}, a string or the JSON of a chosen option.

        Then the modal closes, or does what the app's answer says (`response_action`). Raises Unfilled where a field
        that has to be filled in is empty, of which the app hears nothing.
        """
        found = self.world.views[view]
        if wrong := unfilled(found, values or {}):
            found["errors"] = wrong
            self.world.touch()
            raise Unfilled(", ".join(wrong))
        found["state"] = {"values": {b: _values(found, b, filled) for b, filled in (values or {}).items()}}
        person = self.world.people[user]
        payload = interaction(self.world, person, "view_submission", view=found, response_urls=[])
        done = await self.wire.deliver("interactive", payload)
        if done.ok:
            self._answered(found, done.payload)
        return done

    def _answered(self, view: Json, answer: Json) -> None:
        action = answer.get("response_action")
        if action == "errors":
            view["errors"] = answer["errors"]
        elif action in ("update", "push"):
            new = shown(self.world, check_view(answer["view"], "modal"), view["user"], view["team_id"])
            if action == "update":
                new = {**new, "id": view["id"]}
            self.world.views[new["id"]] = new
        elif action == "clear":
            self.world.views = {id: v for id, v in self.world.views.items() if v["user"] != view["user"]}
        else:
            self.world.views.pop(view["id"], None)
        self.world.touch()

    async def close_view(self, user: str, view: str) -> Acknowledged | None:
        """Close a modal without sending it; the app is told when it asked to be."""
        found = self.world.views.pop(view)
        self.world.touch()
        if not found["notify_on_close"]:
            return None
        payload = interaction(self.world, self.world.people[user], "view_closed", view=found, is_cleared=False)
        payload.pop("trigger_id")
        return await self.wire.deliver("interactive", payload)

    async def serve_hook(self, request: web.Request) -> web.StreamResponse:
        """A response_url: no token, five uses."""
        hook = self.world.hooks.get(request.match_info["id"])
        if hook is None or hook.uses >= HOOK_USES:
            return web.Response(status=404, text="used_url" if hook else "expired_url")
        hook.uses += 1
        try:
            respond(self, hook, await request.json())
        except Refused as refused:
            return web.json_response(refused.body, status=400)
        return web.Response(text="ok")


def respond(people: People, hook: Hook, body: Json) -> None:
    """What an app sends to a response_url, or answers to a slash command: for one person, or for all."""
    world, now = people.world, people.world.ts()
    if hook.channel is None:
        raise Refused("no_channel")
    if body.get("delete_original") or body.get("replace_original"):
        _replace(people, hook, body)
        return
    blocks = checked.of_message(body["blocks"]) if body.get("blocks") else []
    if not body.get("text") and not blocks:
        raise Refused("no_text")
    message: Json = {
        "type": "message", "user": world.me.id, "bot_id": world.me.bot_id, "text": body.get("text", ""),
        "blocks": blocks, "ts": now,
    }  # fmt: skip
    if thread := body.get("thread_ts", hook.thread):
        message["thread_ts"] = thread
    if body.get("response_type") == "in_channel":
        world.keep(hook.channel, message)
    else:
        world.ephemerals.append({**message, "channel": hook.channel, "to": hook.user, "is_ephemeral": True})
    world.touch()


def _replace(people: People, hook: Hook, body: Json) -> None:
    world, channel = people.world, str(hook.channel)
    kept = world.posted[channel].get(str(hook.ts))
    target = kept or next((m for m in world.ephemerals if (m["channel"], m["ts"]) == (channel, hook.ts)), None)
    if target is None:
        raise Refused("message_not_found")
    if body.get("delete_original") and kept is None:
        world.ephemerals.remove(target)
    elif body.get("delete_original"):
        del world.posted[channel][str(hook.ts)]
    else:
        blocks = checked.of_message(body["blocks"]) if body.get("blocks") else []
        target.update(text=body.get("text", ""), blocks=blocks)
    world.touch()


def pressed(blocks: list[Json], action_id: str, value: str | None) -> Json:
    """The action of a payload for the element with this id; LookupError when there is no such one to press."""
    for block, element in interactive(blocks):
        if element.get("action_id") != action_id:
            continue
        action = _action(element, value)
        if action is not None:
            return {"action_id": action_id, "block_id": block["block_id"], "action_ts": action_ts(), **action}
    raise LookupError(f"nothing to press with action_id {action_id!r} and value {value!r}")


def interactive(blocks: list[Json]) -> Iterator[tuple[Json, Json]]:
    """Each block with each element that can be pressed or filled in."""
    for block in blocks:
        for name in ("elements", "actions"):
            for element in block.get(name, ()):
                if isinstance(element, dict):
                    yield block, element
        for name in ("accessory", "element"):
            if name in block:
                yield block, block[name]


def _action(element: Json, value: str | None) -> Json | None:
    kind = element["type"]
    if kind == "feedback_buttons":
        for name in ("positive_button", "negative_button"):
            if value in (None, element[name]["value"]):
                return {"type": kind, "value": element[name]["value"], "text": element[name]["text"]}
        return None
    if kind.endswith("select") or kind in ("overflow", "radio_buttons"):
        options = element.get("options") or [{"value": value, "text": {"type": "plain_text", "text": str(value)}}]
        option = next((o for o in options if value in (None, o["value"])), None)
        return None if option is None else {"type": kind, "selected_option": option}
    if value not in (None, element.get("value")):
        return None
    more: Json = {name: element[name] for name in ("text", "value", "style") if name in element}
    return {"type": kind, **more}


def _values(view: Json, block_id: str, filled: Mapping[str, Any]) -> Json:
    """A block's part of `view.state.values`."""
    elements = {e.get("action_id"): e for b, e in interactive(view["blocks"]) if b["block_id"] == block_id}
    found: Json = {}
    for action_id, value in filled.items():
        kind = elements[action_id]["type"]
        field = "selected_option" if kind in ("static_select", "radio_buttons", "external_select") else "value"
        field = "selected_options" if kind in ("checkboxes", "multi_static_select") else field
        field = {"users_select": "selected_user", "datepicker": "selected_date"}.get(kind, field)
        found[action_id] = {"type": kind, field: value}
    return found
