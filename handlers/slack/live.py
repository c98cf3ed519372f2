"""The message of a direct conversation that shows the steps of the work and then becomes the reply.

An answer is checked against its evidence before anybody sees it, so what is streamed is how far the work has got, and
at the end the whole reply. Whatever Slack does on the way, one message remains and it is the reply, or none does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.slack.errand import SECONDS, Errand, shown_after, unfinished_of
from handlers.slack.faults import code_of
from handlers.slack.render import SlackMessage
from handlers.wording_actions import Actions, step_words
from memory.recall.steps import Step

log = structlog.get_logger()

#: Who gets the answer within this time is shown no steps.
_QUICK_SECONDS = 1.0
#: A step that cannot be shown must not hold up the answer.
_STEP_SECONDS = 5.0


class Live:
    """One reply on its way. `unsure` says that a process which died may have left such a message behind."""

    def __init__(self, errand: Errand, *, unsure: bool = False) -> None:
        self._errand = errand
        self._unsure = unsure and errand.address.direct
        self._ts: str | None = None
        self._steps: list[Step] = []
        self._new = asyncio.Event()
        self._calling = asyncio.Lock()
        self._showing: asyncio.Task[None] | None = None

    def watch(self, step: Step) -> None:
        """Have this step shown, unless the reply comes first."""
        self._steps.append(step)
        self._new.set()
        if self._errand.stream and self._showing is None:
            self._showing = asyncio.create_task(self._show(), name="slack steps")

    async def become(self, message: SlackMessage, metadata: Mapping[str, object]) -> bool:
        """The message is the reply from now on; False where there is none that could be. Raises SlackClientError."""
        await self._stand_still()
        if await self._found() is None:
            return False
        if await self._ended(message, metadata) or await self._replaced(message, metadata):
            self._ts = None
            return True
        await self.withdraw()
        return False

    def keep(self) -> None:
        """The message has become the reply, as Slack shows, although it did not say so."""
        self._ts = None

    async def withdraw(self) -> None:
        """Take the message away if it did not become the reply. Never raises."""
        await self._stand_still()
        try:
            async with asyncio.timeout(_STEP_SECONDS):
                if (ts := await self._found()) is not None:
                    self._ts = None
                    await self._errand.client.chat_delete(channel=self._errand.address.channel, ts=ts)
        except SlackApiError as error:
            log.warning("slack_steps_left", error=code_of(error))
        except (SlackClientError, TimeoutError, OSError) as error:
            log.warning("slack_steps_left", error=type(error).__name__)

    # --- steps --------------------------------------------------------------------------------------------------------

    async def _show(self) -> None:
        await asyncio.sleep(_QUICK_SECONDS)
        while True:
            self._new.clear()
            async with self._calling:
                if not await self._shown(tasks(self._steps, self._errand.wording.around(self._errand.language))):
                    return
            await self._new.wait()

    async def _shown(self, chunks: Sequence[Mapping[str, str]]) -> bool:
        try:
            async with asyncio.timeout(_STEP_SECONDS):
                await self._put(chunks)
        except SlackApiError as error:
            log.warning("slack_steps_failed", error=code_of(error))
            return False
        except (SlackClientError, TimeoutError, OSError) as error:
            # Whether Slack began the message is not known.
            self._unsure = self._ts is None
            log.warning("slack_steps_failed", error=type(error).__name__)
            return False
        return True

    async def _put(self, chunks: Sequence[Mapping[str, str]]) -> None:
        client, where, told = self._errand.client, self._errand.address, [dict(chunk) for chunk in chunks]
        if (ts := await self._found()) is not None:
            await client.chat_appendStream(channel=where.channel, ts=ts, chunks=told)
            return
        said = await client.chat_startStream(
            channel=where.channel,
            thread_ts=where.thread,
            recipient_team_id=where.workspace,
            recipient_user_id=self._errand.asker,
            chunks=told,
        )
        self._ts = str(said["ts"])

    async def _stand_still(self) -> None:
        """No step is shown any more. A call under way is waited for: what it begins must be known."""
        if self._showing is not None:
            async with self._calling:
                self._showing.cancel()
            await asyncio.wait({self._showing})

    async def _found(self) -> str | None:
        """The message, also one that was begun without our knowing."""
        if self._ts is None and self._unsure:
            self._ts = unfinished_of(await shown_after(self._errand), self._errand)
            self._unsure = False
        return self._ts

    # --- the reply ----------------------------------------------------------------------------------------------------

    async def _ended(self, message: SlackMessage, metadata: Mapping[str, object]) -> bool:
        return await _done(
            "stop",
            self._errand.client.chat_stopStream(
                channel=self._errand.address.channel,
                ts=str(self._ts),
                chunks=[
                    dict(chunk)
                    for chunk in tasks(self._steps, self._errand.wording.around(self._errand.language), done=True)
                ],
                blocks=[dict(block) for block in message.blocks],
                metadata=dict(metadata),
            ),
        )

    async def _replaced(self, message: SlackMessage, metadata: Mapping[str, object]) -> bool:
        """Slack ends a stream by itself after some minutes; the message can be changed then like any other."""
        return await _done(
            "update",
            self._errand.client.chat_update(
                channel=self._errand.address.channel,
                ts=str(self._ts),
                text=message.text,
                blocks=[dict(block) for block in message.blocks],
                metadata=dict(metadata),
            ),
        )


async def _done(what: str, call: Awaitable[object]) -> bool:
    """Whether Slack did it. Raises SlackClientError and its kin where that is not known."""
    try:
        async with asyncio.timeout(SECONDS):
            await call
    except SlackApiError as error:
        log.warning("slack_steps_not_ended", call=what, error=code_of(error))
        return False
    return True


def tasks(steps: Sequence[Step], said: Actions, *, done: bool = False) -> list[Mapping[str, str]]:
    """The steps as Slack's tasks: all but the last are complete, or all where the work is done."""
    last = len(steps) if done else len(steps) - 1
    return [
        {
            "type": "task_update",
            "id": step.stage.value,
            "title": step_words(step, said),
            "status": "complete" if place < last else "in_progress",
        }
        for place, step in enumerate(steps)
    ]
