"""The words of this site: what its products, systems and places are called, by all their names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from config.problems import SettingPath
from config.strict import Strict


class TermKind(StrEnum):
    PRODUCT = "product"
    SYSTEM = "system"
    PLACE = "place"
    PERSON = "person"


def spelled(text: str) -> str:
    """One spelling for width, case and long vowels, for comparing: ﾌﾟﾘﾝﾀｰ, プリンター and プリンタ are all プリンタ."""
    return unicodedata.normalize("NFKC", text).lower().replace("ー", "").replace("’", "'")


#: They stand in any text, and so name nothing.
_EVERYWHERE = frozenset(
    map(
        spelled,
        "an and any are as at be been but by can do does for from get had has have he her his how if in is it its me "
        "my new no not of off on or our out she so than that the their them then there they this to up us was we were "
        "what when where which who why will with you your error help issue please problem thanks ticket "
        "あと あの ある いつ いる うち ここ こと この これ さん する せい そう その それ ため ください です でも どう "
        "どこ どの どれ ない なに なる はい まで ます また もの よう より わけ から お願い お世話 よろしく 場合 "
        "エラー チケット".split(),
    )
)


def _names_something(text: str) -> str:
    """Two characters or more, of which one is a letter or a digit."""
    plain = spelled(text)
    if plain != plain.strip() or "\n" in plain:
        raise ValueError("must not begin or end with a space, and be on one line")
    if not any(letter.isalnum() for letter in plain):
        raise ValueError("must be a name; delete it, or write one")
    if len(plain) < 2:
        raise ValueError("must have two characters or more: one alone stands in nearly every text")
    if plain in _EVERYWHERE:
        raise ValueError("is a word that stands in nearly every text; write a longer name, or delete it")
    return text


Name = Annotated[str, Field(max_length=60), AfterValidator(_names_something)]


class TermSettings(Strict):
    name: Name = Field(description="The name that the desk itself uses; notes of tickets get it as a keyword.")
    aliases: tuple[Name, ...] = Field(
        (),
        max_length=20,
        description="What else people call it, in Japanese and English. Width, case and long vowels (プリンター, "
        "プリンタ) need no alias of their own.",
    )
    kind: TermKind = Field(TermKind.PRODUCT, description="What it is. Products and systems count as exact names.")


def clashes(glossary: Sequence[TermSettings]) -> Iterator[tuple[SettingPath, str]]:
    """Each name that stands for two terms, at the second of them."""
    owner: dict[str, int] = {}
    for place, term in enumerate(glossary):
        for path, name in _names(place, term):
            first = owner.setdefault(spelled(name), place)
            if first != place:
                told = glossary[first].name
                yield (
                    path,
                    f"is a name of {told} too, which cannot be told apart from {term.name}; delete one of the two",
                )


def _names(place: int, term: TermSettings) -> Iterator[tuple[SettingPath, str]]:
    yield ("glossary", place, "name"), term.name
    for position, alias in enumerate(term.aliases):
        yield ("glossary", place, "aliases", position), alias
