"""The strict Slack in the words of the people on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from handlers.slack.acts.names import (
    ASK_PERSON,
    ASK_USER,
    ASKED,
    CAUSE,
    END_INCIDENT,
    FEEDBACK,
    FIX,
    FORGET_PASTED,
    FORGET_PASTED_YES,
    FORGET_YES,
    HAND_BACK_TICKET,
    LEARNED,
    RESOLVE_TICKET,
    SHARE,
    SUBSCRIBE,
    SYMPTOM,
    TAKE_TICKET,
)
from tests.fakes import slack_place
from tests.fakes.platforms import Message, Person, Place, nodes, words
from tests.fakes.slack import AYA, BOB, HELPDESK, KEN, Slack
from tests.fakes.slack.gestures import interactive
from tests.fakes.slack_acts import SUPPORT, forged, idle, pressable, whispered, with_support

_IDS = {Person.AYA: AYA, Person.KEN: KEN, Person.BOB: BOB}
#: What Slack makes a click or a call of, in a message that the bot sends.
_LIVE = ("user", "usergroup", "broadcast", "channel", "link")
_RAW = ("<!", "<@", "<#", "<http")


class InSlack(Place):
    """Over the connection that the bot opens."""

    def __init__(self, house: slack_place.Place) -> None:
        super().__init__(house)
        self._slack: Slack = house.slack

    def hear_all(self) -> None:
        """It reads a thread when it is called."""

    def open_to_all(self) -> None:
        """So it is in Slack."""

    # --- what people do ---

    async def ask_privately(self, person: Person, text: str) -> Message:
        id = await self._slack.say(_IDS[person], self._slack.dm(_IDS[person]), text)
        return Message(by=person, id=id, root=id, private=True)

    async def ask_in_channel(self, person: Person, text: str) -> Message:
        id = await self._slack.say(_IDS[person], HELPDESK, text, mention=True)
        return Message(by=person, id=id, root=id, private=False)

    async def say_in_channel(self, person: Person, text: str) -> Message:
        id = await self._slack.say(_IDS[person], HELPDESK, text)
        return Message(by=person, id=id, root=id, private=False)

    async def follow_up(self, message: Message, person: Person, text: str) -> Message:
        id = await self._slack.say(_IDS[person], self._channel(message), text, thread=message.root)
        return Message(by=person, id=id, root=message.root, private=message.private)

    async def reply_among(self, message: Message, person: Person, text: str) -> Message:
        return await self.follow_up(message, person, text)

    async def call(self, message: Message, person: Person, text: str) -> Message:
        id = await self._slack.say(_IDS[person], HELPDESK, text, thread=message.root, mention=True)
        return Message(by=person, id=id, root=message.root, private=False)

    async def edit(self, message: Message, text: str) -> None:
        called = text if message.private or message.root != message.id else f"<@{self._slack.me}> {text}"
        await self._slack.edit(_IDS[message.by], self._channel(message), message.id, called)
        await self.settled()

    async def delete(self, message: Message) -> None:
        await self._slack.delete(self._channel(message), message.id)
        await self.settled()

    async def judge(self, message: Message, person: Person, helpful: bool) -> None:
        answer = self._seen(message)[-1]
        button = "positive_button" if helpful else "negative_button"
        [value] = [each[button]["value"] for _, each in interactive(answer["blocks"]) if button in each]
        where = self._channel(message)
        await self._slack.press(_IDS[person], FEEDBACK, channel=where, ts=answer["ts"], value=value)
        await idle()

    async def ask_a_person(self, message: Message, person: Person) -> None:
        answer = self._seen(message)[0]
        await self._slack.press(_IDS[person], ASK_PERSON, channel=self._channel(message), ts=answer["ts"])
        await idle()

    async def wish(self, person: Person, words: str) -> str:
        user, before = _IDS[person], len(self._slack.ephemerals(_IDS[person]))
        await self._slack.slash(user, self._slack.dm(user), "/helpdesk", words)
        await whispered(self._slack, user, before + 1)
        await idle()
        return self._last_shown(user)

    async def confirm_forgetting(self, asked: Person, person: Person) -> str:
        owner, user = _IDS[asked], _IDS[person]
        shown = self._slack.ephemerals(owner)[-1]
        where, ts = self._slack.dm(user), shown["ts"]
        if owner == user:
            await self._slack.press(user, FORGET_YES, channel=where, ts=ts)
        else:
            await forged(self._slack, user, FORGET_YES, owner, channel=where, ts=ts, thread=ts)
        await idle()
        return self._last_shown(user)

    async def forget_pasted(self, message: Message, person: Person) -> str:
        answer, user = self._seen(message)[0], _IDS[person]
        actions = [each for _, each in interactive(answer["blocks"]) if each.get("action_id") == FORGET_PASTED]
        [self._pasted] = [each["value"] for each in actions]
        await self._slack.press(user, FORGET_PASTED, channel=self._channel(message), ts=answer["ts"])
        await idle()
        return self._last_shown(user)

    def has_thumbs(self, message: Message) -> bool:
        return any(one.get("type") == "feedback_buttons" for one in nodes(self._seen(message)[-1]["blocks"]))

    def has_buttons(self, message: Message) -> bool:
        return any(pressable(self._seen(message)[0]["blocks"]))

    def offers_to_forget(self, message: Message) -> bool:
        return FORGET_PASTED in pressable(self._seen(message)[-1]["blocks"])

    async def confirm_pasted(self, message: Message, person: Person) -> str:
        question, user, where = self._slack.ephemerals(_IDS[message.by])[-1], _IDS[person], self._channel(message)
        if person is message.by and FORGET_PASTED_YES in pressable(question["blocks"]):
            await self._slack.press(user, FORGET_PASTED_YES, channel=where, ts=question["ts"])
        else:
            where_seen = {"channel": where, "ts": question["ts"], "thread": message.root}
            await forged(self._slack, user, FORGET_PASTED_YES, self._pasted, **where_seen)
        await idle()
        return self._last_shown(user)

    async def take(self, person: Person) -> None:
        await self._press_note(person, TAKE_TICKET)

    async def hand_back(self, person: Person) -> None:
        await self._press_note(person, HAND_BACK_TICKET)

    async def ask_user(self, person: Person, words: str) -> None:
        await self._filled_in(person, ASK_USER, {ASKED: words})

    async def say_to_team(self, person: Person, words: str) -> Message:
        root = self._slack.answers(SUPPORT)[0]["ts"]
        id = await self._slack.say(_IDS[person], SUPPORT, words, thread=root)
        await self.settled()
        return Message(by=person, id=id, root=root, private=False, team=True)

    async def subscribe(self, message: Message, person: Person) -> str:
        answer, user = self._seen(message)[0], _IDS[person]
        await self._slack.press(user, SUBSCRIBE, channel=self._channel(message), ts=answer["ts"])
        await idle()
        return self.answers(message)[-1] if message.private else self._last_shown(user)

    async def end_incident(self, person: Person) -> None:
        await self._press_note(person, END_INCIDENT)

    async def resolve(self, person: Person, cause: str, fix: str) -> None:
        await self._filled_in(person, RESOLVE_TICKET, {CAUSE: cause, FIX: fix})

    async def approve(self, person: Person, symptom: str, learned: str) -> None:
        await self._filled_in(person, SHARE, {SYMPTOM: symptom, LEARNED: learned})

    async def _filled_in(self, person: Person, name: str, filled: Mapping[str, str]) -> None:
        await self._press_note(person, name)
        [form] = self._slack.views(_IDS[person])
        await self._slack.submit(_IDS[person], form["id"], {field: {field: words} for field, words in filled.items()})
        await idle()

    async def _press_note(self, person: Person, name: str) -> None:
        note = self._slack.answers(SUPPORT)[0]
        await self._slack.press(_IDS[person], name, channel=SUPPORT, ts=note["ts"])
        await idle()

    # --- what the platform does ---

    async def deliver_again(self, message: Message, times: int) -> None:
        wire = self._slack.wire
        told = [one["payload"] for one in wire.sent if one["payload"].get("event", {}).get("ts") == message.id]
        await asyncio.gather(*(wire.attempt("events_api", one, 1) for one in told for _ in range(times)))

    def refuse_for_a_second(self) -> None:
        self._slack.fail("chat.postMessage", status=429, retry_after=1)

    def refusals(self) -> int:
        return sum(made.status == 429 for made in self._slack.calls())

    async def delivered(self) -> None:
        await self._slack.settled()

    # --- what is seen ---

    def answers(self, message: Message) -> list[str]:
        return [_words(each) for each in self._seen(message)]

    def live(self, message: Message) -> list[str]:
        return [found for each in self._seen(message) for found in _live(each)]

    def id_of(self, person: Person) -> str:
        return _IDS[person]

    def support(self) -> list[str]:
        return [_words(each) for each in self._notes()]

    def told_aside(self, agent: Person) -> str:
        return self._last_shown(_IDS[agent])

    def team_thread(self) -> list[str]:
        root = self._notes()[0]["ts"]
        return [_words(each) for each in self._slack.answers(SUPPORT, root) if each["ts"] != root]

    def _notes(self) -> list[dict[str, Any]]:
        return [each for each in self._slack.answers(SUPPORT) if each.get("thread_ts") in (None, each["ts"])]

    def _channel(self, message: Message) -> str:
        if message.team:
            return SUPPORT
        return self._slack.dm(_IDS[message.by]) if message.private else HELPDESK

    def _seen(self, message: Message) -> list[dict[str, Any]]:
        answers = self._slack.answers(self._channel(message), message.root)
        return [each for each in answers if float(each["ts"]) > float(message.id)]

    def _last_shown(self, user: str) -> str:
        return _words(self._slack.ephemerals(user)[-1])


def _words(message: dict[str, Any]) -> str:
    """What is seen of a message: its blocks, or its text where it has none."""
    return words(message["blocks"]) if message.get("blocks") else str(message["text"])


def _live(message: dict[str, Any]) -> Iterator[str]:
    for node in nodes(message.get("blocks")):
        if node.get("type") in _LIVE or "url" in node:
            yield str(node)
    yield from (raw for raw in _RAW if raw in message["text"])


@asynccontextmanager
async def in_slack(data: Path) -> AsyncIterator[Place]:
    """A workspace with a channel of the support team."""
    async with slack_place.opened(data) as house:
        with_support(house.slack)
        house.settings = house.settings.model_copy(update={"handover_channel": SUPPORT})
        yield InSlack(house)
