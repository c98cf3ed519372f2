"""Assistants, master and enricher over a real HTTP server: what they ask, believe, drop and survive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping

import pytest

from bot.openai_models import OpenAiModel, open_models
from config.recall import RecallSettings
from config.schema import ModelSettings, ModelsSettings
from memory.answers import Evidence
from memory.chat_model import ModelRole
from memory.errors import ModelReplyUnusable, ModelUnavailable
from memory.llm.meter import metered
from memory.model import Role, TokenUse
from memory.recall.model_assistants import ModelAssistants
from memory.recall.model_master import ModelMaster
from memory.recall.voices import Verdict
from memory.remember.enricher import Enrichment
from memory.remember.model_enricher import ModelEnricher
from tests.fakes.llm_server import (
    Body,
    LlmServer,
    computes,
    meets,
    refuses_json,
    says,
    serving,
    slow,
    status,
    truncated,
)
from tests.fakes.small_desk import episode, evidence, question, turn

ASKED = question("VPNはどうやって直しましたか")
VPN = episode(
    turn("ＶＰＮにつながりません。", 1),
    turn("時計を合わせて、再起動してください。", 2, author="sato", role=Role.AGENT),
    turn("再起動してください、と前に言われました", 3),
)
PRINTER = episode(turn("The printer is jammed.", 1, ticket="INC-2000"), turn("Fixed it.", 2, ticket="INC-2000"))


@pytest.fixture
async def server() -> AsyncIterator[LlmServer]:
    async with serving() as running:
        yield running


@pytest.fixture
async def models(server: LlmServer) -> AsyncIterator[Mapping[ModelRole, OpenAiModel]]:
    one = ModelSettings(base_url=server.base_url, model="small", retries=0, concurrency=8)
    async with open_models(ModelsSettings(assistant=one, master=one, enricher=one, breaker_failures=100)) as opened:
        yield opened


def assistants(models: Mapping[ModelRole, OpenAiModel], **settings: object) -> ModelAssistants:
    return ModelAssistants(models[ModelRole.ASSISTANT], RecallSettings.model_validate(settings))


def master(models: Mapping[ModelRole, OpenAiModel], **settings: object) -> ModelMaster:
    return ModelMaster(models[ModelRole.MASTER], RecallSettings.model_validate(settings))


def quoted(*quotes: tuple[str, int, float]) -> dict[str, object]:
    return {"evidence": [{"quote": quote, "turn": number, "confidence": sure} for quote, number, sure in quotes]}


def words(found: tuple[Evidence, ...]) -> list[tuple[str, str, float]]:
    return [(one.quote, one.refs[0], one.confidence) for one in found]


# --- assistants -------------------------------------------------------------------------------------------------------


async def test_a_quote_is_evidence_in_the_original_words_with_who_and_when(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.script(says(quoted(("VPNにつながりません", 1, 0.9))))
    (found,) = (await assistants(models).consult(ASKED, [VPN])).evidence
    said = VPN.turns[0]
    assert found == Evidence(
        quote="ＶＰＮにつながりません",
        turn_ids=(said.id,),
        refs=("INC-1007/1",),
        speaker="kaneko",
        role=Role.REQUESTER,
        said_from=said.said_at,
        said_to=said.said_at,
        confidence=0.9,
        episode=VPN.id,
        conversation=VPN.conversation.id,
        ticket="INC-1007",
    )


async def test_what_does_not_stand_or_is_not_trusted_is_dropped_and_the_rest_is_in_time_order(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.script(
        says(
            quoted(
                ("時計を合わせて", 2, 7.5),
                ("つながりません", 1, 0.3),
                ("ルーターを交換した", 2, 1.0),
                ("。", 1, 1.0),
                ("再起動", 2, 0.29),
            )
        )
    )
    found = await assistants(models).consult(ASKED, [VPN])
    assert words(found.evidence) == [("つながりません", "INC-1007/1", 0.3), ("時計を合わせて", "INC-1007/2", 1.0)]
    assert (found.silent, found.tokens) == (0, TokenUse(prompt=100, cached=40, completion=20))


@pytest.mark.parametrize(
    ("quote", "named", "refs"),
    [
        ("時計を合わせて", 3, ["INC-1007/2"]),
        ("時計を合わせて", 0, ["INC-1007/2"]),
        ("時計を合わせて", 99, ["INC-1007/2"]),
        ("再起動してください", 2, ["INC-1007/2"]),
        ("再起動してください", 3, ["INC-1007/3"]),
        ("[2] 2026-09-10 14:07 sato (agent): 時計を合わせて", 2, ["INC-1007/2"]),
        ("VPNにつながりません。\n時計を合わせて、再起動", 1, ["INC-1007/1", "INC-1007/2"]),
        ("どう直した？sato (agent): 時計を合わせて、再起動してください。", 2, ["INC-1007/2"]),
        ("時計を合わせて、電源を切ってください", 2, []),
        ("どう直した？時計", 2, []),
        ("「時計を合わせて」", 2, ["INC-1007/2"]),
    ],
)
async def test_the_turn_is_where_the_quote_stands_not_where_the_model_says(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel], quote: str, named: int, refs: list[str]
) -> None:
    server.chat.script(says(quoted((quote, named, 0.8))))
    found = (await assistants(models).consult(ASKED, [VPN])).evidence
    assert [one.refs[0] for one in found] == refs


async def test_the_same_quote_twice_is_one_piece_with_the_higher_confidence(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.script(says(quoted(("時計を合わせて", 2, 0.4), ("時計を合わせて", 2, 0.8), ("時計を合わせて", 1, 0.6))))
    assert words((await assistants(models).consult(ASKED, [VPN])).evidence) == [("時計を合わせて", "INC-1007/2", 0.8)]


async def test_the_bots_own_words_are_marked_derived(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    echo = episode(turn("前回は再起動で直りました", 1, author="helpbot", role=Role.BOT, derived=True))
    server.chat.script(says(quoted(("再起動で直りました", 1, 0.9))))
    (found,) = (await assistants(models).consult(ASKED, [echo])).evidence
    assert found.derived


async def test_each_voice_reads_one_episode_and_what_they_found_is_merged_by_time(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    def reply(body: Body) -> dict[str, object]:
        seen = body["messages"][1]["content"]
        assert ("printer" in seen) != ("ＶＰＮ" in seen)
        return quoted(("Fixed it", 2, 0.9)) if "printer" in seen else quoted(("再起動してください", 3, 0.9))

    server.chat.always = meets(asyncio.Barrier(2), computes(reply))
    found = await assistants(models).consult(ASKED, [VPN, PRINTER])
    assert [one.refs[0] for one in found.evidence] == ["INC-2000/2", "INC-1007/3"]
    assert found.tokens == TokenUse(prompt=200, cached=80, completion=40)


async def test_no_more_assistants_read_at_once_than_configured(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.always = meets(asyncio.Barrier(3), says(quoted()))
    found = await assistants(models, assistants_at_once=3).consult(ASKED, [VPN] * 9)
    assert (server.chat.most_at_once, len(server.chat.asked), found.silent) == (3, 9, 0)


@pytest.mark.parametrize("trouble", [status(401), status(500), refuses_json(says("prose")), slow(30, says(quoted()))])
async def test_a_failing_or_late_voice_is_silent_and_the_others_are_heard(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel], trouble: object
) -> None:
    async def by_episode(request: object, body: Body) -> object:
        fine = "printer" in body["messages"][1]["content"]
        return await (says(quoted(("Fixed it", 2, 0.9))) if fine else trouble)(request, body)  # type: ignore[operator]

    server.chat.always = by_episode  # type: ignore[assignment]
    found = await assistants(models, assistant_seconds=2).consult(ASKED, [VPN, PRINTER])
    assert (words(found.evidence), found.silent) == ([("Fixed it", "INC-2000/2", 0.9)], 1)


async def test_what_silent_voices_took_is_counted(server: LlmServer, models: Mapping[ModelRole, OpenAiModel]) -> None:
    server.chat.always = says("I would rather not.")
    found = await assistants(models).consult(ASKED, [VPN])
    assert found.silent == 1
    calls = len(server.chat.asked)
    assert calls > 1
    assert found.tokens == TokenUse(prompt=100 * calls, cached=40 * calls, completion=20 * calls)


async def test_what_a_voice_took_that_came_too_late_is_counted(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.script(truncated('{"evidence": [{"quo'), slow(30, says(quoted())))
    found = await assistants(models, assistant_seconds=1).consult(ASKED, [VPN])
    assert (found.silent, found.tokens) == (1, TokenUse(prompt=100, cached=40, completion=20))


async def test_nobody_to_read_is_nothing_found(server: LlmServer, models: Mapping[ModelRole, OpenAiModel]) -> None:
    found = await assistants(models).consult(ASKED, [])
    assert (found.evidence, found.silent, server.chat.asked) == ((), 0, [])


# --- master -----------------------------------------------------------------------------------------------------------

FOUND = [evidence("Roll back to 4.1.7.", 12), evidence("The clock was wrong.", 10), evidence("It works now.", 14)]
HOW = question("How was the VPN fixed?")


async def judged(model: ModelMaster, found: list[Evidence]) -> Verdict:
    return await model.answer(HOW, "en", [], found)


async def test_evidence_is_shown_by_time_and_citations_come_back_as_places_in_what_was_given(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.script(says({"answer": "Rolled back to 4.1.7.", "cited": [2, 3, 9, 0, 2], "supported": True}))
    with metered() as meter:
        verdict = await judged(master(models), FOUND)
    shown = server.chat.asked[0].messages[1][1]
    assert shown.index("clock was wrong") < shown.index("Roll back") < shown.index("It works now")
    assert verdict == Verdict(
        abstained=False,
        body="Rolled back to 4.1.7.",
        cited=(0, 2),
    )
    assert meter.spent == TokenUse(prompt=100, cached=40, completion=20)


@pytest.mark.parametrize(
    "reply",
    [
        {"answer": "I do not know.", "cited": [1], "supported": False},
        {"answer": "", "cited": [1], "supported": True},
        {"answer": "...", "cited": [2], "supported": True},
        {"answer": " \u0000 ", "cited": [1], "supported": True},
        {"answer": "Ask your manager for a taxi.", "cited": [], "supported": True},
        {"answer": "The VPN was fixed.", "cited": [7], "supported": True},
    ],
)
async def test_what_nothing_supports_is_an_abstention(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel], reply: dict[str, object]
) -> None:
    server.chat.script(says(reply))
    with metered() as meter:
        verdict = await judged(master(models), FOUND)
    assert (verdict.abstained, verdict.body, verdict.cited) == (True, None, ())
    assert meter.spent.prompt == 100


async def test_an_answer_without_citation_is_cited_where_its_content_stands(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.script(says({"answer": "They had to roll back to 4.1.7.", "cited": [], "supported": True}))
    verdict = await judged(master(models), FOUND)
    assert (verdict.abstained, verdict.cited) == (False, (0,))


@pytest.mark.parametrize("cited", [[], [1], [999], [-1]])
async def test_an_answer_that_names_what_stands_nowhere_is_none_whatever_it_cites(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel], cited: list[int]
) -> None:
    said = "They had to roll back to 4.1.7; it cost 999 EUR, see T-999."
    server.chat.script(says({"answer": said, "cited": cited, "supported": True}))
    with pytest.raises(ModelReplyUnusable, match="stands nowhere"):
        await judged(master(models), FOUND)


async def test_citations_inside_the_answer_count_and_are_not_shown(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.script(
        says({"answer": "The clock [1], then a rollback [2]. See [42].", "cited": [], "supported": True})
    )
    verdict = await judged(master(models), FOUND)
    assert (verdict.body, verdict.cited) == ("The clock, then a rollback. See [42].", (1, 0))


async def test_the_least_confident_evidence_leaves_first_and_the_order_stays(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    many = [evidence(f"fact {day} " + "word " * 30, day, confidence=day % 5 / 10 + 0.3) for day in range(1, 29)]
    server.chat.script(says({"answer": "x", "cited": [1], "supported": True}))
    verdict = await judged(master(models, evidence_tokens=200), many)
    shown = server.chat.asked[0].messages[1][1]
    days = [day for day in range(1, 29) if f"fact {day} " in shown]
    assert days == [14, 19, 24]
    assert shown.index("fact 14") < shown.index("fact 19") < shown.index("fact 24")
    assert [many[place].said_from.day for place in verdict.cited] == [14]


async def test_one_huge_quote_neither_breaks_the_budget_nor_pushes_the_others_out(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.script(says({"answer": "x", "cited": [1], "supported": True}))
    await judged(master(models, evidence_tokens=300), [evidence("log " * 5000, 10), evidence("Roll back.", 11)])
    shown = server.chat.asked[0].messages[1][1]
    assert "Roll back." in shown
    assert len(shown) < 2000


async def test_the_bots_own_earlier_words_support_nothing(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    echo = evidence("It was the router.", 9, derived=True)
    assert (await judged(master(models), [echo])).abstained
    assert server.chat.asked == []
    server.chat.script(says({"answer": "The clock.", "cited": [1], "supported": True}))
    verdict = await judged(master(models), [echo, evidence("The clock was wrong.", 10)])
    assert "router" not in server.chat.asked[0].messages[1][1]
    assert verdict.cited == (1,)


async def test_without_evidence_no_model_is_asked(server: LlmServer, models: Mapping[ModelRole, OpenAiModel]) -> None:
    assert (await judged(master(models), [])) == Verdict(abstained=True)
    assert server.chat.asked == []


async def test_the_running_conversation_is_shown_verbatim_before_the_question(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.script(says({"answer": "時計です。", "cited": [1], "supported": True}))
    await master(models).answer(ASKED, "ja", [turn("また落ちました", 5)], FOUND)
    shown = server.chat.asked[0].messages[1][1]
    assert shown.index("</evidence>") < shown.index("また落ちました") < shown.index("質問: VPN")


async def test_a_master_that_cannot_be_reached_is_the_callers_business(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.script(status(503))
    with pytest.raises(ModelUnavailable):
        await judged(master(models), FOUND)


# --- enricher ---------------------------------------------------------------------------------------------------------

NOTE = {
    "summary": "VPNの不具合。時計を合わせて解決。",
    "keywords": ["VPN", "時計"],
    "tags": ["network"],
    "context": "金子さんの在宅勤務。",
    "entities": ["VPN"],
}


async def test_an_enrichment_is_made_of_the_turns_that_people_wrote(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    server.chat.script(says(NOTE))
    mixed = episode(*VPN.turns, turn("ECHO of a memory", 4, author="helpbot", role=Role.BOT, derived=True))
    made = await ModelEnricher(models[ModelRole.ENRICHER], "small").enrich(mixed)
    assert made == Enrichment(
        summary="VPNの不具合。時計を合わせて解決。",
        keywords=("VPN", "時計"),
        tags=("network",),
        context="金子さんの在宅勤務。",
        entities=("VPN",),
        made_by="small",
    )
    assert "ECHO" not in server.chat.asked[0].messages[1][1]


async def test_an_episode_of_derived_turns_alone_is_not_given_to_a_model(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel]
) -> None:
    made = await ModelEnricher(models[ModelRole.ENRICHER]).enrich(episode(turn("echo", derived=True)))
    assert (made.summary, server.chat.asked) == ("", [])


@pytest.mark.parametrize("summary", ["  ", "..."])
async def test_a_note_without_a_summary_is_no_note(
    server: LlmServer, models: Mapping[ModelRole, OpenAiModel], summary: str
) -> None:
    server.chat.script(says({**NOTE, "summary": summary}))
    with pytest.raises(ModelReplyUnusable):
        await ModelEnricher(models[ModelRole.ENRICHER]).enrich(VPN)
