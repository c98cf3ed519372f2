"""The sentences by the names under which an administrator may change them, and which changes would do harm."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from string import Formatter
from typing import Any, TypeVar

from config.checks import Conflict
from config.schema import Settings
from config.wording import WordingSettings
from handlers.characters import cleaned, readable
from handlers.wordings import SHIPPED, Wording, Words

#: Before the names of each table; answers have none.
_TABLES: Mapping[str, str] = {
    "phrases": "",
    "around": "around.",
    "acts": "acts.",
    "teams": "teams.",
    "tickets": "tickets.",
    "comebacks": "comebacks.",
    "incidents": "incidents.",
    "secrets": "secrets.",
    "report": "report.",
    "background": "background.",
    "standing": "standing.",
}
#: Not sentences: how a language works, and words that are also listened for.
_FIXED = frozenset(
    {
        *("language", "quotation", "nested", "weekdays", "months", "acts.commands", "secrets.joint"),
        *("report.colon", "report.comma", "report.bracketed", "report.none"),
    }
)
_LONGEST = 1_000
#: Characters that a place on the platforms has room for.
_ROOM: Mapping[str, int] = {
    "acts.helpful": 75,
    "acts.unhelpful": 75,
    "acts.ask_person": 75,
    "acts.show_words": 75,
    "acts.forget": 75,
    "acts.forget_yes": 75,
    "acts.forget_no": 75,
    "acts.form_title": 24,
    "acts.form_send": 24,
    "acts.form_close": 24,
    "acts.form_subject": 150,
    "acts.form_note": 150,
    "acts.form_hint": 300,
    "acts.home_examples": 150,
    "acts.requests": 150,
    "acts.memory": 150,
    "acts.recent": 150,
    "acts.prompts": 150,
    "around.working": 50,
    "around.searching": 100,
    "around.reading": 100,
    "around.writing": 100,
    "around.separator": 5,
    "report.title": 75,
    "secrets.forget": 75,
    "tickets.take": 75,
    "tickets.hand_back": 75,
    "tickets.resolve": 75,
    "tickets.resolve_title": 24,
    "tickets.cause_asked": 150,
    "tickets.fix_asked": 150,
    "tickets.resolve_hint": 300,
    "incidents.subscribe": 75,
    "incidents.confirm": 75,
    "incidents.dismiss": 75,
    "incidents.end": 75,
    "tickets.ask_user": 75,
    "tickets.open_ticket": 75,
    "tickets.share": 75,
    "tickets.share_title": 24,
    "tickets.symptom_asked": 150,
    "tickets.learned_asked": 150,
    "tickets.share_hint": 300,
    "tickets.ask_title": 24,
    "tickets.ask_asked": 150,
    "tickets.ask_hint": 300,
    "tickets.thread_hint": 300,
    "teams.thread_hint": 300,
    "teams.show_requests": 75,
    "teams.show_memory": 75,
    "teams.welcome": 150,
}
_ROOM_OF_EXAMPLES = 150

Table = TypeVar("Table", bound=Any)


def sentences(words: Words) -> Mapping[str, str]:
    """Every sentence of one language by its name: greeting, degraded.model, acts.examples.1."""
    return {
        f"{prefix}{name}": sentence
        for table, prefix in _TABLES.items()
        for name, sentence in _in_table(getattr(words, table), prefix)
    }


def wording_of(settings: WordingSettings) -> Wording:
    """The shipped sentences with those of the administrator in their places."""
    return Wording(ja=_changed(SHIPPED.ja, settings.ja), en=_changed(SHIPPED.en, settings.en))


def wording_conflicts(settings: Settings) -> Iterator[Conflict]:
    """What is wrong with the administrator's sentences."""
    for language, shipped, given in (
        ("ja", SHIPPED.ja, settings.wording.ja),
        ("en", SHIPPED.en, settings.wording.en),
    ):
        known = sentences(shipped)
        for name, sentence in given.items():
            if said := _fault(name, sentence, known):
                yield ("wording", language, name), said


def _in_table(table: object, prefix: str) -> Iterator[tuple[str, str]]:
    for field in fields(table):  # type: ignore[arg-type]
        value = getattr(table, field.name)
        if f"{prefix}{field.name}" in _FIXED:
            continue
        yield from ((".".join((field.name, *below)), sentence) for below, sentence in _below(value))


def _below(value: object) -> Iterator[tuple[tuple[str, ...], str]]:
    """The sentences of one field: one, one for each name, or a numbered list."""
    if isinstance(value, str):
        yield (), value
    elif isinstance(value, Mapping):
        yield from (((str(name),), sentence) for name, sentence in value.items())
    elif isinstance(value, tuple):
        yield from (((str(place),), sentence) for place, sentence in enumerate(value, start=1))


def _changed(words: Words, given: Mapping[str, str]) -> Words:
    changed = {
        table: _changed_table(getattr(words, table), prefix, given) for table, prefix in _TABLES.items() if given
    }
    return replace(words, **changed)


def _changed_table(table: Table, prefix: str, given: Mapping[str, str]) -> Table:
    return replace(
        table,
        **{
            field.name: _changed_value(getattr(table, field.name), f"{prefix}{field.name}", given)
            for field in fields(table)
            if f"{prefix}{field.name}" not in _FIXED
        },
    )


def _changed_value(value: Any, name: str, given: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return given.get(name, value)
    if isinstance(value, Mapping):
        return {key: given.get(f"{name}.{key}", sentence) for key, sentence in value.items()}
    return tuple(given.get(f"{name}.{place}", sentence) for place, sentence in enumerate(value, start=1))


def _fault(name: str, sentence: str, known: Mapping[str, str]) -> str | None:
    """What has to be done about a sentence; None where it can be used."""
    if name not in known:
        return f"there is no such sentence; {_meant(name, known)}"
    shipped = known[name]
    if not readable(sentence):
        return "must say something; delete the line to have the shipped sentence"
    if cleaned(sentence) != sentence or "\t" in sentence:
        return "has a control character in it; delete that"
    if "\n" in sentence and "\n" not in shipped:
        return "must be on one line"
    if len(sentence) > (room := _room(name)):
        return f"must have {room} characters or fewer, as there is no room for more (found: {len(sentence)})"
    return _fault_of_blanks(sentence, shipped)


def _fault_of_blanks(sentence: str, shipped: str) -> str | None:
    """The same blanks, as they are written in the shipped sentence: what is filled in is known to fit these."""
    wanted = _blanks(shipped)
    try:
        found = _blanks(sentence)
    except ValueError:
        return "has a { or } without the other one"
    if found == wanted:
        return None
    shown = " ".join(sorted(wanted))
    return f"must have exactly these blanks: {shown}" if wanted else "must have no { or }: nothing is filled in there"


def _blanks(sentence: str) -> frozenset[str]:
    """As written: {count}, {length:,}. Raises ValueError where braces do not match; doubled ones are no blanks."""
    blanks = set[str]()
    for text, name, form, conversion in Formatter().parse(sentence):
        if "{" in text or "}" in text:
            raise ValueError("a doubled brace, which would be shown doubled where nothing is filled in")
        if name is not None:
            blanks.add("{" + name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "") + "}")
    return frozenset(blanks)


def _meant(name: str, known: Mapping[str, str]) -> str:
    ends = {one.rpartition(".")[2]: one for one in known}
    near = difflib.get_close_matches(name, known, n=1) or difflib.get_close_matches(name, ends, n=1)
    return (
        f"did you mean {ends.get(near[0], near[0])}?" if near else "`helpdesk config wording` lists all that there are"
    )


def _room(name: str) -> int:
    return _ROOM_OF_EXAMPLES if name.startswith("acts.examples.") else _ROOM.get(name, _LONGEST)
