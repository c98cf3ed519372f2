"""From Slack's markup to plain words, and what becomes of the people who are mentioned in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from handlers.characters import cleaned, one_line
from handlers.slack.blocks import attached, written
from handlers.slack.fields import Fields

_TAG = re.compile("<([^<>]+)>")
_ENTITY = re.compile("&(lt|gt|amp);")
_CHARACTERS = {"lt": "<", "gt": ">", "amp": "&"}
_PERSON_ID = re.compile("[UWB][A-Z0-9]{1,40}")
_PERSON = re.compile(rf"<@({_PERSON_ID.pattern})>")
_ADDRESS = re.compile("[A-Za-z][A-Za-z0-9+.-]*:.")
#: What a word is made a link with, which its author did not write.
_ADDED = ("", "http://", "https://", "mailto:", "tel:")
#: At the very start: a person, a group, everybody.
_ADDRESSED = re.compile(r"[\s\u200b]*<(?:@([A-Z0-9]+)|!subteam\^|!here|!channel|!everyone)")
#: Few, because whoever searches for many spaces before something takes long over a text of spaces.
_SPACES = "[ \t\u3000]{0,8}"
_CLOSING = frozenset(",.:;!?)、。，．：；！？）」』")
_NAME = 80


def words_of(message: Fields, own: str) -> str:
    """The plain words of a message, without mentions of `own` (the bot's user id), other people as `<@U…>`.

    The words are those of its text; of its blocks where it has none, and of its attachments where it has neither.
    """
    return words_in(written(message) or attached(message), own)


def words_in(markup: str, own: str) -> str:
    """Markup as plain words. Escaped characters are read once, so that what was written as `&lt;` stays so."""
    text = _without(own, markup.replace("\u00a0", " "))
    text = _ENTITY.sub(lambda match: _CHARACTERS[match[1]], _TAG.sub(_read, text))
    return cleaned(text).strip()


def mentions(message: Fields, own: str) -> bool:
    """Whether the author of a message mentions `own` in it; what is attached has another author."""
    return _own(own).search(written(message)) is not None


def addresses_others(message: Fields, own: str) -> bool:
    """Whether a message begins with the mention of somebody, or of a group, and not of `own`."""
    found = _ADDRESSED.match(written(message))
    return found is not None and found[1] != own


def people_in(text: str) -> frozenset[str]:
    """The ids of the people who are mentioned in plain words; there may be many."""
    return frozenset(_PERSON.findall(text))


def with_names(text: str, names: Mapping[str, str]) -> str:
    """The text with "@name" for the people in `names` (id to name); whom it does not know stays a mention."""
    return _PERSON.sub(lambda match: _named(match[1], names) or match[0], text)


def without_people(text: str, names: Mapping[str, str]) -> str:
    """The text as the memory may keep it: no mention is left, and whom `names` does not know is "@unknown"."""
    return _PERSON.sub(lambda match: _named(match[1], names) or "@unknown", text)


def _named(person: str, names: Mapping[str, str]) -> str:
    name = one_line(names.get(person, ""), _NAME)
    return f"@{name}" if name else ""


@lru_cache(maxsize=64)
def _own(own: str) -> re.Pattern[str]:
    """The bot's own mention, as often as it is repeated, with the spaces around it."""
    return re.compile(rf"(?:{_SPACES}<@{re.escape(own)}(?:\|[^<>]*)?>)+{_SPACES}")


@lru_cache(maxsize=64)
def _leading(own: str) -> re.Pattern[str]:
    """The same at the start of a message, with what divides it from the rest."""
    return re.compile(rf"\A\s{{0,8}}{_own(own).pattern}(?:[,:](?=\s)|[、，：])?")


def _without(own: str, markup: str) -> str:
    return _own(own).sub(_gap, _leading(own).sub("", markup))


def _gap(mention: re.Match[str]) -> str:
    """What is left where a mention was: one of its spaces, none at the edge of a line or before punctuation."""
    before = mention.string[max(0, mention.start() - 1) : mention.start()]
    after = mention.string[mention.end() : mention.end() + 1]
    if before in ("", "\n") or after in ("", "\n") or after in _CLOSING:
        return ""
    return mention[0][0].strip("<") or mention[0][-1].strip(">")


def _read(tag: re.Match[str]) -> str:
    target, _, label = tag[1].partition("|")
    match target[:1]:
        case "@":
            return f"<{target}>" if _PERSON_ID.fullmatch(target[1:]) else tag[0]
        case "#":
            return f"#{label or target[1:]}"
        case "!":
            return _special(target[1:], label)
    return _link(target, label) if _ADDRESS.match(target) else tag[0]


def _special(target: str, label: str) -> str:
    """A date, a group, everybody."""
    if target.startswith("date^"):
        return label
    name = label.lstrip("@") or target.rpartition("^")[2]
    return f"@{name}" if name else "<!>"


def _link(url: str, label: str) -> str:
    if label and url.removesuffix("/") in {f"{added}{label.removesuffix('/')}" for added in _ADDED}:
        return label
    address = url.removeprefix("mailto:").removeprefix("tel:")
    return f"{label} ({address})" if label else address
