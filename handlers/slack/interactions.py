"""What people do other than write: clicks, commands, shortcuts, views and the dialogs that were before them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from handlers.decision import Reason
from handlers.slack.fields import Fields, first, ident, inside, string, timestamp
from handlers.slack.records import Act, Acted, Ignored
from handlers.slack.text import words_in
from handlers.spoken import client_language
from memory.text.language import LanguageCode

_KINDS = {
    "block_actions": Act.CLICKED,
    "interactive_message": Act.CLICKED,
    "view_submission": Act.SUBMITTED,
    "dialog_submission": Act.SUBMITTED,
    "view_closed": Act.CLOSED,
    "dialog_cancellation": Act.CLOSED,
    "message_action": Act.MESSAGE_SHORTCUT,
    "shortcut": Act.SHORTCUT,
}
#: Where an element keeps what was chosen in it.
_CHOSEN = ("value", "selected_user", "selected_channel", "selected_conversation", "selected_date", "selected_time")
_MOST_INPUTS = 200


def read_action(body: Mapping[str, Any]) -> Acted | Ignored:
    """The record of an interactive payload or a slash command, given its whole body. Never raises."""
    if string(body, "command"):
        return _command(body)
    type_ = string(body, "type") or ""
    kind = _KINDS.get(type_)
    if kind is None:
        return Ignored(reason=Reason.OTHER_EVENT if type_ else Reason.BROKEN, detail=type_[:64])
    name, user, workspace = _name(body), ident(inside(body, "user"), "id"), _workspace(body)
    if name is None or user is None or workspace is None:
        return Ignored(reason=Reason.BROKEN, detail=type_)
    message = _message(body)
    return Acted(
        kind=kind,
        name=name,
        user=user,
        workspace=workspace,
        enterprise=_enterprise(body),
        channel=ident(inside(body, "channel"), "id") or ident(inside(body, "container"), "channel_id"),
        thread=_thread(body) or message,
        message=message,
        value=_value(body),
        language=_language(body),
        inputs=dict(_inputs(body)),
        trigger_id=string(body, "trigger_id"),
        response_url=string(body, "response_url"),
    )


def _command(body: Fields) -> Acted | Ignored:
    """Slack sends these as a form: all its fields are words."""
    name, user, workspace = string(body, "command"), ident(body, "user_id"), ident(body, "team_id")
    if name is None or user is None or workspace is None:
        return Ignored(reason=Reason.BROKEN, detail="command")
    return Acted(
        kind=Act.COMMAND,
        name=name.strip(),
        user=user,
        workspace=workspace,
        enterprise=ident(body, "enterprise_id"),
        channel=ident(body, "channel_id"),
        thread=timestamp(body, "thread_ts"),
        value=words_in(string(body, "text") or "", ""),
        trigger_id=string(body, "trigger_id"),
        response_url=string(body, "response_url"),
    )


def _name(body: Fields) -> str | None:
    action = first(body, "actions")
    return string(action, "action_id") or string(body, "callback_id") or string(inside(body, "view"), "callback_id")


def _workspace(body: Fields) -> str | None:
    """That of the installation; an app of the whole organisation is told it with the view or the user only."""
    view = inside(body, "view")
    return (
        ident(view, "app_installed_team_id")
        or ident(inside(body, "team"), "id")
        or ident(inside(body, "user"), "team_id")
        or ident(view, "team_id")
    )


def _enterprise(body: Fields) -> str | None:
    return ident(inside(body, "enterprise"), "id") or ident(inside(body, "team"), "enterprise_id")


def _message(body: Fields) -> str | None:
    """The message that the button or the shortcut belongs to."""
    container = inside(body, "container")
    return (
        timestamp(inside(body, "message"), "ts") or timestamp(body, "message_ts") or timestamp(container, "message_ts")
    )


def _thread(body: Fields) -> str | None:
    places = (inside(body, key) for key in ("message", "container", "original_message"))
    return next((thread for place in places if (thread := timestamp(place, "thread_ts"))), None)


def _value(body: Fields) -> str | None:
    action = first(body, "actions")
    return _chosen(action) or string(inside(body, "view"), "private_metadata") or string(body, "state")


def _language(body: Fields) -> LanguageCode | None:
    """Of buttons that say so at the beginning of their row's id. Slack makes up the ids of all other rows."""
    row = string(first(body, "actions"), "block_id") or ""
    return client_language(row.partition(" ")[0]) if " " in row else None


def _chosen(element: Fields) -> str | None:
    option = string(inside(element, "selected_option"), "value") or string(first(element, "selected_options"), "value")
    return option or next((value for key in _CHOSEN if (value := string(element, key))), None)


def _inputs(body: Fields) -> Iterator[tuple[str, str]]:
    """What was filled in: in a view's blocks, each with its actions, or flat in a dialog."""
    submission = inside(body, "submission")
    yield from ((name, value) for name in [*submission][:_MOST_INPUTS] if (value := string(submission, name)))
    blocks = inside(inside(inside(body, "view"), "state"), "values")
    for block in [*blocks][:_MOST_INPUTS]:
        actions = inside(blocks, block)
        for name in [*actions][:_MOST_INPUTS]:
            if value := _chosen(inside(actions, name)):
                yield name, value
