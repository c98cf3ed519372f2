"""Characters of a message: which of them are writing, which only do harm, and how a text fits on one line."""

from __future__ import annotations

import re
import unicodedata

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
#: What a terminal would obey: colours and movements, titles and links (to their end on the same line), and the rest.
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"
    r"|\x1b[\]PX^_][^\x07\x1b\r\n]*(?:\x07|\x1b\\)"
    r"|\x1b[ -/]*[0-OQ-WYZ\\`-~]"
)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")
#: Embeddings, overrides and isolates turn the text after them around; the plain direction marks of right-to-left
#: writing (U+200E, U+200F, U+061C) do not and stay.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_SURROGATES = re.compile("[\ud800-\udfff]")
#: NFC would put another character for these: a person's name is spelt with exactly this one.
_COMPOSABLE = re.compile("[^\uf900-\ufaff\U0002f800-\U0002fa1f]+")
#: Letters and symbols that look like nothing (fillers, the blank Braille cell), and the mark of a lost character.
_BLANK = re.compile("[\u115f\u1160\u2800\u3164\uffa0\ufffd]")
#: A letter or digit that is shown as an emoji, as in keycaps.
_AS_EMOJI = re.compile(".\ufe0f\u20e3?")


def cleaned(text: str) -> str:
    """The text without what is not writing: whole escape sequences, controls (newline and tab stay) and direction
    overrides are taken out, lone surrogates become U+FFFD, and the rest is composed (NFC). No word is changed."""
    text = without_escapes(text)
    text = _SURROGATES.sub("\ufffd", _LINE_ENDS.sub("\n", text))
    text = _TURNING.sub("", _CONTROLS.sub("", text))
    return _COMPOSABLE.sub(lambda match: unicodedata.normalize("NFC", match.group()), text)


def without_escapes(text: str) -> str:
    """The text without what it says to a terminal, of which nothing must stay behind: ESC [31m whole, not ESC alone."""
    return _ESCAPES.sub("", text)


def readable(text: str) -> bool:
    """Whether there is anything to see: a letter, a digit, a sign or an emoji."""
    return any(unicodedata.category(character)[0] in "LNPS" for character in _BLANK.sub("", text))


def wordless(text: str) -> bool:
    """Whether there is no letter and no digit: emoji and punctuation say something, but ask nothing."""
    return not any(unicodedata.category(character)[0] in "LN" for character in _AS_EMOJI.sub("", text))


def one_line(text: str, length: int) -> str:
    """The text on one line of at most `length` characters, the last one "…" where it was cut."""
    line = " ".join(cleaned(text).split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"
