"""What people do other than write: buttons of cards, and what they think of an answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from handlers.decision import Reason
from handlers.spoken import client_language
from handlers.teams.fields import Fields, ident, inside, string, word
from handlers.teams.names import LANGUAGE
from handlers.teams.records import Act, Acted, Ignored
from handlers.teams.site import Scene
from handlers.teams.text import plain_words

#: Teams' own names of what is invoked.
_CARD = "adaptiveCard/action"
_ANSWERED = "message/submitAction"
_FEEDBACK = "feedback"
#: By this name a submission says what it is for.
_NAME = "action"
_MOST_INPUTS = 200
_LONGEST = 20_000


def was_submitted(message: Fields) -> bool:
    """Whether a message is no message but what a card's button sent: words that somebody wrote come without a value."""
    value = inside(message, "value")
    return bool(value) and (string(message, "text") is None or string(value, _NAME) is not None)


def read_submission(message: Fields, here: Scene) -> Acted | Ignored:
    """The record of a button that submits. Never raises."""
    value = inside(message, "value")
    return _acted(Act.SUBMITTED, string(value, _NAME), dict(_words(value)), message, here)


def read_invocation(activity: Fields, here: Scene) -> Acted | Ignored:
    """The record of what Teams asks for at once. Never raises."""
    name, value = string(activity, "name"), inside(activity, "value")
    if name == _CARD:
        return _card(value, activity, here)
    if name == _ANSWERED and value.get("actionName") == _FEEDBACK:
        return _acted(Act.FEEDBACK, _FEEDBACK, dict(_feedback(inside(value, "actionValue"))), activity, here)
    return Ignored(reason=Reason.OTHER_EVENT, detail=(name or "invoke")[:64])


def _card(value: Fields, activity: Fields, here: Scene) -> Acted | Ignored:
    action = inside(value, "action")
    kind = Act.REFRESHED if value.get("trigger") == "automatic" else Act.EXECUTED
    return _acted(kind, string(action, "verb"), dict(_words(inside(action, "data"))), activity, here)


def _acted(kind: Act, name: str | None, inputs: dict[str, str], activity: Fields, here: Scene) -> Acted | Ignored:
    sender = inside(activity, "from")
    user = ident(sender, "aadObjectId") or ident(sender, "id")
    if name is None or user is None:
        return Ignored(reason=Reason.BROKEN, detail=kind.value)
    return Acted(
        kind=kind,
        name=name.strip()[:100],
        user=user,
        conversation=here.conversation(),
        site=here.site,
        message=ident(activity, "replyToId"),
        called=string(sender, "name") or "",
        inputs=inputs,
        locale=client_language(inputs.get(LANGUAGE)) or word(activity, "locale"),
        delivery=ident(activity, "id"),
    )


def _words(given: Fields) -> Iterator[tuple[str, str]]:
    """What was filled in or came with the card, as far as it is words; what the name is for is not among them."""
    for name in [*given][:_MOST_INPUTS]:
        if isinstance(name, str) and name != _NAME and (value := string(given, name)):
            yield name, plain_words(value[:_LONGEST])


def _feedback(given: Fields) -> Iterator[tuple[str, str]]:
    """Whether it was liked, and the comment: Teams wraps that in JSON, in a string."""
    if reaction := word(given, "reaction"):
        yield "reaction", reaction
    if text := string(_unwrapped(given.get("feedback")), "feedbackText"):
        yield "text", plain_words(text[:_LONGEST])


def _unwrapped(feedback: Any) -> Fields:
    if isinstance(feedback, str) and len(feedback) <= _LONGEST:
        try:
            feedback = json.loads(feedback)
        except (ValueError, RecursionError):
            return {}
    return feedback if isinstance(feedback, dict) else {}
