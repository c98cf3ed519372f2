"""The looks of words in Slack's markup."""

from __future__ import annotations

import pytest

from handlers.markup.parts import Kind
from handlers.slack.looks import parts_in, without_looks


@pytest.mark.parametrize(
    ("words", "spans"),
    [
        ("これは*型番*です & 確認", [("これは", ""), ("型番", "bold"), ("です & 確認", "")]),
        ("restart _now_, ~later~", [("restart ", ""), ("now", "italic"), (", ", ""), ("later", "strike")]),
        ("run `a_b *c*` twice", [("run ", ""), ("a_b *c*", "code"), (" twice", "")]),
        ("*very _old_*", [("very ", "bold"), ("old", "bold italic")]),
        ("2*3*4 and my_var_name", [("2*3*4 and my_var_name", "")]),
        ("* one\n* two", [("* one\n* two", "")]),
        ("**", [("**", "")]),
    ],
)
def test_marks_are_looks_where_slack_shows_them_so(words: str, spans: list[tuple[str, str]]) -> None:
    [part] = parts_in(words)
    assert part.kind is Kind.PARAGRAPH
    assert [(span.text, " ".join(sorted(span.styles))) for span in part.spans] == spans


def test_quotes_and_blocks_of_code_stand_by_themselves() -> None:
    parts = parts_in("前\n> 引用 *太字*\n> 二行目\n```\nping *a*\n```\n後")
    said = [(part.kind, "".join(span.text for span in part.spans)) for part in parts]
    assert said == [
        (Kind.PARAGRAPH, "前"),
        (Kind.QUOTE, "引用 太字\n二行目"),
        (Kind.CODE, "ping *a*"),
        (Kind.PARAGRAPH, "後"),
    ]


def test_without_looks_the_words_are_left_line_by_line() -> None:
    assert without_looks("*型番* は `K-1` & 以上\n> 引用") == "型番 は K-1 & 以上\n引用"
    assert without_looks("") == ""
