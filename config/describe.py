"""Writes docs/configuration.md from the schema: `python -m config.describe > docs/configuration.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from textwrap import fill
from typing import Annotated, Any, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from config.at_start import AT_START
from config.glossary import TermSettings
from config.knowledge import CollectionSettings
from config.problems import dotted
from config.schema import PredicateSettings, Settings
from config.slack import SlackChannelSettings
from config.teams import TeamsChannelSettings
from config.tree import Setting, settings

_HEAD = """\
# Configuration

One YAML file, named by `HELPDESK_CONFIG`; without it the defaults below hold. Write only what you change.
`config/example.yaml` is a file to start from.

- `helpdesk config check [FILE]` lists every mistake with its line; `helpdesk config show` prints the values in force,
  secrets masked.
- `${NAME}` in a value is replaced from the environment, `${NAME:-default}` falls back when it is unset or empty.
  In the login of an address (`user:password@`) the value is percent-encoded.
- Secrets stand in the environment only: a key or a password written into the file is refused.
- An unknown name is an error, not ignored.
- `helpdesk run` follows the file: it counts from the next message on. What only counts after a restart:
{at_start}.

This page is made from the schema by `make docs`.
"""
_GLOSSARY = """\
```yaml
glossary:
  - name: プリンター
    aliases: [複合機, printer, MFP]
  - {name: VPN, aliases: [リモート接続, remote access], kind: system}
```

A name in Latin letters stands for itself only as a word of its own, one in Japanese also within a longer word. Notes
that are made from then on have the name among their keywords; earlier ones are found all the same."""
_TABLE = "| setting | default | allowed | meaning |\n|---|---|---|---|"
_KINDS: dict[Any, str] = {str: "text", int: "whole number", float: "number", bool: "`true`, `false`"}


def reference() -> str:
    """The whole page, as Markdown."""
    return "\n".join(
        [_HEAD.replace("{at_start}", _at_start()), *_sections(), *_glossary(), *_predicates(), *_channels(), ""]
    ).replace("\n\n\n", "\n\n")


def _sections() -> Iterator[str]:
    described = set()
    for setting in settings():
        if setting.branch is None or setting.branch in described:
            continue
        described.add(setting.branch)
        yield f"## `{_names(setting.branch)}`\n\n{_about(setting)}\n"
        rows = [_row(name, field) for name, field in setting.branch.model_fields.items()]
        yield "\n".join([_TABLE, *rows, ""])


def _at_start() -> str:
    names = ", ".join(f"`{dotted(path)}`" for path in AT_START)
    return fill(names, width=118, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)


def _glossary() -> Iterator[str]:
    yield f"## One of `glossary`\n\n{_GLOSSARY}\n"
    yield _table(TermSettings)


def _predicates() -> Iterator[str]:
    """The one table whose names an admin may add to."""
    yield "## One of `remember.predicates`\n\nA name of your own, or one of the shipped ones.\n"
    rows = [_row(name, field) for name, field in PredicateSettings.model_fields.items()]
    yield "\n".join([_TABLE, *rows, ""])
    for kind, single in (("One value at a time", True), ("Adding up", False)):
        names = (f"`{name}`" for name, shipped in Settings().remember.predicates.items() if shipped.single is single)
        yield f"{kind}: {', '.join(names)}.\n"


def _channels() -> Iterator[str]:
    """The others: channels by their ids, and the list of collections."""
    yield "## `slack.default`, and one of `slack.channels`\n\nChannels go by their ids (C…).\n"
    yield _table(SlackChannelSettings)
    yield "## `teams.default`, and one of `teams.teams` and `teams.channels`\n\nAll go by their ids (19:…).\n"
    yield _table(TeamsChannelSettings)
    yield "## One of `knowledge.collections`\n\nA folder of Markdown, see [knowledge.md](knowledge.md).\n"
    yield _table(CollectionSettings)


def _table(branch: type[BaseModel]) -> str:
    return "\n".join([_TABLE, *(_row(name, field) for name, field in branch.model_fields.items()), ""])


def _names(branch: type[BaseModel]) -> str:
    """Branches of one shape (the models, the jobs) share a section."""
    return "`, `".join(dotted(setting.path) for setting in settings() if setting.branch is branch)


def _about(setting: Setting) -> str:
    same = [other for other in settings() if other.branch is setting.branch]
    if len(same) == 1:
        return setting.field.description or ""
    return "\n".join(f"- `{other.path[-1]}`: {other.field.description}" for other in same)


def _row(name: str, field: FieldInfo) -> str:
    meaning = (field.description or "").replace("|", "\\|")
    return f"| `{name}` | {_default(field)} | {_allowed(field)} | {meaning} |"


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if field.is_required():
        return "must be given"
    if isinstance(value, dict):
        return "see below" if value else "none"
    if isinstance(value, BaseModel):
        given = ", ".join(f"`{name}: {getattr(value, name)}`" for name in sorted(value.model_fields_set))
        return given or "see below"
    if value is None or value == ():
        return "none"
    return f"`{_written(value)}`"


def _written(value: Any) -> str:
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    return f"'{value}'" if isinstance(value, str) and value != value.strip() else str(value)


def _allowed(field: FieldInfo) -> str:
    types = [each for each in (get_args(field.annotation) or (field.annotation,)) if each not in (type(None), ...)]
    if get_origin(field.annotation) is dict:
        return _names_with(get_args(field.annotation)[1])
    if get_origin(field.annotation) is Literal:
        return ", ".join(f"`{choice}`" for choice in types)
    kind = get_args(types[0])[0] if get_origin(types[0]) is Annotated else types[0]
    if get_origin(kind) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        many = "list of " if get_origin(field.annotation) is tuple else ""
        return many + ", ".join(f"`{choice.value}`" for choice in kind)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return "list, see below" if get_origin(field.annotation) is tuple else "see below"
    if kind is SecretStr:
        return "`${NAME}`"
    if tuple in (get_origin(field.annotation), get_origin(kind)):
        return "list of texts"
    return " ".join([_KINDS[kind], *_bounds(field)])


def _names_with(kind: object) -> str:
    if get_origin(kind) is Annotated:
        return "names with lists of words"
    return "names with sentences" if kind is str else "names with settings"


def _bounds(field: FieldInfo) -> Iterator[str]:
    for bound in field.metadata:
        match bound:
            case Ge(ge=value):
                yield f"≥ {value:,}"
            case Gt(gt=value):
                yield f"> {value:,}"
            case Le(le=value):
                yield f"≤ {value:,}"
            case Lt(lt=value):
                yield f"< {value:,}"
            case MinLen(min_length=value):
                yield f"of at least {value}"
            case MaxLen(max_length=value):
                yield f"to {value} characters"


if __name__ == "__main__":
    sys.stdout.write(reference())
