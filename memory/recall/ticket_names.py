"""Names of tickets that are typed without their dash: inc1046 for INC-1046."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from memory.model import Question
from memory.ports import Reading

_WITHOUT_DASH = re.compile(r"(?<![A-Za-z0-9_.@-])([A-Za-z]{2,10})(\d{1,9})(?![A-Za-z0-9_.@-])")
#: Nobody asks after more tickets at once.
_MOST = 5


async def with_dashes(question: Question, reading: Reading) -> Question:
    """The question with the dash in the names of tickets that there are to see. Raises StoreUnavailable."""
    text = unicodedata.normalize("NFKC", question.text)
    typed = {found.group(): f"{found[1]}-{found[2]}" for found in _WITHOUT_DASH.finditer(text)}
    wanted = dict(list(typed.items())[:_MOST])
    if not wanted:
        return question
    names = list(dict.fromkeys([*wanted.values(), *(name.upper() for name in wanted.values())]))
    there = {one.ticket.casefold() for one in await reading.tickets(names, question.viewer, question.until)}
    meant = {word: name for word, name in wanted.items() if name.casefold() in there}
    if not meant:
        return question
    return replace(question, text=_WITHOUT_DASH.sub(lambda found: meant.get(found.group(), found.group()), text))
