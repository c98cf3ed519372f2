"""What is told of the way to an answer, to whoever waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from config.loader import load_settings
from config.recall import RecallMode
from config.schema import Settings
from memory.chat_model import ChatModel, ModelRole
from memory.llm.scripted import ScriptedModel
from memory.model import Turn
from memory.recall.steps import Stage, Step
from tests.fakes.remembering import remembering
from tests.fakes.turns import turn

NOTHING_QUOTED = '{"evidence": []}'
WRITTEN = '{"answer": "Re-register the certificate.", "cited": [1], "supported": true}'
SEARCHING, WRITING = Step(stage=Stage.SEARCHING), Step(stage=Stage.WRITING)


def told(ticket: str, text: str) -> Turn:
    return turn(1, text, thread=ticket, ticket=ticket)


TICKETS = (told("INC-1", "The VPN fails with NL-208"), told("INC-2", "NL-208 on the VPN again, certificate expired"))


def with_mode(mode: RecallMode) -> Settings:
    shipped = load_settings(None, {})
    return shipped.model_copy(update={"recall": shipped.recall.model_copy(update={"mode": mode})})


async def steps_of(
    folder: Path,
    question: str,
    *,
    models: Mapping[ModelRole, ChatModel] | None = None,
    mode: RecallMode = RecallMode.AUTO,
) -> list[Step]:
    steps: list[Step] = []
    async with remembering("in-memory", folder, models=models, settings=with_mode(mode)) as memory:
        await memory.remember(*TICKETS)
        await memory.app.recall.answer(memory.question(question), steps.append)
    return steps


async def test_without_a_model_the_best_tickets_are_read_and_quoted(tmp_path: Path) -> None:
    steps = await steps_of(tmp_path, "VPN NL-208")
    assert steps == [SEARCHING, Step(stage=Stage.READING, episodes=2), WRITING]


async def test_where_nothing_is_found_nothing_is_said_to_be_read(tmp_path: Path) -> None:
    assert await steps_of(tmp_path, "いつ社員旅行ですか") == [SEARCHING, WRITING]


async def test_each_ticket_that_an_assistant_reads_is_counted(tmp_path: Path) -> None:
    models = {
        ModelRole.ASSISTANT: ScriptedModel(NOTHING_QUOTED, NOTHING_QUOTED),
        ModelRole.MASTER: ScriptedModel(WRITTEN),
    }
    steps = await steps_of(tmp_path, "VPN NL-208", models=models, mode=RecallMode.EMEM)
    assert steps == [SEARCHING, Step(stage=Stage.READING, episodes=2), WRITING]


async def test_the_master_alone_reads_no_whole_ticket(tmp_path: Path) -> None:
    models = {ModelRole.ASSISTANT: ScriptedModel(), ModelRole.MASTER: ScriptedModel(WRITTEN)}
    assert await steps_of(tmp_path, "VPN NL-208", models=models, mode=RecallMode.DIRECT) == [SEARCHING, WRITING]
