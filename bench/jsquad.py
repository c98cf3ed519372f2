"""Japanese questions against Japanese paragraphs: `python -m bench.jsquad PATH [--limit N] [--sample SEED]`.

PATH is a JSQuAD file; each of its paragraphs is remembered as a conversation of one turn. Prints recall@10 as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ValidationError

from memory.errors import InputRefused
from memory.evaluation.files import read_json
from memory.evaluation.lookup import Wanted, as_json, lookups
from memory.evaluation.ports import Ranker
from memory.evaluation.sampling import choose

DEPTH = 10


class _Question(BaseModel):
    question: str


class _Paragraph(BaseModel):
    context: str
    qas: list[_Question]

    @property
    def text(self) -> str:
        """Title and words; the file puts a marker between them."""
        return self.context.replace(" [SEP] ", "\n")


class _Article(BaseModel):
    paragraphs: list[_Paragraph]


class _File(BaseModel):
    data: list[_Article]


def read(path: Path) -> tuple[list[str], list[Wanted]]:
    """The paragraphs, and every question with its paragraph. Raises InputRefused."""
    try:
        articles = _File.model_validate(read_json(path)).data
    except ValidationError as error:
        raise InputRefused(f"{path} is not a JSQuAD file.") from error
    paragraphs = [paragraph for article in articles for paragraph in article.paragraphs]
    asked = [Wanted(question=one.question, text=found.text) for found in paragraphs for one in found.qas]
    return [paragraph.text for paragraph in paragraphs], asked


async def measure(ranker: Ranker, texts: Sequence[str], asked: Sequence[Wanted]) -> dict[str, object]:
    """Recall@10 of the paragraph of each question."""
    hits = [hit async for hit in lookups(ranker, texts, asked, DEPTH)]
    return {"dataset": "jsquad", "paragraphs": len(texts), **as_json(hits, DEPTH)}


async def main(arguments: Sequence[str]) -> None:
    # The whole application is needed only when this is run.
    from bot.measuring import fresh_ranker

    parser = argparse.ArgumentParser(prog="bench.jsquad", description="Recall of Japanese paragraphs.")
    parser.add_argument("path", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--sample", type=int, metavar="SEED")
    given = parser.parse_args(arguments)
    texts, asked = read(given.path)
    async with fresh_ranker() as ranker:
        result = await measure(ranker, texts, choose(asked, given.limit, given.sample))
    sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
