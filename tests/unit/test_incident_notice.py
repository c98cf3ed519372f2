"""What stands over an answer when others report the same, and where it does not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

import pytest

from handlers.incidents.records import Notice
from handlers.messages import IncomingMessage, OutgoingReply
from handlers.ports import PLAIN, Manners, Send
from memory.answers import Answer, AnswerKind
from memory.incidents import Incident, Phase
from memory.model import Conversation, Turn, Visibility
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.answers import JST, ScriptedAnswers, abstained, evidence
from tests.fakes.desks import desk_over

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=JST)
INCIDENT = Incident(
    id="I-1",
    phase=Phase.SUSPECTED,
    platform="test",
    workspace="w",
    language="ja",
    began_at=NOW,
    changed_at=NOW,
    people=3,
    ticket="HD-1",
    title="ML-451",
)
WRITTEN = Answer(kind=AnswerKind.WRITTEN, language="ja", body="送り直してください。", cited=(evidence("直りました。"),))
LINE = "いま、ほかの人からも同じような問い合わせが来ています（HD-1: ML-451）。"


class Noticing:
    """Notices the same of everything, and remembers of what."""

    def __init__(self, seen_in: str | None = None) -> None:
        self.turns: list[str] = []
        self._notice = Notice(incident=INCIDENT, seen_in=seen_in)

    async def __call__(self, turn: Turn) -> Notice | None:
        self.turns.append(turn.text)
        return self._notice


async def replied(noticing: Noticing, answer: Answer, text: str, manners: Manners = PLAIN) -> OutgoingReply:
    store = InMemoryStore(clock=lambda: NOW)
    desk = desk_over(store, ScriptedAnswers([answer]), lambda: NOW, noticed=noticing)
    turn = await desk.receive(
        IncomingMessage(
            conversation=Conversation(platform="test", workspace="w", channel="it-help", thread="t1"),
            message="m1",
            author="sato",
            text=text,
            said_at=NOW,
            visibility=Visibility.EVERYONE,
        )
    )
    assert isinstance(turn, Turn)
    given: list[OutgoingReply] = []

    @asynccontextmanager
    async def outlet() -> AsyncIterator[Send]:
        async def keep(reply: OutgoingReply) -> None:
            given.append(reply)

        yield keep

    await desk.handle(turn, outlet(), manners)
    [reply] = given
    return reply


async def test_the_answer_begins_with_it_and_ends_with_who_said_it_in_public() -> None:
    reply = await replied(Noticing("T-9"), WRITTEN, "メールが戻ってきます。")
    assert reply.text.startswith(f"{LINE}\n\n")
    assert reply.body == f"{LINE}\n\n送り直してください。"
    assert [(one.turn, one.text) for one in reply.sources][-1] == ("T-9", "HD-1: ML-451")
    assert reply.incident == "I-1"


async def test_it_is_said_also_where_the_memory_knows_nothing() -> None:
    reply = await replied(Noticing(), abstained(), "メールが戻ってきます。")
    assert reply.body.startswith(f"{LINE}\n\n")
    assert (reply.sources, reply.incident) == ((), "I-1")


async def test_a_confined_place_hears_nothing_of_it_and_counts_for_nothing() -> None:
    noticing = Noticing("T-9")
    reply = await replied(noticing, WRITTEN, "メールが戻ってきます。", Manners(confined=True))
    assert LINE not in reply.text
    assert reply.incident is None
    assert noticing.turns == []


@pytest.mark.parametrize("text", ["ありがとう", "こんにちは", "!?"])
async def test_what_asks_nothing_is_compared_with_nothing(text: str) -> None:
    noticing = Noticing()
    reply = await replied(noticing, WRITTEN, text)
    assert LINE not in reply.text
    assert noticing.turns == []
