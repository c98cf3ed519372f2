"""A person called by name on a card, so that one can write to them with a click."""

from __future__ import annotations

import re
from dataclasses import dataclass

from handlers.characters import one_line
from handlers.teams.render_runs import Element

_NAME = 60
#: A mention stands in text that Teams parses: of a name only what cannot be markup is taken.
_MARKUP = re.compile(r"[^\w .,'’・ー()（）-]|_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """`id` is the person's in the organisation (Entra) or in Teams, `name` what colleagues call the person."""

    id: str
    name: str

    @property
    def element(self) -> Element:
        """The line of a card on which the mention stands."""
        return {"type": "TextBlock", "text": self._text, "wrap": True}

    @property
    def entity(self) -> Element:
        """What tells Teams who is meant."""
        return {"type": "mention", "text": self._text, "mentioned": {"id": self.id, "name": self._name}}

    @property
    def _name(self) -> str:
        return one_line(_MARKUP.sub(" ", self.name), _NAME) or "…"

    @property
    def _text(self) -> str:
        return f"<at>{self._name}</at>"
