"""The table of predicates as statements need it: from any wording to the canonical name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from config.schema import PredicateSettings, RememberSettings

Predicates = Mapping[str, PredicateSettings]

#: The table without a file of the admin's.
SHIPPED: Predicates = RememberSettings().predicates

_AROUND = re.compile(r"^(?:the|its|has|is|are|was|were)\s|\s(?:is|are|was|were|of)$|(?:は|が|の)$")


def predicate_names(predicates: Predicates) -> Mapping[str, str]:
    """From every known wording, folded, to its canonical name. Of two claims on a word the later in the table counts;
    a canonical name always means itself."""
    words = {_folded(word): name for name, settings in predicates.items() for word in settings.words}
    return words | {_folded(name): name for name in predicates}


def canonical(predicate: str, names: Mapping[str, str]) -> str:
    """The canonical name of a predicate; one that is not known stays as it is, folded."""
    plain = _folded(predicate)
    return names.get(plain) or names.get(_AROUND.sub("", plain)) or plain


def _folded(words: str) -> str:
    plain = unicodedata.normalize("NFKC", words).casefold().replace("_", " ")
    return " ".join(plain.split()).removesuffix("ー") or plain
