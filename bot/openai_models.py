"""Chat models on OpenAI-compatible servers: the only module that says something to one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import openai
import structlog
from openai.types.chat import ChatCompletionMessageParam

from bot.breaker import Breaker
from bot.model_dialects import Dialect, Rung, kept_to, learn, request_options
from bot.model_wire import Said, read_completion
from config.schema import ModelSettings, ModelsSettings
from memory.chat_model import ModelRole, Prompt, Reply, Shape
from memory.errors import (
    ModelOverloaded,
    ModelRefused,
    ModelReplyUnusable,
    ModelTimeout,
    ModelUnavailable,
)
from memory.llm.budget import shortened
from memory.llm.meter import spend
from memory.llm.parsing import read_reply
from memory.llm.shapes import outline_of

log = structlog.get_logger()

_CONNECT_SECONDS = 5.0
#: So much of an unreadable reply is shown to the model when it is asked to repair it.
_REPAIR_TOKENS = 400
_SERVER_ERROR = 500
#: Statuses with which servers refuse a parameter that they do not know.
_PARAMETER = (400, 422)

Messages = list[ChatCompletionMessageParam]


class OpenAiModel:
    """Implements `ChatModel` for one role.

    `dialect` is shared by everything that speaks to the same model of the same endpoint.
    """

    def __init__(
        self, role: ModelRole, settings: ModelSettings, client: openai.AsyncOpenAI, breaker: Breaker, dialect: Dialect
    ) -> None:
        self._role = role
        self._settings = settings
        self._client = client
        self._breaker = breaker
        self._dialect = dialect
        self._places = asyncio.Semaphore(settings.concurrency)

    async def ask(self, prompt: Prompt, shape: type[Shape]) -> Reply[Shape]:
        """A reply as `shape`, within `timeout_seconds` with everything: waiting for a place, retries and a repair.

        Raises ModelTimeout, ModelOverloaded, ModelRefused, ModelReplyUnusable, or ModelUnavailable itself.
        """
        self._breaker.check()
        try:
            async with asyncio.timeout(self._settings.timeout_seconds), self._places:
                with self._breaker.guard():
                    return await self._climb(prompt, shape)
        except TimeoutError as error:
            raise ModelTimeout(self._words(ModelTimeout)) from error

    async def _climb(self, prompt: Prompt, shape: type[Shape]) -> Reply[Shape]:
        """Ask on the highest rung that this model is known to stand on, and go down as it shows that it does not."""
        while True:
            rung = self._dialect.rung
            messages = _messages(prompt, shape, rung)
            said = await self._say(messages, shape, rung)
            if said is None:
                continue
            reading = read_reply(said.text, shape)
            ignored = not said.cut and not kept_to(rung, reading.form)
            if ignored:
                self._step_down(rung)
            if reading.value is not None:
                return Reply(value=reading.value)
            if not ignored:
                problem = "the reply was too long and was cut off" if said.cut else reading.problem
                return await self._repair(messages, said, problem, shape, rung)

    async def _repair(
        self, messages: Messages, said: Said, problem: str, shape: type[Shape], rung: Rung
    ) -> Reply[Shape]:
        """Ask once more, saying what was wrong."""
        words = f"That could not be used: {problem}. Reply again, briefly, with only this JSON filled in: "
        again: Messages = [*messages]
        if said.text.strip():
            again.append({"role": "assistant", "content": _sendable(shortened(said.text, _REPAIR_TOKENS))})
        again.append({"role": "user", "content": words + outline_of(shape)})
        mended = await self._say(again, shape, rung)
        reading = read_reply(mended.text if mended else "", shape)
        if mended is None or reading.value is None:
            log.warning("model_reply_unusable", role=self._role, model=self._settings.model, problem=reading.problem)
            raise ModelReplyUnusable(self._words(ModelReplyUnusable))
        return Reply(value=reading.value)

    async def _say(self, messages: Messages, shape: type[Shape], rung: Rung) -> Said | None:
        """One completion, counted; None when the server refused a parameter and there is another way to ask."""
        options = request_options(self._settings, self._dialect, rung, shape)
        try:
            response = await self._client.chat.completions.with_raw_response.create(
                model=self._settings.model, messages=messages, extra_body=options
            )
        except openai.APITimeoutError as error:
            raise ModelTimeout(self._words(ModelTimeout)) from error
        except openai.APIStatusError as error:
            if error.status_code in _PARAMETER and learn(self._dialect, rung, str(error)):
                log.info("model_dialect_learned", role=self._role, model=self._settings.model, rung=self._dialect.rung)
                return None
            raise self._translated(error.status_code) from error
        except openai.OpenAIError as error:
            raise ModelUnavailable(self._words(ModelUnavailable)) from error
        said = read_completion(response.content, [str(message.get("content", "")) for message in messages])
        if said is None:
            raise ModelUnavailable(
                f"What answers for the {self._role} model is no chat completion endpoint; "
                f"check models.{self._role}.base_url in the configuration."
            )
        spend(said.tokens)
        return said

    def _step_down(self, rung: Rung) -> None:
        self._dialect.leave(rung)
        log.info("model_ignored_format", role=self._role, model=self._settings.model, rung=self._dialect.rung)

    def _translated(self, status: int) -> ModelUnavailable:
        if status == 429 or status >= _SERVER_ERROR:
            return ModelOverloaded(self._words(ModelOverloaded))
        return ModelRefused(
            f"The {self._role} model refused the request (HTTP {status}); check base_url, model, api_key and "
            f"max_reply_tokens of models.{self._role} in the configuration."
        )

    def _words(self, kind: type[ModelUnavailable]) -> str:
        return f"{kind()} (models.{self._role}: {self._settings.model})"


@asynccontextmanager
async def open_models(
    settings: ModelsSettings, now: Callable[[], float] = time.monotonic
) -> AsyncIterator[Mapping[ModelRole, OpenAiModel]]:
    """The configured roles, each with its own client and breaker; roles without settings are left out. Nothing is sent
    until somebody asks. `now` is seconds on a steady clock."""
    dialects: dict[tuple[str, str], Dialect] = {}
    configured = {
        ModelRole.ASSISTANT: settings.assistant,
        ModelRole.MASTER: settings.master,
        ModelRole.ENRICHER: settings.enricher,
    }
    async with AsyncExitStack() as stack:
        models = {}
        for role, one in configured.items():
            if one is None:
                continue
            client = await stack.enter_async_context(_client(one))
            breaker = Breaker(failures=settings.breaker_failures, seconds=settings.breaker_seconds, now=now)
            dialect = dialects.setdefault((one.base_url, one.model), Dialect())
            models[role] = OpenAiModel(role, one, client, breaker, dialect)
        yield models


def _client(settings: ModelSettings) -> openai.AsyncOpenAI:
    seconds = settings.timeout_seconds
    return openai.AsyncOpenAI(
        base_url=settings.base_url,
        # Local servers want no key, but the client insists on one, and would else take one from the environment.
        api_key=settings.api_key.get_secret_value() if settings.api_key else "none",
        max_retries=settings.retries,
        timeout=openai.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
    )


def _messages(prompt: Prompt, shape: type[Shape], rung: Rung) -> Messages:
    """The same beginning for every question about the same material, so that a prefix cache reads it once."""
    form = "" if rung is Rung.SCHEMA else f"\n\nReply with one JSON object of this form:\n{outline_of(shape)}"
    return [
        {"role": "system", "content": _sendable(prompt.instructions + form)},
        {"role": "user", "content": _sendable(f"{prompt.material}\n\n{prompt.question}")},
    ]


def _sendable(text: str) -> str:
    """The text without halves of characters, which cannot be sent."""
    return text.encode("utf-8", "replace").decode()
