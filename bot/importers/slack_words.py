"""What a Slack message says, in plain words: mentions by name, links by label, entities unescaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence

#: Mentions, commands and links; a bare `<` of a person arrives escaped, or means nothing.
_TAG = re.compile(r"<([@#!][^<>]+|[a-z][a-z0-9+.-]*:[^<>]+)>")


def plain(text: str, names: Mapping[str, str]) -> str:
    """Slack's markup as people read it. `names` maps the ids of users and channels to their names."""
    return html.unescape(_TAG.sub(lambda match: _tag(match[1], names), text))


def _tag(inside: str, names: Mapping[str, str]) -> str:
    target, _, label = inside.partition("|")
    if target.startswith("@"):
        return f"@{names.get(target[1:]) or label.lstrip('@') or target[1:]}"
    if target.startswith("#"):
        return f"#{names.get(target[1:]) or label or target[1:]}"
    if target.startswith("!date^"):
        return label
    if target.startswith("!"):
        return f"@{label.lstrip('@') or target[1:].split('^')[0]}"
    address = target.removeprefix("mailto:").removeprefix("tel:")
    return address if not label or label in target else f"{label} ({address})"


def message_words(message: Mapping[str, object], names: Mapping[str, str]) -> str:
    """The text of a message; where it has none, that of its blocks or attachments; then the names of its files."""
    said = str(message.get("text") or "")
    if not said.strip():
        said = "\n".join(_inner_texts(message.get("blocks")))
    if not said.strip():
        said = "\n".join(_attachments(message.get("attachments")))
    return " ".join(part for part in (plain(said, names).strip(), *_files(message.get("files"))) if part)


def _inner_texts(node: object) -> Iterator[str]:
    if isinstance(node, list):
        for one in node:
            yield from _inner_texts(one)
    elif isinstance(node, Mapping):
        text = node.get("text")
        if isinstance(text, str):
            yield text
        yield from _inner_texts([value for value in node.values() if isinstance(value, list | Mapping)])


def _attachments(found: object) -> Iterator[str]:
    for one in _mappings(found):
        given = [one[key] for key in ("pretext", "title", "text") if isinstance(one.get(key), str)]
        yield "\n".join(str(part) for part in given or [one.get("fallback") or ""])


def _files(found: object) -> Iterator[str]:
    for one in _mappings(found):
        title = one.get("name") or one.get("title")
        if title:
            yield f"[file: {title}]"


def _mappings(found: object) -> Sequence[Mapping[str, object]]:
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []
