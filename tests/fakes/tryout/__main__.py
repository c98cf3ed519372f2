"""`make try-slack`: the bot in a Slack on this machine, in a browser, until Ctrl-C."""

from __future__ import annotations

import argparse
import asyncio
import errno
import os
import signal
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bot.places import config_path
from tests.fakes.tryout.bot_process import DidNotStart
from tests.fakes.tryout.desk import tryout
from tests.fakes.tryout.museum import history

_WELCOME = """
Open {address} in a browser. Ctrl-C ends both.

Left: who you are (every person of the demo's history), channels, and the app's messages and Home.

  佐藤 (Sato), アプリへのダイレクトメッセージで:
    先週VPN接続できなくて問い合わせた者ですが、また同じ症状です
  Lucas, in a direct message to the app:
    VPN is green but X: is missing again. What did I have to change last time?
  Anybody, in #it-desk; then go on in the thread without the mention:
    @helpdesk サイネージの担当って今どなたですか？
    @helpdesk Till 2's card terminal beeps and shows QX-7713, what was that again?
  どこでも・anywhere:
    /helpdesk チケット   /helpdesk 記憶   /helpdesk forget me
  Below an answer: its buttons. On a message (point at it): Remember, Make ticket.
  岡部 (Okabe) and Nadia are the support team: in #it-support they see who asked for a person.
"""


def main() -> int:
    options = argparse.ArgumentParser(prog="make try-slack", description=__doc__)
    options.add_argument("--port", type=int, default=8900)
    port: int = options.parse_args().port
    try:
        asyncio.run(_run(port))
    except DidNotStart as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except OSError as problem:
        if problem.errno != errno.EADDRINUSE:
            raise
        sys.stderr.write(f"Port {port} is taken by another program. Choose another: make try-slack PORT={port + 1}\n")
        return 1
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def _run(port: int) -> None:
    config = config_path(os.environ)
    main_task = asyncio.current_task()
    stopping = asyncio.Event()

    def stop() -> None:
        stopping.set()
        if main_task is not None:
            main_task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    sys.stdout.write("Getting a Slack, the bot and its tickets ready; this takes a minute.\n")
    try:
        with tempfile.TemporaryDirectory(prefix="helpdesk-try-") as folder:
            async with tryout(Path(folder), history(datetime.now(UTC)), port=port, config=config, tell=_say) as slack:
                sys.stdout.write(_WELCOME.format(address=f"{slack.base_url}/"))
                sys.stdout.flush()
                await stopping.wait()
    except asyncio.CancelledError:
        if not stopping.is_set():
            raise
    sys.stdout.write("\nBoth have ended, and what was said is gone.\n")


if __name__ == "__main__":
    sys.exit(main())
