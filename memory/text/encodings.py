"""Which encoding bytes are text in. Strict: what fits none of them is no text, rather than text with holes."""

from __future__ import annotations

import codecs

#: UTF-16 only says what it is by its mark; of the others the first that fits is meant.
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_OLD = ("cp932", "euc_jp")
_WITHOUT_MARK = ("utf-8", *_OLD)


def decoded(content: bytes, *, whole: bool = True) -> tuple[str, str] | None:
    """The text and the name of its encoding (UTF-8, UTF-16 with a mark, CP932, EUC-JP); None where it is none of them.

    Where `content` is not the whole, a character that its end cuts through is left out.
    """
    marked = next((encoding for mark, encoding in _MARKS.items() if content.startswith(mark)), None)
    for encoding in (marked,) if marked else _WITHOUT_MARK:
        try:
            text = codecs.getincrementaldecoder(encoding)("strict").decode(content, final=whole)
        except UnicodeDecodeError:
            continue
        if "\0" not in text and not _misread(text, content, encoding):
            return text, encoding
    return None


def _is_damaged_utf8(content: bytes) -> bool:
    """Whether most of it is UTF-8, which the older encodings would take for rare characters."""
    kept = content.decode("utf-8", errors="ignore")
    return 2 * sum(3 for char in kept if char >= "\u0800") > sum(byte > 0x7F for byte in content)


def _misread(text: str, content: bytes, encoding: str) -> bool:
    """Whether it only seems to be in one of the older encodings, in which nearly any bytes are text."""
    if encoding not in _OLD:
        return False
    # Half-width kana fill the upper half of CP932: other encodings read as them, Japanese text hardly has any.
    kana = sum("\uff61" <= char <= "\uff9f" for char in text)
    return _is_damaged_utf8(content) or kana * 2 > sum(not char.isascii() for char in text)
