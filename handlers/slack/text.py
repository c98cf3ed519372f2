"""From Slack's markup to plain words, and what becomes of the people who are mentioned in them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from handlers.characters import cleaned, one_line
from handlers.links import link_in_words
from handlers.mentions import without_mentions
from handlers.slack.blocks import attached, written
from handlers.slack.fields import Fields

_TAG = re.compile("<([^<>]+)>")
_ENTITY = re.compile("&(lt|gt|amp);")
_CHARACTERS = {"lt": "<", "gt": ">", "amp": "&"}
_PERSON_ID = re.compile("[UWB][A-Z0-9]{1,40}")
_PERSON = re.compile(rf"<@({_PERSON_ID.pattern})>")
_ADDRESS = re.compile("[A-Za-z][A-Za-z0-9+.-]*:.")
#: At the very start: a person, a group, everybody.
_ADDRESSED = re.compile(r"[\s\u200b]*<(?:@([A-Z0-9]+)|!subteam\^|!here|!channel|!everyone)")
_NAME = 80


def words_of(message: Fields, own: str) -> str:
    """The plain words of a message, without mentions of `own` (the bot's user id), other people as `<@U…>`.

    The words are those of its text; of its blocks where it has none, and of its attachments where it has neither.
    """
    return words_in(written(message) or attached(message), own)


def words_in(markup: str, own: str) -> str:
    """Markup as plain words. Escaped characters are read once, so that what was written as `&lt;` stays so."""
    text = without_mentions(markup.replace("\u00a0", " "), _own(own))
    text = _ENTITY.sub(lambda match: _CHARACTERS[match[1]], _TAG.sub(_read, text))
    return cleaned(text).strip()


def mentions(message: Fields, own: str) -> bool:
    """Whether the author of a message mentions `own` in it; what is attached has another author."""
    return re.search(_own(own), written(message)) is not None


def addresses_others(message: Fields, own: str) -> bool:
    """Whether a message begins with the mention of somebody, or of a group, and not of `own`."""
    found = _ADDRESSED.match(written(message))
    return found is not None and found[1] != own


def people_in(text: str) -> frozenset[str]:
    """The ids of the people who are mentioned in plain words; there may be many."""
    return frozenset(_PERSON.findall(text))


def without_people(text: str, names: Mapping[str, str]) -> str:
    """The text as the memory may keep it: no mention is left, and whom `names` does not know is "@unknown"."""
    return _PERSON.sub(lambda match: _named(match[1], names) or "@unknown", text)


def _named(person: str, names: Mapping[str, str]) -> str:
    name = one_line(names.get(person, ""), _NAME)
    return f"@{name}" if name else ""


def _own(own: str) -> str:
    """A pattern of the bot's own mention."""
    return rf"<@{re.escape(own)}(?:\|[^<>]*)?>"


def _read(tag: re.Match[str]) -> str:
    target, _, label = tag[1].partition("|")
    match target[:1]:
        case "@":
            return f"<{target}>" if _PERSON_ID.fullmatch(target[1:]) else tag[0]
        case "#":
            return f"#{label or target[1:]}"
        case "!":
            return _special(target[1:], label)
    return link_in_words(target, label) if _ADDRESS.match(target) else tag[0]


def _special(target: str, label: str) -> str:
    """A date, a group, everybody."""
    if target.startswith("date^"):
        return label
    name = label.lstrip("@") or target.rpartition("^")[2]
    return f"@{name}" if name else "<!>"
