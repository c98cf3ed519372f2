"""Takes secrets out of texts and puts placeholders in: `[password-3f2a]`.

The same secret gets the same placeholder everywhere, so that a message that is told twice is the same message, and
people see that two of them speak of one thing. The four digits are of a keyed hash: without the key nobody can try
passwords against them, and with it 65,536 passwords share each, so that none is ever confirmed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from memory.text.secrets.found import Found, Kind
from memory.text.secrets.numbers import numbers
from memory.text.secrets.tokens import in_addresses, issued, private_keys
from memory.text.secrets.view import View, view_of
from memory.text.secrets.words import spelled_out

#: Yields what it finds in a text; the places are those of the text that it is given.
Finder = Callable[[str], Iterable[Found]]

_FINDERS: tuple[Finder, ...] = (private_keys, issued, in_addresses, spelled_out, numbers)
_DIGITS = 4
#: Taking something out may bring together what then looks like a secret: so often it is looked again.
_LOOKS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """A text without secrets, and what kinds of them it had, each once, in the order in which they stood."""

    text: str
    kinds: tuple[str, ...] = ()


class Redactor:
    """Knows what is to be taken out, and the key of the placeholders. Pure: the same text gives the same."""

    def __init__(
        self,
        key: bytes,
        *,
        kinds: Iterable[str] = tuple(Kind),
        more: Mapping[str, Finder] | None = None,
        slow: Mapping[str, Finder] | None = None,
    ) -> None:
        """`kinds` are those that are taken out; `more` finds others, by the name that stands in their placeholders.
        `slow` does, too, and takes so long that it belongs in a thread; what it finds is no secret of which its author
        is to be told."""
        self.slow = bool(slow)
        self._untold = (slow or {}).keys() - (more or {}).keys()
        self._key = key
        self._kinds = frozenset(kinds)
        self._more = (*(more or {}).items(), *(slow or {}).items())
        names = sorted({*Kind, *(name for name, _ in self._more)}, key=len, reverse=True)
        self._placeholder = re.compile(rf"(\[(?:{'|'.join(map(re.escape, names))})-[0-9a-f]{{{_DIGITS}}}\])")

    def redact(self, text: str) -> Redacted:
        """The text without its secrets; one that has none comes back as it is. Linear in the length of the text."""
        kinds: dict[str, None] = {}
        for _ in range(_LOOKS):
            pieces = self._placeholder.split(text)
            shorter = [piece if place % 2 else self._taken_out(piece, kinds) for place, piece in enumerate(pieces)]
            if shorter == pieces:
                break
            text = "".join(shorter)
        return Redacted(text=text, kinds=tuple(kinds))

    def kinds_in(self, text: str) -> tuple[str, ...]:
        """What was taken out of a text that was redacted, and is to be told of: each kind once."""
        held = dict.fromkeys(one[1:-1].rpartition("-")[0] for one in self._placeholder.findall(text))
        return tuple(kind for kind in held if kind not in self._untold)

    def _taken_out(self, piece: str, kinds: dict[str, None]) -> str:
        view = view_of(piece)
        kept, at = [], 0
        for found in _apart(self._found(view.text)):
            start, end = view.span(found.start, found.end)
            kinds.setdefault(found.kind)
            kept += [piece[at:start], self._stands_for(found, view)]
            at = end
        return "".join([*kept, piece[at:]]) if kept else piece

    def _found(self, text: str) -> Iterator[Found]:
        for finder in _FINDERS:
            yield from (found for found in finder(text) if found.kind in self._kinds)
        for _, finder in self._more:
            yield from finder(text)

    def _stands_for(self, found: Found, view: View) -> str:
        """The kind counts too: one number that is a PIN here and an order there tells nothing."""
        secret = f"{found.kind}\0{view.text[found.start : found.end]}".encode("utf-8", "surrogatepass")
        return f"[{found.kind}-{blake2b(secret, digest_size=_DIGITS // 2, key=self._key).hexdigest()}]"


def _apart(found: Iterable[Found]) -> Iterator[Found]:
    """In the order of the text; of those that overlap, one that reaches over all of them, named like the first."""
    last: Found | None = None
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if one.end <= one.start:
            continue
        if last is None or one.start >= last.end:
            if last is not None:
                yield last
            last = one
        elif one.end > last.end:
            last = Found(kind=last.kind, start=last.start, end=one.end)
    if last is not None:
        yield last
