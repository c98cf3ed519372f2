"""Teams' text and HTML as plain words: nothing that a person wrote is lost, only the bot's own mention goes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.teams.rich_text import whole_tags, words_of_html
from handlers.teams.text import plain_words, words_of
from tests.fakes.teams_payloads import BOT_NAME, CALL, ME, OTHER_ID, called, html, mention, message

OKABE = mention(OTHER_ID, "岡部", "<at>岡部</at>")


def text_of(text: str | None, *entities: dict[str, Any], rich: str | None = None, **more: Any) -> str:
    attachments = [html(rich)] if rich is not None else None
    return words_of(message(text, entities=[*entities], attachments=attachments, **more), ME).text


def read(rich: str) -> str:
    return words_of_html(rich, lambda name, number: f"@{name}")


# --- mentions in the text ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{CALL} VPNにつながりません", "VPNにつながりません"),
        (f"{CALL}VPNにつながりません", "VPNにつながりません"),
        (f"{CALL}&nbsp;VPNにつながりません\n", "VPNにつながりません"),
        (f"{CALL}\u00a0VPNにつながりません", "VPNにつながりません"),
        (f"{CALL}\u3000VPNに\u3000つながりません", "VPNに\u3000つながりません"),
        (f"{CALL}、VPNです", "VPNです"),
        (f"{CALL}, the VPN is down", "the VPN is down"),
        (f"{CALL}: the VPN is down", "the VPN is down"),
        (f"hello {CALL} the VPN is down", "hello the VPN is down"),
        (f"hello&nbsp;{CALL}&nbsp;the VPN is down", "hello the VPN is down"),
        (f"お願いします{CALL}。", "お願いします。"),
        (f"{CALL} {CALL} the VPN {CALL} is down", "the VPN is down"),
        (f"first\r\n{CALL} second", "first\nsecond"),
        (f'<at id="0">{BOT_NAME}</at> the VPN', "the VPN"),
        (f"<AT>{BOT_NAME}</AT> the VPN", "the VPN"),
        (f"{CALL} 岡部さん、<at>岡部</at>にも聞いて", "岡部さん、@岡部にも聞いて"),
        (CALL, ""),
        (f"{CALL}&nbsp;", ""),
        (f"\ufeff{CALL}\u200b", ""),
        (f"{BOT_NAME}は今日休みですか", f"{BOT_NAME}は今日休みですか"),
        (f"<at>{BOT_NAME}2</at> is another", f"@{BOT_NAME}2 is another"),
    ],
)
def test_only_the_bots_own_mention_goes_wherever_it_stands(text: str, words: str) -> None:
    assert text_of(text, mention(), OKABE) == words


@pytest.mark.parametrize(
    ("entity", "text"),
    [
        pytest.param(mention(text=None), CALL, id="by its name alone"),
        pytest.param(mention(name=None), CALL, id="by its words alone"),
        pytest.param(mention(name="Helpdesk"), CALL, id="shown under a name of another language"),
        pytest.param(mention(name="Helpdesk", text="<at>Helpdesk</at>"), "<at>Helpdesk</at>", id="in English"),
        pytest.param(mention(name="A & B", text="<at>A &amp; B</at>"), "<at>A &amp; B</at>", id="escaped"),
        pytest.param(mention(name="A & B", text="<at>A & B</at>"), "<at>A &amp; B</at>", id="escaped in one place"),
        pytest.param(mention(name="Desk <IT>", text="<at>Desk <IT></at>"), "<at>Desk <IT></at>", id="like a tag"),
        pytest.param(mention(name="Help  Desk"), "<at>Help Desk</at>", id="spaced otherwise"),
        pytest.param(mention(text="@Helpdesk"), "@Helpdesk", id="without a tag"),
        pytest.param(mention(id=ME.id.removeprefix("28:").upper()), CALL, id="by the app's id"),
    ],
)
def test_the_bot_is_known_by_any_form_of_its_mention(entity: dict[str, Any], text: str) -> None:
    found = words_of(message(f"{text} VPN", entities=[entity]), ME)
    assert (found.text, found.mentioned) == ("VPN", True)


def test_a_mention_without_a_tag_is_one_word_and_no_other() -> None:
    entity = mention(text="@Helpdesk")
    assert text_of("@Helpdesk who is @Helpdesk for?", entity) == "who is @Helpdesk for?"


def test_the_bots_name_in_a_tag_goes_also_where_no_mention_is_listed() -> None:
    found = words_of(message(f"{CALL} VPN"), ME)
    assert (found.text, found.mentioned) == ("VPN", False)


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("山田 太郎", "<at>山田 太郎</at>"),
        ("Sato <IT> & Sons", "<at>Sato <IT> & Sons</at>"),
        ("Sato <IT> & Sons", "<at>Sato &lt;IT&gt; &amp; Sons</at>"),
        ("Pranav Smith", "<at>@Pranav Smith</at>"),
    ],
)
def test_other_people_become_names(name: str, tag: str) -> None:
    assert text_of(f"ask {tag} please", mention(OTHER_ID, name, tag)) == f"ask @{name} please"
    assert text_of(f"ask {tag} please") == f"ask @{name} please"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("if a &lt; b &amp;&amp; c &gt; d", "if a < b && c > d"),
        ("write &amp;lt; for it", "write &lt; for it"),
        ("deploy <data> now", "deploy <data> now"),
        ("<at>", "<at>"),
        ("a </at> b <at>c", "a </at> b <at>c"),
        ("印刷\x07キュー\ufeffPR-12\u202e", "印刷キューPR-12"),
        ("か\u3099", "が"),
        ("\x00\x01", ""),
        ("\u200b \u3164", ""),
        ("👍", "👍"),
    ],
)
def test_characters_are_read_once_and_harm_nobody(text: str, words: str) -> None:
    assert text_of(text) == words
    assert plain_words("a\u00a0b\x01\r\nc ") == "a b\nc"


@pytest.mark.parametrize(
    ("text", "entities", "expected"),
    [
        (f"{CALL} <at>岡部</at>に聞いて", [mention(), OKABE], False),
        ("<at>岡部</at> 見てください", [OKABE], True),
        ("\n <at>岡部</at> 見てください", [OKABE], True),
        ("見てください <at>岡部</at>", [OKABE], False),
        (f"<at>岡部</at> {CALL}に聞いて", [OKABE, mention()], False),
    ],
)
def test_a_message_that_begins_with_somebody_else_addresses_them(
    text: str, entities: list[dict[str, Any]], expected: bool
) -> None:
    assert words_of(message(text, entities=entities), ME).names_others is expected


# --- text or HTML --------------------------------------------------------------------------------------------------


def test_the_fuller_of_text_and_html_is_read() -> None:
    assert text_of("", mention(), rich=f"<p>{called()}&nbsp;VPN</p>") == "VPN"
    assert text_of(f"{CALL} a b", mention(), rich=f"<p>{called()} a</p><p>b</p>") == "a\nb"
    assert text_of(f"{CALL} a b and c", mention(), rich=f"<p>{called()} a</p>") == "a b and c"
    assert text_of("text ", rich="<div>text &lt;data&gt;</div>") == "text <data>"
    assert text_of("C<data>", rich="<div>text &lt;data&gt;</div>") == "text <data>"
    assert text_of("a < b", rich=None) == "a < b"
    assert text_of("<b>a</b> &lt; b", textFormat="xml") == "a < b"


def test_only_the_html_of_the_message_is_read() -> None:
    card = {"contentType": "application/vnd.microsoft.card.hero", "content": {"text": "long words of a card"}}
    assert words_of(message("VPN", attachments=[card, "x", html("<p>VPN!</p>")]), ME).text == "VPN!"
    assert words_of(message("VPN", attachments=[{"contentType": "text/html", "content": {}}]), ME).text == "VPN"


@pytest.mark.parametrize(
    ("rich", "words"),
    [
        (f"<p>{called()}&nbsp;VPN</p>", "VPN"),
        (f"<div><div>{called()}、VPN</div>\n</div>", "VPN"),
        (f'<p><at id="0">{BOT_NAME}</at> VPN</p>', "VPN"),
        (f"<p>{called('<b>ヘルプ</b>デスク')} VPN</p>", "VPN"),
        (f"<p>{called('<span>ヘルプ</span>デスク')} VPN</p>", "VPN"),
        (f"<p>{called('ヘルプ')}{called('デスク')} VPN</p>", "VPN"),
        (f"<p>{called(number=7)} VPN</p>", "VPN"),
        (f"<p>{called()} {called('岡部', 1)}さんのVPN</p>", "@岡部さんのVPN"),
        (f"<p>{called('岡部', 0)}さんのVPN</p>", "@岡部さんのVPN"),
        (f"<p>{called('Sato &lt;IT&gt; &amp; Sons', 5)} VPN</p>", "@Sato <IT> & Sons VPN"),
        (f"<p>VPN {called()[: -len('</span>')]}", "VPN"),
    ],
)
def test_in_html_too_only_the_bots_own_mention_goes(rich: str, words: str) -> None:
    assert text_of("", mention(), OKABE, rich=rich) == words


def test_a_person_of_the_bots_name_is_told_from_it_by_the_number() -> None:
    namesake = mention(OTHER_ID, BOT_NAME, CALL)
    assert text_of("", mention(), namesake, rich=f"<p>{called()} {called(number=1)} VPN</p>") == f"@{BOT_NAME} VPN"


# --- HTML ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rich", "words"),
    [
        pytest.param("<p>一行目</p>\n<p>二行目</p>", "一行目\n二行目", id="paragraphs"),
        pytest.param("<p>a</p><p>&nbsp;</p><p>b</p>", "a\nb", id="a paragraph of nothing"),
        pytest.param("<div>a<br>b<br><br><br>c</div>", "a\nb\n\nc", id="lines, and one blank one"),
        pytest.param("<p> a \n <b> b</b>&nbsp; c</p>", "a b c", id="blanks"),
        pytest.param("<p>a\u3000b</p>", "a\u3000b", id="a blank of Japanese"),
        pytest.param(
            "<ul><li>再起動</li><li>再登録<ol><li>証明書</li><li><p>端末</p></li></ol></li></ul><p>以上</p>",
            "• 再起動\n• 再登録\n  1. 証明書\n  2. 端末\n以上",
            id="lists",
        ),
        pytest.param("<li>a</li><li></li><p>b</p>", "• a\nb", id="items without a list, or without words"),
        pytest.param(
            '<blockquote itemscope itemtype="http://schema.skype.com/Reply" itemid="1">'
            '<strong itemprop="mri" itemid="8:orgid:x">岡部</strong><span itemprop="time" itemid="1"></span>'
            '<p itemprop="preview">再起動しましたか</p></blockquote><p>はい、だめでした</p>',
            "> 岡部\n> 再起動しましたか\nはい、だめでした",
            id="a reply with what it answers",
        ),
        pytest.param("<blockquote>a<blockquote>b</blockquote>c</blockquote>d", "> a\n> > b\n> c\nd", id="quotes"),
        pytest.param(
            '<pre class="language-bash"><code>$ ping  &lt;host&gt;\n\n\n  ok</code></pre>',
            "```\n$ ping  <host>\n\n\n  ok\n```",
            id="code",
        ),
        pytest.param(
            '<p>x</p><codeblock class="PlainText"><code>a<br>b</code></codeblock><p>y</p>',
            "x\n```\na\nb\n```\ny",
            id="code in the other form",
        ),
        pytest.param("<p>run <code>ls -l</code> here</p>", "run `ls -l` here", id="code in a line"),
        pytest.param("<pre>a", "```\na\n```", id="code without an end"),
        pytest.param('<a href="https://x.example/?a&amp;b">手順</a>', "手順 (https://x.example/?a&b)", id="a link"),
        pytest.param('<a href="https://x.example/">https://x.example</a>', "https://x.example", id="a bare link"),
        pytest.param('<a href="mailto:it@x.example">it@x.example</a>', "it@x.example", id="a mail address"),
        pytest.param('<a href="javascript:alert(1)">押す</a>', "押す", id="a link that is none"),
        pytest.param('<a href="https://x.example"></a>', "https://x.example", id="a link without words"),
        pytest.param(
            '<a href="https://x.example">a <a href="https://y.example">b',
            "a (https://x.example)b (https://y.example)",
            id="links without an end",
        ),
        pytest.param('<p>ok <emoji id="smile" alt="🙂" title="笑顔"></emoji></p>', "ok 🙂", id="an emoji"),
        pytest.param('<img itemtype="http://schema.skype.com/Emoji" alt="👍">', "👍", id="an emoji of the older form"),
        pytest.param('<p><img src="https://x.example/1" alt="画像"></p>', "[image]", id="an image"),
        pytest.param('<img alt="エラー画面">', "[image: エラー画面]", id="an image that has a name"),
        pytest.param(
            "<table><tr><th><p>端末</p></th><th>状態</th></tr><tr><td>NL-208</td><td>a<br>b</td></tr></table>後",
            "端末 | 状態\nNL-208 | a b\n後",
            id="a table",
        ),
        pytest.param("<p>a<s>b</s><u>c</u><h2>d</h2></p>", "abc\nd", id="looks"),
        pytest.param("a<script>alert(1)</script><style>p{}</style>b", "ab", id="what is never shown"),
        pytest.param('a<attachment id="1">x</attachment>b', "ab", id="where something is attached"),
        pytest.param("a<!-- x -->b<![if !vml]>c<!DOCTYPE x>d<?x y>e", "a b c de", id="what is no text"),
        pytest.param("a<!-- x", "a", id="a comment without an end"),
        pytest.param("a < b <3 & &amp; &lt;p&gt;", "a < b <3 & & <p>", id="what is no tag"),
        pytest.param("</b></li></ul></blockquote></pre></code></td></a>a", "`a", id="ends without a beginning"),
        pytest.param("a<b", "a", id="a tag without an end"),
    ],
)
def test_html_is_read_as_people_see_it(rich: str, words: str) -> None:
    assert read(rich) == words


@pytest.mark.parametrize(
    "rich",
    [f"<p>{name}</p>" for name in ("&#0;", "&#1;", "&#xD800;", "&#x110000;", "&#99999999999999;")],
)
def test_no_character_can_be_written_that_stands_for_a_mention(rich: str) -> None:
    assert not {"\x00", "\x01"} & set(read(rich))


# --- whatever comes ------------------------------------------------------------------------------------------------

PIECES = [
    CALL, called(), called("岡部", 1), "<at>岡部</at>", "<at>", "</at>", "<p>", "</p>", "<ul>", "<li>", "</ul>", "<ol>",
    "<blockquote>", "</blockquote>", "<pre>", "</pre>", "<code>", '<a href="https://x.example">', "</a>", "<span>",
    "</span>", "<br>", "<td>", "<tr>", "</table>", "<!--", "-->", "<![x", "<", ">", '"', "'", "=", "&", "&nbsp;",
    "\x00", "\x01", "\ufeff", "\ud83d", "VPN", "つながらない", " ", "\n", "<attachment>", "</attachment>", "<script>",
    "<img alt='x",
]  # fmt: skip
anything = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=30).map("".join)


@given(text=anything, rich=anything, listed=st.lists(st.sampled_from([mention(), OKABE]), max_size=2))
def test_nothing_is_an_error_and_no_mark_is_left(text: str, rich: str, listed: list[dict[str, Any]]) -> None:
    found = text_of(text, *listed, rich=rich)
    assert not {"\x00", "\x01", "\ufeff"} & set(found)
    assert found == found.strip(" \t\n")


words_and_blanks = st.sampled_from(["VPN", "a", "証明書", " ", "\n", "&nbsp;", "、", ". ", "🙂"])
some_words = st.lists(words_and_blanks, max_size=6).map("".join)


def letters(text: str) -> str:
    return "".join(one for one in text if one.isalnum())


@given(st.lists(some_words, min_size=2, max_size=5), st.booleans())
def test_no_mention_of_the_bot_is_left_and_no_word_is_lost(words: list[str], as_html: bool) -> None:
    call = called() if as_html else CALL
    written = call.join(words)
    found = text_of("", mention(), rich=written) if as_html else text_of(written, mention())
    assert BOT_NAME not in found
    assert letters(found) == letters("".join(words).replace("&nbsp;", ""))


def steps(work: Callable[[], object]) -> int:
    """How many functions are called, own ones and those of the interpreter: work, counted without a clock."""
    count = 0

    def one(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(one)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    "piece",
    ["<div>", "<ul><li>", "<blockquote>", "<blockquote>a", "<b>", "</b>", "<a href='x'>", called(""), "<pre>", "<td>x"],
)
def test_tags_in_tags_cost_no_more_than_they_are_many(piece: str) -> None:
    few, many = (steps(partial(read, piece * times)) for times in (200, 800))
    assert many <= 4.2 * few
    assert len(read(piece * 800)) <= 4.2 * len(read(piece * 200)) + 40


@given(
    anything | st.sampled_from(["<a ", "<", "<a x='", "<!--", "<![", "</", "&#", "<a"]).map(lambda piece: piece * 50)
)
def test_the_parser_meets_no_tag_without_an_end(rich: str) -> None:
    """It would look for the end of each of them through all the rest."""
    kept = whole_tags(rich)
    assert "<!" not in kept
    assert all(">" in kept[found.start() :] for found in re.finditer("<[A-Za-z/?]", kept))
