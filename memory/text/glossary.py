"""The words of this site in a text: which of its things are named there, and what else they are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from config.glossary import TermKind, TermSettings, spelled
from memory.text.sparse import overlap

#: Things in one text whose other names are looked for: more than a question is about.
MOST_NAMED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """One thing that a text names: how it is called there, and by what other names it goes."""

    said: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """One spelling of a term, as `spelled` gives it."""

    text: str
    term: TermSettings


class Glossary:
    """Finds names of the site in texts. A name in Latin letters stands there as a word of its own; one in Japanese may
    be part of a longer word, as 複合機 is of 新複合機. Of two that begin at one place the longer is meant."""

    def __init__(self, terms: Sequence[TermSettings] = ()) -> None:
        forms = [_Form(text=spelled(name), term=term) for term in terms for name in (term.name, *term.aliases)]
        self._beginning: dict[str, list[_Form]] = {}
        for form in sorted(forms, key=lambda form: -len(form.text)):
            self._beginning.setdefault(form.text[0], []).append(form)

    def named(self, text: str) -> tuple[Named, ...]:
        """What the text names, each thing once by the first of its names there; at most MOST_NAMED."""
        found = dict[str, Named]()
        for _, form in self._forms(spelled(text)):
            if form.term.name not in found and len(found) < MOST_NAMED:
                names = (form.term.name, *form.term.aliases)
                others = {spelled(name): name for name in names if spelled(name) != form.text}
                found[form.term.name] = Named(said=form.text, others=tuple(others.values()))
        return tuple(found.values())

    def names_in(self, text: str) -> tuple[str, ...]:
        """The desk's own names of everything that the text names, each once, in order of appearance."""
        return tuple(dict.fromkeys(form.term.name for _, form in self._forms(spelled(text))))

    def entities_in(self, text: str) -> tuple[str, ...]:
        """Those of products and systems."""
        kinds = (TermKind.PRODUCT, TermKind.SYSTEM)
        return tuple(dict.fromkeys(form.term.name for _, form in self._forms(spelled(text)) if form.term.kind in kinds))

    def overlap(self, question: str, text: str) -> float:
        """The share of the question's terms that the text has, 0 to 1, where all names of a thing are one."""
        return overlap(self._in_one_name(question), self._in_one_name(text))

    def _in_one_name(self, text: str) -> str:
        """The text for comparing, with each name of a thing replaced by the desk's own."""
        if not self._beginning:
            return text
        plain, parts, done = spelled(text), list[str](), 0
        for place, form in self._forms(plain):
            parts += (plain[done:place], form.term.name)
            done = place + len(form.text)
        return "".join((*parts, plain[done:])) if parts else text

    def _forms(self, plain: str) -> Iterator[tuple[int, _Form]]:
        """Where names begin in a spelled text, from left to right and none within another."""
        place = 0
        while self._beginning and place < len(plain):
            here = (form for form in self._beginning.get(plain[place], ()) if plain.startswith(form.text, place))
            form = next((form for form in here if _alone(form, plain, place)), None)
            if form is not None:
                yield place, form
            place += len(form.text) if form else 1


NO_GLOSSARY = Glossary()


def _alone(form: _Form, plain: str, place: int) -> bool:
    """Whether no Latin letter or digit of the text is joined to one of the name's own."""
    before, behind = plain[place - 1 : place], plain[place + len(form.text) :][:1]
    return not (_joins(before, form.text[0]) or _joins(form.text[-1], behind))


def _joins(left: str, right: str) -> bool:
    return all(letter.isascii() and letter.isalnum() for letter in (left, right)) and bool(left and right)
