"""What tests of clicks in Teams do and look at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from handlers.teams.names import ASK_PERSON
from tests.fakes.platforms import nodes
from tests.fakes.slack_acts import idle
from tests.fakes.teams.server import Written, in_channel, personal, place_of
from tests.fakes.teams_place import Place


def just_now() -> dict[str, Any]:
    """As Teams dates what happens now."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return {"timestamp": now, "localTimestamp": now}


def words(message: Written) -> str:
    """All of a message, as it was sent."""
    return json.dumps(message.content, ensure_ascii=False)


def lines(message: Written) -> list[str]:
    """What stands on a card, element by element."""
    return lines_of(message.content)


def lines_of(content: Mapping[str, Any]) -> list[str]:
    """The same of what an activity holds."""
    [attachment] = content["attachments"]
    return [*_lines(attachment["content"]["body"])]


def _lines(body: Any) -> Iterator[str]:
    for element in body:
        if "text" in element:
            yield element["text"]
        elif "inlines" in element:
            yield "".join(run["text"] for run in element["inlines"])


def buttons(message: Written) -> dict[str, str]:
    """The buttons of a card, also those of its form: the value of each, by its name."""
    return {one["verb"]: one["data"]["value"] for one in nodes(message.content) if one.get("type") == "Action.Execute"}


def fields(message: Written) -> dict[str, str | None]:
    """The fields of a card's form, with what is in each already."""
    return {one["id"]: one.get("value") for one in nodes(message.content) if one.get("type") == "Input.Text"}


async def asked(place: Place, person: str, where: dict[str, Any], text: str = "VPNが切れます") -> Written:
    """The answer to a question in a chat."""
    before = len(place.teams.written(place_of(where)))
    await place.teams.say(person, where, text)
    answer = (await place.teams.answered(place_of(where), count=before + 1))[-1]
    await place.replied()
    return answer


async def asked_in_channel(place: Place, person: str, text: str) -> tuple[dict[str, Any], Written]:
    """The thread of a question in the channel of the helpdesk, and its answer."""
    thread = await place.teams.say(person, in_channel(), text, mention=True)
    where = in_channel(thread)
    [answer] = await place.teams.answered(place_of(where))
    await place.replied()
    return where, answer


async def want_a_person(place: Place, person: str, question: str) -> None:
    """A question in the personal chat, and a click on "ask a person" below its answer."""
    where = personal(person)
    answer = await asked(place, person, where, question)
    await pressed(place, person, answer, ASK_PERSON, where)


async def pressed(place: Place, person: str, card: Written, verb: str, where: dict[str, Any], **filled: str) -> None:
    """Somebody presses a button of a card, which may no longer be there, and all that follows is done."""
    await place.teams.execute(person, card, verb, buttons(card).get(verb, ""), where, **filled)
    await idle()
