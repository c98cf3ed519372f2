"""`python -m tests.fakes.slack --port 8900`: the Slack alone, until it is interrupted."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys

from tests.fakes.slack.cast import APP_TOKEN, BOT_TOKEN, SECRET
from tests.fakes.slack.server import serving


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=8900)
    options.add_argument("--bot-token", default=BOT_TOKEN)
    options.add_argument("--app-token", default=APP_TOKEN)
    options.add_argument("--signing-secret", default=SECRET)
    options.add_argument("--request-url", help="deliver by signed HTTP to this address instead of Socket Mode")
    options.add_argument("--shortcut", action="append", default=[], help="callback_id=label of a message shortcut")
    asyncio.run(run(options.parse_args()))


async def run(options: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    tokens = {"bot_token": options.bot_token, "app_token": options.app_token}
    async with serving(port=options.port, signing_secret=options.signing_secret, **tokens) as slack:
        slack.wire.request_url = options.request_url
        slack.shortcuts = dict(shortcut.split("=", 1) for shortcut in options.shortcut)
        sys.stdout.write(f"Slack is open at {slack.base_url}/ (Web API: {slack.api_url})\n")
        sys.stdout.write(f"bot token {slack.bot_token}, app token {slack.app_token}\n")
        sys.stdout.flush()
        await stop.wait()


if __name__ == "__main__":
    main()
