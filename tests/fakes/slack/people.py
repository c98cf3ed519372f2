"""What people do in conversations, and the events that Slack then sends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.fakes.slack import conversations
from tests.fakes.slack.events import (
    blocks_of,
    changed_event,
    deleted_event,
    mention_event,
    message_event,
    typed,
)
from tests.fakes.slack.wire import Wire
from tests.fakes.slack.world import Channel, Json, World


@dataclass(slots=True, kw_only=True)
class People:
    """Acting as people. Each act is sent when the method returns, not yet acknowledged; `settled` waits for that."""

    world: World
    wire: Wire
    base_url: str
    mention_order: tuple[str, ...] = ("message", "app_mention")

    def heard(self, channel: Channel) -> bool:
        """Whether the bot is told what happens here."""
        return self.world.me.id in channel.members

    async def say(
        self,
        user: str,
        channel: str,
        text: str,
        *,
        thread: str | None = None,
        files: Sequence[Json] = (),
        mention: bool = False,
        broadcast: bool = False,
    ) -> str:
        """A person writes; the ts of the message. `text` is as typed: & < > are escaped, <@U…> and links are kept.

        `files` come from `file`. With `broadcast` a reply is shown in the channel too.
        """
        place, person = self.world.channels[channel], self.world.people[user]
        words = typed(f"<@{self.world.me.id}> {text}".strip() if mention else text, self.world)
        message: Json = {
            "client_msg_id": self.world.fresh("c").lower(), "type": "message", "text": words, "user": user,
            "ts": self.world.ts(), "team": person.team, **({"blocks": blocks_of(words)} if words else {}),
        }  # fmt: skip
        if thread is not None:
            root = self.world.message(channel, thread)
            message |= {"thread_ts": thread, "parent_user_id": root["user"] if root else user}
        if files:
            message |= {"files": list(files), "subtype": "file_share", "upload": False, "display_as_bot": False}
        if broadcast:
            message["subtype"] = "thread_broadcast"
        self._tell(place, self.world.keep(channel, message))
        return str(message["ts"])

    def _tell(self, channel: Channel, message: Json) -> None:
        """What Slack sends for a new message: a mention in a channel comes as two events."""
        if not self.heard(channel):
            return
        events = {"message": message_event(channel, message)}
        if channel.kind != "im" and f"<@{self.world.me.id}>" in message["text"]:
            events["app_mention"] = mention_event(channel, message)
        for name in self.mention_order:
            if name in events:
                self.wire.event(events[name], channel.team)

    async def bot_says(
        self, bot: str, channel: str, text: str, *, thread: str | None = None, subtype: str | None = None
    ) -> str:
        """Another bot writes; older integrations do it with subtype `bot_message`, without a user."""
        place, person = self.world.channels[channel], self.world.people[bot]
        message: Json = {"type": "message", "text": text, "ts": self.world.ts(), "bot_id": person.bot_id}
        message |= {"subtype": subtype, "username": person.name} if subtype else {"user": bot, "team": person.team}
        if thread is not None:
            message["thread_ts"] = thread
        kept = self.world.keep(channel, {"user": bot, **message})
        self._tell(place, message)
        return str(kept["ts"])

    async def edit(self, user: str, channel: str, ts: str, text: str) -> None:
        words, now = typed(text, self.world), self.world.ts()
        more = {"text": words, "blocks": blocks_of(words), "edited": {"user": user, "ts": now}}
        self._change(channel, ts, more, now)

    async def unfurl(self, channel: str, ts: str, url: str, title: str = "A page") -> None:
        """Slack adds the preview of a link: message_changed, with the same words."""
        preview = {
            "id": 1,
            "from_url": url,
            "original_url": url,
            "title": title,
            "fallback": title,
            "service_name": "w",
        }
        self._change(channel, ts, {"attachments": [preview]}, self.world.ts())

    def _change(self, channel: str, ts: str, more: Json, now: str) -> None:
        place, message = self.world.channels[channel], self.world.posted[channel][ts]
        previous = dict(message)
        message.update(more)
        self.world.touch()
        if self.heard(place):
            self.wire.event(changed_event(place, dict(message), previous, now), place.team)

    async def delete(self, channel: str, ts: str) -> None:
        """A message goes; a root with replies leaves a tombstone, which Slack sends as a change."""
        place, message = self.world.channels[channel], self.world.posted[channel][ts]
        now = self.world.ts()
        if self.world.replies(channel, ts):
            words = {"text": "This message was deleted.", "subtype": "tombstone", "user": "USLACKBOT", "hidden": True}
            self._change(channel, ts, {**words, "blocks": []}, now)
            return
        del self.world.posted[channel][ts]
        self.world.touch()
        if self.heard(place):
            self.wire.event(deleted_event(place, message, now), place.team)

    async def join(self, user: str, channel: str) -> None:
        """Somebody joins: a message of subtype channel_join, and member_joined_channel. The bot itself may, too."""
        place, person = self.world.channels[channel], self.world.people[user]
        place.members.add(user)
        about = {"type": "message", "subtype": "channel_join", "user": user, "team": person.team, "inviter": user}
        message = self.world.keep(
            channel, {**about, "text": f"<@{user}> has joined the channel", "ts": self.world.ts()}
        )
        if self.heard(place):
            self.wire.event(message_event(place, message), place.team)
            letter = "G" if place.kind == "private" else "C"
            joined = {"type": "member_joined_channel", "user": user, "channel": channel, "channel_type": letter}
            self.wire.event({**joined, "team": person.team, "event_ts": self.world.ts()}, place.team)

    async def leave(self, user: str, channel: str) -> None:
        place, person = self.world.channels[channel], self.world.people[user]
        told = self.heard(place)
        place.members.discard(user)
        self.world.touch()
        if told:
            letter = "G" if place.kind == "private" else "C"
            left = {"type": "member_left_channel", "user": user, "channel": channel, "channel_type": letter}
            self.wire.event({**left, "team": person.team, "event_ts": self.world.ts()}, place.team)

    async def topic(self, user: str, channel: str, topic: str) -> None:
        """A message of subtype channel_topic."""
        place = self.world.channels[channel]
        place.topic = topic
        about = {"type": "message", "subtype": "channel_topic", "user": user, "topic": topic}
        message = self.world.keep(channel, {**about, "text": f"set the topic: {topic}", "ts": self.world.ts()})
        if self.heard(place):
            self.wire.event(message_event(place, message), place.team)

    async def react(self, user: str, channel: str, ts: str, name: str) -> None:
        place, message = self.world.channels[channel], self.world.posted[channel][ts]
        conversations.reacted(message, name, user)
        self.world.touch()
        if self.heard(place):
            item = {"type": "message", "channel": channel, "ts": ts}
            about = {"reaction": name, "item_user": message["user"], "event_ts": self.world.ts()}
            self.wire.event({"type": "reaction_added", "user": user, "item": item, **about}, place.team)

    async def open_home(self, user: str, tab: str = "home") -> None:
        """A person opens the app: tab `home` or `messages`."""
        person, home = self.world.people[user], self.world.homes.get(user)
        about = {"type": "app_home_opened", "user": user, "channel": self.world.direct(user).id, "tab": tab}
        view = {"view": home} if home and tab == "home" else {}
        self.wire.event({**about, **view, "event_ts": self.world.ts()}, person.team)

    async def event(self, event: Json, team: str = "T0001") -> None:
        """Any other event, as it is given."""
        self.wire.event(event, team)

    def file(self, name: str, content: bytes, mimetype: str = "text/plain", user: str = "") -> Json:
        """A file that has been uploaded; give it to `say`."""
        id = self.world.fresh("F")
        private = f"{self.base_url}/files-pri/{id}/{name}"
        about: dict[str, Any] = {
            "id": id, "name": name, "title": name, "mimetype": mimetype, "filetype": name.rpartition(".")[2],
            "user": user, "size": len(content), "mode": "hosted", "is_external": False, "url_private": private,
            "url_private_download": private, "permalink": private, "file_access": "visible",
        }  # fmt: skip
        self.world.files[id], self.world.contents[id] = about, content
        return about
