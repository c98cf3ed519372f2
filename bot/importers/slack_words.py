"""What a Slack message of an export says: as the bot would have taken it in, with the names that the export knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from handlers.fields import several, string
from handlers.slack.blocks import attached, escaped, written
from handlers.slack.text import words_in

#: A mention of a person or a channel, in old exports with a name of its own.
_MENTION = re.compile(r"<([@#])([A-Z0-9]+)(?:\|([^<>]*))?>")


def plain(markup: str, names: Mapping[str, str]) -> str:
    """Slack's markup as people read it. `names` maps the ids of users and channels to their names."""
    return words_in(_MENTION.sub(lambda found: _named(found, names), markup), "")


def _named(found: re.Match[str], names: Mapping[str, str]) -> str:
    sign, target, label = found.groups(default="")
    known = names.get(target)
    return sign + (escaped(known) if known else label.lstrip("@") or target)


def message_words(message: Mapping[str, object], names: Mapping[str, str]) -> str:
    """The text of a message; where it has none, that of its blocks or attachments; then the names of its files."""
    said = plain(written(message) or attached(message), names)
    return " ".join(part for part in (said, *_files(message)) if part)


def _files(message: Mapping[str, object]) -> Iterator[str]:
    for one in several(message, "files"):
        if title := string(one, "name") or string(one, "title"):
            yield f"[file: {title}]"
