"""A message that had a secret in it is forgotten, alone, when its author wants that."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from handlers.wordings import Wording
from memory.model import Turn
from memory.upkeep.forget import Forgotten

#: Takes back one message and what was made of it. Raises StoreUnavailable.
ForgetOne: TypeAlias = Callable[[Turn], Awaitable[Forgotten]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """What is said in one language of a message on one platform ("slack", "teams", "terminal")."""

    wording: Wording
    language: str
    platform: str

    @property
    def question(self) -> str:
        """Whether to forget it."""
        return self.wording.secrets(self.language).question

    @property
    def consequences(self) -> Sequence[str]:
        """What will go and what stays, before it does."""
        words = self.wording.secrets(self.language)
        return (words.goes, words.stays, *self._by_hand()) if self._by_hand() else (words.goes,)

    def done(self, receipt: Forgotten) -> str:
        """That it is forgotten, and what is left for its author to do."""
        held = (self.wording.acts(self.language).forgotten_held,) if receipt.held else ()
        return self._said(self.wording.secrets(self.language).forgotten, *held, *self._by_hand())

    @property
    def gone(self) -> str:
        """That there is nothing to forget, or nothing any more."""
        return self._said(self.wording.secrets(self.language).gone, *self._by_hand())

    def _by_hand(self) -> tuple[str, ...]:
        """How to delete on the platform what a bot cannot."""
        how = self.wording.secrets(self.language).by_hand.get(self.platform)
        return (how,) if how else ()

    def _said(self, *sentences: str) -> str:
        return self.wording.secrets(self.language).joint.join(sentences)
