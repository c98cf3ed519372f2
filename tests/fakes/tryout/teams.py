"""`make try-teams`: the bot in Microsoft's Agents Playground on this machine, in a browser, until Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bot.places import config_path
from tests.fakes.tryout.command import command, tell
from tests.fakes.tryout.museum_teams import history
from tests.fakes.tryout.playground import playground

_WELCOME = """
Open {address} in a browser. Ctrl-C ends both. You are 佐藤 (Sato).

  In the personal chat・個人チャットで:
    先週VPN接続できなくて問い合わせた者ですが、また同じ症状です
    Till 2's card terminal beeps and shows QX-7713, what was that again?
    help   チケット   記憶   forget me
  In the channel it-desk, type @, choose Helpdesk from the list, and write on:
    サイネージの担当って今どなたですか？
  Below an answer: thumbs, and the way to a person. The team's channel General sees who asked for one.
"""


def main() -> int:
    return command("make try-teams", __doc__, _show)


async def _show(port: int) -> None:
    config = config_path(os.environ)
    tell("Getting the Playground, the bot and its tickets ready; this takes less than a minute.")
    with tempfile.TemporaryDirectory(prefix="helpdesk-try-") as folder:
        async with playground(Path(folder), history(datetime.now(UTC)), port=port, config=config) as address:
            tell(_WELCOME.format(address=f"{address}/"))
            await asyncio.Event().wait()


if __name__ == "__main__":
    sys.exit(main())
