"""What a message is called where there is room for one line: a title of its own words, not of what is around them."""

from __future__ import annotations

import re
import unicodedata

from memory.text.openings import says_nothing_of_it, without_opening
from memory.text.sentences import sentences
from memory.text.told_secrets import without_told

#: As long as a line in a list; what a message is about stands at its beginning.
_LONGEST, _BEGINNING = 80, 2000
#: A URL tells people where it leads by its host and the beginning of its path.
_URL = re.compile(
    r"<?[a-z][a-z0-9+.-]*://([^\s/?#<>|、。」）)]+)([^\s?#<>|、。」）)]{0,40})[^\s<>、。」）)]*>?", re.IGNORECASE
)
#: Marks of code, and whatever the language is called behind them.
_FENCE = re.compile(r"```[ \t]*(?:[\w+#.-]*[ \t]*(?=\n))?")
#: Marks of looks around words, as chats write them; code, addresses and names of files have none. Beside a letter or
#: number of ASCII it is no mark, as in snake_case and 2*3*4.
_LOOKS = re.compile(
    r"(?P<kept>```.+?```|`[^`\n]+`|\[file: [^\]\n]+\]|[a-z][a-z0-9+.-]{0,20}://[^\s*~]+)"
    r"|(?<![A-Za-z0-9*_~`])(?P<mark>[*_~])(?!\s|(?P=mark))(?P<words>[^\n]+?)(?<!\s)(?P=mark)(?![A-Za-z0-9*_~`])",
    re.DOTALL | re.IGNORECASE,
)
#: Looks that may stand in one another.
_DEEPEST = 3
#: At the beginning of a line: quotes, headings, items.
_MARKS = re.compile(r"^[\s>#*•・‣◦-]+(?=\S)", re.MULTILINE)
#: What stands for people and groups: markup, ids without names, and nobody whom the bot knows.
_NOBODY = re.compile(r"<[@!#][^<>]*>|@(?:unknown|[UWB][A-Z0-9]{4,})(?![\w])")
_FILE = re.compile(r"\[file: ([^\]\n]+)\]")


def title_of(words: str) -> str:
    """The first sentence of these words that says what they are about, in one line and not too long, without what only
    tells a secret; of words that are only code, a link or a file the beginning of it. Empty where nothing in them can
    be read."""
    words = words[:_BEGINNING]
    lines = [line for one in sentences(_plain(words)) if _readable(line := " ".join(one.split()))]
    about = (without_opening(one) for one in (*map(without_told, lines), *lines) if not says_nothing_of_it(one))
    line = next(filter(_readable, about), lines[0] if lines else _file_in(words))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"


def _plain(words: str) -> str:
    for _ in range(_DEEPEST):
        words = _LOOKS.sub(lambda found: found["kept"] or found["words"], words)
    text = _FILE.sub(" ", _FENCE.sub("\n", words)).replace("`", "")
    return _MARKS.sub("", _NOBODY.sub(" ", _URL.sub(_where, text)))


def _where(url: re.Match[str]) -> str:
    return f"{url[1]}{url[2]}".rstrip("/")


def _file_in(words: str) -> str:
    found = _FILE.search(words)
    return " ".join(found[1].split()) if found else ""


def _readable(line: str) -> bool:
    return any(unicodedata.category(character)[0] in "LN" for character in line)
