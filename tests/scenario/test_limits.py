"""Limits of a person, a channel and a day, through the whole bot: what is said and kept, what no model is asked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.application import Application
from bot.telling import unheard
from bot.use_cases import perform
from bot.wiring import assembled
from config.limits import LimitSettings
from config.schema import ModelSettings, ModelsSettings, Settings
from handlers.messages import IncomingMessage
from memory.chat_model import ModelRole, Prompt, Reply, Shape
from memory.errors import ModelReplyUnusable
from memory.llm.meter import spend
from memory.llm.parsing import read_reply
from memory.model import DIRECT, Conversation, TokenUse, Turn, Viewer, Visibility
from memory.stores.in_memory_index import InMemoryIndex
from tests.fakes.answers import JST
from tests.fakes.remembering import Remembering, remembering
from tests.fakes.turns import turn
from tests.fakes.words import BACKENDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What is asked and answered in one language, and what is said where a limit is met."""

    remembered: str
    question: str
    answer: str
    too_many: str
    spent: str
    own_spent: str
    quoted: str


TALKS = {
    "ja": Talk(
        remembered="VPNにつながらないときは、VPNの証明書を入れ直してください。",
        question="VPNにつながらないときはどうすればいいですか",
        answer="証明書を入れ直してください。",
        too_many="（お一人につき1分に3件まで）。保存はしました。60秒ほどおいて、もう一度お尋ねください。",
        spent="言語モデルの今日の利用枠を使い切ったため、文章でのお答えができません。"
        "2026年11月21日(土) 00:00 からまたお答えできます。",
        own_spent="お一人あたりの言語モデルの今日の利用枠を使い切ったため、文章でのお答えができません。"
        "2026年11月21日(土) 00:00 からまたお答えできます。",
        quoted="2026-11-20 INC-1 okabe: 「VPNにつながらないときは",
    ),
    "en": Talk(
        remembered="When the VPN does not connect, install the VPN certificate again.",
        question="What helps when the VPN does not connect?",
        answer="Install the certificate again.",
        too_many="(up to 3 a minute from one person). It was kept. Please ask again in about 60 seconds.",
        spent="Today's budget for the language model is spent, so I cannot put an answer into words. "
        "I can again from Sat 21 Nov 2026, 00:00 on.",
        own_spent="Your share of today's budget for the language model is spent, so I cannot put an answer into "
        "words. I can again from Sat 21 Nov 2026, 00:00 on.",
        quoted="2026-11-20 INC-1 okabe: “When the VPN does not connect",
    ),
}
#: Midnight in Tokyo, where the desk is.
MIDNIGHT = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
ENDPOINT = ModelSettings(base_url="http://127.0.0.1:9/v1", model="small")


class Paid:
    """A model that says the same to everybody, usable or not, for a thousand tokens."""

    def __init__(self, said: str) -> None:
        self._said = said
        self.asked = 0

    async def ask(self, prompt: Prompt, shape: type[Shape]) -> Reply[Shape]:
        self.asked += 1
        spend(TokenUse(prompt=900, cached=400, completion=100))
        value = read_reply(self._said, shape).value
        if value is None:
            raise ModelReplyUnusable
        return Reply(value=value)


class Place:
    """A bot that remembers one thing and has one model, and people who ask it."""

    def __init__(self, memory: Remembering, talk: Talk, model: Paid) -> None:
        self.memory = memory
        self.talk = talk
        self.model = model

    async def ask(self, number: int, user: str = "sato", *, text: str | None = None) -> str | None:
        reply = await self.memory.app.desk.reply(self.message(number, user, text=text))
        return reply.text if reply else None

    def message(self, number: int, user: str = "sato", *, text: str | None = None) -> IncomingMessage:
        return IncomingMessage(
            conversation=Conversation(platform="terminal", workspace="local", channel=DIRECT, thread=f"dm-{user}"),
            message=str(number),
            author=user,
            text=text or self.talk.question,
            said_at=self.memory.watch.now.astimezone(JST),
            visibility=Visibility.PRIVATE,
        )

    async def kept(self, user: str = "sato") -> list[Turn]:
        """What a person said."""
        conversation = self.message(0, user).conversation.id
        everything = Viewer(user="okabe", agent=True)
        until = self.memory.watch.now + timedelta(days=1)
        said = await self.memory.app.store.reading.recent(conversation, everything, until, 100)
        return [one for one in said if not one.derived]

    async def owed(self) -> int:
        return len(await self.memory.app.desk.waiting("terminal", 100))


@asynccontextmanager
async def opened(
    backend: str, folder: Path, talk: Talk, limits: LimitSettings, *, model: Paid | None = None
) -> AsyncIterator[Place]:
    model = model or Paid(f'{{"answer": "{talk.answer}", "cited": [1], "supported": true}}')
    settings = Settings(limits=limits)
    async with remembering(
        backend, folder, index=InMemoryIndex(), models={ModelRole.MASTER: model}, settings=settings
    ) as memory:
        await memory.remember(turn(1, talk.remembered, author="okabe", minutes=-30))
        yield Place(memory, talk, model)


def beside(app: Application, folder: Path) -> Application:
    """Another process on the same parts."""
    return assembled(
        app.settings, folder, app.clock, store=app.store, index=app.index, encoder=app.encoder, models=app.models
    )


@pytest.fixture(params=TALKS)
def talk(request: pytest.FixtureRequest) -> Talk:
    return TALKS[request.param]


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


# --- how fast people write --------------------------------------------------------------------------------------------

THREE = LimitSettings(person_messages_a_minute=3, channel_messages_a_minute=5)


async def test_who_writes_too_fast_is_told_once_and_costs_nothing_and_every_word_is_kept(
    tmp_path: Path, backend: str, talk: Talk
) -> None:
    async with opened(backend, tmp_path, talk, THREE) as place:
        replies = [await place.ask(number) for number in range(6)]
        assert [talk.answer in (reply or "") for reply in replies] == [True, True, True, False, False, False]
        assert (replies[3] or "").endswith(talk.too_many)
        assert replies[4:] == [None, None]
        assert place.model.asked == 3
        assert [one.message for one in await place.kept()] == ["0", "1", "2", "3", "4", "5"]
        assert await place.owed() == 0
        place.memory.watch.wait(1)
        assert talk.answer in (await place.ask(6) or "")


async def test_a_message_that_is_told_again_counts_once(tmp_path: Path, backend: str) -> None:
    async with opened(backend, tmp_path, TALKS["en"], THREE) as place:
        assert await place.ask(1) is not None
        assert [await place.ask(1) for _ in range(10)] == [None] * 10
        assert [await place.ask(number) is not None for number in (2, 3)] == [True, True]
        assert place.model.asked == 3


async def test_a_refused_message_that_is_told_again_an_hour_later_is_not_answered_then(
    tmp_path: Path, backend: str
) -> None:
    async with opened(backend, tmp_path, TALKS["en"], THREE) as place:
        refused = place.message(4)
        for number in (1, 2, 3, 4):
            await place.ask(number)
        place.memory.watch.wait(60)
        assert await place.memory.app.desk.reply(refused) is None
        await place.ask(5)
        assert await place.memory.app.desk.reply(refused) is None
        assert place.model.asked == 4


async def test_who_is_refused_is_told_so_once_though_the_message_was_overheard_before(
    tmp_path: Path, backend: str
) -> None:
    async with opened(backend, tmp_path, TALKS["en"], THREE) as place:
        await place.memory.app.desk.overhear(place.message(4))
        replies = [await place.ask(number) for number in (1, 2, 3, 4, 4)]
        assert (replies[3] or "").endswith(TALKS["en"].too_many)
        assert replies[4] is None
        another = beside(place.memory.app, tmp_path).desk
        assert await another.reply(place.message(4)) is None
        assert place.model.asked == 3
        assert await place.owed() == 0


async def test_what_one_process_has_answered_or_refused_no_other_one_refuses(tmp_path: Path, backend: str) -> None:
    async with opened(backend, tmp_path, TALKS["en"], THREE) as place:
        assert [await place.ask(number) is not None for number in (1, 2, 3, 4)] == [True] * 4
        another = beside(place.memory.app, tmp_path).desk
        assert [await another.reply(place.message(number)) is not None for number in (5, 6, 7)] == [True] * 3
        # Both have had enough by now, and are told the same.
        assert [await another.reply(place.message(number)) for number in (1, 4)] == [None, None]
        assert await place.ask(5) is None
        assert place.model.asked == 6


async def test_what_the_bot_only_hears_has_no_limit(tmp_path: Path, backend: str) -> None:
    async with opened(backend, tmp_path, TALKS["ja"], THREE) as place:
        assert [await place.memory.app.desk.overhear(place.message(number)) for number in range(10)] == [True] * 10
        assert len(await place.kept()) == 10
        assert TALKS["ja"].answer in (await place.ask(11) or "")


async def test_who_pastes_an_error_code_is_told_in_the_language_that_they_wrote_in_before(tmp_path: Path) -> None:
    async with opened("in-memory", tmp_path, TALKS["ja"], THREE) as place:
        for number in (1, 2, 3):
            await place.ask(number)
        assert (await place.ask(4, text="QX-7713") or "").endswith(TALKS["ja"].too_many)


async def test_thanks_are_answered_however_fast_one_writes(tmp_path: Path) -> None:
    async with opened("in-memory", tmp_path, TALKS["ja"], THREE) as place:
        for number in (1, 2, 3):
            await place.ask(number)
        assert (await place.ask(4, text="ありがとうございます") or "").startswith("どういたしまして。")


# --- how many tokens a day has ----------------------------------------------------------------------------------------


async def test_when_the_day_is_spent_answers_are_quotes_that_say_until_when_and_nothing_is_lost(
    tmp_path: Path, backend: str, talk: Talk
) -> None:
    async with opened(backend, tmp_path, talk, LimitSettings(tokens_a_day=2000)) as place:
        assert [talk.answer in (await place.ask(number) or "") for number in (1, 2)] == [True, True]
        spent = await place.ask(3, "kato") or ""
        assert spent.startswith(f"{talk.spent}\n")
        assert talk.quoted in spent
        assert place.model.asked == 2
        assert [one.message for one in await place.kept("kato")] == ["3"]
        place.memory.watch.now = MIDNIGHT
        assert talk.answer in (await place.ask(4, "kato") or "")


async def test_where_there_is_nothing_to_quote_it_is_said_as_well(tmp_path: Path, talk: Talk) -> None:
    async with opened("in-memory", tmp_path, talk, LimitSettings(tokens_a_day=1000)) as place:
        await place.ask(1)
        nothing = {TALKS["ja"].question: "社員食堂のカレーは辛いですか"}.get(talk.question, "Is the curry hot today?")
        assert (await place.ask(2, text=nothing) or "").endswith(talk.spent)


PROSE = "I would rather not say it as JSON."
#: Reads well, and names a ticket that nobody ever spoke of.
MADE_UP = '{"answer": "See INC-9999 for the certificate.", "cited": [1], "supported": true}'


@pytest.mark.parametrize("said", [PROSE, MADE_UP], ids=["prose", "made-up"])
async def test_replies_that_cannot_be_used_are_paid_for_and_run_into_the_limit(
    tmp_path: Path, backend: str, said: str
) -> None:
    talk, model = TALKS["en"], Paid(said)
    async with opened(backend, tmp_path, talk, LimitSettings(tokens_a_day=2000), model=model) as place:
        first = await place.ask(1) or ""
        assert talk.quoted in first
        assert talk.spent not in first
        await place.ask(2)
        assert (await place.ask(3) or "").startswith(f"{talk.spent}\n")
        assert model.asked == 2
        today = await perform(place.memory.app, "status", {}, unheard)
        assert today is not None
        assert today["tokens"] == {"answers": 2000, "notes": 0, "limit": 2000}
        counted = await perform(place.memory.app, "stats", {"days": 1}, unheard)
        assert counted is not None
        assert counted["tokens"]["master"] == {"prompt": 1800, "cached": 800, "completion": 200}
        assert counted["by_models"] == 2


async def test_when_a_person_has_spent_theirs_others_are_answered(tmp_path: Path, backend: str, talk: Talk) -> None:
    async with opened(backend, tmp_path, talk, LimitSettings(person_tokens_a_day=1000)) as place:
        assert talk.answer in (await place.ask(1) or "")
        assert (await place.ask(2) or "").startswith(f"{talk.own_spent}\n")
        assert talk.answer in (await place.ask(3, "kato") or "")


async def test_what_a_measurement_takes_counts_against_the_day_and_against_nobody(
    tmp_path: Path, backend: str, talk: Talk
) -> None:
    async with opened(backend, tmp_path, talk, LimitSettings(tokens_a_day=1000)) as place:
        path = tmp_path / "own.csv"
        path.write_text(f"question,ticket,user\n{talk.question},INC-1,sato\n", encoding="utf-8")
        measured = await perform(place.memory.app, "eval own", {"path": str(path)}, unheard)
        assert measured is not None
        assert (measured["tokens"]["master"], place.model.asked) == (1000, 1)
        ledger, midnight = place.memory.app.store.ledger, place.memory.watch.now - timedelta(hours=12)
        assert (await ledger.since(midnight), await ledger.spent_by("sato", midnight)) == ([], 0)
        assert talk.spent in (await place.ask(1) or "")
        assert place.model.asked == 1


async def test_a_restart_renews_nothing_and_all_processes_share_what_there_is(tmp_path: Path, backend: str) -> None:
    talk = TALKS["en"]
    async with opened(backend, tmp_path, talk, LimitSettings(tokens_a_day=1000)) as place:
        await place.ask(1)
        another = beside(place.memory.app, tmp_path)
        reply = await another.desk.reply(place.message(2))
        assert reply is not None
        assert reply.text.startswith(talk.spent)
        assert place.model.asked == 1


async def test_the_status_says_what_was_taken_today(tmp_path: Path) -> None:
    async with opened("in-memory", tmp_path, TALKS["en"], LimitSettings(tokens_a_day=5000)) as place:
        app = place.memory.app
        await place.ask(1)
        await app.store.ledger.note_enriched(app.clock(), TokenUse(prompt=70, completion=7))
        today = await perform(app, "status", {}, unheard)
        assert today is not None
        assert today["tokens"] == {"answers": 1000, "notes": 77, "limit": 5000}
        place.memory.watch.now = MIDNIGHT
        tomorrow = await perform(app, "status", {}, unheard)
        assert tomorrow is not None
        assert tomorrow["tokens"] == {"answers": 0, "notes": 0, "limit": 5000}


# --- notes ------------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def noting(
    backend: str,
    folder: Path,
    limits: LimitSettings,
    said: str = '{"summary": "A model says so.", "keywords": ["VPN"]}',
) -> AsyncIterator[tuple[Remembering, Paid]]:
    """A bot whose notes a model makes."""
    model = Paid(said)
    settings = Settings(limits=limits, models=ModelsSettings(enricher=ENDPOINT))
    models = {ModelRole.ENRICHER: model}
    async with remembering(backend, folder, index=InMemoryIndex(), models=models, settings=settings) as memory:
        yield memory, model


async def made_by(memory: Remembering) -> Mapping[str, str]:
    """By whom the newest notes were made."""
    episodes = await memory.app.store.writing.episodes_after(None, 10)
    notes = await memory.app.store.writing.newest_notes([one.id for one in episodes])
    return {one.name: notes[one.id].made_by for one in episodes if one.id in notes}


async def test_without_tokens_for_notes_the_rules_serve_until_the_next_day_and_no_try_is_lost(
    tmp_path: Path, backend: str
) -> None:
    async with noting(backend, tmp_path, LimitSettings(tokens_a_day=2000)) as (memory, model):
        await memory.remember(turn(1, "The VPN drops.", thread="INC-1", ticket="INC-1", minutes=-40))
        await memory.remember(turn(1, "The scanner jams.", thread="INC-2", ticket="INC-2", minutes=-40))
        assert model.asked == 1
        assert await memory.hits("scanner")
        assert await made_by(memory) == {"INC-1": "small"}
        [waiting] = await memory.app.store.writing.due_retries(MIDNIGHT, 10)
        assert (waiting.attempts, waiting.next_at) == (0, MIDNIGHT)
        assert await memory.app.store.writing.due_retries(MIDNIGHT - timedelta(microseconds=1), 10) == []
        memory.watch.now = MIDNIGHT
        await memory.app.jobs.run("enrich-retry")
        assert await made_by(memory) == {"INC-1": "small", "INC-2": "small"}
        assert model.asked == 2


async def test_a_retry_that_finds_the_day_spent_waits_for_the_next_with_the_tries_it_had(
    tmp_path: Path, backend: str
) -> None:
    async with noting(backend, tmp_path, LimitSettings(tokens_a_day=2000)) as (memory, model):
        await memory.remember(turn(1, "The VPN drops.", thread="INC-1", ticket="INC-1", minutes=-40))
        await memory.remember(turn(1, "The scanner jams.", thread="INC-2", ticket="INC-2", minutes=-40))
        memory.watch.now = MIDNIGHT
        await memory.app.store.ledger.note_enriched(MIDNIGHT, TokenUse(prompt=1000))
        await memory.app.jobs.run("enrich-retry")
        [waiting] = await memory.app.store.writing.due_retries(MIDNIGHT + timedelta(days=1), 10)
        assert (waiting.attempts, waiting.next_at) == (0, MIDNIGHT + timedelta(days=1))
        assert model.asked == 1


@pytest.mark.parametrize("said", [PROSE, '{"summary": "..."}'], ids=["prose", "no summary"])
async def test_notes_that_never_come_out_right_are_paid_for_and_run_into_the_limit(
    tmp_path: Path, backend: str, said: str
) -> None:
    async with noting(backend, tmp_path, LimitSettings(tokens_a_day=2000), said) as (memory, model):
        await memory.remember(turn(1, "The VPN drops.", thread="INC-1", ticket="INC-1", minutes=-40))
        await memory.remember(turn(1, "The scanner jams.", thread="INC-2", ticket="INC-2", minutes=-40))
        memory.watch.wait(60)
        await memory.app.jobs.run("enrich-retry")
        assert model.asked == 1
        today = await perform(memory.app, "status", {}, unheard)
        assert today is not None
        assert today["tokens"] == {"answers": 0, "notes": 1000, "limit": 2000}


async def test_what_notes_take_is_missing_to_answers_only_beyond_their_half(tmp_path: Path) -> None:
    talk = TALKS["en"]
    async with opened("in-memory", tmp_path, talk, LimitSettings(tokens_a_day=2000)) as place:
        await place.memory.app.store.ledger.note_enriched(place.memory.watch.now, TokenUse(prompt=1000))
        assert talk.answer in (await place.ask(1) or "")
        assert (await place.ask(2) or "").startswith(talk.spent)
