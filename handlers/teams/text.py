"""The words of a message: the fuller of its text and its HTML, without the bot's own mention, others as "@name"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from handlers.characters import cleaned, readable
from handlers.mentions import without_mentions
from handlers.teams.fields import Fields, inside, several, string
from handlers.teams.records import Me
from handlers.teams.rich_text import words_of_html

#: Stand in a text that is being read for the bot's own mention, and before the name of somebody else; no such
#: character comes from outside.
_OWN, _OTHER = "\x00", "\x01"
_RESERVED = re.compile("[\x00\x01\ufeff]")
#: A name can have the characters of tags in it, but no other mention. Its length is bounded, so that many openings
#: without an end cost no more than they are long.
_AT = re.compile(r"<at(?:\s[^<>]{0,100})?>((?:(?!</?at[\s>]).){0,200})</at>", re.DOTALL | re.IGNORECASE)
_ENTITY = re.compile("&(nbsp|lt|gt|amp|quot|apos|#39|#160);")
_CHARACTERS = {"nbsp": " ", "lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "#39": "'", "#160": " "}
_OTHER_FIRST = re.compile(rf"[\s\u200b{_OWN}]*{_OTHER}")
_MOST_MENTIONS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a message says: "" where nothing can be read in it. `names_others`: it begins with somebody else's name."""

    text: str
    mentioned: bool
    names_others: bool


def words_of(activity: Fields, me: Me) -> Words:
    """The words of a message. Never raises."""
    mentions = [*_mentions(activity, me)]
    mentioned = any(mention.own for mention in mentions)
    own = _own_names(activity, mentions, me)
    plain = _plain(activity, mentions, own)
    rich = _rich(activity, mentions, own)
    marked = rich if rich and _letters(rich) >= _letters(plain) else plain
    text = cleaned(without_mentions(marked, _OWN).replace(_OTHER, "@")).strip(" \t\n\u3000\u200b")
    return Words(
        text=text if readable(text) else "",
        mentioned=mentioned,
        names_others=not mentioned and _OTHER_FIRST.match(marked) is not None,
    )


def plain_words(text: str) -> str:
    """Words that came without a message around them, such as a comment in a form."""
    return cleaned(_RESERVED.sub("", text).replace("\u00a0", " ")).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mention:
    """A mention as Teams lists it: under which names, of the bot or of somebody else, in which words."""

    names: frozenset[str]
    own: bool
    text: str


def _mentions(activity: Fields, me: Me) -> Iterator[_Mention]:
    for entity in several(activity, "entities")[:_MOST_MENTIONS]:
        if entity.get("type") != "mention":
            continue
        mentioned, text = inside(entity, "mentioned"), string(entity, "text") or ""
        names = {_name(string(mentioned, "name") or ""), _name(_AT.sub(lambda found: found[1], text))} - {""}
        id = string(mentioned, "id")
        yield _Mention(names=frozenset(names), own=me.is_known_as(id), text=_RESERVED.sub("", text))


def _own_names(activity: Fields, mentions: list[_Mention], me: Me) -> frozenset[str]:
    recipient = inside(activity, "recipient")
    mine = {_name(string(recipient, "name") or "")} if me.is_known_as(string(recipient, "id")) else set()
    return frozenset().union(mine - {""}, *(mention.names for mention in mentions if mention.own))


def _plain(activity: Fields, mentions: list[_Mention], own: frozenset[str]) -> str:
    """The message's own text, with marks for mentions."""
    text = _RESERVED.sub("", string(activity, "text") or "").replace("\u00a0", " ")
    if activity.get("textFormat") == "xml":
        return words_of_html(text, partial(_called, mentions, own))
    for mention in mentions:
        if mention.own and mention.text.strip() and not _AT.search(mention.text):
            text = text.replace(mention.text, _OWN, 1)
    pieces, at = [], 0
    for found in _AT.finditer(text):
        pieces += [_unescaped(text[at : found.start()]), _called(mentions, own, found[1], None)]
        at = found.end()
    return "".join([*pieces, _unescaped(text[at:])])


def _rich(activity: Fields, mentions: list[_Mention], own: frozenset[str]) -> str:
    """The text of the HTML that Teams attaches, with marks for mentions."""
    attached = (one for one in several(activity, "attachments") if one.get("contentType") == "text/html")
    html = next((html for one in attached if (html := string(one, "content"))), "")
    return words_of_html(_RESERVED.sub("", html), partial(_called, mentions, own))


def _called(mentions: list[_Mention], own: frozenset[str], written: str, number: int | None) -> str:
    """What stands for a mention under this name, which is the one with this number if its name agrees."""
    name = _name(written)
    listed = mentions[number] if number is not None and number < len(mentions) else None
    if listed is not None and any(name in each for each in listed.names):
        return _OWN if listed.own else _marked(name)
    return _OWN if name in own else _marked(name)


def _marked(name: str) -> str:
    return f"{_OTHER}{name.lstrip('@')}" if name else ""


def _name(written: str) -> str:
    return " ".join(_unescaped(_RESERVED.sub("", written)).split())


def _unescaped(text: str) -> str:
    return _ENTITY.sub(lambda found: _CHARACTERS[found[1]], text)


def _letters(text: str) -> int:
    return sum(character.isalnum() for character in text)
