"""The project's own source as syntax trees, for tests about its shape."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "handlers", "memory", "config")


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One file: its name from the root, as in memory/model.py, its lines and its tree."""

    name: str
    lines: int
    tree: ast.Module

    @property
    def dotted(self) -> str:
        return self.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the four packages."""
    return tuple(_module(path) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))


def imports(module: Module) -> Iterator[str]:
    """The dotted names that a module imports, anywhere in it; a name taken from a module counts as part of it."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def names(module: Module) -> Iterator[str]:
    """Every identifier that a module mentions: imported, read, written or defined."""
    for node in ast.walk(module.tree):
        match node:
            case ast.alias(name=name) | ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name.rpartition(".")[2]
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name


def _module(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    return Module(name=str(path.relative_to(ROOT)), lines=text.count("\n"), tree=ast.parse(text))
