"""`helpdesk demo`."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from dataclasses import replace

import click

from bot.cli_work import bars
from bot.places import Place, here


@click.command()
def demo() -> None:
    """See it work: a shipped ticket history, one question, and the chat."""
    place = here(os.environ)
    asyncio.run(_demo(replace(place, data=place.data / "demo")))


async def _demo(place: Place) -> None:
    from bot import demo as shown

    async with AsyncExitStack() as stack:
        with bars() as tell:
            click.echo("Getting the demo history ready; its dates count from today.", err=True)
            app = await stack.enter_async_context(shown.remembering(place, tell, history=shown.shipped_history()))
            answer = await shown.first_answer(app, tell)
        click.secho(f"\n{shown.USER}: {shown.QUESTION}\n", bold=True)
        click.echo(f"{answer}\n")
        click.secho("Try one of these:" if not _interactive() else "Now you are sato. Try one of these:", dim=True)
        for suggestion in shown.SUGGESTIONS:
            click.echo(f"  {suggestion}")
        click.echo()
        if _interactive():
            await shown.open_chat(app)
        else:
            click.secho(
                f"In a terminal the chat opens here; or: HELPDESK_DATA={place.data} helpdesk chat --user sato", dim=True
            )


def _interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
