"""What holds for acts in every store: how much of one is kept, and without which words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from memory.acts import LONGEST, MOST_FIELDS, TakenAct
from memory.redaction import redacted_text
from memory.stores.words import storable
from memory.text.redact import Redactor


async def kept_part(act: TakenAct, redactor: Redactor) -> TakenAct:
    """The act as every store keeps it: bounded, without secrets, of characters that every database takes."""
    # Redacted before it is cut: half a secret is not known for one.
    words = {name: await redacted_text(text, redactor) for name, text in islice(act.words.items(), MOST_FIELDS)}
    return replace(
        act,
        id=storable(act.id),
        platform=storable(act.platform),
        workspace=storable(act.workspace),
        person=storable(act.person),
        fields=_bounded(act.fields),
        words=_bounded(words),
    )


def _bounded(texts: Mapping[str, str]) -> dict[str, str]:
    some = islice(texts.items(), MOST_FIELDS)
    return {storable(name[:LONGEST]): storable(text[:LONGEST]) for name, text in some}
