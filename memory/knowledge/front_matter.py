"""What stands at the head of an article between two lines of `---`: optional, in YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

_FENCE = "---"
_DEEPEST = 10
_MOST_CHARACTERS = 10_000
_LONGEST = 200


class Unreadable(ValueError):
    """An article that cannot be read: on which of its lines, counted from 1, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """What an article says of itself, and the Markdown behind it."""

    title: str | None = None
    author: str | None = None
    updated: datetime | None = None
    markdown: str


def split(text: str, zone: tzinfo) -> FrontMatter:
    """The article's own statements and its Markdown; times without an offset are in `zone`. Raises Unreadable."""
    head, markdown = _parted(text)
    if head is None:
        return FrontMatter(markdown=markdown)
    values = _values(head)
    return FrontMatter(
        title=_word(values.get("title")),
        author=_word(values.get("author")),
        updated=_moment(values.get("updated", values.get("date")), zone),
        markdown=markdown,
    )


def _parted(text: str) -> tuple[str | None, str]:
    """A first line of `---` begins front matter; without a second one it is a rule, and all is Markdown."""
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].rstrip() != _FENCE:
        return None, text
    end = next((place for place, line in enumerate(lines[1:], 1) if line.rstrip() in (_FENCE, "...")), None)
    if end is None:
        raise Unreadable(1, "the front matter that begins here has no end; write a line of --- under it")
    return "".join(lines[1:end]), "".join(lines[end + 1 :])


def _values(head: str) -> Mapping[str, object]:
    if len(head) > _MOST_CHARACTERS:
        raise Unreadable(1, f"the front matter has more than {_MOST_CHARACTERS:,} characters")
    yaml = YAML(typ="safe", pure=True)
    yaml.max_depth = _DEEPEST
    try:
        values = yaml.load(head)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Unreadable(mark.line + 2 if mark else 1, "the front matter is not valid YAML") from None
    except (YAMLError, ValueError, RecursionError):
        raise Unreadable(1, "the front matter is not valid YAML") from None
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise Unreadable(2, "the front matter must hold names and values, as in `title: VPN`")
    return values


def _word(value: object) -> str | None:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    return " ".join(str(value).split())[:_LONGEST] or None


def _moment(value: object, zone: tzinfo) -> datetime | None:
    """A day counts from its beginning. What is no time at all is as good as none: the file has one of its own."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=zone)
    return datetime.combine(value, time(), zone) if isinstance(value, date) else None


def believable(moment: datetime, now: datetime) -> datetime:
    """The moment, but not later than now and not before 1970, where clocks begin."""
    return max(min(moment, now), datetime(1970, 1, 2, tzinfo=UTC))
