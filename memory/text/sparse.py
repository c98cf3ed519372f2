"""BM25 terms of a text, alike for Japanese and English. The engine adds the IDF.

Kanji and katakana go in as pairs of characters: the tokenizer would split a run of kanji as Chinese or as Japanese
depending on what stands around it, and would keep ラベルプリンタ in one piece. Hiragana is mostly grammar: a text that
is to be found keeps it beside its other terms, but a question uses it only when it has nothing else, as しりとり has
not. Exact entities are repeated as one unbroken word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from qdrant_edge import (
    Bm25,
    Bm25Config,
    Language,
    SnowballLanguage,
    SnowballParams,
    StopwordsSet,
    TokenizerType,
)

from memory.index_ports import Terms
from memory.text.entities import exact_entities, normalise

#: How soon a repeated term stops counting, and how much a long text is held against it.
BM25_K = 0.9
BM25_B = 0.4

_KANJI = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆"
_KATAKANA = "\u30a1-\u30fa\u30fc"
_HIRAGANA = "\u3041-\u309f"
_PAIRED_RUN = re.compile(f"[{_KANJI}]+|[{_KATAKANA}]+")
_HIRAGANA_RUN = re.compile(f"[{_HIRAGANA}]+")
_SMALL_KANA = str.maketrans("ァィゥェォャュョッヮヵヶ", "アイウエオヤユヨツワカケ")


def passage_terms(text: str, usual_length: int) -> Terms:
    """Terms of a text that is to be found, weighted by BM25 against texts of about `usual_length` terms."""
    plain = normalise(text)
    main = _bm25(usual_length).embed_document(_fold(plain))
    # Apart, so that a text does not count as longer for its grammar.
    grammar = _bm25(usual_length).embed_document(_hiragana(plain))
    weights = dict(zip(grammar.indices, grammar.values, strict=True))
    weights.update(zip(main.indices, main.values, strict=True))
    return _terms(weights)


@lru_cache(maxsize=32)
def question_terms(text: str) -> Terms:
    """Terms of a text that asks, each of weight 1. Remembered: each piece of evidence is compared with the question."""
    plain = normalise(text)
    terms = _question(_fold(plain))
    return terms if terms.ids else _question(_hiragana(plain))


def exact_terms(text: str) -> Terms:
    """Only the exact entities of a text that asks; empty when there are none."""
    return _question(" ".join(_unbroken(entity) for entity in exact_entities(text)))


def overlap(question: str, text: str) -> float:
    """The share of the question's terms that the text has, 0 to 1."""
    wanted = set(question_terms(question).ids)
    return len(wanted & set(passage_terms(text, 1).ids)) / len(wanted) if wanted else 0.0


def _question(folded: str) -> Terms:
    vector = _bm25(1).embed_query(folded)
    return _terms(dict(zip(vector.indices, vector.values, strict=True)))


def _terms(weights: Mapping[int, float]) -> Terms:
    ordered = sorted(weights.items())
    return Terms(ids=tuple(term for term, _ in ordered), weights=tuple(weight for _, weight in ordered))


@lru_cache(maxsize=16)
def _bm25(usual_length: int) -> Bm25:
    return Bm25(
        Bm25Config(
            k=BM25_K,
            b=BM25_B,
            avg_len=float(usual_length),
            tokenizer=TokenizerType.Multilingual,
            stemmer=SnowballParams(SnowballLanguage.English),
            stopwords=StopwordsSet(languages={Language.English, Language.Japanese}),
        )
    )


def _fold(plain: str) -> str:
    """A normalised text as the tokenizer is given it, without its hiragana."""
    paired = _PAIRED_RUN.sub(lambda run: f" {_pairs(run[0])} ", _without_symbols(plain))
    words = _HIRAGANA_RUN.sub(" ", paired)
    return " ".join((words, *(_unbroken(entity) for entity in exact_entities(plain))))


def _without_symbols(plain: str) -> str:
    """The tokenizer would take ★vpn★ and vpn→sso for words."""
    return "".join(" " if unicodedata.category(letter)[0] == "S" else letter for letter in plain)


def _hiragana(plain: str) -> str:
    return " ".join(_pairs(run) for run in _HIRAGANA_RUN.findall(plain) if len(run) > 1)


def _unbroken(entity: str) -> str:
    """The entity as one word that no tokenizer takes apart."""
    return "zz" + re.sub(r"[^a-z0-9]", "z", entity)


def _pairs(run: str) -> str:
    """Pairs written in Latin letters. プリンター and プリンタ give the same, and so do ファイル and フアイル."""
    if re.match(f"[{_KATAKANA}]", run):
        run = run.replace("ー", "").translate(_SMALL_KANA)
    pairs = (run,) if len(run) == 1 else tuple(run[place : place + 2] for place in range(len(run) - 1))
    return " ".join("x" + "".join(f"{ord(letter):04x}" for letter in pair) for pair in pairs)
