"""A command that shows the bot at work until Ctrl-C: what it says where it cannot, and how it ends."""

from __future__ import annotations

import argparse
import asyncio
import errno
import signal
import socket
import sys
from collections.abc import Awaitable, Callable

from tests.fakes.tryout.bot_process import DidNotStart


def command(name: str, says: str | None, show: Callable[[int], Awaitable[None]]) -> int:
    """Show it at the port that is asked for, until somebody ends it; the exit code. `show` raises DidNotStart, and
    OSError where the port is taken."""
    options = argparse.ArgumentParser(prog=name, description=says)
    options.add_argument("--port", type=int, default=8900)
    port: int = options.parse_args().port
    try:
        asyncio.run(_until_ended(show(port)))
    except DidNotStart as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except OSError as problem:
        if problem.errno != errno.EADDRINUSE:
            raise
        sys.stderr.write(f"Port {port} is taken by another program. Choose another: {name} PORT={port + 1}\n")
        return 1
    return 0


def tell(line: str) -> None:
    """Say it, now: whoever waits reads it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def nobody_listens(port: int) -> None:
    """Raises OSError where somebody listens on this port of the machine, at whichever of its addresses."""
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET, ""), (socket.AF_INET6, "::")):
        with socket.socket(family) as trying:
            # What was closed a moment ago is no hindrance to whoever listens.
            trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trying.bind((address, port))
            except OSError as problem:
                # A machine without IPv6 has nobody there.
                if problem.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise


async def _until_ended(showing: Awaitable[None]) -> None:
    """Until Ctrl-C or SIGTERM, however far it has come: whatever was begun is ended before this returns."""
    task = asyncio.ensure_future(showing)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, _end_once, task)
    await asyncio.wait({task})
    if not task.cancelled():
        task.result()
    tell("\nBoth have ended, and what was said is gone.")


def _end_once(task: asyncio.Future[None]) -> None:
    """What ends it is not to be ended itself by whoever presses again."""
    if isinstance(task, asyncio.Task) and not task.cancelling():
        task.cancel()
