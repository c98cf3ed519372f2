"""What every chat model promises: on each way of asking for a structured reply, and the scripted twin."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

import pytest
from aiohttp import web

from bot.openai_models import open_models
from config.schema import ModelSettings, ModelsSettings
from memory.chat_model import ChatModel, ModelRole, Prompt
from memory.errors import ModelOverloaded, ModelReplyUnusable
from memory.llm.meter import metered
from memory.llm.scripted import ScriptedModel
from memory.llm.shapes import AssistantReply, MasterReply
from tests.fakes.llm_server import Behaviour, Body, refuses_json, refuses_schema, says, serving, status

PROMPT = Prompt(instructions="Answer as JSON.", material="<episode>\n…\n</episode>", question="Question: why?")
ANSWER = '{"answer": "Because.", "cited": [1], "supported": true}'
#: What an overloaded model says.
OVERLOADED = None

Line = str | None


class Opening(Protocol):
    """Opens a model that will say these lines, one a call."""

    def __call__(self, *lines: Line) -> AbstractAsyncContextManager[ChatModel]: ...


@asynccontextmanager
async def scripted(*lines: Line) -> AsyncIterator[ChatModel]:
    yield ScriptedModel(*(ModelOverloaded() if line is OVERLOADED else line for line in lines))


def _in_turn(lines: Iterator[Line]) -> Behaviour:
    """Says the lines; a format that was refused uses none up."""

    async def answer(request: web.Request, body: Body) -> web.StreamResponse:
        line = next(lines)
        return await (status(503) if line is OVERLOADED else says(line))(request, body)

    return answer


@asynccontextmanager
async def _served(answers: Behaviour) -> AsyncIterator[ChatModel]:
    async with serving() as server:
        server.chat.always = answers
        settings = ModelSettings(base_url=server.base_url, model="small", retries=0)
        async with open_models(ModelsSettings(master=settings)) as models:
            yield models[ModelRole.MASTER]


def with_schema(*lines: Line) -> AbstractAsyncContextManager[ChatModel]:
    return _served(_in_turn(iter(lines)))


def with_json_only(*lines: Line) -> AbstractAsyncContextManager[ChatModel]:
    return _served(refuses_schema(_in_turn(iter(lines))))


def with_text_only(*lines: Line) -> AbstractAsyncContextManager[ChatModel]:
    return _served(refuses_json(_in_turn(iter(lines))))


@pytest.fixture(params=[scripted, with_schema, with_json_only, with_text_only], ids=lambda way: way.__name__)
def opening(request: pytest.FixtureRequest) -> Opening:
    way: Opening = request.param
    return way


async def test_a_reply_comes_in_its_shape_with_its_cost(opening: Opening) -> None:
    async with opening(ANSWER) as model:
        with metered() as meter:
            reply = await model.ask(PROMPT, MasterReply)
    assert reply.value == MasterReply(answer="Because.", cited=[1], supported=True)
    assert meter.spent.prompt > 0
    assert meter.spent.completion > 0


async def test_one_model_answers_in_different_shapes(opening: Opening) -> None:
    async with opening(ANSWER, '{"evidence": []}', ANSWER) as model:
        first = await model.ask(PROMPT, MasterReply)
        second = await model.ask(PROMPT, AssistantReply)
        third = await model.ask(PROMPT, MasterReply)
    assert first.value == third.value
    assert second.value == AssistantReply(evidence=[])


async def test_a_reply_in_other_clothes_is_read_all_the_same(opening: Opening) -> None:
    async with opening(f"Sure!\n```json\n{json.dumps({'result': json.loads(ANSWER)})}\n```") as model:
        assert (await model.ask(PROMPT, MasterReply)).value.answer == "Because."


async def test_a_model_that_is_not_there_is_an_error_of_the_tree(opening: Opening) -> None:
    async with opening(OVERLOADED, ANSWER) as model:
        with pytest.raises(ModelOverloaded):
            await model.ask(PROMPT, MasterReply)
        assert (await model.ask(PROMPT, MasterReply)).value.answer == "Because."


async def test_replies_that_cannot_be_read_end_in_one_error(opening: Opening) -> None:
    async with opening("I would rather not.", *["No."] * 3) as model:
        with metered() as meter, pytest.raises(ModelReplyUnusable):
            await model.ask(PROMPT, MasterReply)
    assert meter.spent.prompt > 0
    assert meter.spent.completion > 0
