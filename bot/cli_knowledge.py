"""`helpdesk knowledge`."""

from __future__ import annotations

import click

from bot.amounts import amount
from bot.cli_work import print_json, say, work


@click.group()
def knowledge() -> None:
    """The knowledge base: folders of Markdown, named in the configuration."""


@knowledge.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for scripts.")
def list_(as_json: bool) -> None:
    """Every article, and what newer tickets and messages say otherwise."""
    found = work("knowledge list", {})
    if as_json:
        print_json(found)
        return
    for article in found["articles"]:
        say(
            f"{article['collection']}: {article['file']} ({article['title']}, {amount(article['sections'], 'section')})"
        )
        for section in article["contradicted"]:
            if section["tickets"]:
                say(f"    newer tickets say otherwise: {section['heading']}: {', '.join(section['tickets'])}")
            if section["messages"]:
                said = (f"{one['speaker']} on {one['time'][:10]}" for one in section["messages"])
                say(f"    newer messages say otherwise: {section['heading']}: {', '.join(said)}")
    if not found["articles"]:
        say("There is no article; name a folder in `knowledge.collections` and run `helpdesk knowledge sync`.")


@knowledge.command()
def sync() -> int:
    """Takes in what changed in the folders, now. Exit code 1 says that some files could not be taken in."""
    done = work("knowledge sync", {})
    counts = ", ".join(f"{count:,} {name}" for name, count in done["counts"].items())
    say(f"knowledge: {counts} in {done['seconds']:.1f} s.")
    return 1 if done["counts"]["refused"] else 0
