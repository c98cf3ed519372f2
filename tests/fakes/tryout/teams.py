"""`make try-teams`: the bot in Microsoft's Agents Playground on this machine, in a browser, until Ctrl-C."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bot.places import config_path
from tests.fakes.tryout.bot_process import DidNotStart
from tests.fakes.tryout.museum_teams import history
from tests.fakes.tryout.playground import playground

_WELCOME = """
Open {address} in a browser. Ctrl-C ends both. You are 佐藤 (Sato).

  In the personal chat・個人チャットで:
    先週VPN接続できなくて問い合わせた者ですが、また同じ症状です
    Till 2's card terminal beeps and shows QX-7713, what was that again?
    help   チケット   記憶   forget me
  In the channel it-desk, begin a post with @Helpdesk:
    サイネージの担当って今どなたですか？
  Below an answer: thumbs, and the way to a person. The team's channel General sees who asked for one.
"""


def main() -> int:
    options = argparse.ArgumentParser(prog="make try-teams", description=__doc__)
    options.add_argument("--port", type=int, default=8900)
    try:
        asyncio.run(_run(options.parse_args().port))
    except DidNotStart as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


async def _run(port: int) -> None:
    config = config_path(os.environ)
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    sys.stdout.write("Getting the Playground, the bot and its tickets ready; this takes less than a minute.\n")
    with tempfile.TemporaryDirectory(prefix="helpdesk-try-") as folder:
        async with playground(Path(folder), history(datetime.now(UTC)), port=port, config=config) as address:
            sys.stdout.write(_WELCOME.format(address=f"{address}/"))
            sys.stdout.flush()
            await stopping.wait()
    sys.stdout.write("\nBoth have ended, and what was said is gone.\n")


if __name__ == "__main__":
    sys.exit(main())
