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
    """Every problem of FILE with its line.  [default: HELPDESK_CONFIG]"""
    from config.loader import load_settings

    path = file or config_path(os.environ)
    load_settings(path, os.environ)
    click.echo(f"{path or 'The shipped defaults'}: no problems.")


@config.command()
def show() -> None:
    """The effective values; secrets are masked."""
    from config.display import show as shown
    from config.loader import load_settings

    click.echo(shown(load_settings(config_path(os.environ), os.environ)), nl=False)
