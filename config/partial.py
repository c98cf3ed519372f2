"""What is left of settings of which some are wrong: it is looked through as well, so that all mistakes are told at
once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from config.problems import SettingPath
from config.schema import Settings

#: How the end of an error's path says that it is about a name in a table and not about the value under it.
_OF_NAME = "[key]"
#: What a branch needs may be left out itself, and then the branch has to be: so often, as no branch lies deeper.
_ROUNDS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """Settings without their `wrong` parts, which have the defaults. `kept` says of lists that lost entries where those
    that are left stand in the file."""

    settings: Settings
    wrong: Set[SettingPath] = frozenset()
    kept: Mapping[SettingPath, Sequence[int]] = field(default_factory=dict)

    def as_written(self, path: SettingPath) -> SettingPath:
        """The path of a setting as it is in the file."""
        return _as_written(path, self.kept)


def about(error: Mapping[str, Any]) -> tuple[SettingPath, str | None]:
    """The setting that an error is about; where it is about the name in a table, that name too."""
    path: SettingPath = error["loc"]
    return (path[:-1], str(path[-2])) if path[-1:] == (_OF_NAME,) else (path, None)


def usable(values: Mapping[str, Any], error: ValidationError) -> Partial | None:
    """What can be used of these values, of which `error` says what is wrong; None where it is the whole."""
    wrong, left, kept = set[SettingPath](), values, dict[SettingPath, Sequence[int]]()
    for _ in range(_ROUNDS):
        paths = (about(one)[0] for one in error.errors(include_url=False, include_input=False))
        wrong |= {_as_written(_there(left, path), kept) for path in paths}
        if () in wrong:
            return None
        kept = {}
        left = _without(values, (), wrong, kept)
        try:
            return Partial(settings=Settings.model_validate(left), wrong=wrong, kept=kept)
        except ValidationError as more:
            error = more
    return None


def overlaps(path: SettingPath, others: Iterable[SettingPath]) -> bool:
    """Whether the setting is one of these, lies in one or has one in it."""
    return any(path[: len(other)] == other or other[: len(path)] == path for other in others)


def _there(values: Any, path: SettingPath) -> SettingPath:
    """The part of the path that leads to something: of what is missing, the branch that needs it."""
    return tuple(_steps(values, path))


def _steps(value: Any, path: SettingPath) -> Iterator[str | int]:
    for name in path:
        if isinstance(value, list):
            value = dict(enumerate(value))
        if not isinstance(value, dict) or name not in value:
            return
        value = value[name]
        yield name


def _without(value: Any, path: SettingPath, wrong: Set[SettingPath], kept: dict[SettingPath, Sequence[int]]) -> Any:
    """The value at this path without those at the `wrong` ones; of lists that lose any, `kept` is told."""
    if isinstance(value, dict):
        names = [name for name in value if (*path, name) not in wrong]
        return {name: _without(value[name], (*path, name), wrong, kept) for name in names}
    if not isinstance(value, list):
        return value
    places = [place for place in range(len(value)) if (*path, place) not in wrong]
    if len(places) < len(value):
        kept[path] = places
    return [_without(value[place], (*path, place), wrong, kept) for place in places]


def _as_written(path: SettingPath, kept: Mapping[SettingPath, Sequence[int]]) -> SettingPath:
    written: SettingPath = ()
    for name in path:
        places = kept.get(written)
        written = (*written, places[name] if places is not None and isinstance(name, int) else name)
    return written
