"""`helpdesk tune`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from bot.amounts import amount
from bot.cli_work import print_json, work
from bot.places import CONFIG, config_path

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("questions", type=_FILE, required=False)
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def tune(questions: Path | None, as_json: bool) -> None:
    """Try other weights and sizes of episodes on your own history, and print what would improve. Changes nothing.

    QUESTIONS is a CSV file as `helpdesk eval own` reads it, with the columns `question` and `ticket`, also `user` and
    `channel` (docs/operations.md, Questions of your own and Tuning); without it the questions whose answers people
    called helpful or put right. Takes some minutes.
    """
    path = str(questions.absolute()) if questions else None
    found = work("tune", {"path": path})
    if as_json:
        print_json(found)
        return
    for line in told(found):
        click.echo(line)


def told(found: Mapping[str, Any]) -> Iterator[str]:
    """What the use-case found, line by line for a person."""
    yield from _of_questions(found["questions"])
    if not found["enough"]:
        yield f"At least {found['needed']} are needed: with fewer nothing can be told from chance. Nothing was tried."
        return
    yield f"as set     {_standing(found['as_set'])}"
    yield from _of_weights(found["weights"])
    yield from _of_sizes(found["sizes"])
    if found["advice"] is None:
        yield "Nothing is sure to be better than what is set."
        return
    yield f"\nTo follow this, write into {config_path(os.environ) or f'the file that {CONFIG} names'}:\n"
    yield found["advice"]
    if "remember:" in found["advice"]:
        yield "\nThen cut what is remembered anew: helpdesk jobs run reindex."
        if "recall:" in found["advice"]:
            yield "Weights and size were each tried alone: take over one, and tune again before the other."


def _of_questions(questions: Mapping[str, int]) -> Iterator[str]:
    left = [
        f"{questions['without_ticket']:,} more name no ticket" if questions["without_ticket"] else "",
        f"{questions['left_out']:,} were too many" if questions["left_out"] else "",
    ]
    told = "; ".join(part for part in left if part)
    yield f"questions  {questions['asked']:,}{f' ({told})' if told else ''}"
    if questions["choosing"]:
        yield f"           chosen by {questions['choosing']:,} of them, checked on the other {questions['checking']:,}"


def _of_weights(weights: Mapping[str, Any] | None) -> Iterator[str]:
    if weights is None:
        yield "weights    no other ones are better"
        return
    changes = ", ".join(f"{name} {before:g} → {after:g}" for name, (before, after) in weights["changes"].items())
    yield f"weights    {changes}"
    yield from _checked(weights)


def _of_sizes(sizes: Mapping[str, Any]) -> Iterator[str]:
    if not sizes["tried"]:
        yield "episodes   of any size are cut in the same way here"
        return
    on = (
        f"on {sizes['turns']:,} of {amount(sizes['of_turns'], 'turn')}"
        if sizes["turns"] < sizes["of_turns"]
        else "on all turns"
    )
    tried = ", ".join(f"{int(size):,} ({gain:+.3f})" for size, gain in sizes["tried"].items())
    yield f"episodes   tried {on}, in tokens: {tried}"
    if sizes["best"] is None:
        yield "           none of them is better"
        return
    yield f"           episode_tokens {sizes['best']['episode_tokens']:,}"
    yield from _checked(sizes["best"])


def _checked(checked: Mapping[str, Any]) -> Iterator[str]:
    gain = checked["gain"]
    low, high = gain["interval"]
    yield f"           before  {_standing(checked['before'])}"
    yield f"           after   {_standing(checked['after'])}"
    judged = "holds" if checked["holds"] else "may be chance: it is not advised"
    span = f"[{low:+.3f}, {high:+.3f}]"
    yield f"           gain    {gain['value']:+.3f} {span} on {amount(gain['questions'], 'question')}, {judged}"


def _standing(standing: Mapping[str, Any]) -> str:
    place, five = standing["place"], standing["first_five"]
    low, high = place["interval"]
    return f"place {place['value']:.3f} [{low:.3f}, {high:.3f}], among the first five {five['value']:.1%}"
