"""The page and the message of a report: what they say, and that nobody's words can do more than stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import UTC, date
from xml.etree import ElementTree

import pytest

from bot.report.charts import columns, strip
from bot.report.figures import Period
from bot.report.markup import element, words
from bot.report.message import message
from bot.report.page import page
from bot.report.reading import Gap, Report, Topic
from bot.report.spoken import Spoken
from config.wording import WordingSettings
from handlers.wording_names import wording_of
from handlers.wording_report import ENGLISH, JAPANESE, ReportWords
from memory.feedback import Tally
from memory.text.language import LanguageCode
from tests.fakes.reports import asked, counted

EN, JA = Spoken(language="en"), Spoken(language="ja")
EMPTY = Report(figures=counted(), topics=(), gaps=(), further=0, unread=0, settled=0)
HOSTILE = '</td><script>alert("x")</script>&amp;\x1b[31m\u202e'


def full(gap: str = "Where is the guest Wi-Fi password?", topic: str = "VPN") -> Report:
    return Report(
        figures=counted(
            asked("T1", seconds=1, read=20_000),
            *(asked(f"A{number}", seconds=1, abstained=True) for number in range(5)),
            votes=Tally(helpful=3, unhelpful=1),
        ),
        topics=(Topic(name=topic, episodes=12), Topic(name="printer", episodes=3)),
        gaps=(Gap(words=gap, times=2, last=date(2026, 11, 19)),),
        further=1,
        unread=2,
        settled=0,
    )


def parsed(report: Report, language: LanguageCode = "en") -> ElementTree.Element:
    return ElementTree.fromstring(page(report, Spoken(language=language)))


def shown(report: Report, language: LanguageCode = "en") -> str:
    """The text of the body, as a reader sees it."""
    body = parsed(report, language).find("body")
    assert body is not None
    return " ".join(" ".join(body.itertext()).split())


def tags(report: Report) -> set[str]:
    return {each.tag.rpartition("}")[2] for each in parsed(report).iter()}


@pytest.mark.parametrize("report", [EMPTY, full()], ids=["empty", "full"])
@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_page_is_well_formed_and_says_its_language(report: Report, language: LanguageCode) -> None:
    root = parsed(report, language)
    assert (root.tag, root.get("lang")) == ("html", language)
    assert root.find("head/meta[@name='viewport']") is not None


@pytest.mark.parametrize("language", ["ja", "en"])
def test_a_period_without_a_question_says_so_in_each_part(language: LanguageCode) -> None:
    said = JAPANESE if language == "ja" else ENGLISH
    # Columns, topics, gaps, tokens and stages.
    assert shown(EMPTY, language).count(said.nothing_yet) == 5
    assert message(EMPTY, Spoken(language=language)).splitlines()[1:] == [said.nothing_yet]


def test_the_page_shows_each_number_and_word_of_the_report() -> None:
    said = shown(full())
    assert "14–20 November 2026 (7 days)" in said
    assert "Questions 6 1 answered, 5 unanswered" in said
    assert "Answered without a person 1 17% of the questions" in said
    assert "Called helpful 75% 3 of 4 votes" in said
    assert "Time to answer 1.0 s median; 95% within 1.0 s" in said
    # 20,000 x 1 + 2,000 x 2 in millionths; 22,000 of 100,000 tokens.
    assert "Cost 0.0240 by the configured prices; 0.1000 if a model read everything each time" in said
    assert "Tokens saved 78%" in said
    assert "VPN 12 printer 3" in said
    assert "Where is the guest Wi-Fi password? 19 November 2026 2" in said
    assert "And 1 more; only the newest 1 different ones are shown." in said
    assert "2 questions are only counted" in said
    assert "Master (answering) 20,000 0 2,000" in said
    assert "Search 250 ms 250 ms Write the answer 750 ms 750 ms" in said


def test_gaps_of_which_nobody_may_read_a_word_are_counted_without_a_table() -> None:
    private = Report(figures=counted(asked(abstained=True)), topics=(), gaps=(), further=0, unread=1, settled=0)
    assert "1件は、件数だけ数えています" in shown(private, "ja")
    assert "最後に聞かれた日" not in shown(private, "ja")


def test_nobodys_words_become_markup_or_steer_anything() -> None:
    report = full(gap=HOSTILE, topic=HOSTILE)
    assert tags(report) == tags(full())
    # Cleaned of what is not writing, the words stand there as they were written.
    assert shown(report).count('</td><script>alert("x")</script>&amp;') == 2
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", page(report, EN))


def test_the_page_needs_nothing_from_anywhere_and_forbids_it() -> None:
    assert tags(full()) & {"script", "link", "img", "iframe", "object", "use", "image"} == set()
    for each in parsed(full()).iter():
        assert not {"src", "href", "style", "onload"} & set(each.keys())
    [style] = [each.text or "" for each in parsed(full()).iter("style")]
    assert "url(" not in style
    assert "@import" not in style
    policy = parsed(full()).find("head/meta[@http-equiv='Content-Security-Policy']")
    assert policy is not None
    assert policy.get("content", "").startswith("default-src 'none'")


def test_only_elements_that_close_themselves_in_html_have_nothing_in_them() -> None:
    empty = re.findall(r"<(\w+)[^<>]*/>", page(full(), EN))
    assert set(empty) == {"meta", "rect"}


def test_markup_is_escaped_in_attributes_too() -> None:
    assert element("p", words("<a>"), title='"><b>') == '<p title="&quot;&gt;&lt;b&gt;">&lt;a&gt;</p>'


# --- charts -----------------------------------------------------------------------------------------------------------


def bars(drawing: str, kind: str) -> Iterator[tuple[float, float, float]]:
    """Where each bar of a kind begins from the left and the top, and how high it is."""
    for each in ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}rect"):
        if each.get("class") == kind:
            yield float(each.get("x", "")), float(each.get("y", "")), float(each.get("height", ""))


def test_the_highest_column_fills_the_drawing_and_the_parts_stand_on_each_other() -> None:
    drawn = columns([(3, 1), (2, 0), (0, 0)], ["a", "b", "c"], "about")
    assert list(bars(drawn, "answered")) == [(1, 25, 75), (11, 50, 50), (21, 100, 0)]
    assert list(bars(drawn, "abstained")) == [(1, 0, 25), (11, 50, 0), (21, 100, 0)]


def test_columns_of_nothing_have_no_height() -> None:
    assert list(bars(columns([(0, 0)], ["a"], "about"), "answered")) == [(1, 100, 0)]


@pytest.mark.parametrize(("share", "width"), [(-1, "0"), (0.5, "50"), (7, "100")])
def test_a_strip_stays_within_its_drawing(share: float, width: str) -> None:
    [outer, _] = ElementTree.fromstring(strip(share, 0, "about")).iter("{http://www.w3.org/2000/svg}rect")
    assert outer.get("width") == width


# --- the message ------------------------------------------------------------------------------------------------------


def test_the_message_says_the_same_in_plain_lines() -> None:
    assert message(full(), EN).splitlines() == [
        "Helpdesk report: 14–20 November 2026 (7 days)",
        "Questions: 6 (1 answered, 5 unanswered)",
        "Answered without a person: 1 (17% of the questions)",
        "Called helpful: 75% (3 of 4 votes)",
        "Time to answer: 1.0 s (median; 95% within 1.0 s)",
        "Cost: 0.0240 (by the configured prices; 0.1000 if a model read everything each time)",
        "Tokens saved: 78% (against reading everything each time)",
        "Top topics: VPN 12, printer 3",
        "Knowledge gaps: 5",
        "• Where is the guest Wi-Fi password?",
    ]


def test_the_message_names_topics_before_the_first_question_too() -> None:
    found = replace(EMPTY, topics=(Topic(name="VPN", episodes=2),))
    assert message(found, EN).splitlines()[1:] == ["Nothing yet.", "Top topics: VPN 2"]


def test_the_message_is_japanese_for_japanese_readers() -> None:
    said = message(full(), JA).splitlines()
    assert said[:3] == [
        "ヘルプデスクの記録：2026年11月14日〜20日（7日間）",
        "質問：6（回答1件、未回答5件）",
        "人の手を借りずに回答：1（質問の17%）",
    ]


def test_questions_that_were_answered_since_are_counted_and_are_no_gaps_any_more() -> None:
    found = replace(full(), settled=3)
    assert "Answered since, and so not listed: 3." in shown(found)
    assert "3件は、その後に答えが出たため載せていません。" in shown(found, "ja")
    assert "Knowledge gaps: 2" in message(found, EN).splitlines()
    assert not any(line.startswith("Knowledge gaps") for line in message(replace(found, settled=5), EN).splitlines())


def test_a_first_bar_of_fewer_days_is_told() -> None:
    """A year is thirty bars of twelve days, and one of the five days before them."""
    year = Period(first=date(2025, 11, 21), last=date(2026, 11, 20), zone=UTC)
    found = replace(full(), figures=counted(asked("T1"), period=year))
    assert "Questions per 12 days The first bar is shorter: 5 of these days." in shown(found)
    assert "12日ごとの質問 左端の棒だけは5日分です。" in shown(found, "ja")
    assert "shorter" not in shown(full())


def test_the_administrators_words_are_on_the_page_and_in_the_message() -> None:
    wording = wording_of(WordingSettings(en={"report.title": "Our desk", "report.roles.master": "The writer"}))
    spoken = Spoken(language="en", wording=wording)
    assert "<h1>Our desk</h1>" in page(full(), spoken)
    assert "The writer" in page(full(), spoken)
    assert message(full(), spoken).startswith("Our desk: 14–20 November 2026")


def test_both_languages_fill_in_the_same_names() -> None:
    def names(said: ReportWords) -> dict[str, list[str]]:
        return {each.name: sorted(re.findall(r"\{(\w+)", str(getattr(said, each.name)))) for each in fields(said)}

    japanese, english = names(JAPANESE), names(ENGLISH)
    assert {name: found for name, found in japanese.items() if name not in ("roles", "stage_names")} == {
        name: found for name, found in english.items() if name not in ("roles", "stage_names")
    }
    assert JAPANESE.roles.keys() == ENGLISH.roles.keys()
    assert JAPANESE.stage_names.keys() == ENGLISH.stage_names.keys()
