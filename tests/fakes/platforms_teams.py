"""The strict Teams in the words of the people on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from config.teams import TeamsChannelSettings
from handlers.teams.names import (
    ASK_PERSON,
    ASK_USER,
    ASKED,
    CAUSE,
    END_INCIDENT,
    FIX,
    FORGET_PASTED,
    FORGET_PASTED_YES,
    FORGET_YES,
    HAND_BACK_TICKET,
    LEARNED,
    RESOLVE_TICKET,
    SHARE_TICKET,
    SUBSCRIBE,
    SYMPTOM,
    TAKE_TICKET,
)
from tests.fakes import teams_place
from tests.fakes.platforms import Message, Person, Place, nodes, words
from tests.fakes.teams import Fault, Teams
from tests.fakes.teams.server import AYA, BOB, KEN, SUPPORT, Json, Written, in_channel, personal, place_of
from tests.fakes.teams_acts import just_now

_IDS = {Person.AYA: AYA, Person.KEN: KEN, Person.BOB: BOB}
_CARD = "application/vnd.microsoft.card.adaptive"


class InTeams(Place):
    """One organisation."""

    def __init__(self, house: teams_place.Place) -> None:
        super().__init__(house)
        self._place = house
        self._teams: Teams = house.teams

    def hear_all(self) -> None:
        """Teams tells all of a team where the app may hear it; a thread cannot be asked for."""
        default = self._place.settings.default.model_copy(update={"remember": True})
        self._place.settings = self._place.settings.model_copy(update={"default": default})

    def open_to_all(self) -> None:
        everybody = TeamsChannelSettings(memory="everyone")
        self._place.settings = self._place.settings.model_copy(update={"default": everybody})

    # --- what people do ---

    async def ask_privately(self, person: Person, text: str) -> Message:
        id = await self._say(person, personal(_IDS[person]), text)
        return Message(by=person, id=id, root=id, private=True)

    async def ask_in_channel(self, person: Person, text: str) -> Message:
        id = await self._say(person, in_channel(), text, mention=True)
        return Message(by=person, id=id, root=id, private=False)

    async def say_in_channel(self, person: Person, text: str) -> Message:
        id = await self._say(person, in_channel(), text)
        return Message(by=person, id=id, root=id, private=False)

    async def follow_up(self, message: Message, person: Person, text: str) -> Message:
        id = await self._say(person, self._where(message), text, mention=not message.private)
        return Message(by=person, id=id, root=message.root, private=message.private)

    async def reply_among(self, message: Message, person: Person, text: str) -> Message:
        id = await self._say(person, in_channel(message.root), text)
        return Message(by=person, id=id, root=message.root, private=False)

    async def call(self, message: Message, person: Person, text: str) -> Message:
        return await self.follow_up(message, person, text)

    async def edit(self, message: Message, text: str) -> None:
        await self._change(message, "messageUpdate", "editMessage", text)

    async def delete(self, message: Message) -> None:
        await self._change(message, "messageDelete", "softDeleteMessage", "")

    async def judge(self, message: Message, person: Person, helpful: bool) -> None:
        reaction, where = "like" if helpful else "dislike", self._where(message)
        await self._teams.judge(_IDS[person], self._seen(message)[-1], reaction, where)
        await self.settled()

    async def ask_a_person(self, message: Message, person: Person) -> None:
        await self._press(person, self._seen(message)[0], ASK_PERSON, self._where(message))

    async def wish(self, person: Person, words: str) -> str:
        where = personal(_IDS[person])
        before = len(self._teams.written(place_of(where)))
        await self._say(person, where, words)
        await self._teams.answered(place_of(where), before + 1)
        await self.settled()
        return self._last_shown(person)

    async def confirm_forgetting(self, asked: Person, person: Person) -> str:
        question = self._teams.written(place_of(personal(_IDS[asked])))[-1]
        await self._press(person, question, FORGET_YES, personal(_IDS[person]))
        return self._last_shown(person)

    async def forget_pasted(self, message: Message, person: Person) -> str:
        await self._press(person, self._seen(message)[0], FORGET_PASTED, self._where(message))
        self._asked = self._seen(message)[-1]
        return self.answers(message)[-1]

    def has_thumbs(self, message: Message) -> bool:
        return "feedbackLoop" in self._seen(message)[-1].content.get("channelData", {})

    def has_buttons(self, message: Message) -> bool:
        answer = self._seen(message)[0].content
        return "channelData" in answer or any("verb" in one for one in nodes(dict(answer)))

    def offers_to_forget(self, message: Message) -> bool:
        return any(one.get("verb") == FORGET_PASTED for one in nodes(self._seen(message)[-1].content))

    async def confirm_pasted(self, message: Message, person: Person) -> str:
        before = self.answers(message)
        await self._press(person, self._asked, FORGET_PASTED_YES, self._where(message))
        seen = self.answers(message)
        # A card that was changed stays in its place; so does the answer above it, without its buttons.
        [*_, shown] = [words for place, words in enumerate(seen) if words not in before[place : place + 1]]
        return shown

    async def take(self, person: Person) -> None:
        await self._press_note(person, TAKE_TICKET)

    async def hand_back(self, person: Person) -> None:
        await self._press_note(person, HAND_BACK_TICKET)

    async def ask_user(self, person: Person, words: str) -> None:
        await self._press_note(person, ASK_USER, **{ASKED: words})

    async def say_to_team(self, person: Person, words: str) -> Message:
        root = self._teams.written(SUPPORT)[0].id
        id = await self._say(person, in_channel(root, channel=SUPPORT), words, mention=True)
        await self.settled()
        return Message(by=person, id=id, root=root, private=False, team=True)

    async def subscribe(self, message: Message, person: Person) -> str:
        await self._press(person, self._seen(message)[0], SUBSCRIBE, self._where(message))
        return self.answers(message)[-1]

    async def end_incident(self, person: Person) -> None:
        await self._press_note(person, END_INCIDENT)

    async def resolve(self, person: Person, cause: str, fix: str) -> None:
        await self._press_note(person, RESOLVE_TICKET, **{CAUSE: cause, FIX: fix})

    async def approve(self, person: Person, symptom: str, learned: str) -> None:
        await self._press_note(person, SHARE_TICKET, **{SYMPTOM: symptom, LEARNED: learned})

    async def _press_note(self, person: Person, verb: str, **filled: str) -> None:
        note = self._teams.written(SUPPORT)[0]
        await self._press(person, note, verb, in_channel(note.id, channel=SUPPORT), **filled)

    async def _say(self, person: Person, where: Json, text: str, mention: bool = False) -> str:
        return await self._teams.say(_IDS[person], where, text, mention=mention, **just_now())

    async def _change(self, message: Message, kind: str, event: str, text: str) -> None:
        where = self._where(message)
        data = {**where["channelData"], "eventType": event}
        more = {**just_now(), "text": text, "textFormat": "plain"}
        told = self._teams.activity(kind, _IDS[message.by], {**where, "channelData": data}, **more)
        await self._teams.tell({**told, "id": message.id})
        await self.settled()

    async def _press(self, person: Person, written: Written, verb: str, where: Json, **filled: str) -> None:
        [value] = [one["data"]["value"] for one in nodes(written.content) if one.get("verb") == verb]
        await self._teams.execute(_IDS[person], written, verb, value, where, **filled)
        await self.settled()

    # --- what the platform does ---

    async def deliver_again(self, message: Message, times: int) -> None:
        told = next(one for one in self._teams.told if one["id"] == message.id)
        await asyncio.gather(*(self._teams.tell(told) for _ in range(times)))

    def refuse_for_a_second(self) -> None:
        self._teams.coming.append(Fault(status=429, retry_after="1"))

    def refusals(self) -> int:
        return sum(status == 429 for _, status in self._teams.calls)

    async def delivered(self) -> None:
        """Each call of the fake waits for what it told."""

    # --- what is seen ---

    def answers(self, message: Message) -> list[str]:
        return [_words(one.content) for one in self._seen(message)]

    def live(self, message: Message) -> list[str]:
        return [found for one in self._seen(message) for found in _live(one.content)]

    def id_of(self, person: Person) -> str:
        return _IDS[person]

    def support(self) -> list[str]:
        return [_words(one.content) for one in self._teams.written(SUPPORT)]

    def told_aside(self, agent: Person) -> str:
        return self.team_thread()[-1]

    def team_thread(self) -> list[str]:
        root = self._teams.written(SUPPORT)[0].id
        return [_words(one.content) for one in self._teams.written(f"{SUPPORT};messageid={root}")]

    def _where(self, message: Message) -> Json:
        if message.team:
            return in_channel(message.root, channel=SUPPORT)
        return personal(_IDS[message.by]) if message.private else in_channel(message.root)

    def _seen(self, message: Message) -> list[Written]:
        """A personal chat has no threads: what came after the message."""
        written = self._teams.written(place_of(self._where(message)))
        return [one for one in written if int(one.id) > int(message.id)]

    def _last_shown(self, person: Person) -> str:
        return _words(self._teams.written(place_of(personal(_IDS[person])))[-1].content)


def _words(content: Mapping[str, Any]) -> str:
    """What is seen of a message: its cards, or its text where it has none."""
    cards = [one["content"] for one in content.get("attachments", ()) if one["contentType"] == _CARD]
    return words(cards) if cards else str(content["text"])


def _live(content: Mapping[str, Any]) -> Iterator[str]:
    """Mentions, links, and what Teams would make one of in words."""
    for node in nodes(dict(content)):
        text = str(node.get("text", ""))
        if node.get("type") in ("mention", "Action.OpenUrl") or "<at" in text or "](" in text:
            yield str(node)


@asynccontextmanager
async def in_teams(data: Path) -> AsyncIterator[Place]:
    """An organisation with a channel of the support team."""
    async with teams_place.opened(data) as house:
        house.settings = house.settings.model_copy(update={"handover_channel": SUPPORT})
        yield InTeams(house)
