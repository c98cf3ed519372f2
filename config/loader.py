"""Reads the configuration: the admin's file over the shipped defaults, checked as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from config.checks import CHECKS, Check
from config.partial import Partial, about, overlaps, usable
from config.problems import ConfigProblems, Problem, SettingPath
from config.schema import Settings
from config.sentences import sentence
from config.source import Place, Source, read
from config.tree import secret_paths

DEFAULTS = "defaults.yaml"
#: Some hundred times what a large desk writes; reading it takes seconds.
_MOST_BYTES = 256 * 1024


def load_settings(path: Path | None, environment: Mapping[str, str], *checks: Check) -> Settings:
    """The settings of this file; without one, the shipped defaults. `checks` are asked beside the shipped ones.

    Raises ConfigProblems with every mistake in it.
    """
    defaults = read((resources.files("config") / DEFAULTS).read_text("utf-8"), DEFAULTS, environment)
    file = str(path) if path else DEFAULTS
    source = read(_text(path), file, environment) if path else Source()
    part, found = _validated(_merged(defaults.values, source.values), source, file)
    if part is not None:
        found += _conflicting(part, source, file, (*CHECKS, *checks))
    if part is None or found:
        raise ConfigProblems(found)
    folder = path.absolute().parent if path else Path()
    return part.settings.model_copy(update={"knowledge": part.settings.knowledge.below(folder)})


def _validated(values: Mapping[str, Any], source: Source, file: str) -> tuple[Partial | None, list[Problem]]:
    """What can be used of the values, and what is wrong with each by itself. The values that pydantic's error carries
    along may be secret, so it goes no further."""
    try:
        return Partial(settings=Settings.model_validate(values)), [*source.problems]
    except ValidationError as error:
        return usable(values, error), [*source.problems, *_translated(error, source, file)]


def missing_folders(settings: Settings, path: Path, environment: Mapping[str, str]) -> list[Problem]:
    """The folders of collections that are not there, each with the line of its setting in this file. They stop nothing:
    a folder may be on a disk that is mounted later. Raises ConfigProblems where the file cannot be read any more."""
    places = read(_text(path), str(path), environment).places
    return [
        Problem(
            file=str(path),
            line=_line(("knowledge", "collections", number, "folder"), places),
            path=("knowledge", "collections", number, "folder"),
            sentence=f"there is no folder {one.folder}; its articles are not used until there is",
        )
        for number, one in enumerate(settings.knowledge.collections)
        if not Path(one.folder).is_dir()
    ]


def _text(path: Path) -> str:
    """What the file says; a byte order mark is skipped."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise _unreadable(path, "there is no such file; check HELPDESK_CONFIG") from None
    except IsADirectoryError:
        raise _unreadable(path, "this is a folder; name the file in it") from None
    except OSError as error:
        raise _unreadable(path, f"the file cannot be read: {error.strerror or error}") from None
    if len(content) > _MOST_BYTES:
        raise _unreadable(path, f"the file is longer than {_MOST_BYTES // 1024} KB; is it a configuration?")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _unreadable(path, "this line is not UTF-8; save the file as UTF-8", line) from None


def _unreadable(path: Path, said: str, line: int | None = None) -> ConfigProblems:
    return ConfigProblems([Problem(file=str(path), line=line, path=(), sentence=said)])


def _merged(below: Any, above: Any) -> Any:
    """The two trees as one; where both have a value, the one above counts."""
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return below | {name: _merged(below[name], value) if name in below else value for name, value in above.items()}


def _translated(error: ValidationError, source: Source, file: str) -> Iterator[Problem]:
    """The errors as problems, except where a value that was left out is the cause."""
    secrets = secret_paths()
    for each in error.errors(include_url=False):
        path, name = about(each)
        if _known(path, source.left):
            continue
        place = source.places.get(path)
        written = name or (None if place is None or path in secrets else place.written)
        yield Problem(file=file, line=_line(path, source.places), path=path, sentence=sentence(each, path, written))


def _known(path: SettingPath, left: Iterable[SettingPath]) -> bool:
    """Whether a value that was left out, with a problem of its own, is the cause."""
    return any(one[: len(path)] == path for one in left)


def _conflicting(part: Partial, source: Source, file: str, checks: Iterable[Check]) -> Iterator[Problem]:
    """What does not fit together, as far as what decides it can be used."""
    left = (*source.left, *part.wrong)
    asked = (check for check in checks if not any(overlaps(decisive, left) for decisive in check.by))
    for there, said in chain.from_iterable(check.find(part.settings) for check in asked):
        path = part.as_written(there)
        if not _known(path, left):
            yield Problem(file=file, line=_line(path, source.places), path=path, sentence=said)


def _line(path: SettingPath, places: Mapping[SettingPath, Place]) -> int | None:
    """The line of a setting, or of the nearest branch above it that the file has."""
    lengths = range(len(path), 0, -1)
    return next((places[path[:length]].line for length in lengths if path[:length] in places), None)
