"""English sentences against their Japanese translations, and back: `python -m bench.ami PATH [--limit N]`.

PATH is a file of meetings with sentences in both languages. Each meeting is a memory of its own, each sentence a
conversation of one turn; sentences of at least five English words are asked. Prints recall@10 as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from memory.errors import InputRefused
from memory.evaluation.files import read_json
from memory.evaluation.lookup import Wanted, as_json, lookups
from memory.evaluation.ports import Ranker

DEPTH = 10
_FEWEST_WORDS = 5
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")


class Sentence(BaseModel):
    ja_sentence: str
    en_sentence: str

    @property
    def asked(self) -> bool:
        """Whether it says enough to be looked for."""
        return len(_WORD.findall(self.en_sentence)) >= _FEWEST_WORDS


class Meeting(BaseModel):
    id: str
    conversation: list[Sentence]


def read(path: Path) -> list[Meeting]:
    """The meetings of a file. Raises InputRefused."""
    try:
        return TypeAdapter(list[Meeting]).validate_python(read_json(path))
    except ValidationError as error:
        raise InputRefused(f"{path} is not a file of meetings with `ja_sentence` and `en_sentence`.") from error


def english(sentence: Sentence) -> str:
    return sentence.en_sentence


def japanese(sentence: Sentence) -> str:
    return sentence.ja_sentence


Side = Callable[[Sentence], str]


async def direction(
    ranker: Ranker, meetings: Sequence[Meeting], asked: Side, remembered: Side, limit: int | None
) -> list[float]:
    """Hits of the sentences of all meetings, asked in one language and remembered in the other."""
    hits: list[float] = []
    for meeting in meetings:
        texts = [remembered(sentence) for sentence in meeting.conversation]
        chosen = [sentence for sentence in meeting.conversation if sentence.asked][:limit]
        wanted = [Wanted(question=asked(sentence), text=remembered(sentence)) for sentence in chosen]
        hits += [hit async for hit in lookups(ranker, texts, wanted, DEPTH)]
    return hits


async def measure(ranker: Ranker, meetings: Sequence[Meeting], limit: int | None = None) -> dict[str, object]:
    """Recall@10 both ways; `limit` is the most sentences of each meeting."""
    there = await direction(ranker, meetings, english, japanese, limit)
    back = await direction(ranker, meetings, japanese, english, limit)
    return {
        "dataset": "ami",
        "meetings": len(meetings),
        "en_to_ja": as_json(there, DEPTH),
        "ja_to_en": as_json(back, DEPTH),
    }


async def main(arguments: Sequence[str]) -> None:
    # The whole application is needed only when this is run.
    from bot.measuring import fresh_ranker

    parser = argparse.ArgumentParser(prog="bench.ami", description="Recall across English and Japanese.")
    parser.add_argument("path", type=Path)
    parser.add_argument("--limit", type=int, help="most sentences of each meeting")
    given = parser.parse_args(arguments)
    meetings = read(given.path)
    async with fresh_ranker() as ranker:
        result = await measure(ranker, meetings, given.limit)
    sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
