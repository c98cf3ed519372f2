"""Which names could stand in a text: found without knowing them, so that no list of names has to be walked."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: What a name begins and ends with: a word in a script that puts spaces between words, or else one character.
_ATOM = re.compile(r"[^\W\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+|\S")
#: The parts of a name: five words with what stands between them, an address, twelve characters of Japanese.
_PARTS = 12
#: So much of a text is looked at; what is pasted below a question can be long.
_ATOMS = 400


def mentions(folded: str) -> list[str]:
    """Every part of a folded text that could be a name, of two characters and more, each once, longest first.

    A name never begins or ends within a word, so that room 10 does not stand in room 101; in Japanese, which has no
    spaces, it may begin and end anywhere.
    """
    atoms = [atom.span() for atom in _ATOM.finditer(folded)][:_ATOMS]
    found = {folded[start:end] for place, (start, _) in enumerate(atoms) for _, end in atoms[place : place + _PARTS]}
    return longest_first(name for name in found if len(name) > 1)


def longest_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (-len(name), name))
