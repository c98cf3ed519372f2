"""The board in Slack: one channel in which the report of a week is put up, with a picture in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.boards import Post
from handlers.slack.acts.pages import is_marked, mark, paged
from handlers.slack.acts.pieces import heading, message, paragraph
from handlers.slack.directory import UNKNOWN_ROOM
from handlers.slack.faults import code_of, passing, unshapely
from handlers.slack.installations import Installation, Installations
from handlers.slack.intake import Intake
from handlers.slack.records import PLATFORM
from handlers.slack.render_blocks import Block
from handlers.slack.rules import Rules
from memory.errors import DeliveryUnknown, PlatformRefused, PlatformUnavailable
from memory.text.language import LanguageCode

log = structlog.get_logger()

_SECONDS = 60.0
_PAGE, _MOST_PAGES = 200, 10
#: Slack looks at a picture after it has come, and takes no message with it before that.
_TRIES, _WAIT_SECONDS = 5, 2.0
_FILE = "report.png"
_ALT = 1000


class SlackBoard:
    """The port `Board` for Slack. That a post stands there is written on it, as metadata."""

    platform = PLATFORM

    def __init__(
        self, *, installations: Installations, rules: Rules, intake: Intake, wait_seconds: float = _WAIT_SECONDS
    ) -> None:
        self._installations = installations
        self._rules = rules
        self._intake = intake
        self._wait_seconds = wait_seconds

    @property
    def place(self) -> str | None:
        return self._rules.report_channel

    @property
    def language(self) -> LanguageCode | None:
        return self._rules.of(self.place).language if self.place else None

    async def may_stand(self, post: Post) -> bool:
        here, channel = await self._where()

        async def ask(cursor: str | None) -> object:
            return await here.client.conversations_history(
                channel=channel,
                oldest=f"{post.since.timestamp():.6f}",
                include_all_metadata=True,
                limit=_PAGE,
                cursor=cursor,
            )

        async with _asking():
            async for one in paged(ask, "messages", _MOST_PAGES):
                if is_marked(one, post.name):
                    return True
        return False

    async def put_up(self, post: Post) -> None:
        here, channel = await self._where()
        room = await self._intake.room(channel, here)
        if room == UNKNOWN_ROOM:
            raise PlatformUnavailable("Slack does not tell just now who reads in the channel of the report.")
        if room.shared:
            raise PlatformRefused(
                "The channel of `slack.report_channel` is shared with others, who are not to read the report; set "
                "another one."
            )
        async with _asking():
            file = await _uploaded(here, post)
            await self._write(here, channel, post, file)

    async def _where(self) -> tuple[Installation, str]:
        here = await self._installations.of(self._rules.report_workspace or "")
        if here is None or self.place is None:
            raise PlatformRefused(
                "The bot is not installed in the workspace of `slack.report_channel`; install it there, or set "
                "`slack.report_workspace`."
            )
        return here, self.place

    async def _write(self, here: Installation, channel: str, post: Post, file: str | None) -> None:
        if file is None or not await self._written(here, channel, post, [*_words(post), _image(file, post)]):
            log.warning("slack_report_without_picture")
            await _say(here, channel, post, _words(post))

    async def _written(self, here: Installation, channel: str, post: Post, blocks: list[Block]) -> bool:
        """Whether it could be said with its picture, as soon as Slack had looked at that."""
        for _ in range(_TRIES):
            try:
                await _say(here, channel, post, blocks)
            except SlackApiError as error:
                if not unshapely(error):
                    raise
                await asyncio.sleep(self._wait_seconds)
            else:
                return True
        return False


async def _uploaded(here: Installation, post: Post) -> str | None:
    """The id of the picture, which nobody sees yet; None where Slack does not take it: the words matter more."""
    try:
        done = await here.client.files_upload_v2(
            filename=_FILE, content=post.picture, title=post.heading, alt_txt=post.about[:_ALT]
        )
    except SlackApiError as error:
        log.warning("slack_report_picture_refused", error=code_of(error))
        return None
    except (SlackClientError, TimeoutError, OSError) as error:
        log.warning("slack_report_picture_refused", error=type(error).__name__)
        return None
    return next((str(file["id"]) for file in done.get("files") or () if file.get("id")), None)


async def _say(here: Installation, channel: str, post: Post, blocks: list[Block]) -> None:
    said = message(blocks)
    await here.client.chat_postMessage(
        channel=channel,
        text=said.text,
        blocks=[dict(block) for block in said.blocks],
        unfurl_links=False,
        unfurl_media=False,
        metadata=mark(post.name),
    )


def _words(post: Post) -> list[Block]:
    return [*heading(post.heading), *paragraph("\n".join(post.lines))]


def _image(file: str, post: Post) -> Block:
    return {"type": "image", "slack_file": {"id": file}, "alt_text": post.about[:_ALT]}


@asynccontextmanager
async def _asking() -> AsyncIterator[None]:
    """Slack's errors as a board's. Whatever is not an answer of Slack's may have come after the message was taken: who
    wants to know looks."""
    try:
        async with asyncio.timeout(_SECONDS):
            yield
    except SlackApiError as error:
        if passing(error):
            raise DeliveryUnknown from error
        raise PlatformRefused(
            f"Slack does not take the report ({code_of(error)}); invite the bot to the channel of "
            "`slack.report_channel`, or set another one."
        ) from error
    except (SlackClientError, TimeoutError, OSError) as error:
        raise DeliveryUnknown from error
