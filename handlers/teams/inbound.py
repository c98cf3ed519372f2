"""An activity that Teams sends as a record of what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handlers.decision import Reason
from handlers.teams.actions import read_invocation, read_submission, was_submitted
from handlers.teams.fields import Fields, author_zone, ident, inside, moment, several, string, word
from handlers.teams.records import (
    Deleted,
    Edited,
    Ignored,
    Inbound,
    Installed,
    Me,
    Moved,
    Reacted,
    Restored,
    Said,
    Site,
    TeamsFile,
    Uninstalled,
    is_program,
)
from handlers.teams.site import Scene, scene_of
from handlers.teams.text import words_of

_PLATFORM = "msteams"
_DOWNLOAD = "application/vnd.microsoft.teams.file.download.info"
_MOST_REACTIONS = 20
_MOST_MEMBERS = 500


def read_activity(body: Mapping[str, Any], me: Me) -> Inbound:
    """The record of one activity, given its whole body. Never raises: what cannot be read is `Ignored`."""
    type_ = string(body, "type")
    if type_ is None:
        return Ignored(reason=Reason.BROKEN)
    if (string(body, "channelId") or "").casefold() != _PLATFORM:
        return Ignored(reason=Reason.OTHER_PLATFORM, detail=type_[:64])
    reader = _READERS.get(type_)
    if reader is None:
        return Ignored(reason=Reason.OTHER_EVENT, detail=type_[:64])
    here = scene_of(body)
    return reader(body, here, me) if here else Ignored(reason=Reason.BROKEN, detail=type_)


def _message(body: Fields, here: Scene, me: Me) -> Inbound:
    if me.is_known_as(ident(inside(body, "from"), "id")):
        return Ignored(reason=Reason.OWN)
    return read_submission(body, here) if was_submitted(body) else _said(body, here, me)


def _said(body: Fields, here: Scene, me: Me) -> Said | Ignored:
    sender, message, at = inside(body, "from"), ident(body, "id"), moment(body, "timestamp")
    author = ident(sender, "aadObjectId") or ident(sender, "id")
    if message is None or author is None or at is None:
        return Ignored(reason=Reason.BROKEN, detail="message")
    words = words_of(body, me)
    return Said(
        conversation=here.conversation(message),
        message=message,
        author=author,
        name=string(sender, "name") or "",
        text=words.text,
        said_at=at.astimezone(author_zone(body)),
        site=here.site,
        mentioned=words.mentioned,
        names_others=words.names_others,
        bot=_bot(sender),
        reply_to=ident(body, "replyToId"),
        files=_files(body),
        locale=word(body, "locale"),
    )


def _bot(sender: Fields) -> str | None:
    """The program that wrote, None where a person did."""
    id = ident(sender, "id")
    return id if is_program(id) or sender.get("role") in ("bot", "skill") else None


def _files(body: Fields) -> tuple[TeamsFile, ...]:
    """Files and images; cards and the HTML of the message itself are attached in the same way."""
    return tuple(file for one in several(body, "attachments") if (file := _file(one)))


def _file(attachment: Fields) -> TeamsFile | None:
    kind, name = word(attachment, "contentType") or "", string(attachment, "name")
    content = string(attachment, "contentUrl")
    if kind == _DOWNLOAD:
        download = string(inside(attachment, "content"), "downloadUrl")
        return TeamsFile(name=name or "file", mimetype="", download_url=download, content_url=content)
    if content is None or kind.startswith(("application/vnd.microsoft.", "text/html")):
        return None
    return TeamsFile(name=name or kind.partition("/")[0] or "file", mimetype=kind, content_url=content)


def _updated(body: Fields, here: Scene, me: Me) -> Inbound:
    """Other words, or the same ones again after they were deleted."""
    event = _event(body)
    if event not in ("editMessage", "undeleteMessage"):
        return Ignored(reason=Reason.OTHER_EVENT, detail=event)
    if me.is_known_as(ident(inside(body, "from"), "id")):
        return Ignored(reason=Reason.OWN)
    said = _said(body, here, me)
    if isinstance(said, Ignored):
        return said
    if event == "undeleteMessage":
        return Restored(said=said)
    return Edited(
        conversation=said.conversation,
        message=said.message,
        author=said.author,
        text=said.text,
        at=said.said_at,
        bot=said.bot,
    )


def _deleted(body: Fields, here: Scene, me: Me) -> Inbound:
    """The bot's own messages as well: what it said can be deleted by others."""
    message, at = ident(body, "id"), moment(body, "timestamp")
    if message is None or at is None:
        return Ignored(reason=Reason.BROKEN, detail="messageDelete")
    return Deleted(conversation=here.conversation(message), message=message, at=at)


def _reacted(body: Fields, here: Scene, me: Me) -> Inbound:
    sender, message = inside(body, "from"), ident(body, "replyToId")
    user = ident(sender, "aadObjectId") or ident(sender, "id")
    if user is None or message is None:
        return Ignored(reason=Reason.BROKEN, detail="messageReaction")
    added, removed = _reactions(body, "reactionsAdded"), _reactions(body, "reactionsRemoved")
    return Reacted(site=here.site, user=user, message=message, added=added, removed=removed)


def _reactions(body: Fields, key: str) -> tuple[str, ...]:
    return tuple(kind for one in several(body, key)[:_MOST_REACTIONS] if (kind := word(one, "type")))


def _installation(body: Fields, here: Scene, me: Me) -> Inbound:
    action = string(body, "action") or ""
    match action:
        case "add" | "add-upgrade":
            return _installed(body, here.site, updated=action != "add")
        case "remove" | "remove-upgrade":
            return Uninstalled(site=here.site)
    return Ignored(reason=Reason.OTHER_EVENT, detail=action[:64])


def _members(body: Fields, here: Scene, me: Me) -> Inbound:
    """The bot comes or goes, or other people do; of what else changes in a conversation nothing matters."""
    if any(me.is_known_as(ident(one, "id")) for one in several(body, "membersAdded")):
        return _installed(body, here.site, updated=False)
    if any(me.is_known_as(ident(one, "id")) for one in several(body, "membersRemoved")):
        return Uninstalled(site=here.site)
    return _moved(body, here.site) or Ignored(reason=Reason.NOTICE, detail=_event(body))


def _moved(body: Fields, site: Site) -> Moved | None:
    at = moment(body, "timestamp")
    for told, gone in (("membersRemoved", True), ("membersAdded", False)):
        # Whoever was removed may be told by either id: what they wrote is by the one that was told then.
        ids = (ident(one, key) for one in several(body, told)[:_MOST_MEMBERS] for key in ("aadObjectId", "id"))
        if at is not None and (members := tuple(one for one in ids if one)):
            return Moved(site=site, members=members, gone=gone, at=at)
    return None


def _installed(body: Fields, site: Site, *, updated: bool) -> Installed:
    sender = inside(body, "from")
    by = ident(sender, "aadObjectId") or ident(sender, "id")
    return Installed(site=site, by=by, updated=updated, locale=word(body, "locale"))


def _invocation(body: Fields, here: Scene, me: Me) -> Inbound:
    return read_invocation(body, here)


def _event(body: Fields) -> str:
    return word(inside(body, "channelData"), "eventType") or ""


_READERS: Mapping[str, Callable[[Fields, Scene, Me], Inbound]] = {
    "message": _message,
    "messageUpdate": _updated,
    "messageDelete": _deleted,
    "messageReaction": _reacted,
    "installationUpdate": _installation,
    "conversationUpdate": _members,
    "invoke": _invocation,
}
