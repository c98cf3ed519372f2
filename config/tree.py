"""The settings tree, walked: which branches and leaves there are, which of them are secret, which name was meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from config.problems import SettingPath, dotted
from config.schema import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting or branch of settings. `branch` is the model below it, or None where it holds a value.

    `optional` branches are absent unless they are written; the others are always there.
    """

    path: SettingPath
    field: FieldInfo
    branch: type[BaseModel] | None
    optional: bool

    @property
    def secret(self) -> bool:
        return SecretStr in _types(self.field.annotation)


def settings(model: type[BaseModel] = Settings, above: SettingPath = ()) -> Iterator[Setting]:
    """Every setting and branch of the tree, each branch before what it holds."""
    for name, field in model.model_fields.items():
        types = _types(field.annotation)
        branch = next((kind for kind in types if isinstance(kind, type) and issubclass(kind, BaseModel)), None)
        setting = Setting(path=(*above, name), field=field, branch=branch, optional=type(None) in types)
        yield setting
        if branch is not None:
            yield from settings(branch, setting.path)


def secret_paths() -> frozenset[SettingPath]:
    return frozenset(setting.path for setting in settings() if setting.secret)


def constant_branches() -> frozenset[SettingPath]:
    """Branches that are always there: to write nothing below one means its defaults."""
    return frozenset(setting.path for setting in settings() if setting.branch and not setting.optional)


def changed(before: Settings, after: Settings) -> tuple[str, ...]:
    """The dotted names of the settings that have another value; never the values."""
    leaves = (setting.path for setting in settings() if setting.branch is None)
    return tuple(dotted(path) for path in leaves if _value(before, path) != _value(after, path))


def _value(tree: object, path: SettingPath) -> object:
    """None below a branch that is not there."""
    for name in path:
        tree = getattr(tree, str(name), None)
    return tree


def meant(path: SettingPath) -> str | None:
    """The setting that an unknown path was probably meant for, as dotted text: a neighbour, or one from elsewhere."""
    *above, name = path
    wanted = str(name).lower().replace("-", "_")
    known = [setting.path for setting in settings()]
    neighbours = {str(other[-1]): other for other in known if other[:-1] == tuple(above)}
    elsewhere = {str(other[-1]): other for other in known if other[-1] == wanted}
    for candidates in (neighbours, elsewhere):
        near = difflib.get_close_matches(wanted, candidates, n=1)
        if near:
            return dotted(candidates[near[0]])
    return None


def _types(annotation: Any) -> tuple[Any, ...]:
    """A type, or the alternatives of a union."""
    return get_args(annotation) if type(None) in get_args(annotation) else (annotation,)
