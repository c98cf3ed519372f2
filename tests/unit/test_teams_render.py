"""Whatever a model writes becomes cards that Teams takes, that say the same words and that do no harm."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handlers.markup.sources import Source
from handlers.teams.cards import ask_person
from handlers.teams.message import TeamsMessage, plain_message
from handlers.teams.render import rendered, with_thumbs
from handlers.teams.render_entities import Claim
from tests.fakes.teams_cards import faults

KNOWN = "https://wiki.example/vpn?a=1&b=2_x"
EVIL = "https://evil.example/?q=secret"
CITED = "https://teams.microsoft.com/l/message/19:abc@thread.tacv2/1700000000000?tenantId=t"
JOINER = "\u2060"


def show(body: str, **options: Any) -> tuple[TeamsMessage, ...]:
    return rendered(body, language="ja", **options)


def card(message: TeamsMessage) -> Any:
    attachments: Any = message.content["attachments"]
    return attachments[0]["content"]


def body_of(body: str, **options: Any) -> list[Any]:
    """The elements of the one card."""
    [message] = show(body, **options)
    elements = card(message)["body"]
    assert isinstance(elements, list)
    return elements


def walk(value: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        for each in value.values():
            yield from walk(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from walk(each)


LOOKS = {"weight": "bold", "italic": "italic", "strikethrough": "strike", "fontType": "code"}


def words(body: str, **options: Any) -> list[tuple[str, str]]:
    """The text of the one paragraph, each run with its looks, as in ("x", "bold code"), or with its URL."""
    [paragraph] = body_of(body, **options)
    assert paragraph["type"] == "RichTextBlock"
    return [(run["text"], look(run)) for run in paragraph["inlines"]]


def look(run: Mapping[str, Any]) -> str:
    opened = run.get("selectAction", {}).get("url")
    return opened or " ".join(name for key, name in LOOKS.items() if key in run)


def texts(messages: tuple[TeamsMessage, ...]) -> list[str]:
    """The texts of all cards in order."""
    return [each["text"] for each in walk([card(message)["body"] for message in messages]) if "text" in each]


def all_text(messages: tuple[TeamsMessage, ...]) -> str:
    """All words of all cards, a line for each element."""
    lines = []
    for each in walk([card(message)["body"] for message in messages]):
        if each.get("type") == "TextBlock":
            lines.append(each["text"])
        elif each.get("type") == "RichTextBlock":
            lines.append("".join(run["text"] for run in each["inlines"]))
    return "\n".join(lines)


def links(messages: tuple[TeamsMessage, ...]) -> set[str]:
    return {each["url"] for each in walk([message.content for message in messages]) if "url" in each}


def assert_acceptable(messages: tuple[TeamsMessage, ...], *allowed: str) -> None:
    assert 1 <= len(messages) <= 5
    for message in messages:
        assert faults(message.content, allowed) == []
        assert sent(message) <= 18_500, "room is left for the address"
    assert [("channelData" in one.content) for one in messages] == [False] * len(messages)
    thumbs = [("channelData" in one.content) for one in with_thumbs(messages)]
    assert thumbs == [False] * (len(messages) - 1) + [True]


def sent(message: TeamsMessage) -> int:
    text = json.dumps(message.content, ensure_ascii=False)
    return max(len(text.encode()), len(text.encode("utf-16-le")) // 2)


@pytest.mark.parametrize(
    "body",
    [
        "これは**太字**は",
        "です**「太字」**です",
        "は**（太字）**は",
        "次に**太字。**次に",
        "値**太字：**値",
        'は**"太字"**は',
        "、**太字**。",
        "ｶﾅ**「太字」**ｶﾅ",
        "と**「太字」**",
    ],
)
def test_bold_is_bold_beside_japanese(body: str) -> None:
    before, bold, after = body.split("**")
    assert words(body) == [(text, style) for text, style in ((before, ""), (bold, "bold"), (after, "")) if text]


def test_styles_are_properties_and_no_marks_are_sent() -> None:
    assert words("は~~「旧」~~と*「斜」*です`a**b` **_x_**") == [
        ("は", ""), ("「旧」", "strike"), ("と", ""), ("「斜」", "italic"), ("です", ""), ("a**b", "code"), (" ", ""),
        ("x", "bold italic"),
    ]  # fmt: skip


@pytest.mark.parametrize("body", ["2 * 3 * 4", "snake_case_name", "C:\\temp\\x.log", "<b>x</b> &amp;lt; [a] (b)"])
def test_marks_that_mark_nothing_stay_without_backslashes(body: str) -> None:
    assert words(body) == [(body.replace("&amp;", "&"), "")]


def test_line_breaks_stay_and_paragraphs_stand_apart() -> None:
    first, second = body_of("一行目\n二行目<br>三行目\n\n次の段落")
    assert first["inlines"] == [{"type": "TextRun", "text": "一行目\n二行目\n三行目"}]
    assert second["inlines"] == [{"type": "TextRun", "text": "次の段落"}]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<at>佐藤</at>さん", f"<{JOINER}at>佐藤<{JOINER}/at>さん"),
        ("< AT id=1>x", f"<{JOINER} AT id=1>x"),
        ("<attr> <b>", "<attr> <b>"),
        ("{{DATE(2017-02-14T06:00:00Z, SHORT)}}", f"{{{JOINER}{{DATE(2017-02-14T06:00:00Z, SHORT)}}}}"),
        ("{{ .Values.name }} ${user}", "{{ .Values.name }} ${user}"),
    ],
)
def test_nothing_looks_like_a_mention_or_a_date_to_fill_in(body: str, shown: str) -> None:
    assert words(body) == [(shown, "")]
    [message] = show(body)
    assert message.content["summary"] == shown


def test_a_heading_is_one_for_screen_readers_where_nothing_in_it_could_be_parsed() -> None:
    [heading, _] = body_of("# 障害の**要約**\n\n本文")
    look = {"size": "Medium", "weight": "Bolder", "style": "heading", "wrap": True}
    assert heading == {"type": "TextBlock", "text": "障害の要約", **look}


@pytest.mark.parametrize(
    "heading", ["a_b", "`code`", "1. 手順", "C:\\x", "<at>x</at>", "見る https://a.example", "長" * 151]
)
def test_another_heading_is_large_and_bold_text(heading: str) -> None:
    [shown] = body_of(f"## {heading}")
    assert shown["type"] == "RichTextBlock"
    assert {(run["size"], run["weight"]) for run in shown["inlines"]} == {("Medium", "Bolder")}
    assert "".join(run["text"] for run in shown["inlines"]).replace(JOINER, "") == heading.strip("`")


def test_a_rule_is_a_line_above_what_follows() -> None:
    first, second = body_of("a\n---\nb")
    assert ("separator" in first, second["separator"]) == (False, True)


def test_lists_keep_their_depth_and_their_numbers() -> None:
    found = body_of("3. three\n   - in\n     more\n4. four\n\n- [ ] todo\n- [x] done")
    assert ["".join(run["text"] for run in each["inlines"]) for each in found] == [
        "3. three",
        "\u00a0\u00a0\u00a0\u00a0• in\nmore",
        "4. four",
        "• ☐ todo",
        "• ☑ done",
    ]
    assert [each.get("spacing") for each in found] == [None, "Small", "Small", "Small", "Small"]


def test_quotes_stand_in_a_box() -> None:
    quote, item = body_of("> a\n> b\n>\n> - c")
    assert (quote["type"], quote["style"]) == ("Container", "emphasis")
    assert quote["items"][0]["inlines"] == [{"type": "TextRun", "text": "a\nb", "isSubtle": True}]
    assert (item["type"], item["spacing"]) == ("Container", "None")


def test_code_keeps_its_lines_its_indent_and_every_mark() -> None:
    code = 'if (a < b) {\n\n    say("**x**  [a](b) https://evil.example");\n\tend'
    [box] = body_of(f"```c\n{code}\n```")
    [run] = box["items"][0]["inlines"]
    held = code.replace("\n    say", "\n" + "\u00a0" * 4 + "say").replace("\t", "\u00a0" * 4)
    assert run == {"type": "TextRun", "text": held.replace("  [", "\u00a0\u00a0["), "fontType": "Monospace"}


def test_a_command_can_be_copied_as_it_is() -> None:
    [box] = body_of("```\nnet use Z: \\\\srv\\share /user:a\n```")
    assert box["items"][0]["inlines"][0]["text"] == "net use Z: \\\\srv\\share /user:a"


def test_a_table_is_a_table_with_its_links_and_its_surplus_cells() -> None:
    body = f"| 名前 | n |\n|---|--:|\n| [佐藤]({KNOWN}) | 1 | more |\n| **b** | 200 |"
    [table] = body_of(body, allowed_links=[KNOWN])
    assert table["columns"] == [
        {"width": 10},
        {"width": 10, "horizontalCellContentAlignment": "Right"},
        {"width": 10},
    ]
    shown = [
        [[(run["text"], look(run)) for run in cell["items"][0]["inlines"]] for cell in row["cells"]]
        for row in table["rows"]
    ]
    assert shown == [
        [[("名前", "bold")], [("n", "bold")], [("\u00a0", "")]],
        [[("佐藤", KNOWN)], [("1", "")], [("more", "")]],
        [[("b", "bold")], [("200", "")], [("\u00a0", "")]],
    ]
    assert table["firstRowAsHeaders"] is True


def test_the_columns_of_a_table_share_the_width_by_what_stands_in_them() -> None:
    [table] = body_of("| 番号 | 機種の名前と型番 | 説明 |\n|---|---|---|\n| 1 | a | " + "長い説明" * 20 + " |")
    assert [column["width"] for column in table["columns"]] == [10, 16, 30]


def test_a_long_table_is_split_between_rows_and_repeats_its_head() -> None:
    rows = [f"row{number} | {'値' * 15}" for number in range(49)]
    messages = show("| a | b |\n|---|---|\n" + "\n".join(rows))
    assert_acceptable(messages)
    tables = [each["rows"] for each in walk([card(message)["body"] for message in messages]) if "rows" in each]
    assert len(tables) > 2
    lines = [
        [" | ".join(run["text"] for cell in row["cells"] for run in cell["items"][0]["inlines"]) for row in table]
        for table in tables
    ]
    assert {line[0] for line in lines} == {"a | b"}
    assert [line for table in lines for line in table[1:]] == rows


@pytest.mark.parametrize(
    "table",
    [
        "|".join("abcdefghi") + "\n" + "|".join("-" * 9) + "\n" + "|".join("123456789"),
        "a|b\n-|-\n" + "\n".join(f"{number}|値" for number in range(200)),
        "a|b\n-|-\nx|" + "値" * 2_000,
    ],
)
def test_a_table_that_a_card_has_no_room_for_is_shown_in_lines(table: str) -> None:
    messages = show(table)
    assert_acceptable(messages)
    assert not [each for each in walk([message.content for message in messages]) if each.get("type") == "Table"]
    runs = [each for each in walk([card(message)["body"] for message in messages]) if each.get("type") == "TextRun"]
    assert {run["fontType"] for run in runs} == {"Monospace"}
    text = "".join(run["text"] for run in runs)
    assert set(re.findall(r"[a-ix]|\d+", table)) == set(re.findall(r"[a-ix]|\d+", text))
    assert text.count("値") == table.count("値")


def test_long_code_is_split_between_lines_and_stays_code() -> None:
    lines = [f"line {number} = '{'x' * 40}'" for number in range(300)]
    messages = show("```\n" + "\n".join(lines) + "\n```")
    assert_acceptable(messages)
    runs = [each for each in walk([card(message)["body"] for message in messages]) if each.get("type") == "TextRun"]
    assert {run["fontType"] for run in runs} == {"Monospace"}
    assert "\n".join(run["text"] for run in runs).split("\n") == lines


def test_a_known_link_is_a_link_wherever_it_stands() -> None:
    options = {"allowed_links": [KNOWN]}
    assert words(f"[手順]({KNOWN})", **options) == [("手順", KNOWN)]
    assert words(f"詳細は{KNOWN}を見る", **options) == [("詳細は", ""), (KNOWN, KNOWN), ("を見る", "")]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (f"[click]({EVIL})", [("click", "")]),
        (f"![chart]({EVIL})", [("chart", "")]),
        (f"see {EVIL}.", [("see ", ""), (EVIL, "code"), (".", "")]),
        (f"{KNOWN}.evil.example", [(f"{KNOWN}.evil.example", "code")]),
        (f"[{EVIL}]({KNOWN})", [(EVIL, "code")]),
        ("[x](javascript:alert(1))", [("x", "")]),
        (f'<a href="{EVIL}">x</a>', [('<a href="', ""), (EVIL, "code"), ('">x</a>', "")]),
    ],
)
def test_an_unknown_link_is_none(body: str, shown: list[tuple[str, str]]) -> None:
    assert words(body, allowed_links=[KNOWN]) == shown


def test_no_list_of_links_allows_a_script_or_an_address_without_end() -> None:
    for url in ("javascript:alert(1)", "data:text/html,x", "https://a.example/" + "x" * 1_000):
        messages = show(f"[x]({url}) <{url}>", allowed_links=[url])
        assert links(messages) == set()
        assert_acceptable(messages)


def test_a_notification_names_no_unknown_url() -> None:
    [message] = show(f"a {EVIL} b {KNOWN}", allowed_links=[KNOWN])
    assert message.content["summary"] == f"a (URL) b {KNOWN}"


def test_a_notification_is_short() -> None:
    [message] = show("これは一つの文です。" * 100)
    assert message.content["summary"] == "これは一つの文です。" * 19 + "…"


def test_sources_notes_and_buttons_stand_below_in_this_order() -> None:
    sources = [Source(label="[1] INC-1007", link=CITED), Source(label="[2] **b** <at>x</at>", link=None)]
    answer, cited, small, buttons = body_of(
        "本文 [1]", sources=sources, notes=["*記録*から", "\u200b"], actions=[ask_person("t1", "ja")]
    )
    assert answer["inlines"] == [{"type": "TextRun", "text": "本文 [1]"}]
    assert cited["separator"] is True
    assert [(run["text"], look(run)) for run in cited["inlines"]] == [
        ("[1] INC-1007", CITED),
        ("\n", ""),
        (f"[2] **b** <{JOINER}at>x<{JOINER}/at>", ""),
    ]
    assert small["inlines"] == [{"type": "TextRun", "text": "*記録*から", "size": "Small", "isSubtle": True}]
    assert buttons == {
        "type": "ActionSet",
        "actions": [
            {
                "type": "Action.Execute",
                "title": "担当者に相談する",
                "verb": "helpdesk_ask_person",
                "data": {"action": "helpdesk_ask_person", "value": "t1", "language": "ja"},
            }
        ],
    }


def test_buttons_say_the_same_in_english() -> None:
    assert ask_person("t1", "en")["title"] == "Ask a person"


# --- what goes with the words -----------------------------------------------------------------------------------------


def entity(message: TeamsMessage) -> Any:
    entities: Any = message.content["entities"]
    [found] = entities
    return found


def test_what_a_model_wrote_is_called_so_and_its_numbers_are_claims() -> None:
    claims = [
        Claim(number=1, name="INC-1007, okabe", excerpt="証明書です。", link=CITED),
        Claim(number=2, name="INC-1008", excerpt=""),
        Claim(number=3, name="never named"),
    ]
    [message] = show("直りました [1][2]", claims=claims, by_model=True)
    assert entity(message) == {
        "type": "https://schema.org/Message",
        "@type": "Message",
        "@context": "https://schema.org",
        "@id": "",
        "additionalType": ["AIGeneratedContent"],
        "citation": [
            {
                "@type": "Claim",
                "position": 1,
                "appearance": {
                    "@type": "DigitalDocument",
                    "name": "INC-1007, okabe",
                    "abstract": "証明書です。",
                    "url": CITED,
                },
            },
            {"@type": "Claim", "position": 2, "appearance": {"@type": "DigitalDocument", "name": "INC-1008"}},
        ],
    }


def test_quotes_of_people_are_not_called_a_models() -> None:
    [message] = show("本文")
    assert message.content["entities"] == []
    [message] = show("本文 [1]", claims=[Claim(number=1, name="INC-1")])
    assert "additionalType" not in entity(message)


def test_a_claim_is_as_short_as_teams_wants_it_and_links_nowhere_unsafe() -> None:
    claims = [Claim(number=1, name="👍" * 90, excerpt="あ" * 500, link="javascript:alert(1)")]
    [message] = show("a [1]", claims=claims)
    appearance = entity(message)["citation"][0]["appearance"]
    assert appearance["abstract"] == "あ" * 159 + "…"
    assert set(appearance) == {"@type", "name", "abstract"}
    assert set(appearance["name"]) == {"👍", "…"}
    assert faults(message.content) == []


def many(count: int) -> tuple[list[Claim], list[Source]]:
    numbers = range(1, count + 1)
    claims = [Claim(number=number, name=f"INC-{number}", excerpt="あ" * 160, link=CITED) for number in numbers]
    return claims, [Source(label=f"[{claim.number}] {claim.name}", link=CITED) for claim in claims]


def test_no_more_claims_than_teams_takes_and_no_more_than_there_is_room_for() -> None:
    for count in (12, 25):
        claims, sources = many(count)
        [message] = show("一つ目 [1]。", sources=sources, claims=claims, by_model=True)
        assert_acceptable((message,), CITED)
        cited = [one["position"] for one in entity(message)["citation"]]
        assert cited == list(range(1, len(cited) + 1))
        assert 12 <= len(cited) <= 20
    short = [Claim(number=number, name="INC") for number in range(1, 26)]
    [message] = show("".join(f"[{claim.number}]" for claim in short), claims=short)
    assert [one["position"] for one in entity(message)["citation"]] == list(range(1, 21))


def test_each_part_has_the_claims_of_its_own_numbers_and_the_last_those_of_the_sources() -> None:
    claims, sources = many(3)
    body = "一つ目 [1]。\n\n" + "文です。" * 1_500 + "\n\n二つ目 [2]。\n\n" + "文です。" * 1_500
    messages = show(body, sources=sources, claims=claims, by_model=True)
    assert_acceptable(messages, CITED)
    cited = [[one["position"] for one in entity(message).get("citation", [])] for message in messages]
    assert cited[0] == [1]
    assert [2] in cited[1:-1]
    assert cited[-1] == [1, 2, 3]
    assert all(entity(message)["additionalType"] == ["AIGeneratedContent"] for message in messages)


# --- size -------------------------------------------------------------------------------------------------------------


def test_an_answer_of_twenty_thousand_japanese_characters_is_shown_whole() -> None:
    table = "| 端末 | 状態 |\n|---|---|\n" + "\n".join(f"| NL-{number} | 証明書の期限切れ |" for number in range(60))
    fence = "```sh\n" + "\n".join(f"certutil -renew --host nl-{number}  # 再登録" for number in range(60)) + "\n```"
    section = (
        "## 手順の{n}\n\nは**「証明書{n}」**です。詳細は{url}を見る。\n\n- 項目{n}の**一つ目**は「再登録」です。\n"
    )
    prose = "証明書を再登録すると、つながるようになりました。" * 12
    sections = [section.format(n=number, url=KNOWN) + "\n" + prose for number in range(44)]
    body = "\n\n".join([*sections[:20], table, fence, *sections[20:]])
    assert 20_000 < len(body) < 21_000
    source = Source(label="[1] INC-1007", link=CITED)
    messages = show(body, allowed_links=[KNOWN], sources=[source], actions=[ask_person("t", "ja")], by_model=True)
    assert_acceptable(messages, KNOWN, CITED)
    text = all_text(messages)
    assert text.count("証明書を再登録すると、つながるようになりました。") == 44 * 12
    assert text.count("証明書の期限切れ") == 60
    assert [int(number) for number in re.findall(r"host nl-(\d+)", text)] == list(range(60))
    bold = {run["text"] for run in walk([m.content for m in messages]) if run.get("weight") == "Bolder"}
    assert {f"「証明書{number}」" for number in range(44)} <= bold
    assert "**" not in text
    assert "ここまでを表示しています" not in text
    assert card(messages[-1])["body"][-1]["type"] == "ActionSet"


def test_plain_japanese_of_twenty_thousand_characters_is_shown_whole() -> None:
    messages = show("これは一つの文です。" * 2_000)
    assert_acceptable(messages)
    assert all_text(messages).replace("\n", "") == "これは一つの文です。" * 2_000
    assert all(text.endswith("。") for text in texts(messages))


def test_what_does_not_fit_is_cut_with_a_note_and_the_end_stays() -> None:
    source = Source(label="[1] 出典", link=None)
    messages = show("あいうえお。" * 20_000, sources=[source], actions=[ask_person("t", "ja")])
    assert_acceptable(messages)
    assert len(messages) == 5
    *_, note, cited, buttons = card(messages[-1])["body"]
    assert note["inlines"] == [{"type": "TextRun", "text": "（長いため、ここまでを表示しています）", "italic": True}]
    assert cited["inlines"][0]["text"] == "[1] 出典"
    assert buttons["type"] == "ActionSet"


def test_of_too_many_sources_and_notes_as_many_stand_below_as_one_message_holds() -> None:
    sources = [Source(label=f"[{number}] {'出典' * 40}", link=CITED) for number in range(1, 101)]
    messages = show("本文", sources=sources, notes=["注" * 900] * 9, actions=[ask_person("t", "ja")])
    assert_acceptable(messages, CITED)
    *cited, note, buttons = card(messages[-1])["body"]
    assert note["inlines"][0]["text"] == "（長いため、ここまでを表示しています）"
    assert buttons["type"] == "ActionSet"
    assert all_text(messages).startswith("本文\n[1] 出典")
    assert len(cited) > 1


def test_sources_that_have_no_room_under_the_answer_stand_in_a_message_of_their_own() -> None:
    sources = [Source(label=f"[{number}] 出典", link=CITED) for number in range(1, 21)]
    answer, below = show(("あ" * 1_700 + "\n\n") * 3, sources=sources)
    assert_acceptable((answer, below), CITED)
    assert "出典" not in all_text((answer,))
    assert all_text((below,)).count("出典") == 20


def test_the_note_is_in_the_language_of_the_answer() -> None:
    messages = rendered("words " * 20_000, language="en")
    assert texts(messages)[-1] == "(too long; this is where it was cut)"
    assert card(messages[0])["lang"] == "en"


def test_headings_are_not_the_last_thing_of_a_message() -> None:
    first, second = show(("あ" * 1_700 + "\n\n") * 3 + "# 見出し\n\n## 1. 下\n\n" + "い" * 1_700)
    assert {each["text"][0] for each in walk(card(first)["body"]) if "text" in each} == {"あ"}
    assert card(second)["body"][0]["type"] == "TextBlock"


@pytest.mark.parametrize("cluster", ["か\u3099", "👨\u200d👩\u200d👧", "🇯🇵", "👍🏽", "葛\U000e0100", "✔\ufe0f"])
def test_no_cut_goes_through_a_character(cluster: str) -> None:
    for shift in range(4):
        for text in texts(show("x" * shift + cluster * 2_000)):
            assert text.lstrip("x").replace("が", "か\u3099").replace(cluster, "") == ""


def test_nothing_to_say_is_a_mistake() -> None:
    for body in ("", " \n\u3000", "\u200b\x00"):
        with pytest.raises(ValueError, match="body or sources"):
            show(body)
    assert show("", sources=[Source(label="[1] a", link=None)])


def test_buttons_that_fill_a_message_by_themselves_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="give less"):
        show("a", actions=[ask_person("t" * 4_000, "ja")] * 4)


def test_words_of_ours_are_plain_text() -> None:
    message = plain_message("保存しましたが、*問題*が起きました。\n番号 <at>1a2b</at>")
    assert message.content == {
        "type": "message",
        "textFormat": "plain",
        "text": f"保存しましたが、*問題*が起きました。\n番号 <{JOINER}at>1a2b<{JOINER}/at>",
    }
    assert faults(message.content) == []
    assert faults(plain_message("長い文です。" * 5_000).content) == []


# --- anything ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", ["![](x)", "```\n```", "[](y)", "****", "> ", "-", "---"])
def test_mere_markup_is_shown_as_it_is(body: str) -> None:
    assert all_text(show(body)).strip() == body.strip()


@pytest.mark.parametrize(
    "body",
    [
        "> " * 100_000,
        "- " * 100_000,
        "[" * 200_000,
        "[a](" * 50_000,
        "*a " * 66_000,
        "**a**`b`*c*~~d~~" * 3_000,
        "***~~`a`~~***~~***b***~~" * 3_000,
        "- a\n" * 50_000,
        "|" * 60_000 + "\n" + "|-" * 30_000,
        "a|b\n-|-\n" + f"[x]({KNOWN})|y\n" * 2_000,
        f"[x]({KNOWN})**y**" * 2_000,
        "```\n" + "\t" * 40_000 + "x",
        "```\n" + '"' * 40_000,
        "".join(" " * depth + "- a\n" for depth in range(400)),
        "e" + "\u0301" * 200_000,
        "<at>" * 20_000,
        "x" * 200_000,
    ],
)
def test_attacks_are_rendered_or_cut(body: str) -> None:
    assert_acceptable(show(body, allowed_links=[KNOWN]), KNOWN)


MARKS = ["**", "*", "_", "~~", "`", "[", "](", ")", "![", "<", ">", "|", "\\", "\n", "\n\n", "\n> ", "\n- ", "\n  - ",
         "\n1. ", "\n# ", "\n```\n", "\n---\n", "\n|-|-|\n", "<at>", "</at>", "&lt;at&gt;", "{{DATE(", "https://", EVIL,
         KNOWN, "[1] ", "    ", "。", "「", "」", " ", "\t", "\u3000", "👨\u200d👩", "\ud800", "&#xd800;", "\x00",
         "\u202e", "a", "語"]  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.sampled_from(MARKS), max_size=60).map("".join)))
@settings(max_examples=150, deadline=None)
def test_any_text_is_rendered_acceptably_and_links_only_what_is_known(body: str) -> None:
    options: dict[str, Any] = {
        "sources": [Source(label=f"[1] {body}", link=CITED)],
        "claims": [Claim(number=1, name=body, excerpt=body, link=CITED)],
        "notes": [body],
        "allowed_links": [KNOWN],
    }
    messages = show(body, **options)
    assert_acceptable(messages, KNOWN, CITED)
    assert show(body, **options) == messages
    assert faults(plain_message(f"x{body}").content) == []


@given(st.lists(st.sampled_from(MARKS), max_size=8).map("".join), st.integers(1, 30_000))
@settings(max_examples=40, deadline=None)
def test_long_texts_are_rendered_acceptably(unit: str, length: int) -> None:
    body = "語" + unit * (length // max(1, len(unit)))
    assert_acceptable(show(body, allowed_links=[KNOWN]), KNOWN)


SPACED = [" ** ", " **", "** ", "*", " _", "_ ", "~~", " ` ", " [", "] ", " | ", "\n", "\n\n", "\n> ", "\n>> ", "\n- ",
          "\n   - ", "\n7. ", "\n## ", "\n```\n", "\n---\n", "\n|-|-|\n", "\n    ", " <b> ", "<at>",
          "。", "「", "」"]  # fmt: skip


@given(st.lists(st.sampled_from(SPACED), min_size=1, max_size=120))
@settings(max_examples=200, deadline=None)
def test_no_word_is_lost_and_none_changes_its_place(marks: list[str]) -> None:
    body = "".join(f"{mark}w{number}語" for number, mark in enumerate(marks))
    found = re.findall(r"w\d+語", all_text(show(body)))
    assert found == [f"w{number}語" for number in range(len(marks))]
