"""Why two notes are linked, in the language of the first: what they share, said by rule; and the port of whoever says
it better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from memory.remember.common_ground import Shared, Tie, Words
from memory.text.language import LanguageCode

#: What is told of one link: more would not be read.
_PARTS = 2

_SAYS: Mapping[LanguageCode, Mapping[Tie, str]] = {
    "ja": {
        Tie.MENTION: "{} に言及",
        Tie.TICKET: "同じチケット {}",
        Tie.CODE: "同じエラーコード {}",
        Tie.HOST: "同じホスト {}",
        Tie.NAME: "どちらにも {}",
        Tie.VERSION: "同じバージョン {}",
        Tie.TOPIC: "どちらも {} の件",
        Tie.MEANING: "内容が近い",
    },
    "en": {
        Tie.MENTION: "one mentions {}",
        Tie.TICKET: "same ticket {}",
        Tie.CODE: "same error code {}",
        Tie.HOST: "same host {}",
        Tie.NAME: "both name {}",
        Tie.VERSION: "same version {}",
        Tie.TOPIC: "both about {}",
        Tie.MEANING: "much the same in meaning",
    },
}
_BETWEEN: Mapping[LanguageCode, tuple[str, str]] = {"ja": ("・", "、"), "en": (", ", "; ")}


def reason_for(found: Sequence[Shared], language: LanguageCode) -> str:
    """The two surest ways in which they hang together; raises ValueError when there is none."""
    ties = [tie for tie in Tie if any(shared.tie is tie for shared in found)]
    if not ties:
        raise ValueError("a link needs a reason")
    words_between, parts_between = _BETWEEN[language]
    parts = [
        _SAYS[language][tie].format(words_between.join(shared.words for shared in found if shared.tie is tie))
        for tie in (ties if ties == [Tie.MEANING] else [tie for tie in ties if tie is not Tie.MEANING])
    ]
    return parts_between.join(parts[:_PARTS])


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two notes that are linked, and the rules' reason, which is in the language of `one`."""

    one: Words
    other: Words
    reason: str


class LinkReasons(Protocol):
    """Says why notes are linked, for a batch at once. `made_by` names it in the links."""

    @property
    def made_by(self) -> str: ...

    async def reasons(self, pairs: Sequence[Pair]) -> Mapping[int, str]:
        """Better reasons by the pair's place; the rules' reason stays where there is none. Never raises for a model
        that fails: links do without."""
        ...
