"""Bytes are read as the text that they are, or not at all."""

from __future__ import annotations

import pytest

from memory.text.encodings import decoded

JAPANESE = "メール障害：接続できません。エラー QX-77\r\n"


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (JAPANESE.encode("utf-8"), "utf-8"),
        (b"\xef\xbb\xbf" + JAPANESE.encode("utf-8"), "utf-8-sig"),
        (b"\xff\xfe" + JAPANESE.encode("utf-16-le"), "utf-16"),
        (b"\xfe\xff" + JAPANESE.encode("utf-16-be"), "utf-16"),
        (JAPANESE.encode("cp932"), "cp932"),
        (JAPANESE.encode("euc_jp"), "euc_jp"),
    ],
)
def test_each_encoding_of_japanese_desks_is_known(content: bytes, encoding: str) -> None:
    assert decoded(content) == (JAPANESE, encoding)


@pytest.mark.parametrize(
    "content",
    [
        "Größe déjà vu".encode("latin-1"),
        b"PK\x03\x04\x00\x00",
        JAPANESE.encode("utf-16-le"),
        b"\xff\xfe\x00\xd8x",
        b"\x81" + JAPANESE.encode(),
    ],
)
def test_what_is_in_none_of_them_is_no_text(content: bytes) -> None:
    assert decoded(content) is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp932", "euc_jp"])
def test_a_character_that_the_end_cuts_through_is_left_out(encoding: str) -> None:
    cut = "障害です".encode(encoding)[:-1]
    assert decoded(cut, whole=False) == ("障害で", encoding)
    assert decoded(cut, whole=True) is None
