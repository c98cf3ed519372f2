"""Where the bot keeps its things on this machine, and which configuration it reads."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memory.errors import StoreUnavailable

CONFIG = "HELPDESK_CONFIG"
DATA = "HELPDESK_DATA"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One data folder with the configuration it is used with; `config` is None for the shipped defaults."""

    data: Path
    config: Path | None


def here(environment: Mapping[str, str]) -> Place:
    """What HELPDESK_DATA and HELPDESK_CONFIG name."""
    return Place(data=data_path(environment), config=config_path(environment))


def config_path(environment: Mapping[str, str]) -> Path | None:
    """The YAML file of HELPDESK_CONFIG; None for the shipped defaults."""
    named = environment.get(CONFIG, "").strip()
    return Path(named).expanduser() if named else None


def data_path(environment: Mapping[str, str]) -> Path:
    """The folder of HELPDESK_DATA, else the platform's place for a user's data."""
    named = environment.get(DATA, "").strip()
    if named:
        return Path(named).expanduser().absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/helpdesk"
    shared = environment.get("XDG_DATA_HOME", "").strip()
    return (Path(shared) if shared else Path.home() / ".local/share") / "helpdesk"


def made(folder: Path) -> Path:
    """The folder, which only its user may enter when it is new. Raises StoreUnavailable."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK | os.X_OK)
    except OSError as error:
        raise StoreUnavailable(
            f"The data folder {folder} cannot be made ({error.strerror}); set {DATA} to a folder that can."
        ) from error
    if not writable:
        raise StoreUnavailable(f"The data folder {folder} cannot be written to; set {DATA} to one that can.")
    return folder
