"""`make try-slack`: the bot in a Slack on this machine, in a browser, until Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bot.places import config_path
from tests.fakes.tryout.command import command, tell
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
    return command("make try-slack", __doc__, _show)


async def _show(port: int) -> None:
    config = config_path(os.environ)
    tell("Getting a Slack, the bot and its tickets ready; this takes a minute.")
    with tempfile.TemporaryDirectory(prefix="helpdesk-try-") as folder:
        async with tryout(Path(folder), history(datetime.now(UTC)), port=port, config=config, tell=tell) as slack:
            tell(_WELCOME.format(address=f"{slack.base_url}/"))
            await asyncio.Event().wait()


if __name__ == "__main__":
    sys.exit(main())
