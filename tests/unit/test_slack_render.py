"""Whatever a model writes becomes Slack blocks that Slack takes, that say the same words and that do no harm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handlers.markup.sources import Source
from handlers.slack.acts import pieces
from handlers.slack.render import SlackMessage, rendered

KNOWN = "https://wiki.example/vpn?a=1&b=2_x"
EVIL = "https://evil.example/?q=secret"


def walk(value: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        for each in value.values():
            yield from walk(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from walk(each)


def elements(body: str, **options: Any) -> list[Any]:
    """The elements of the one rich text block."""
    [message] = rendered(body, **options)
    [block] = message.blocks
    assert block["type"] == "rich_text"
    found = block["elements"]
    assert isinstance(found, list)
    return found


def words(body: str, **options: Any) -> list[tuple[str, str]]:
    """The text of the one section, each run with its styles, as in ("x", "bold code"), or with its URL."""
    [section] = elements(body, **options)
    assert section["type"] == "rich_text_section"
    return [(each["text"], each.get("url") or " ".join(each.get("style", {}))) for each in section["elements"]]


def all_text(messages: tuple[SlackMessage, ...]) -> str:
    """All words of all blocks, a space between blocks and between elements that stand apart."""
    found = []
    for each in walk([message.blocks for message in messages]):
        if isinstance(each.get("text"), str):
            found.append(each["text"])
        elif str(each.get("type", "")).startswith("rich_text"):
            found.append("\n")
    return "".join(found)


def assert_acceptable(messages: tuple[SlackMessage, ...]) -> None:
    assert 1 <= len(messages) <= 5
    for message in messages:
        assert 1 <= len(message.text) <= 3_000
        assert not re.search("[<>]|&(?!(amp|lt|gt);)", message.text)
        assert 1 <= len(message.blocks) <= 50
        assert sum(units(block) for block in message.blocks) < 10_000
        for block in message.blocks:
            assert units(block) < 3_000
            if block["type"] == "header":
                assert isinstance(block["text"], dict)
                assert 1 <= len(block["text"]["text"]) <= 150
                assert not set("<>&@") & set(block["text"]["text"])
    kinds = {"header", "divider", "rich_text", "plain_text", "context", "text", "link", "rich_text_section"}
    kinds |= {"rich_text_list", "rich_text_quote", "rich_text_preformatted"}
    for each in walk([message.blocks for message in messages]):
        assert each.get("type", "text") in kinds, "nothing that Slack would parse or that mentions anybody"
        assert each.get("text") != ""
        assert each.get("elements") != []


def units(value: object) -> int:
    texts = [str(each[key]) for each in walk(value) for key in ("text", "url") if isinstance(each.get(key), str)]
    return sum(len(text.encode("utf-16-le")) // 2 for text in texts)


def links(messages: tuple[SlackMessage, ...]) -> set[str]:
    return {each["url"] for each in walk([message.blocks for message in messages]) if "url" in each}


@pytest.mark.parametrize(
    "body",
    [
        "これは**太字**は",
        "漢字**太字**漢字",
        "です**「太字」**です",
        "です**『太字』**です",
        "は**（太字）**は",
        "次に**太字。**次に",
        "次に**太字！**次に",
        "カナ**【太字】**カナ",
        "値**太字：**値",
        "値**太字:**値",
        'は**"太字"**は',
        "、**太字**。",
        "「**太字**」",
        "ｶﾅ**「太字」**ｶﾅ",
        "**「太字」**と言う",
        "と**「太字」**",
    ],
)
def test_bold_is_bold_beside_japanese(body: str) -> None:
    before, bold, after = body.split("**")
    assert words(body) == [(text, style) for text, style in ((before, ""), (bold, "bold"), (after, "")) if text]


def test_two_bold_runs_in_a_japanese_sentence_are_two() -> None:
    assert words("は**「甲」**と**「乙」**です") == [
        ("は", ""), ("「甲」", "bold"), ("と", ""), ("「乙」", "bold"), ("です", "")
    ]  # fmt: skip


def test_the_other_styles_work_beside_japanese_too() -> None:
    assert words("は~~「旧」~~と*「斜」*です`a**b`") == [
        ("は", ""), ("「旧」", "strike"), ("と", ""), ("「斜」", "italic"), ("です", ""), ("a**b", "code")
    ]  # fmt: skip


@pytest.mark.parametrize("body", ["2 * 3 * 4", "snake_case_name", "**", "a ** b ** c", "５＊３", "日本 ** 語 ** です"])
def test_marks_that_mark_nothing_stay(body: str) -> None:
    assert words(body) == [(body, "")]


def test_line_breaks_and_paragraphs_stay() -> None:
    assert words("一行目\n二行目<br>三行目\n\n次の段落") == [("一行目\n二行目\n三行目\n\n次の段落", "")]


def test_html_mentions_and_emoji_codes_are_plain_text() -> None:
    body = "<b>x</b> <!channel> <@U123> <#C1> @here :fire: <!-- c -->"
    assert words(body) == [(body, "")]
    [message] = rendered(body)
    assert message.text.startswith("&lt;b&gt;x&lt;/b&gt; &lt;!channel&gt; ")


def test_a_heading_is_a_header_where_it_is_short_and_plain() -> None:
    [message] = rendered("# 障害の**要約**\n\n本文")
    assert message.blocks[0] == {"type": "header", "text": {"type": "plain_text", "text": "障害の要約", "emoji": True}}


@pytest.mark.parametrize("heading", ["a <!channel> b", "`code`", ":fire: hot", "長" * 151])
def test_another_heading_is_bold(heading: str) -> None:
    [(text, style)] = words(f"## {heading}")
    assert (text, "bold" in style) == (heading.strip("`"), True)


def test_a_rule_is_a_divider_even_right_below_a_line() -> None:
    [message] = rendered("a\n---\nb")
    assert [block["type"] for block in message.blocks] == ["rich_text", "divider", "rich_text"]


def test_lists_keep_their_depth_and_their_numbers() -> None:
    found = elements("3. three\n   - in\n     more\n4. four\n5. five\n\n- [ ] todo\n- [x] done")
    shape = [
        (
            each["style"],
            each["indent"],
            each.get("offset", 0),
            [part["elements"][0]["text"] for part in each["elements"]],
        )
        for each in found
    ]
    assert shape == [
        ("ordered", 0, 2, ["three"]),
        ("bullet", 1, 0, ["in\nmore"]),
        ("ordered", 0, 3, ["four", "five"]),
        ("bullet", 0, 0, ["☐ todo", "☑ done"]),
    ]


def test_numbers_go_on_after_code_between_items() -> None:
    first, code, second = elements("1. one\n   ```sh\n   ls -l\n   ```\n2. two")
    assert (first["style"], code["type"], second["offset"]) == ("ordered", "rich_text_preformatted", 1)
    assert code["elements"] == [{"type": "text", "text": "ls -l"}]


def test_quotes_are_quotes() -> None:
    quote, items = elements("> a\n> b\n>\n> - c")
    assert (quote["type"], quote["elements"]) == ("rich_text_quote", [{"type": "text", "text": "a\nb"}])
    assert (items["type"], items["border"]) == ("rich_text_list", 1)


def test_code_is_left_as_it_is() -> None:
    code = 'if (a < b && c) {\n\n    say("**x** <!here> [a](b) https://evil.example");\n}'
    [found] = elements(f"```c\n{code}\n```")
    assert found == {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": code}]}


def test_words_behind_a_fence_are_no_language() -> None:
    [found] = elements("``` not a language\nx")
    assert found["elements"][0]["text"] == "not a language\nx"


def test_a_table_is_aligned_and_keeps_surplus_cells() -> None:
    [found] = elements("| 名前 | n |\n|---|--:|\n| 佐藤さん | 1 | more |\n| **b** | 200 |")
    assert found["type"] == "rich_text_preformatted"
    assert found["elements"][0]["text"].split("\n") == [
        "名前     |   n",
        "---------+-----+-----",
        "佐藤さん |   1 | more",
        "b        | 200",
    ]


def test_a_long_table_is_split_between_rows_and_repeats_its_head() -> None:
    rows = [f"row{number} | {'値' * 15}" for number in range(600)]
    messages = rendered("| a | b |\n|---|---|\n" + "\n".join(rows))
    assert_acceptable(messages)
    tables = [
        each["elements"][0]["text"].split("\n")
        for each in walk([message.blocks for message in messages])
        if each.get("type") == "rich_text_preformatted"
    ]
    assert len(tables) > 4
    assert {tuple(table[:2]) for table in tables} == {("a      | b", "-------+-" + "-" * 30)}
    body = [re.sub(" +", " ", row) for table in tables for row in table[2:]]
    assert body == rows


def test_long_code_is_split_between_lines_and_opened_again() -> None:
    lines = [f"    line {number} = '{'x' * 40}'" for number in range(300)]
    messages = rendered("```\n" + "\n".join(lines) + "\n```")
    assert_acceptable(messages)
    pieces = [
        each["elements"][0]["text"]
        for each in walk([message.blocks for message in messages])
        if each.get("type") == "rich_text_preformatted"
    ]
    assert "\n".join(pieces).split("\n") == lines


def test_a_known_link_is_a_link_wherever_it_stands() -> None:
    options = {"allowed_links": [KNOWN]}
    assert words(f"[手順]({KNOWN})", **options) == [("手順", KNOWN)]
    assert words(f"詳細は{KNOWN}を見る", **options) == [("詳細は", ""), (KNOWN, KNOWN), ("を見る", "")]
    assert words(f"(<{KNOWN}>)", **options) == [("(", ""), (KNOWN, KNOWN), (")", "")]
    assert words(f"({KNOWN}).", **options) == [("(", ""), (KNOWN, KNOWN), (").", "")]
    assert words(f"**{KNOWN}**", **options) == [(KNOWN, KNOWN)]
    assert words(f"[]({KNOWN})", **options) == [(KNOWN, KNOWN)]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (f"[click]({EVIL})", [("click", "")]),
        (f"![chart]({EVIL})", [("chart", "")]),
        (f"see {EVIL}.", [("see ", ""), (EVIL, "code"), (".", "")]),
        (f"<{EVIL}|click>", [(f"{EVIL}|click", "code")]),
        (f"{KNOWN}.evil.example", [(f"{KNOWN}.evil.example", "code")]),
        (f"[{EVIL}]({KNOWN})", [(EVIL, "code")]),
        ("[x](javascript:alert(1))", [("x", "")]),
        ("[x](data:text/html,hi)", [("x", "")]),
        ("[x](mailto:a@b.example)", [("x", "")]),
        ("[a\u200b\u202eb](javascript:x)", [("a\u200bb", "")]),
    ],
)
def test_an_unknown_link_is_none(body: str, shown: list[tuple[str, str]]) -> None:
    if KNOWN in body and EVIL not in body:
        shown = [(shown[0][0], "code")]
    assert words(body, allowed_links=[KNOWN]) == shown


def test_no_list_of_links_allows_a_script() -> None:
    for url in ("javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"):
        assert links(rendered(f"[x]({url}) <{url}>", allowed_links=[url])) == set()


def test_a_link_shows_nothing_invisible() -> None:
    assert words(f"[a\u200b\u2066b&#8238;\u200fc]({KNOWN})", allowed_links=[KNOWN]) == [("abc", KNOWN)]


def test_a_notification_names_no_unknown_url() -> None:
    [message] = rendered(f"a {EVIL} b {KNOWN}", allowed_links=[KNOWN])
    assert message.text == "a (URL) b https://wiki.example/vpn?a=1&amp;b=2_x"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("手順 (https://evil.example/login)", "手順 ((URL))"),
        ("手順（https://evil.example/login）", "手順（(URL)）"),
        ("see https://evil.example/a_(b) there", "see (URL) there"),
    ],
)
def test_a_bracket_around_an_unknown_url_is_none_of_it(said: str, shown: str) -> None:
    assert pieces.message(pieces.paragraph(said)).text == shown


def test_sources_notes_and_buttons_stand_below_in_this_order() -> None:
    button = {"type": "actions", "elements": [{"type": "button", "text": {"type": "plain_text", "text": "Helpful"}}]}
    [message] = rendered(
        "本文 [1]",
        sources=[Source(label="[1] INC-1007", link="https://acme.slack.com/p1"), Source(label="[2] b", link=None)],
        notes=["記録から"],
        last=[button],
    )
    _, cited, small, buttons = message.blocks
    assert cited == {
        "type": "rich_text",
        "elements": [
            {
                "type": "rich_text_section",
                "elements": [
                    {"type": "link", "url": "https://acme.slack.com/p1", "text": "[1] INC-1007"},
                    {"type": "text", "text": "\n[2] b"},
                ],
            }
        ],
    }
    assert small == {"type": "context", "elements": [{"type": "plain_text", "text": "記録から", "emoji": False}]}
    assert buttons == button
    assert "Helpful" not in message.text


def test_what_does_not_fit_is_cut_with_a_note_and_the_end_stays() -> None:
    button = {"type": "actions", "elements": [{"type": "button", "text": {"type": "plain_text", "text": "Helpful"}}]}
    source = Source(label="[1] 出典", link=None)
    messages = rendered("あいうえお。" * 20_000, sources=[source], last=[button], cut_note="（省略）")
    assert len(messages) == 5
    *_, note, cited, buttons = messages[-1].blocks
    assert [each["text"] for each in walk([note, cited]) if "text" in each] == ["（省略）", "[1] 出典"]
    assert buttons == button
    assert all(units(message.blocks) < 10_000 for message in messages)


def test_a_long_text_is_cut_after_a_sentence() -> None:
    [message] = rendered("これは一つの文です。" * 500)
    texts = [each["text"] for each in walk(message.blocks) if "text" in each]
    assert len(texts) == 2
    assert all(text.endswith("。") for text in texts)
    assert "".join(texts) == "これは一つの文です。" * 500


@pytest.mark.parametrize(
    "cluster", ["が".replace("が", "か\u3099"), "👨\u200d👩\u200d👧", "🇯🇵", "👍🏽", "葛\U000e0100", "✔\ufe0f"]
)
def test_no_cut_goes_through_a_character(cluster: str) -> None:
    for shift in range(4):
        messages = rendered("x" * shift + cluster * 2_000)
        for each in walk([message.blocks for message in messages]):
            if isinstance(each.get("text"), str):
                assert each["text"].lstrip("x").replace("が", "か\u3099").replace(cluster, "") == ""


def test_headings_are_not_the_last_thing_of_a_message() -> None:
    first, second = rendered(("あ" * 2_800 + "\n\n") * 3 + "# 見出し\n\n" + "い" * 2_800)
    assert first.blocks[-1]["type"] == "rich_text"
    assert second.blocks[0]["type"] == "header"


def test_nothing_to_say_is_a_mistake() -> None:
    for body in ("", " \n\u3000", "\u200b\x00"):
        with pytest.raises(ValueError, match="body or sources"):
            rendered(body)
    assert rendered("", sources=[Source(label="[1] a", link=None)])


def test_blocks_that_fill_a_message_by_themselves_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="give less"):
        rendered("a", last=[{"type": "divider"}] * 50)


@pytest.mark.parametrize("body", ["![](x)", "```\n```", "[](y)", "****", "> ", "-"])
def test_mere_markup_is_shown_as_it_is(body: str) -> None:
    assert all_text(rendered(body)).strip() == body.strip()


@pytest.mark.parametrize(
    "body",
    [
        "> " * 100_000,
        "- " * 100_000,
        "[" * 200_000,
        "![" * 100_000,
        "[a](" * 50_000,
        "*a " * 66_000,
        "- a\n" * 50_000,
        "|" * 60_000 + "\n" + "|-" * 30_000,
        "".join(" " * depth + "- a\n" for depth in range(400)),
        "e" + "\u0301" * 200_000,
        "a*b*" * 50_000,
        "x" * 200_000,
    ],
)
def test_attacks_are_rendered_or_cut(body: str) -> None:
    assert_acceptable(rendered(body))


MARKS = ["**", "*", "_", "~~", "`", "[", "](", ")", "![", "<", ">", "|", "\\", "\n", "\n\n", "\n> ", "\n- ", "\n  - ",
         "\n1. ", "\n# ", "\n```\n", "\n---\n", "\n|-|-|\n", "<!channel>", "<@U1>", "&lt;", "https://", EVIL, KNOWN,
         "[x] ", "    ", "。", "「", "」", " ", "\t", "\u3000", "👨\u200d👩", "\ud800", "\x00", "\u202e",
         "a", "語"]  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.sampled_from(MARKS), max_size=60).map("".join)))
@settings(max_examples=150, deadline=None)
def test_any_text_is_rendered_acceptably_and_links_only_what_is_known(body: str) -> None:
    source = Source(label=f"[1] {body}", link="https://acme.slack.com/p1")
    messages = rendered(body, sources=[source], notes=[body], allowed_links=[KNOWN])
    assert_acceptable(messages)
    assert links(messages) <= {KNOWN, "https://acme.slack.com/p1"}
    assert rendered(body, sources=[source], notes=[body], allowed_links=[KNOWN]) == messages


@given(st.lists(st.sampled_from(MARKS), max_size=8).map("".join), st.integers(1, 30_000))
@settings(max_examples=40, deadline=None)
def test_long_texts_are_rendered_acceptably(unit: str, length: int) -> None:
    body = "語" + unit * (length // max(1, len(unit)))
    assert_acceptable(rendered(body, allowed_links=[KNOWN]))


SPACED = [" ** ", " **", "** ", "*", " _", "_ ", "~~", " ` ", " [", "] ", " | ", "\n", "\n\n", "\n> ", "\n>> ", "\n- ",
          "\n   - ", "\n7. ", "\n## ", "\n```\n", "\n---\n", "\n|-|-|\n", "\n    ", " <b> ",
          "。", "「", "」"]  # fmt: skip


@given(st.lists(st.sampled_from(SPACED), min_size=1, max_size=120))
@settings(max_examples=200, deadline=None)
def test_no_word_is_lost_and_none_changes_its_place(marks: list[str]) -> None:
    body = "".join(f"{mark}w{number}語" for number, mark in enumerate(marks))
    found = re.findall(r"w\d+語", all_text(rendered(body)))
    assert found == [f"w{number}語" for number in range(len(marks))]
