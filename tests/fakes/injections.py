"""Attempts to make the bot do something else than answer, as data: words that somebody planted, or asks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

_FILE = Path(__file__).with_name("injections.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """`where` its words stand: in a message of a `ticket`, its `title` or its `author`'s name, in a `file`, in an
    `article` of the knowledge base, or in the `question` itself."""

    name: str
    where: str
    words: str

    @property
    def english(self) -> bool:
        return "en" in self.name.split("-")


def attacks() -> list[Attack]:
    """The whole corpus."""
    return [Attack(**json.loads(line)) for line in _FILE.read_text(encoding="utf-8").splitlines()]
