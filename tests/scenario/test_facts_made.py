"""From messages to facts, by rule and with a model's reply, in Japanese and in English."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from memory.facts import Fact
from memory.llm.scripted import ScriptedModel
from memory.model import Role, Turn
from memory.remember.extraction.facts import facts_of
from memory.remember.model_enricher import ModelEnricher
from tests.fakes.episodes import at, episode_of, facts_by_rule
from tests.fakes.turns import turn

TITLES = {"ja": "在庫マスタの追加", "en": "NEWPARTS price list"}


def talk(*lines: tuple[str, str], title: str = "", role: Role = Role.AGENT) -> list[Turn]:
    """Messages of one ticket, each with the day on which it was written."""
    return [
        turn(n, text, author="mori", role=role, said_at=at(f"{day}T10:00:00+09:00"), title=title if n == 1 else None)
        for n, (day, text) in enumerate(lines, start=1)
    ]


def of(found: Sequence[Fact], predicate: str) -> list[tuple[str, str, str]]:
    """(subject, value, the day from which it holds) of the facts with this predicate, in order."""
    return [(fact.subject, fact.value, f"{fact.valid_from:%Y-%m-%d}") for fact in found if fact.predicate == predicate]


async def test_an_owner_changes_in_japanese() -> None:
    found = await facts_by_rule(
        talk(
            ("2026-09-01", "在庫マスタの担当は品証の高橋さんです。"),
            ("2026-09-10", "9/15から在庫マスタの担当は物流の岡田さんに交代します。"),
            ("2026-09-11", "ありがとうございます。担当は誰ですか？"),
            title=TITLES["ja"],
        )
    )
    assert of(found, "owner") == [("在庫マスタ", "高橋", "2026-09-01"), ("在庫マスタ", "岡田", "2026-09-15")]
    first, second = (fact for fact in found if fact.predicate == "owner")
    assert first.group == second.group
    assert (first.dated, second.dated) == (False, True)
    assert first.confidence < second.confidence
    assert second.recorded_at == at("2026-09-10T10:00:00+09:00")


async def test_an_owner_changes_in_english() -> None:
    found = await facts_by_rule(
        talk(
            ("2026-09-01", "Keiko Mori is responsible for the price list."),
            ("2026-09-10", "From 15 September Jan Bauer takes over the price list from Keiko."),
            title=TITLES["en"],
        )
    )
    assert of(found, "owner") == [
        ("price list", "Keiko Mori", "2026-09-01"),
        ("price list", "Jan Bauer", "2026-09-15"),
        ("price list", "Keiko", "2026-09-10"),
    ]
    assert len({fact.group for fact in found if fact.predicate == "owner"}) == 1


@pytest.mark.parametrize(
    ("title", "text", "wanted"),
    [
        (
            "Expense claims",
            'Change: from 1 August please send expense claims with the "Claim" form in Portal.',
            [("expense claims", '"Claim" form in Portal', "2026-08-01")],
        ),
        (
            "精算について",
            "【変更】8/1から出張の精算は窓口ではなくPortalの「精算」で行います。",
            [("出張の精算", "Portalの「精算」", "2026-08-01"), ("出張の精算", "窓口", "2026-07-10")],
        ),
    ],
)
async def test_a_procedure_that_changes_later_holds_from_then_on(
    title: str, text: str, wanted: list[tuple[str, str, str]]
) -> None:
    found = await facts_by_rule(talk(("2026-07-10", text), title=title))
    assert of(found, "procedure") == wanted
    assert all(fact.recorded_at == at("2026-07-10T10:00:00+09:00") for fact in found)


async def test_contradicting_messages_give_two_facts_of_one_matter() -> None:
    found = await facts_by_rule(
        talk(
            ("2026-05-01", "The printer PR-03 is located on floor 3. The location of PR-03 is floor 3."),
            ("2026-05-02", "The location of PR-03 is floor 5."),
        )
    )
    assert of(found, "location") == [
        ("PR-03 location", "floor 3", "2026-05-01"),
        ("PR-03 location", "floor 5", "2026-05-02"),
    ]


async def test_a_late_message_about_an_earlier_time_holds_from_the_earlier_time() -> None:
    found = await facts_by_rule(
        talk(
            ("2026-09-20", "9/15から在庫マスタの担当は岡田さんです。"),
            ("2026-10-05", "遅くなりましたが、9/1から在庫マスタの担当は高橋さんです。"),
            title=TITLES["ja"],
        )
    )
    assert of(found, "owner") == [("在庫マスタ", "岡田", "2026-09-15"), ("在庫マスタ", "高橋", "2026-09-01")]


async def test_a_year_stays_a_year() -> None:
    [fact] = await facts_by_rule(talk(("2026-09-20", "I moved to Malmo in 2019."), role=Role.REQUESTER))
    assert (fact.predicate, fact.precision, fact.valid_from) == ("did", "year", at("2019-01-01T00:00:00+09:00"))


async def test_two_rooms_are_two_matters() -> None:
    found = await facts_by_rule(
        talk(
            ("2026-09-01", "The extension of Room 101 is 4410. The extension of Room 102 is 4420."),
            ("2026-09-02", "The extension of Room 101 is now 4430."),
        )
    )
    groups = {fact.group: fact.value for fact in found}
    assert len(groups) == 2
    assert set(groups.values()) == {"4430", "4420"}


async def test_states_of_a_ticket_are_facts_without_a_word_being_said() -> None:
    turns = [
        turn(1, "…", ticket="INC-9", status="open", title="Lampe", said_at=at("2026-09-01T08:00:00+09:00")),
        turn(2, "…", ticket="INC-9", status="resolved", role=Role.AGENT, said_at=at("2026-09-01T09:00:00+09:00")),
    ]
    found = await facts_by_rule(turns)
    assert of(found, "status") == [("INC-9", "open", "2026-09-01"), ("INC-9", "resolved", "2026-09-01")]
    assert {fact.confidence for fact in found} == {1.0}


async def test_the_bots_own_answer_gives_nothing() -> None:
    answer = "在庫マスタの担当は佐藤さんです。9/15から岡田さんに交代します。"
    bot = turn(1, answer, author="helpdesk", role=Role.BOT, derived=True)
    assert await facts_by_rule([bot]) == []
    assert await facts_by_rule([turn(1, answer, author="helpdesk", role=Role.BOT)]) == []


async def test_the_same_traffic_three_times_gives_the_same_facts() -> None:
    turns = talk(("2026-09-10", "9/15から在庫マスタの担当は岡田さんに交代します。"), title=TITLES["ja"])
    assert len({fact.id for _ in range(3) for fact in await facts_by_rule(turns)}) == 1


# --- with a model ---------------------------------------------------------------------------------------------------

NOTE: dict[str, Any] = {"summary": "価格表の話。", "keywords": ["価格表"], "tags": [], "context": "", "entities": []}
LINES = (
    ("2026-07-10", "おはようございます。価格表のことで質問です。"),
    ("2026-07-10", "価格表は8月1日から岡田さんが見ます。"),
    ("2026-07-10", "ありがとうございます。"),
)


def stated(**others: object) -> dict[str, Any]:
    fact = {"subject": "価格表", "predicate": "担当者", "value": "岡田さん", "text": "価格表の担当は岡田さんです。"}
    return {**fact, "turns": [2], "when": "8月1日から", **others}


def scripted(facts: object) -> ScriptedModel:
    return ScriptedModel(json.dumps({**NOTE, "facts": facts}, ensure_ascii=False))


async def by_model(*facts: object) -> tuple[str, list[Fact]]:
    """The note's summary, and the facts by the model; those of the rules left out."""
    episode = episode_of(talk(*LINES))
    model = scripted(list(facts))
    enrichment = await ModelEnricher(model, "small").enrich(episode)
    return enrichment.summary, [fact for fact in facts_of(episode, enrichment) if fact.made_by == "small"]


async def test_a_models_fact_is_verified_dated_and_normalised() -> None:
    _, [fact] = await by_model(stated())
    assert (fact.subject, fact.predicate, fact.value) == ("価格表", "owner", "岡田さん")
    assert fact.valid_from == at("2026-08-01T00:00:00+09:00")
    assert (fact.dated, fact.precision, fact.made_by) == (True, "day", "small")
    assert fact.turn_ids == (talk(*LINES)[1].id,)


@pytest.mark.parametrize("turns", [[9], [0], [], "2", ["2"], 2, None])
async def test_turn_numbers_that_do_not_exist_are_mended(turns: object) -> None:
    _, [fact] = await by_model(stated(turns=turns))
    assert fact.turn_ids == (talk(*LINES)[1].id,)


@pytest.mark.parametrize(
    "wrong",
    [
        {"turns": [1]},
        {"turns": [3]},
        {"value": "佐藤さん"},
        {"text": "価格表の担当は2026年9月から岡田さんです。"},
        {"text": "価格表と在庫表200件の担当は岡田さんです。"},
        {"subject": "Ginza の価格表"},
    ],
)
async def test_what_the_cited_turn_does_not_say_is_dropped(wrong: dict[str, object]) -> None:
    assert (await by_model(stated(**wrong)))[1] == []


@pytest.mark.parametrize(
    "garbage",
    [
        "nonsense",
        7,
        None,
        {},
        [],
        {"subject": "価格表"},
        stated(value="..."),
        stated(text="x" * 4000),
        stated(value={"a": 1}),
    ],
)
async def test_garbage_among_the_facts_costs_neither_the_note_nor_the_others(garbage: object) -> None:
    summary, found = await by_model(garbage, stated(), garbage)
    assert summary == "価格表の話。"
    assert [fact.value for fact in found] == ["岡田さん"]


@pytest.mark.parametrize("garbage", ["nonsense", 7, None, {"a": "b"}, [["x"]]])
async def test_a_note_needs_no_usable_facts(garbage: object) -> None:
    model = scripted(garbage)
    enrichment = await ModelEnricher(model, "small").enrich(episode_of(talk(*LINES)))
    assert enrichment.summary == "価格表の話。"
    assert [said for said in enrichment.facts if not said.made_by] == []


async def test_what_the_rules_read_stands_beside_the_models() -> None:
    episode = episode_of(
        talk(("2026-07-10", "守衛室の内線は 2350 になりました。"), ("2026-07-10", "鍵は守衛室にあります。"))
    )
    reply = [
        stated(
            subject="守衛室の内線", predicate="内線", value="2350 ", text="守衛室の内線は2350。", turns=[1], when=""
        ),
        stated(subject="鍵", predicate="保管場所", value="守衛室", text="鍵は守衛室にある。", turns=[2], when=""),
    ]
    enrichment = await ModelEnricher(scripted(reply), "small").enrich(episode)
    found = facts_of(episode, enrichment)
    assert [(fact.value, fact.made_by) for fact in found] == [("2350", "rules"), ("守衛室", "small")]
