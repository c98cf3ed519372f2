"""What goes with an answer for Teams itself: that a model wrote it, and what its numbers cite."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from handlers.characters import one_line
from handlers.markup.parts import size
from handlers.teams.message import MOST_BYTES
from handlers.teams.render_runs import as_sent, inert, linkable

#: Teams refuses a message with more, and a longer name or excerpt.
_MOST_CLAIMS = 20
_NAME, _EXCERPT = 80, 160
_NUMBER = re.compile(r"\[(\d{1,3})\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What the number in brackets, as in [1], stands for: a title, some words of it, and where it is."""

    number: int
    name: str
    excerpt: str = ""
    link: str | None = None


def entities(
    content: Mapping[str, object], words: str, claims: Sequence[Claim], *, by_model: bool
) -> list[Mapping[str, object]]:
    """The one entity that says what these words are; none where there is nothing to say. It has the claims whose number
    stands in the words, as many as there is room for beside `content`."""
    label = {"additionalType": ["AIGeneratedContent"]} if by_model else {}
    message = {"type": "https://schema.org/Message", "@type": "Message", "@context": "https://schema.org", "@id": ""}
    said = {int(number) for number in _NUMBER.findall(words)}
    cited: list[Mapping[str, object]] = []
    for claim in claims:
        if claim.number in said and len(cited) < _MOST_CLAIMS:
            entity = {**message, **label, "citation": [*cited, _citation(claim)]}
            if as_sent({**content, "entities": [entity]}) > MOST_BYTES:
                break
            cited.append(_citation(claim))
    if not (label or cited):
        return []
    return [{**message, **label, **({"citation": cited} if cited else {})}]


def _citation(claim: Claim) -> Mapping[str, object]:
    excerpt = _short(claim.excerpt, _EXCERPT)
    appearance = {
        "@type": "DigitalDocument",
        "name": _short(claim.name, _NAME) or f"[{claim.number}]",
        **({"abstract": excerpt} if excerpt else {}),
        **({"url": claim.link} if claim.link is not None and linkable(claim.link) else {}),
    }
    return {"@type": "Claim", "position": claim.number, "appearance": appearance}


def _short(text: str, most: int) -> str:
    """On one line of at most `most` UTF-16 units."""
    line = inert(one_line(text, most))
    while size(line) > most:
        line = one_line(line, len(line) - max(1, (size(line) - most) // 2))
    return line
