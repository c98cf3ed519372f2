"""`helpdesk ask` and `helpdesk chat`."""

from __future__ import annotations

import asyncio
import getpass
import os
import sys

import click

from bot.cli_work import bars, print_json, say, work
from bot.places import here

#: As `memory.model.DIRECT`.
_DIRECT = "dm"
_LANGUAGES = click.Choice(["ja", "en"])


def user_name() -> str:
    """Who is at the keyboard, as the system knows them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # A container may run as a number without a name.
        return f"user-{os.getuid()}"


@click.command()
@click.argument("question")
@click.option("--user", default=user_name, show_default="you", help="Who asks.")
@click.option("--channel", default=_DIRECT, show_default="a direct message", help="Where the answer will be seen.")
@click.option("--as-of", metavar="DATE", help="What was true at the end of that day.")
@click.option("--known-at", metavar="DATE", help="What was known at that moment, or at the end of that day.")
@click.option("--now", metavar="ISO", help="The clock of this question, for repeatable runs.")
@click.option("--lang", type=_LANGUAGES, help="Language of the bot's own words.  [default: the question's]")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
@click.option("--explain", is_flag=True, help="Say what was read and why.")
def ask(
    question: str,
    user: str,
    channel: str,
    as_of: str | None,
    known_at: str | None,
    now: str | None,
    lang: str | None,
    as_json: bool,
    explain: bool,
) -> None:
    """Ask one QUESTION (`-` reads it from standard input), outside any conversation.

    Neither question nor answer is remembered; `helpdesk stats` gets one row of numbers, without words.
    """
    found = work(
        "ask",
        {
            "question": sys.stdin.read() if question == "-" else question,
            "user": user,
            "channel": channel,
            "now": now,
            "as_of": as_of,
            "known_at": known_at,
            "language": lang,
        },
    )
    if as_json:
        print_json(found["answer"])
    else:
        say(found["answer"]["answer"])
    if explain:
        say(f"\n{found['explanation']}", err=as_json)


@click.command()
@click.option("--user", default=user_name, show_default="you", help="Who talks.")
@click.option("--lang", type=_LANGUAGES, help="Language of the chat's own words.  [default: bot.language]")
def chat(user: str, lang: str | None) -> int:
    """Talk to the bot in this terminal. The exit code is 1 where a message was not answered for an error."""
    from bot.talking import talk

    with bars() as tell:
        failed = asyncio.run(talk(here(os.environ), user=user, language=lang, tell=tell))
    return 1 if failed else 0
