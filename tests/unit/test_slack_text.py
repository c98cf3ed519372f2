"""Slack's markup as plain words: nothing that a person wrote is lost, nothing is read twice."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.slack.text import (
    addresses_others,
    mentions,
    people_in,
    without_people,
    words_in,
    words_of,
)
from tests.fakes.slack_payloads import ME, rich_text

OWN = ME.user
OUR = f"<@{OWN}>"


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        pytest.param("if a &lt; b &amp;&amp; c &gt; d", "if a < b && c > d", id="the three entities"),
        pytest.param("write &amp;lt; for it", "write &lt; for it", id="decoded once only"),
        pytest.param("&quot;A&nbsp;B&quot; &copy;", "&quot;A&nbsp;B&quot; &copy;", id="no other entity is Slack's"),
        pytest.param("印刷\u00a0キュー\u00a0PR-12", "印刷 キュー PR-12", id="a non-breaking space is a space"),
        pytest.param("see <https://x.example/a?b=1&amp;c=2>", "see https://x.example/a?b=1&c=2", id="a bare link"),
        pytest.param("<https://x.example|the page>", "the page (https://x.example)", id="a link with a label"),
        pytest.param("<https://x.example|https://x.example>", "https://x.example", id="a label that is the address"),
        pytest.param("run <http://setup.sh|setup.sh>", "run setup.sh", id="a word that Slack made a link of"),
        pytest.param("<mailto:it@x.example|it@x.example>", "it@x.example", id="a mail address"),
        pytest.param("<mailto:it@x.example|mail us>", "mail us (it@x.example)", id="a mail address with a label"),
        pytest.param("<tel:+81312345678|03-1234-5678>", "03-1234-5678 (+81312345678)", id="a telephone number"),
        pytest.param("in <#C1|general>", "in #general", id="a channel"),
        pytest.param("in <#C1>", "in #C1", id="a channel without its name"),
        pytest.param("in <#C1|>", "in #C1", id="a channel whose name is withheld"),
        pytest.param("<!subteam^S1|@it-team> please", "@it-team please", id="a group"),
        pytest.param("<!subteam^S1> please", "@S1 please", id="a group without its name"),
        pytest.param("<!here> <!channel> <!everyone|@everyone>", "@here @channel @everyone", id="everybody"),
        pytest.param("on <!date^1712345712^{date_short}|5 April>", "on 5 April", id="a date"),
        pytest.param("<@U1|sato> and <@W2>", "<@U1> and <@W2>", id="people stay, by id alone"),
        pytest.param("```\nif a &lt; b:\n    go()\n```", "```\nif a < b:\n    go()\n```", id="a code fence"),
        pytest.param("&gt; you said\nno", "> you said\nno", id="a quote"),
        pytest.param("<> <|x> <what> < a", "<> <|x> <what> < a", id="what is no tag"),
        pytest.param("<@> <@here|x> <!>", "<@> <@here|x> <!>", id="what is nearly one"),
    ],
)
def test_markup_is_read_as_people_read_it(markup: str, words: str) -> None:
    assert words_in(markup, OWN) == words


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        (f"{OUR} how do I", "how do I"),
        (f"{OUR}how do I", "how do I"),
        (f"<@{OWN}|helpdesk> how do I", "how do I"),
        (f"hey {OUR} how do I", "hey how do I"),
        (f"hey {OUR}, how do I", "hey, how do I"),
        (f"how do I, {OUR}?", "how do I,?"),
        (f"how do I {OUR}", "how do I"),
        (f"{OUR}: how do I", "how do I"),
        (f"{OUR}, how do I", "how do I"),
        (f"{OUR} :wave: how do I", ":wave: how do I"),
        (f"{OUR}\nhow do I", "how do I"),
        (f"first\n{OUR} second", "first\nsecond"),
        (f"first {OUR}\nsecond", "first\nsecond"),
        (f"{OUR} {OUR} how {OUR} do I", "how do I"),
        (f"{OUR}\u3000パスワードを\u3000{OUR}\u3000忘れました", "パスワードを\u3000忘れました"),
        (f"{OUR}、パスワードを忘れました", "パスワードを忘れました"),
        (f"お願いします{OUR}。", "お願いします。"),
        (f"\u00a0{OUR}\u00a0VPN", "VPN"),
        (OUR, ""),
        (f" {OUR} ", ""),
        (f"{OUR} ask <@U2> too", "ask <@U2> too"),
        (f"&lt;@{OWN}&gt; is how one writes it", f"<@{OWN}> is how one writes it"),
        (f"<@{OWN}X> is somebody else", f"<@{OWN}X> is somebody else"),
    ],
)
def test_only_the_bots_own_mention_goes_wherever_it_stands(markup: str, words: str) -> None:
    assert words_in(markup, OWN) == words


def paragraphs(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"blocks": [{"type": "rich_text", "elements": [*parts]}]}


def part(kind: str, *texts: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "elements": [{"type": "text", "text": text} for text in texts], **more}


@pytest.mark.parametrize(
    ("message", "words"),
    [
        pytest.param({"text": "said", "blocks": rich_text({"type": "text", "text": "x"})}, "said", id="text first"),
        pytest.param(
            {
                "text": " ",
                "blocks": rich_text(
                    {"type": "user", "user_id": OWN},
                    {"type": "text", "text": " ask "},
                    {"type": "user", "user_id": "U2"},
                    {"type": "text", "text": " if a < b & "},
                    {"type": "text", "text": "ls -l", "style": {"code": True}},
                    {"type": "text", "text": " in "},
                    {"type": "channel", "channel_id": "C1"},
                    {"type": "text", "text": ", "},
                    {"type": "link", "url": "https://x.example/?a&b", "text": "here"},
                    {"type": "emoji", "name": "pray"},
                    {"type": "broadcast", "range": "here"},
                ),
            },
            "ask <@U2> if a < b & `ls -l` in #C1, here (https://x.example/?a&b):pray:@here",
            id="a paragraph",
        ),
        pytest.param(
            paragraphs(
                part("rich_text_section", "やったこと:"),
                {
                    "type": "rich_text_list",
                    "style": "ordered",
                    "elements": [part("rich_text_section", "再起動"), part("rich_text_section", "再登録")],
                },
                {"type": "rich_text_list", "indent": 1, "elements": [part("rich_text_section", "証明書")]},
                part("rich_text_quote", "E-31\nE-32"),
                part("rich_text_preformatted", "$ ping <host>\n"),
            ),
            "やったこと:\n1. 再起動\n2. 再登録\n  • 証明書\n> E-31\n> E-32\n```\n$ ping <host>\n```",
            id="lists, quotes and code",
        ),
        pytest.param(
            {
                "blocks": [
                    {"type": "header", "text": {"type": "plain_text", "text": "Disk <80%>"}},
                    {
                        "type": "section",
                        "text": {"type": "mrkdwn", "text": "*host* &lt;db1&gt; <https://x.example|graph>"},
                        "fields": [{"type": "mrkdwn", "text": "since 09:00"}],
                    },
                    {"type": "context", "elements": [{"type": "plain_text", "text": "a"}, {"type": "image"}]},
                    {"type": "actions", "elements": [{"type": "button", "text": {"text": "Acknowledge"}}]},
                    {"type": "markdown", "text": "# done & dusted"},
                    {
                        "type": "table",
                        "rows": [[{"type": "raw_text", "text": "PR-1"}, {"type": "raw_text", "text": "ok"}]],
                    },
                ]
            },
            "Disk <80%>\n*host* <db1> graph (https://x.example)\nsince 09:00\na\n# done & dusted\nPR-1 | ok",
            id="an alert in blocks",
        ),
        pytest.param(
            {
                "text": "",
                "attachments": [
                    {"pretext": "Alert", "title": "db1", "text": "a &lt; b", "fallback": "no"},
                    {"fields": [{"title": "Load", "value": "9"}]},
                    {"fallback": "only this"},
                ],
            },
            "Alert\ndb1\na < b\nLoad: 9\nonly this",
            id="attachments",
        ),
        pytest.param({}, "", id="nothing"),
        pytest.param({"text": None, "blocks": "no", "attachments": {"text": "no"}}, "", id="fields of a wrong type"),
    ],
)
def test_words_come_from_the_text_or_else_the_blocks_or_else_the_attachments(
    message: dict[str, Any], words: str
) -> None:
    assert words_of(message, OWN) == words


def test_the_same_words_come_from_text_and_from_blocks() -> None:
    blocks = rich_text({"type": "text", "text": "5 < 6 & "}, {"type": "user", "user_id": "U2"})
    assert words_of({"text": "5 &lt; 6 &amp; <@U2>"}, OWN) == words_of({"blocks": blocks}, OWN) == "5 < 6 & <@U2>"


def test_characters_that_no_store_takes_are_taken_out() -> None:
    assert words_in("VPN\x00 が\ud83d切れる", OWN) == "VPN が\ufffd切れる"


@pytest.mark.parametrize(
    ("message", "mentioned"),
    [
        ({"text": f"see {OUR}"}, True),
        ({"text": f"<@{OWN}|helpdesk>"}, True),
        ({"text": "<@U2>"}, False),
        ({"text": f"&lt;@{OWN}&gt;"}, False),
        ({"blocks": rich_text({"type": "user", "user_id": OWN})}, True),
        ({"text": "look", "attachments": [{"text": OUR}]}, False),
        ({"attachments": [{"text": OUR}]}, False),
    ],
)
def test_a_mention_counts_where_the_author_wrote_it(message: dict[str, Any], mentioned: bool) -> None:
    assert mentions(message, OWN) is mentioned


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("<@U2> can you look", True),
        ("  <@W2|okabe> 見てもらえますか", True),
        ("<!subteam^S1|@it> help", True),
        ("<!here> who knows", True),
        (f"{OUR} help", False),
        ("ask <@U2> about it", False),
        ("<#C1|general> is down", False),
        ("&lt;@U2&gt; help", False),
    ],
)
def test_somebody_else_is_addressed_at_the_very_start_only(text: str, others: bool) -> None:
    assert addresses_others({"text": text}, OWN) is others


NAMES = {"U1": "佐藤", "W2": "Okabe\nKen", "U4": " "}


def test_no_mention_reaches_the_memory() -> None:
    assert without_people("<@U1>さんと<@W2>, <@U3> <@U4>", NAMES) == "@佐藤さんと@Okabe Ken, @unknown @unknown"


def test_the_people_to_look_up_are_those_who_are_mentioned() -> None:
    assert people_in("<@U1> <@W2> <@U1> U9 @U8 <#C1> <@lower>") == {"U1", "W2"}
    assert people_in("") == frozenset()


@given(
    st.text(st.sampled_from("<>|@!#^&; \u3000\n:UW1alt.`,、"), max_size=60), st.dictionaries(st.just("U1"), st.text())
)
def test_whatever_is_written_no_mention_of_ours_or_in_the_memory_is_left(markup: str, names: dict[str, str]) -> None:
    words = words_in(f"{markup} {OUR} <@U1> {markup}", OWN)
    assert OUR not in words
    assert people_in(without_people(words, names)) == frozenset()


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Cf", "Zs", "Zl", "Zp"), exclude_characters="\u00a0")))
def test_what_is_typed_comes_back_as_it_was_typed(typed: str) -> None:
    """Slack escapes three characters of what people type, and nothing else."""
    composed = words_in(typed.replace("&", "").replace("<", "").replace(">", ""), OWN)
    escaped = typed.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    read = words_in(escaped, OWN)
    assert read.replace("&", "").replace("<", "").replace(">", "") == composed
    assert [sign for sign in read if sign in "&<>"] == [sign for sign in typed if sign in "&<>"]


@pytest.mark.parametrize("piece", [" ", "<", "<@", "<@U0BOT", f"{OUR} ", "&amp;", "<https://x|y>", "\u3000", "```\n"])
def test_a_huge_text_is_read_whole(piece: str) -> None:
    assert words_in(piece * 100_000 + " end", OWN).endswith("end")
