"""What is seen of a reply until it comes: that somebody types, or the steps of the work in a stream of Teams, which
then becomes the reply.

An answer is checked against its evidence before anybody sees it, so what is streamed is how far the work has got, and
at the end the whole reply. Whatever becomes of the stream, the reply comes once: as its end or as a message of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import structlog

from handlers.teams.errand import Errand
from handlers.teams.records import Place
from handlers.wording_actions import step_words
from memory.errors import PlatformRefused, PlatformUnavailable
from memory.recall.steps import Step

log = structlog.get_logger()

#: Who gets the answer within this time need not see that it is worked on.
_QUICK_SECONDS = 0.5
#: Teams shows that somebody types for a few seconds.
_TYPING_SECONDS = 6.0
#: And nobody believes it for longer than this.
_MOST_TYPING = 100
#: Teams drops what is streamed faster than once a second.
_APART_SECONDS = 1.5
#: Teams ends a stream after two minutes, whoever is in the middle of what.
_STREAM_SECONDS = 105.0
#: A sign that cannot be given must not hold up the answer.
_SIGN_SECONDS = 5.0
_TYPING = {"type": "typing"}


class Live:
    """One reply on its way; `streams`: its steps are shown, which Teams can do in personal chats only."""

    def __init__(self, errand: Errand, *, streams: bool) -> None:
        self._errand = errand
        self._streams = streams and errand.site.place is Place.PERSONAL
        self._words = ""
        self._new = asyncio.Event()
        self._shown = 0
        self._stream: str | None = None
        self._calling = asyncio.Lock()
        self._showing: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Show it from now on, unless the reply comes first."""
        self._showing = asyncio.create_task(self._show(), name="teams sign")

    def watch(self, step: Step) -> None:
        """Have this step shown; one that another follows at once is passed over."""
        self._words = step_words(step, self._errand.wording.around(self._errand.language))
        self._new.set()

    async def stand_still(self) -> None:
        """Nothing is shown any more: a sign that comes after the reply would stay. A call under way is waited for, as
        Teams wants it for streams, and as what it begins must be known."""
        if self._showing is not None:
            async with self._calling:
                self._showing.cancel()
            await asyncio.wait({self._showing})

    async def become(self, content: Mapping[str, object]) -> str | None:
        """Post this message, as the end of the stream where there is one; its id where Teams tells one. Raises as
        `Writes` does."""
        await self.stand_still()
        stream, self._stream = self._stream, None
        if stream is not None:
            try:
                return await self._errand.post(_last(content, stream)) or stream
            except PlatformRefused as error:
                # Teams or the person has ended the stream; what it refused is certainly not there.
                log.info("teams_stream_ended", error=type(error).__name__)
        return await self._errand.post(content)

    async def _show(self) -> None:
        """Channels show neither."""
        if self._errand.site.place is Place.CHANNEL:
            return
        await asyncio.sleep(_QUICK_SECONDS)
        if self._streams:
            await self._show_steps()
        for _ in range(_MOST_TYPING):
            if not await self._typed():
                return
            await asyncio.sleep(_TYPING_SECONDS)

    async def _show_steps(self) -> None:
        """Returns where there is no stream, or none any more."""
        try:
            async with asyncio.timeout(_STREAM_SECONDS):
                while True:
                    if not await self._next_step():
                        return
                    await asyncio.sleep(_APART_SECONDS)
        except TimeoutError:
            self._stream = None

    async def _next_step(self) -> bool:
        """Whether the next step was shown."""
        await self._new.wait()
        self._new.clear()
        async with self._calling:
            self._shown += 1
            try:
                begun = await self._told(_informative(self._words, self._stream, self._shown))
            except PlatformRefused as error:
                self._stream = None
                log.info("teams_step_refused", error=type(error).__name__)
                return False
            except (PlatformUnavailable, TimeoutError) as error:
                log.info("teams_step_unsent", error=type(error).__name__)
                return False
            self._stream = self._stream or begun
            return self._stream is not None

    async def _typed(self) -> bool:
        """Whether Teams was told that somebody types."""
        async with self._calling:
            try:
                await self._told(_TYPING)
            except (PlatformRefused, PlatformUnavailable, TimeoutError) as error:
                log.info("teams_typing_unsent", error=type(error).__name__)
                return False
            return True

    async def _told(self, sign: Mapping[str, object]) -> str | None:
        async with asyncio.timeout(_SIGN_SECONDS):
            return await self._errand.post(sign)


def _informative(words: str, stream: str | None, sequence: int) -> Mapping[str, object]:
    """A step as Teams streams it; the first of a stream has no id of one yet."""
    about = {"type": "streaminfo", "streamType": "informative", "streamSequence": sequence}
    return {"type": "typing", "text": words, "entities": [about if stream is None else {**about, "streamId": stream}]}


def _last(content: Mapping[str, object], stream: str) -> Mapping[str, object]:
    """A message as the end of a stream: it has to have a text, were it an empty one."""
    about = {"type": "streaminfo", "streamId": stream, "streamType": "final"}
    given = content.get("entities")
    return {"text": "", **content, "entities": [*(given if isinstance(given, list) else ()), about]}
