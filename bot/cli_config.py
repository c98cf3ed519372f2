"""`helpdesk config`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from bot.places import config_path


@click.group()
def config() -> None:
    """Check and show the configuration."""


@config.command()
@click.argument("file", required=False, type=click.Path(exists=True, path_type=Path))
def check(file: Path | None) -> None:
    """Every problem of FILE with its line; a folder that is not there yet is only noted.  [default: HELPDESK_CONFIG]"""
    from bot.configured import configured
    from config.loader import missing_folders

    path = file or config_path(os.environ)
    settings = configured(path, os.environ)
    for missing in missing_folders(settings, path, os.environ) if path else ():
        click.echo(f"Note: {missing}", err=True)
    click.echo(f"{path or 'The shipped defaults'}: no problems.")


@config.command()
@click.option("--lang", type=click.Choice(["ja", "en"]), help="Only the sentences of this language.")
def wording(lang: str | None) -> None:
    """Every sentence that can be changed, by its name, as it is now."""
    from bot.configured import configured
    from config.display import as_yaml
    from handlers.wording_names import sentences, wording_of

    said = wording_of(configured(config_path(os.environ), os.environ).wording)
    tables = {name: dict(sentences(words)) for name, words in (("ja", said.ja), ("en", said.en))}
    click.echo(as_yaml({"wording": {lang: tables[lang]} if lang else tables}), nl=False)


@config.command()
def show() -> None:
    """The effective values; secrets are masked."""
    from bot.configured import configured
    from config.display import show as shown

    click.echo(shown(configured(config_path(os.environ), os.environ)), nl=False)
