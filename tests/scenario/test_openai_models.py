"""A model behind a real HTTP server that misbehaves in every way that servers do."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from pydantic import SecretStr

from bot.openai_models import OpenAiModel, open_models
from config.schema import ModelSettings, ModelsSettings
from memory.chat_model import ModelRole, Prompt
from memory.errors import ModelOverloaded, ModelRefused, ModelReplyUnusable, ModelTimeout, ModelUnavailable
from memory.llm.meter import metered
from memory.llm.shapes import MasterReply, outline_of, schema_of
from memory.model import TokenUse
from tests.fakes.llm_server import (
    Behaviour,
    LlmServer,
    echoes_schema,
    garbage,
    meets,
    raw,
    refuses_json,
    refuses_schema,
    resets,
    says,
    serving,
    slow,
    status,
    truncated,
)

PROMPT = Prompt(instructions="INSTRUCTIONS", material="<episode>\nMATERIAL\n</episode>", question="Question: WHY")
ANSWER = {"answer": "Because.", "cited": [1], "supported": True}
VALUE = MasterReply(answer="Because.", cited=[1], supported=True)
OK = says(ANSWER)
#: What `llm_server.USAGE` says of one call.
ONCE = TokenUse(prompt=100, cached=40, completion=20)


class Desk:
    """The server, and models that talk to it, closed at the end of the test."""

    def __init__(self, server: LlmServer, stack: AsyncExitStack) -> None:
        self.server = server
        self.seconds = 0.0
        self._stack = stack

    async def models(self, **changes: object) -> dict[ModelRole, OpenAiModel]:
        breaker = {name: changes.pop(name) for name in ("breaker_failures", "breaker_seconds") if name in changes}
        one = ModelSettings.model_validate({"base_url": self.server.base_url, "model": "small", "retries": 2} | changes)
        settings = ModelsSettings.model_validate({"assistant": one, "master": one} | breaker)
        return dict(await self._stack.enter_async_context(open_models(settings, now=lambda: self.seconds)))

    async def master(self, **changes: object) -> OpenAiModel:
        return (await self.models(**changes))[ModelRole.MASTER]

    @property
    def rungs(self) -> list[str]:
        """How each request so far asked for structure."""
        return [asked.rung for asked in self.server.chat.asked]


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with serving() as server, AsyncExitStack() as stack:
        yield Desk(server, stack)


# --- the ladder -------------------------------------------------------------------------------------------------------


async def test_a_server_with_schemas_is_asked_once_with_the_schema(desk: Desk) -> None:
    desk.server.chat.script(OK)
    with metered() as meter:
        reply = await (await desk.master(temperature=0.2, max_reply_tokens=55)).ask(PROMPT, MasterReply)
    assert (reply.value, meter.spent) == (VALUE, ONCE)
    body = desk.server.chat.asked[0].body
    assert body["response_format"]["json_schema"]["schema"] == schema_of(MasterReply)
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("small", 0.2, 55)


async def test_the_prompt_is_instructions_then_material_then_question(desk: Desk) -> None:
    desk.server.chat.script(OK)
    await (await desk.master()).ask(PROMPT, MasterReply)
    assert desk.server.chat.asked[0].messages == [
        ("system", "INSTRUCTIONS"),
        ("user", "<episode>\nMATERIAL\n</episode>\n\nQuestion: WHY"),
    ]


@pytest.mark.parametrize(
    ("server", "first", "later"),
    [
        (refuses_schema(OK), ["json_schema", "json_object"], ["json_object"]),
        (refuses_json(OK), ["json_schema", "json_object", "text"], ["text"]),
    ],
)
async def test_refused_formats_are_stepped_down_and_remembered(
    desk: Desk, server: Behaviour, first: list[str], later: list[str]
) -> None:
    desk.server.chat.always = server
    models = await desk.models()
    assert (await models[ModelRole.MASTER].ask(PROMPT, MasterReply)).value == VALUE
    assert desk.rungs == first
    await models[ModelRole.MASTER].ask(PROMPT, MasterReply)
    await models[ModelRole.ASSISTANT].ask(PROMPT, MasterReply)
    assert desk.rungs == first + later + later


async def test_what_is_remembered_belongs_to_one_model(desk: Desk) -> None:
    desk.server.chat.always = refuses_schema(OK)
    await (await desk.master(model="small")).ask(PROMPT, MasterReply)
    await (await desk.master(model="large")).ask(PROMPT, MasterReply)
    assert desk.rungs == ["json_schema", "json_object"] * 2


async def test_a_server_that_ignores_the_schema_is_noticed(desk: Desk) -> None:
    desk.server.chat.script(says("The answer is: because."), OK, OK)
    model = await desk.master()
    with metered() as meter:
        reply = await model.ask(PROMPT, MasterReply)
    assert (reply.value, meter.spent) == (VALUE, ONCE + ONCE)
    await model.ask(PROMPT, MasterReply)
    assert desk.rungs == ["json_schema", "json_object", "json_object"]


async def test_a_readable_reply_from_a_server_that_ignores_the_schema_is_kept(desk: Desk) -> None:
    desk.server.chat.script(says(f"```json\n{json.dumps(ANSWER)}\n```"), OK)
    model = await desk.master()
    assert (await model.ask(PROMPT, MasterReply)).value == VALUE
    await model.ask(PROMPT, MasterReply)
    assert desk.rungs == ["json_schema", "json_object"]


@pytest.mark.parametrize("other", [says({"weather": "fine"}), echoes_schema()])
async def test_other_json_than_the_schema_steps_down_too(desk: Desk, other: Behaviour) -> None:
    desk.server.chat.script(other, OK)
    assert (await (await desk.master()).ask(PROMPT, MasterReply)).value == VALUE
    assert desk.rungs == ["json_schema", "json_object"]


async def test_below_the_schema_the_form_is_part_of_the_instructions(desk: Desk) -> None:
    desk.server.chat.always = refuses_json(OK)
    await (await desk.master()).ask(PROMPT, MasterReply)
    for asked in desk.server.chat.asked[1:]:
        role, words = asked.messages[0]
        assert role == "system"
        assert words.startswith("INSTRUCTIONS\n\n")
        assert words.endswith(outline_of(MasterReply))


# --- repair -----------------------------------------------------------------------------------------------------------


async def test_one_repair_says_what_was_wrong(desk: Desk) -> None:
    desk.server.chat.always = refuses_json(says("never"))
    model = await desk.master()
    desk.server.chat.script(refuses_json(OK), refuses_json(OK), says("Because."), OK)
    with metered() as meter:
        reply = await model.ask(PROMPT, MasterReply)
    assert (reply.value, meter.spent) == (VALUE, ONCE + ONCE)
    repair = desk.server.chat.asked[-1].messages
    assert repair[:2] == desk.server.chat.asked[-2].messages
    assert repair[2] == ("assistant", "Because.")
    assert repair[3][0] == "user"
    assert "was not JSON" in repair[3][1]


async def test_a_truncated_reply_counts_for_what_was_complete(desk: Desk) -> None:
    desk.server.chat.script(truncated('{"answer": "Because.", "cited": [1], "suppo'), OK)
    model = await desk.master()
    assert (await model.ask(PROMPT, MasterReply)).value == VALUE
    await model.ask(PROMPT, MasterReply)
    assert desk.rungs == ["json_schema", "json_schema"]


async def test_a_reply_that_was_cut_off_too_early_is_asked_for_again_more_briefly(desk: Desk) -> None:
    desk.server.chat.script(truncated('{"answer": "Beca'), OK)
    assert (await (await desk.master()).ask(PROMPT, MasterReply)).value == VALUE
    assert desk.rungs == ["json_schema", "json_schema"]
    assert "too long" in desk.server.chat.asked[-1].messages[-1][1]


async def test_an_empty_reply_is_repaired_without_blaming_the_format(desk: Desk) -> None:
    desk.server.chat.script(says(""), OK)
    assert (await (await desk.master()).ask(PROMPT, MasterReply)).value == VALUE
    assert desk.rungs == ["json_schema", "json_schema"]
    assert [role for role, _ in desk.server.chat.asked[-1].messages] == ["system", "user", "user"]


@pytest.mark.parametrize(
    ("behaviour", "calls"), [(says("prose"), 4), (says({"other": 1}), 3), (echoes_schema(), 3), (says(""), 2)]
)
async def test_after_one_repair_it_is_given_up(desk: Desk, behaviour: Behaviour, calls: int) -> None:
    desk.server.chat.always = behaviour
    with metered() as meter, pytest.raises(ModelReplyUnusable):
        await (await desk.master()).ask(PROMPT, MasterReply)
    assert len(desk.rungs) == calls
    assert meter.spent == TokenUse(prompt=100 * calls, cached=40 * calls, completion=20 * calls)


async def test_what_a_call_took_counts_though_its_repair_is_not_waited_for(desk: Desk) -> None:
    desk.server.chat.script(truncated('{"answer": "Beca'), slow(30, OK))
    with metered() as meter, pytest.raises(ModelTimeout):
        await (await desk.master(timeout_seconds=1)).ask(PROMPT, MasterReply)
    assert meter.spent == ONCE


# --- parameters -------------------------------------------------------------------------------------------------------


async def test_renamed_and_refused_parameters_are_learned(desk: Desk) -> None:
    desk.server.chat.script(
        status(400, message="Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        status(400, message="Unsupported value: 'temperature' does not support 0.0 with this model."),
    )
    desk.server.chat.always = OK
    model = await desk.master(max_reply_tokens=99)
    for _ in range(2):
        assert (await model.ask(PROMPT, MasterReply)).value == VALUE
    assert len(desk.rungs) == 4
    body = desk.server.chat.asked[-1].body
    assert body["max_completion_tokens"] == 99
    assert "max_tokens" not in body
    assert "temperature" not in body


@pytest.mark.parametrize(
    "message", ["'max_tokens' is too large: 700. This model supports 512.", "maximum context length is 4096 tokens"]
)
async def test_a_refused_length_is_not_mistaken_for_a_dialect(desk: Desk, message: str) -> None:
    desk.server.chat.script(status(400, message=message))
    with pytest.raises(ModelRefused):
        await (await desk.master()).ask(PROMPT, MasterReply)
    assert len(desk.rungs) == 1


async def test_the_key_is_sent_and_the_environment_is_not(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    desk.server.chat.always = OK
    await (await desk.master(api_key=SecretStr("configured"))).ask(PROMPT, MasterReply)
    await (await desk.master()).ask(PROMPT, MasterReply)
    assert [asked.headers["Authorization"] for asked in desk.server.chat.asked] == ["Bearer configured", "Bearer none"]


# --- servers in trouble -----------------------------------------------------------------------------------------------


async def test_an_overloaded_server_is_asked_again_when_it_says(desk: Desk) -> None:
    desk.server.chat.script(status(429, retry_after=0.01), status(500, retry_after=0.01), OK)
    assert (await (await desk.master()).ask(PROMPT, MasterReply)).value == VALUE
    assert len(desk.rungs) == 3


@pytest.mark.parametrize(
    ("behaviour", "error", "words"),
    [
        (status(429), ModelOverloaded, "overloaded"),
        (status(500), ModelOverloaded, "overloaded"),
        (status(503), ModelOverloaded, "overloaded"),
        (status(401), ModelRefused, "HTTP 401"),
        (status(404), ModelRefused, "models.master"),
        (status(400), ModelRefused, "HTTP 400"),
        (resets(), ModelUnavailable, "cannot be reached"),
        (garbage(), ModelUnavailable, "models.master.base_url"),
        (garbage("text/html"), ModelUnavailable, "models.master.base_url"),
        (raw({"error": {"message": "no"}}), ModelUnavailable, "models.master.base_url"),
        (raw({"choices": []}), ModelUnavailable, "models.master.base_url"),
        (raw({"choices": [{"message": None}]}), ModelUnavailable, "models.master.base_url"),
        (raw(None), ModelUnavailable, "models.master.base_url"),
        (raw({"choices": [{"message": {"content": None}}]}), ModelReplyUnusable, "could not be read"),
    ],
)
async def test_every_kind_of_trouble_is_an_error_that_says_what_to_do(
    desk: Desk, behaviour: Behaviour, error: type[ModelUnavailable], words: str
) -> None:
    desk.server.chat.always = behaviour
    with pytest.raises(ModelUnavailable, match=words) as caught:
        await (await desk.master(retries=0)).ask(PROMPT, MasterReply)
    assert type(caught.value) is error


async def test_an_address_where_nobody_is_is_unavailable(desk: Desk, unused_tcp_port: int) -> None:
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        await (await desk.master(base_url=f"http://127.0.0.1:{unused_tcp_port}/v1", retries=0)).ask(PROMPT, MasterReply)


async def test_the_whole_ask_ends_in_time_retries_and_all(desk: Desk) -> None:
    desk.server.chat.always = slow(30, OK)
    with pytest.raises(ModelTimeout):
        await (await desk.master(timeout_seconds=0.1)).ask(PROMPT, MasterReply)
    desk.server.chat.always = status(429, retry_after=60)
    with pytest.raises(ModelTimeout):
        await (await desk.master(timeout_seconds=0.1, retries=10)).ask(PROMPT, MasterReply)


async def test_no_more_calls_are_under_way_than_configured(desk: Desk) -> None:
    desk.server.chat.always = meets(asyncio.Barrier(2), OK)
    model = await desk.master(concurrency=2)
    replies = await asyncio.gather(*(model.ask(PROMPT, MasterReply) for _ in range(6)))
    assert [reply.value for reply in replies] == [VALUE] * 6
    assert desk.server.chat.most_at_once == 2


async def test_a_failing_model_is_left_alone_and_then_tried_once(desk: Desk) -> None:
    desk.server.chat.always = status(500)
    model = await desk.master(retries=0, breaker_failures=2, breaker_seconds=30)
    for _ in range(5):
        with pytest.raises(ModelUnavailable):
            await model.ask(PROMPT, MasterReply)
    assert len(desk.rungs) == 2
    desk.server.chat.always = OK
    desk.seconds = 29
    with pytest.raises(ModelUnavailable, match="left alone"):
        await model.ask(PROMPT, MasterReply)
    desk.seconds = 31
    assert (await model.ask(PROMPT, MasterReply)).value == VALUE
    assert len(desk.rungs) == 3


async def test_being_given_up_on_again_and_again_opens_the_breaker(desk: Desk) -> None:
    desk.server.chat.always = slow(30, OK)
    model = await desk.master(breaker_failures=2)
    for _ in range(2):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await model.ask(PROMPT, MasterReply)
    with pytest.raises(ModelUnavailable, match="left alone"):
        await model.ask(PROMPT, MasterReply)


# --- counting and silence ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        {"prompt_tokens": "many", "completion_tokens": None},
        {"prompt_tokens": -1, "prompt_tokens_details": []},
    ],
)
async def test_tokens_that_are_not_counted_are_estimated(desk: Desk, usage: dict[str, object] | None) -> None:
    desk.server.chat.script(says(ANSWER, usage=usage))
    with metered() as meter:
        await (await desk.master()).ask(PROMPT, MasterReply)
    assert 15 <= meter.spent.prompt <= 60
    assert 10 <= meter.spent.completion <= 40
    assert meter.spent.cached == 0


async def test_more_cached_tokens_than_prompt_tokens_are_not_believed(desk: Desk) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 99}}
    desk.server.chat.script(says(ANSWER, usage=usage))
    with metered() as meter:
        await (await desk.master()).ask(PROMPT, MasterReply)
    assert meter.spent == TokenUse(prompt=10, cached=10, completion=1)


async def test_content_in_parts_is_put_together(desk: Desk) -> None:
    parts = [{"type": "text", "text": '{"answer": "Because.", '}, {"type": "text", "text": '"cited": [1]}'}]
    desk.server.chat.script(raw({"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]}))
    assert (await (await desk.master()).ask(PROMPT, MasterReply)).value == VALUE


async def test_halves_of_characters_do_not_stop_a_question(desk: Desk) -> None:
    desk.server.chat.script(OK)
    broken = Prompt(instructions="INSTRUCTIONS", material="a\ud83db\x00", question="\udfff?")
    assert (await (await desk.master()).ask(broken, MasterReply)).value == VALUE


async def test_no_word_of_prompt_or_reply_is_logged(
    desk: Desk, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    desk.server.chat.script(says("SPOKEN prose"), status(500, retry_after=0.01), says("SPOKEN"), says("SPOKEN"))
    desk.server.chat.always = says("SPOKEN")
    with pytest.raises(ModelReplyUnusable):
        await (await desk.master(api_key=SecretStr("KEPT"))).ask(PROMPT, MasterReply)
    written = caplog.text + "".join(capfd.readouterr())
    assert "model_reply_unusable" in written
    for secret in ("INSTRUCTIONS", "MATERIAL", "WHY", "SPOKEN", "KEPT"):
        assert secret not in written


async def test_roles_without_settings_are_left_out() -> None:
    async with open_models(ModelsSettings()) as models:
        assert models == {}
