"""Whether a running bot works with the configuration that a command names: it does the command's work with its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.local_client import owner_at
from bot.places import CONFIG, Place
from bot.telling import JsonObject, Notice, Tell, unheard
from memory.errors import HelpdeskError

if TYPE_CHECKING:  # heavy, and a command that asks the owner does without
    from bot.application import Application
    from bot.arguments import Nothing

#: The use-case that tells the hash of the owner's settings.
ASKED = "config hash"


async def hash_of_settings(app: Application, given: Nothing, tell: Tell) -> JsonObject:
    """The owner's part: what tells its settings from others, without their secrets."""
    from config.display import config_hash

    return {"hash": config_hash(app.settings)}


async def tell_of_another(place: Place, environment: Mapping[str, str], tell: Tell) -> None:
    """Tell whoever named a configuration that the running bot has other values in force; nothing where none runs.

    Secrets are not compared. An owner that cannot say is not told of here: the command itself meets it.
    """
    if place.config is None:
        return
    try:
        async with owner_at(place.data) as owner:
            theirs = await owner.ask(ASKED, {}, unheard) if owner else None
    except HelpdeskError:
        return
    if theirs is not None:
        ours = await asyncio.to_thread(_own_hash, place, environment)
        if ours is None:
            tell(
                Notice(text=f"{place.config} has mistakes (see `helpdesk config check`); the running bot uses its own.")
            )
        elif ours != theirs["hash"]:
            tell(
                Notice(text=f"The running bot was started with other settings than {CONFIG} names here; its own count.")
            )


def _own_hash(place: Place, environment: Mapping[str, str]) -> str | None:
    """None when the configuration has mistakes."""
    from bot.configured import configured
    from config.display import config_hash
    from config.problems import ConfigProblems

    try:
        return config_hash(configured(place.config, environment))
    except ConfigProblems:
        return None
