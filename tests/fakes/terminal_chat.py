"""A chat over the streams of this process with a desk that repeats what it hears: a program for tests to talk to."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime

from config.schema import Language
from handlers.messages import IncomingMessage, OutgoingReply, plainly
from handlers.terminal.listener import chat
from handlers.terminal.screen import open_screen


class Echo:
    """Repeats each message; "hang" is never answered."""

    async def reply(self, incoming: IncomingMessage) -> OutgoingReply | None:
        if incoming.text == "hang":
            await asyncio.Event().wait()
        return plainly(f"heard {incoming.text}", "en")


async def forgotten(incoming: IncomingMessage) -> str:
    return f"forgot {incoming.text}"


async def main() -> None:
    screen = open_screen(sys.stdin, sys.stdout, name="helpdesk")
    await chat(
        Echo(),
        take_back=forgotten,
        user="tanaka",
        language=Language.ENGLISH,
        screen=screen,
        clock=lambda: datetime.now(UTC),
        zone=UTC,
    )
    sys.stdout.write("ended\n")


if __name__ == "__main__":
    asyncio.run(main())
