"""A payload of the Events API as a record of what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from handlers.decision import Reason
from handlers.slack.fields import Fields, first, ident, inside, moment, second, several, string, timestamp
from handlers.slack.records import (
    KINDS,
    PLATFORM,
    ChannelKind,
    ChannelTold,
    Deleted,
    Edited,
    HomeOpened,
    Ignored,
    Inbound,
    Invited,
    Me,
    Said,
    SlackFile,
    Uninstalled,
)
from handlers.slack.text import addresses_others, mentions, words_of
from memory.membership import Move
from memory.model import Conversation

#: What people and programs write; every other subtype is Slack's own notice of something.
_WRITTEN = frozenset({None, "file_share", "me_message", "thread_broadcast", "bot_message"})
_LEFT = "member_left_channel"
#: It writes as a user without being a person.
_SLACKBOT = "USLACKBOT"
#: Files that are no longer there, or never to be had.
_LOST = frozenset({"tombstone", "hidden_by_limit"})


def read_event(body: Mapping[str, Any], *, me: Me) -> Inbound:
    """The record of one Events API callback, given its whole body. Never raises: what cannot be read is `Ignored`."""
    event = inside(body, "event")
    kind = string(event, "type") or ""
    if body.get("type") != "event_callback" or not kind:
        return Ignored(reason=Reason.BROKEN)
    reader = _READERS.get(kind)
    return reader(event, _delivery(body, me)) if reader else _ignored(Reason.OTHER_EVENT, kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Delivery:
    """What stands around an event: for which installation it is, and to whom it is told."""

    workspace: str | None
    enterprise: str | None
    event: str | None
    told_at: datetime | None
    me: Me


def _delivery(body: Fields, me: Me) -> _Delivery:
    workspace, enterprise = installed_in(body)
    return _Delivery(
        workspace=workspace,
        enterprise=enterprise,
        event=ident(body, "event_id"),
        told_at=second(body, "event_time"),
        me=me,
    )


def installed_in(body: Fields) -> tuple[str | None, str | None]:
    """The workspace and enterprise where the app is installed: in a shared channel what happens can come from another
    one, and a thread must not have two names."""
    authorized = first(body, "authorizations")
    if team := ident(authorized, "team_id"):
        return team, ident(authorized, "enterprise_id")
    if team := ident(body, "context_team_id"):
        return team, ident(body, "context_enterprise_id")
    team = ident(body, "team_id") or ident(inside(body, "event"), "team")
    return team, ident(body, "enterprise_id") or ident(authorized, "enterprise_id")


def _ignored(reason: Reason, detail: str = "") -> Ignored:
    return Ignored(reason=reason, detail=detail[:64])


def _mention(event: Fields, at: _Delivery) -> Inbound:
    """Slack tells a mention again when the message is edited; the edit itself comes as a changed message."""
    if inside(event, "edited"):
        return _ignored(Reason.MENTION_EDITED)
    return _message(event, at)


def _message(event: Fields, at: _Delivery) -> Inbound:
    match string(event, "subtype"):
        case "message_changed":
            return _changed(event, at)
        case "message_deleted":
            return _deleted(event, event, timestamp(event, "deleted_ts"), at)
        case subtype if subtype in _WRITTEN:
            return _said(event, at)
        case notice:
            return _ignored(Reason.NOTICE, notice or "")


def _said(event: Fields, at: _Delivery) -> Inbound:
    if _is_own(event, at.me):
        return _ignored(Reason.OWN)
    if event.get("hidden") is True:
        return _ignored(Reason.HIDDEN)
    message, author = timestamp(event, "ts"), _author(event)
    conversation = _conversation(event, event, message, at)
    if message is None or author is None or conversation is None:
        return _ignored(Reason.BROKEN)
    own = at.me.user
    mentioned = event.get("type") == "app_mention" or mentions(event, own)
    return Said(
        conversation=conversation,
        message=message,
        author=author,
        text=words_of(event, own),
        said_at=moment(message),
        kind=_channel_kind(event),
        mentioned=mentioned,
        threaded=conversation.thread != message,
        names_others=not mentioned and addresses_others(event, own),
        bot=_bot(event),
        files=_files(event),
        event=at.event,
        enterprise=at.enterprise,
        root_author=ident(event, "parent_user_id"),
    )


def _changed(event: Fields, at: _Delivery) -> Inbound:
    """An edit, or one of the other things for which Slack tells a message again: links were unfolded, a reply came, the
    language was found, or it is a deleted message whose replies remain."""
    new, old = inside(event, "message"), inside(event, "previous_message")
    message = timestamp(new, "ts") or timestamp(old, "ts")
    subtype = string(new, "subtype")
    if subtype == "tombstone":
        return _deleted(event, {**old, **new}, message, at)
    if _is_own(new, at.me):
        return _ignored(Reason.OWN)
    if subtype not in _WRITTEN:
        return _ignored(Reason.NOTICE, subtype or "")
    author = _author(new) or _author(old)
    conversation = _conversation(event, {**old, **new}, message, at)
    if message is None or author is None or conversation is None:
        return _ignored(Reason.BROKEN)
    text = words_of(new, at.me.user)
    previous = words_of(old, at.me.user) if old else None
    if text == previous or (previous is None and not inside(new, "edited")):
        return _ignored(Reason.SAME_WORDS)
    return Edited(
        conversation=conversation,
        message=message,
        author=author,
        text=text,
        said_at=moment(message),
        previous=previous,
        bot=_bot(new),
        event=at.event,
    )


def _deleted(event: Fields, gone: Fields, message: str | None, at: _Delivery) -> Inbound:
    """The bot's own messages as well: what it said can be deleted by others."""
    before = gone if timestamp(gone, "thread_ts") else inside(event, "previous_message")
    conversation = _conversation(event, before, message, at)
    when = timestamp(event, "event_ts") or timestamp(event, "ts") or message
    if message is None or conversation is None or when is None:
        return _ignored(Reason.BROKEN)
    return Deleted(conversation=conversation, message=message, at=moment(when), event=at.event)


def _moved(event: Fields, at: _Delivery) -> Inbound:
    """Somebody left a channel that the bot is in, or came into it, the bot itself maybe."""
    member, channel = ident(event, "user"), ident(event, "channel")
    told = timestamp(event, "event_ts")
    when = moment(told) if told else at.told_at
    if member is None or channel is None or when is None:
        return _ignored(Reason.BROKEN)
    gone = event.get("type") == _LEFT
    if member == at.me.user:
        here = at.workspace is not None and not gone
        return Invited(workspace=at.workspace or "", channel=channel) if here else _ignored(Reason.OWN)
    return Move(platform=PLATFORM, channel=channel, member=member, gone=gone, at=when)


def _conversation(event: Fields, message: Fields, ts: str | None, at: _Delivery) -> Conversation | None:
    """A thread goes by its first message, whether anybody has replied to that or not."""
    channel = ident(event, "channel")
    thread = timestamp(message, "thread_ts") or ts
    if at.workspace is None or channel is None or thread is None:
        return None
    return Conversation(platform=PLATFORM, workspace=at.workspace, channel=channel, thread=thread)


def _is_own(message: Fields, me: Me) -> bool:
    apps = {ident(message, "app_id"), ident(inside(message, "bot_profile"), "app_id")}
    return (
        ident(message, "user") == me.user
        or (me.bot is not None and ident(message, "bot_id") == me.bot)
        or (me.app is not None and me.app in apps)
    )


def _author(message: Fields) -> str | None:
    return ident(message, "user") or _bot(message)


def _bot(message: Fields) -> str | None:
    """The program that wrote a message, None where a person did."""
    found = ident(message, "bot_id") or ident(inside(message, "bot_profile"), "id")
    if found or message.get("user") == _SLACKBOT:
        return found or _SLACKBOT
    if message.get("subtype") == "bot_message":
        return ident(message, "user") or ident(message, "app_id")
    return None


def channel_told(body: Fields) -> ChannelTold | None:
    """What an event, whatever it is about, tells of the channel that it comes from; None where it names none."""
    event = inside(body, "event")
    channel = ident(event, "channel")
    if channel is None:
        return None
    return ChannelTold(channel=channel, kind=_channel_kind(event), shared=body.get("is_ext_shared_channel") is True)


def _channel_kind(event: Fields) -> ChannelKind:
    """Only the ids of direct messages tell what they are."""
    fallback = ChannelKind.DIRECT if (ident(event, "channel") or "").startswith("D") else ChannelKind.UNKNOWN
    return KINDS.get(string(event, "channel_type") or "", fallback)


def _files(message: Fields) -> tuple[SlackFile, ...]:
    return tuple(
        SlackFile(
            id=id,
            name=string(file, "name") or string(file, "title") or id,
            mimetype=string(file, "mimetype") or "",
            size=_size(file),
            url_private=string(file, "url_private"),
        )
        for file in several(message, "files")
        if (id := ident(file, "id")) and string(file, "mode") not in _LOST
    )


def _size(file: Fields) -> int:
    size = file.get("size")
    return size if isinstance(size, int) and size > 0 else 0


def _home(event: Fields, at: _Delivery) -> Inbound:
    user = ident(event, "user")
    if user is None or at.workspace is None:
        return _ignored(Reason.BROKEN)
    tab, channel = ident(event, "tab") or "home", ident(event, "channel")
    return HomeOpened(user=user, workspace=at.workspace, tab=tab, channel=channel, enterprise=at.enterprise)


def _revoked(event: Fields, at: _Delivery) -> Inbound:
    """Only the bot's own tokens matter: it has none of the users'."""
    return _uninstalled(event, at) if inside(event, "tokens").get("bot") else _ignored(Reason.OTHER_EVENT, "oauth")


def _uninstalled(event: Fields, at: _Delivery) -> Inbound:
    if at.workspace is None and at.enterprise is None:
        return _ignored(Reason.BROKEN)
    return Uninstalled(
        workspace=at.workspace, enterprise=at.enterprise, reason=string(event, "type") or "", at=at.told_at
    )


_READERS: Mapping[str, Callable[[Fields, _Delivery], Inbound]] = {
    "message": _message,
    "app_mention": _mention,
    "member_joined_channel": _moved,
    _LEFT: _moved,
    "app_home_opened": _home,
    "tokens_revoked": _revoked,
    "app_uninstalled": _uninstalled,
}
