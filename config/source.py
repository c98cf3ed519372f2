"""One YAML file as plain values: the line of each, variables filled in, and everything that is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from config.credentials import FOUND
from config.problems import ConfigProblems, Problem, SettingPath
from config.tree import constant_branches, secret_paths
from config.variables import fill, refuse_literal_password, secret

_STANDARD = "tag:yaml.org,2002:"
#: No setting lies deeper, and no desk has more of them. Aliases count as what they stand for: ten lines of nine
#: aliases each, of the line above, are a billion values.
_DEEPEST = 20
_MOST_VALUES = 50_000
_LONGEST_NUMBER = 100
_TAB = re.compile(r"^ *\t", re.MULTILINE)
#: What the parser says, and what it usually means.
_MEANINGS = {
    "mapping values are not allowed here": "the indentation is off, or a text with a colon needs quotes around it",
    "could not find expected ':'": "a name must be followed by a colon and a space",
    "maximum depth": f"this is nested more than {_DEEPEST} deep; no setting is",
    "found unexpected end of stream": "a quote was opened and never closed",
    "found undefined alias": "an alias (*name) points at nothing",
    "but found another document": "the file must hold one document; delete the line that begins with ---",
    "cannot start any token": "a text that begins with this character needs quotes around it",
    "found unknown escape character": "use single quotes around a text with backslashes in it",
    "but got '{'": "inside [ ] and { } a variable needs quotes around it, as in '${NAME}'",
    "but found": "the indentation is off, or a bracket was opened and never closed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a value stands (line from 1) and how it is written there; None for lists and branches."""

    line: int
    written: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The file's values. One that cannot be used is left out of `values`; `left` says where."""

    values: dict[str, Any] = field(default_factory=dict)
    places: Mapping[SettingPath, Place] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    left: frozenset[SettingPath] = frozenset()


def read(text: str, file: str, environment: Mapping[str, str]) -> Source:
    """Raises ConfigProblems where the text is no YAML or no tree of settings; other problems come with the result."""
    root = _compose(text, file)
    if root is None or root.tag == f"{_STANDARD}null":
        return Source()
    if not isinstance(root, MappingNode):
        raise ConfigProblems(
            [_whole(file, _line(root), "the file must hold settings, as in `recall:` on a line of its own")]
        )
    walk = _Walk(file, environment)
    values: dict[str, Any] = {}
    walk.fill(values, root, ())
    return Source(values=values, places=walk.places, problems=tuple(walk.problems), left=frozenset(walk.left))


def _compose(text: str, file: str) -> Node | None:
    yaml = YAML(typ="safe", pure=True)
    yaml.max_depth = _DEEPEST
    # A name that is given twice means the later of the two, as YAML has it; a warning would be for programmers.
    yaml.composer.warn_double_anchors = False
    try:
        root: Node | None = yaml.compose(text)
    except KeyError:
        # The parser looks its own version up.
        at = text.count("\n", 0, max(0, text.find("%YAML"))) + 1
        raise ConfigProblems([_whole(file, at, "this names a version of YAML that is not known; delete it")]) from None
    except MarkedYAMLError as error:
        raise ConfigProblems(_tabs(text, file) or [_broken(error, file)]) from None
    except YAMLError as error:
        line = text.count("\n", 0, getattr(error, "position", 0)) + 1
        raise ConfigProblems([_whole(file, line, "this line holds a control character; delete it")]) from None
    return root


def _tabs(text: str, file: str) -> list[Problem]:
    lines = (text.count("\n", 0, match.start()) + 1 for match in _TAB.finditer(text))
    return [_whole(file, line, "this line is indented with a tab; use spaces") for line in lines]


def _broken(error: MarkedYAMLError, file: str) -> Problem:
    said = " ".join(part for part in (error.problem, error.context) if part)
    meaning = next((meaning for words, meaning in _MEANINGS.items() if words in said), said)
    mark = error.problem_mark or error.context_mark
    return _whole(file, mark.line + 1 if mark else None, f"this is not valid YAML: {meaning}")


def _whole(file: str, line: int | None, sentence: str) -> Problem:
    return Problem(file=file, line=line, path=(), sentence=sentence)


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1


class _Left:
    """Stands for a value that was left out because of a problem."""


_LEFT = _Left()


class _Walk:
    """Turns nodes into values, noting places and problems on the way."""

    def __init__(self, file: str, environment: Mapping[str, str]) -> None:
        self.places: dict[SettingPath, Place] = {}
        self.problems: list[Problem] = []
        self.left: set[SettingPath] = set()
        self._twice: set[SettingPath] = set()
        self._file = file
        self._environment = environment
        self._secrets = secret_paths()
        self._branches = constant_branches()
        self._open: list[Node] = []
        self._yaml = YAML(typ="safe", pure=True)

    def fill(self, values: dict[str, Any], node: MappingNode, path: SettingPath) -> None:
        """Put what the node says into `values`. A branch that is written twice is read as one, so that the mistakes in
        both are found."""
        for key, child in node.value:
            if not isinstance(key, ScalarNode) or key.tag != f"{_STANDARD}str":
                self._complain(path, key, "the name of a setting must be a word")
                continue
            below = (*path, key.value)
            if below in self.places:
                self._complain_of_two(below, key, child)
                if isinstance(child, MappingNode) and isinstance(values.get(key.value), dict):
                    self.fill(values[key.value], child, below)
                continue
            written = child.value if isinstance(child, ScalarNode) else None
            self.places[below] = Place(line=_line(key), written=written)
            value = self._value(child, below)
            if value is not _LEFT:
                values[key.value] = value

    def _value(self, node: Node, path: SettingPath) -> Any:
        if node in self._open:
            return self._complain(path, node, "an alias (*name) must not stand inside what it points at")
        if len(self._open) > _DEEPEST or len(self.places) > _MOST_VALUES:
            raise ConfigProblems([self._too_much(path)])
        self._open.append(node)
        try:
            if isinstance(node, MappingNode):
                values: dict[str, Any] = {}
                self.fill(values, node, path)
                return values
            if isinstance(node, SequenceNode):
                return self._sequence(node, path)
            return self._scalar(node, path)
        finally:
            self._open.pop()

    def _sequence(self, node: SequenceNode, path: SettingPath) -> Any:
        values = []
        for position, child in enumerate(node.value):
            below = (*path, position)
            written = child.value if isinstance(child, ScalarNode) else None
            self.places[below] = Place(line=_line(child), written=written)
            values.append(self._value(child, below))
        return _LEFT if _LEFT in values else values

    def _scalar(self, node: Node, path: SettingPath) -> Any:
        if not str(node.tag).startswith(_STANDARD):
            return self._complain(path, node, f"the tag {node.tag} means nothing here; delete it")
        try:
            return self._secret(node, path) if path in self._secrets else self._plain(node, path)
        except ValueError as error:
            return self._complain(path, node, str(error))

    def _secret(self, node: Node, path: SettingPath) -> str | None:
        if node.tag == f"{_STANDARD}null":
            return None
        return secret(node.value, self._environment, FOUND.get(path))

    def _plain(self, node: Node, path: SettingPath) -> Any:
        kind = str(node.tag).removeprefix(_STANDARD)
        if kind == "null" and path in self._branches:
            return {}
        if len(node.value) > _LONGEST_NUMBER and kind in ("int", "float"):
            raise ValueError("must be a smaller number")
        if kind in ("null", "bool", "int", "float"):
            return self._yaml.constructor.construct_object(node)
        refuse_literal_password(node.value)
        return fill(node.value, self._environment)

    def _too_much(self, path: SettingPath) -> Problem:
        sentence = "aliases (*name) stand for too much here; write out what is meant"
        return Problem(file=self._file, line=self.places[path[:1]].line, path=path[:1], sentence=sentence)

    def _complain(self, path: SettingPath, node: Node, sentence: str) -> _Left:
        self._report(path, node, sentence)
        self.left.add(path)
        return _LEFT

    def _complain_of_two(self, path: SettingPath, key: Node, child: Node) -> None:
        """What stands in both of two branches is no mistake of its own."""
        if any(path[:length] in self._twice for length in range(1, len(path))):
            return
        self._twice.add(path)
        remedy = "put the two together" if isinstance(child, MappingNode) else "delete one of the two"
        self._report(path, key, f"is written twice, first in line {self.places[path].line}; {remedy}")

    def _report(self, path: SettingPath, node: Node, sentence: str) -> None:
        self.problems.append(Problem(file=self._file, line=_line(node), path=path, sentence=sentence))
