"""How many tokens a text takes, without a tokenizer, and how texts are kept within a number of tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import ceil
from typing import TypeVar

Item = TypeVar("Item")

#: Put where the middle of a text was left out.
GAP = " … "

_RUNS = re.compile(
    r"(?P<word>[A-Za-z]+)|(?P<space> +)|(?P<ascii>[\x00-\x7f])"
    r"|(?P<hiragana>[ぁ-ゟ]+)|(?P<katakana>[゠-ヿ]+)|(?P<kanji>[一-鿿]+)|(?P<other>.)",
    re.DOTALL,
)

#: Tokens by character of a run; a space is part of the word after it.
_BY_CHARACTER = {"space": 0.0, "ascii": 1.1, "hiragana": 0.6, "katakana": 0.7, "kanji": 0.9, "other": 1.3}


def estimate_tokens(text: str) -> int:
    """About how many tokens `text` takes, never less than 1 for a text that is not empty.

    Fitted to a byte-level BPE tokenizer of 150,000 entries on 914 texts (helpdesk messages and questions in Japanese
    and English, encyclopedia paragraphs in Japanese, English chat, IRC logs). Sum over all texts: 1.08 of the true
    count; by kind 1.02 to 1.11; mean absolute error of a single text 11 %; 2 % of the texts were estimated more than
    10 % too low.
    """
    return ceil(sum(_cost(run) for run in _RUNS.finditer(text)))


def _cost(run: re.Match[str]) -> float:
    kind, length = run.lastgroup or "other", run.end() - run.start()
    if kind == "word":
        return 1 + 0.25 * ((length - 1) // 5)
    return _BY_CHARACTER[kind] * length


def shortened(text: str, tokens: int) -> str:
    """`text`, or its beginning and end around a gap so that it takes at most `tokens` (at least 8) by the estimate."""
    if estimate_tokens(text) <= tokens:
        return text
    low, high = 0, len(text) // 2
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(_ends(text, middle)) <= tokens:
            low = middle
        else:
            high = middle - 1
    return _ends(text, low)


def _ends(text: str, length: int) -> str:
    return text[:length].rstrip() + GAP + text[len(text) - length :].lstrip()


def strongest_within(
    items: Sequence[Item], tokens: int, cost: Callable[[Item], int], strength: Callable[[Item], float]
) -> list[int]:
    """Places of the items that stay within `tokens`, in their own order: the weakest leave first, of equal ones the
    earlier. The strongest always stays."""
    order = sorted(range(len(items)), key=lambda place: (strength(items[place]), place))
    left = sum(cost(item) for item in items)
    kept = set(order)
    for place in order[:-1]:
        if left <= tokens:
            break
        kept.discard(place)
        left -= cost(items[place])
    return sorted(kept)
