"""Validation errors in an admin's words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import ErrorDetails

from config.problems import SettingPath
from config.tree import meant

Context = Mapping[str, Any]

_WHOLE = "must be a whole number"
_NUMBER = "must be a number"
_YES_NO = "must be true or false"
_TEXT = "must be a text; put quotes around it"
_LIST = "must be a list, as in [one, two]"
_BRANCH = "must be a group of settings, each on a line of its own and indented"

_SENTENCES: Mapping[str, Callable[[Context], str]] = {
    "int_type": lambda _: _WHOLE,
    "int_parsing": lambda _: _WHOLE,
    "int_parsing_size": lambda _: "must be a smaller number",
    "int_from_float": lambda _: _WHOLE,
    "float_type": lambda _: _NUMBER,
    "float_parsing": lambda _: _NUMBER,
    "finite_number": lambda _: _NUMBER,
    "bool_type": lambda _: _YES_NO,
    "bool_parsing": lambda _: _YES_NO,
    "string_type": lambda _: _TEXT,
    "tuple_type": lambda _: _LIST,
    "dict_type": lambda _: _BRANCH,
    "model_type": lambda _: _BRANCH,
    "model_attributes_type": lambda _: _BRANCH,
    "greater_than": lambda limits: f"must be more than {limits['gt']:g}",
    "greater_than_equal": lambda limits: f"must be {limits['ge']:g} or more",
    "less_than": lambda limits: f"must be less than {limits['lt']:g}",
    "less_than_equal": lambda limits: f"must be {limits['le']:g} or less",
    "string_too_short": lambda limits: _length("or more", limits["min_length"]),
    "string_too_long": lambda limits: _length("or fewer", limits["max_length"]),
    "too_short": lambda limits: f"must have {_entries(limits['min_length'])} or more",
    "too_long": lambda limits: f"must have {_entries(limits['max_length'])} or fewer",
    "value_error": lambda context: str(context["error"]),
}


def _length(direction: str, count: int) -> str:
    return f"must have {count} {'character' if count == 1 else 'characters'} {direction}"


def _entries(count: int) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


def sentence(error: ErrorDetails, path: SettingPath, written: str | None) -> str:
    """What to do about one error; `written` is the value as it stands in the file, None where it must not be shown."""
    kind = error["type"]
    if kind == "missing":
        return "must be given; it has no default"
    if kind == "extra_forbidden":
        return _unknown(path)
    if kind in ("enum", "literal_error"):
        return _choice(re.findall(r"'([^']*)'", error["ctx"]["expected"]), written)
    say = _SENTENCES.get(kind)
    said = say(error.get("ctx", {})) if say else f"cannot be used: {error['msg']}"
    return f"{said} {_shown(written)}".rstrip()


def _unknown(path: SettingPath) -> str:
    near = meant(path)
    hint = f"did you mean {near}?" if near else "docs/configuration.md lists all that there are"
    return f"there is no such setting; {hint}"


def _choice(choices: list[str], written: str | None) -> str:
    near = difflib.get_close_matches((written or "").lower(), choices, n=1)
    hint = f" did you mean {near[0]}?" if near else ""
    return f"must be one of {', '.join(choices)} {_shown(written)}".rstrip() + (f";{hint}" if hint else "")


def _shown(written: str | None) -> str:
    """The value that was found, cut to a length that leaves the sentence readable."""
    if written is None:
        return ""
    return f"(found: {written[:60] or 'nothing'}{'…' if len(written) > 60 else ''})"
