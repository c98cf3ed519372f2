"""As-of questions in words: a state at a past time, which is not what happened then."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from memory.text.dates import as_of
from tests.unit.dates_tables import JST, MONDAY


@pytest.mark.parametrize(
    ("text", "last_day"),
    [
        ("9月10日時点の担当は誰でしたか", "2026-09-10"),
        ("9月10日の担当は誰でしたか", "2026-09-10"),
        ("９月１０日の品目マスタの担当者は誰でしたか？", "2026-09-10"),
        ("9月10日は誰が担当でしたか", "2026-09-10"),
        ("4月10日の時点で、外線の番号は何番でしたか", "2026-04-10"),
        ("8月20日現在で、保存期間は何日でしたか", "2026-08-20"),
        ("先月の窓口はどこでしたか", "2026-10-31"),
        ("先週の当番は誰でしたか", "2026-11-29"),
        ("昨日の責任者は誰でしたか", "2026-11-29"),
        ("令和8年9月10日のバージョンは何でしたか", "2026-09-10"),
        ("2025年の上限はいくらでしたか", "2025-12-31"),
        ("9月15日より前は誰の担当でしたか", "2026-09-14"),
        ("4月末に聞いていた範囲では、停止日はいつの予定でしたか", "2026-04-30"),
        ("3日に皆には何と伝えましたか", "2026-11-03"),
        ("9月の申請手順はどうなっていましたか", "2026-09-30"),
        ("2週間前の担当は誰でしたか", "2026-11-16"),
        ("9月3日から5日までの当番は誰でしたか", "2026-09-05"),
        ("as of last month, who owned the item master?", "2026-10-31"),
        ("Who owned it as of 10 September?", "2026-09-10"),
        ("who owned it on 10 September", "2026-09-10"),
        ("Who was in charge of the item master on 10 September?", "2026-09-10"),
        ("what did we tell people on the 3rd", "2026-11-03"),
        ("What was the maximum loan period in mid-July?", "2026-07-20"),
        ("On 20 September, which prefix was needed for an outside call?", "2026-09-20"),
        ("On 1 November, what did we believe was the last date?", "2026-11-01"),
        ("In August, whom did we have to ask for corrections?", "2026-08-31"),
        ("Which version was required last week?", "2026-11-29"),
        ("What was the status of INC-1007 on 3 September?", "2026-09-03"),
        ("who was the owner before 15 September", "2026-09-14"),
        ("who was the owner two weeks ago", "2026-11-16"),
        ("Who was responsible in 2025?", "2025-12-31"),
        ("What was the reason believed to be on 14 July?", "2026-07-14"),
        ("9月10日のAndonの担当は？", "2026-09-10"),
        ("Andonの9月10日の担当は？", "2026-09-10"),
        ("Andonの担当は9月10日には誰でしたか？", "2026-09-10"),
        ("Andonの担当、9月10日は誰？", "2026-09-10"),
        ("Andonの担当者は9月10日は誰でしたか", "2026-09-10"),
        ("9月10日にAndonを担当していたのは誰ですか", "2026-09-10"),
        ("Who looked after Andon as of last month?", "2026-10-31"),
        ("Who looked after Andon on September 10?", "2026-09-10"),
        ("On September 10, who looked after Andon?", "2026-09-10"),
        ("Who took care of Andon in September?", "2026-09-30"),
        ("Who managed Andon on September 10?", "2026-09-10"),
        ("Who did Andon belong to on September 10?", "2026-09-10"),
        ("Who is responsible for Andon on September 10?", "2026-09-10"),
    ],
)
def test_a_state_at_a_past_time_is_asked_as_of_its_last_moment(text: str, last_day: str) -> None:
    end = datetime.fromisoformat(f"{last_day}T00:00+09:00") + timedelta(days=1)
    assert as_of(text, MONDAY) == end - timedelta(microseconds=1)


@pytest.mark.parametrize(
    "text",
    [
        "先週VPNで問い合わせた者ですが",
        "障害の担当は先週は誰でしたか",
        "担当の佐藤さんは9月10日は何をしていましたか",
        "Who looked after the outage last week?",
        "Who is responsible for the screens from September 10 in the lobby?",
        "先週の障害の担当は誰でしたか",
        "9月10日に対応した担当者は誰でしたか",
        "9月10日の問い合わせの件はどうなりましたか",
        "10月に出たエラーの原因は何でしたか",
        "7月の全停止は何時から何時まででしたか",
        "9月の会計期間が最初に自動で閉じたのはいつですか",
        "今の担当は誰ですか",
        "今日の担当は誰ですか",
        "今月の当番は誰ですか",
        "来週の当番は誰ですか",
        "担当は誰でしたか",
        "9月からの手順は何ですか",
        "9月10日から担当はBです",
        "現時点の担当は誰ですか",
        "昨日から番号が出ません",
        "当時の担当は誰でしたか",
        "10時の担当は誰でしたか",
        "what happened on 10 September?",
        "I contacted you last week about the VPN number",
        "Who reported the error on 10 September?",
        "Why did line 4 lose its network on 28 September?",
        "Which LTE router did you lend me in August?",
        "What was the cause of the freeze in July?",
        "How was it fixed in October?",
        "what was the password I posted in May?",
        "What was the name of the pet that he had to say goodbye to on 3 June?",
        "Which setting was the cause of the freeze in July?",
        "Who was responsible for the outage on 10 September?",
        "Who is the owner now?",
        "Who is in charge today?",
        "Who is on duty next week?",
        "who owns it since 10 September",
        "the owner was A on 10 September",
        "On 10 September the owner was B. I like it.",
        "Until when was the customer unblocked in April?",
        "who was the owner?",
        "For how many days are logs kept since July?",
        "",
    ],
)
def test_what_happened_or_holds_now_is_no_as_of(text: str) -> None:
    assert as_of(text, MONDAY) is None


def test_as_of_a_time_that_has_not_ended_is_now() -> None:
    assert as_of("今日の時点で担当は誰ですか", MONDAY) == MONDAY
    assert as_of("as of this month, who owns it?", MONDAY) == MONDAY


def test_as_of_a_time_to_come_is_its_end() -> None:
    end = datetime(2027, 1, 1, tzinfo=JST) - timedelta(microseconds=1)
    assert as_of("来月末時点の担当は誰ですか", MONDAY) == end


def test_as_of_a_minute_is_the_end_of_that_minute_in_the_askers_zone() -> None:
    moment = as_of("At 08:30 Japan time on 14 July, what was believed to be the reason?", MONDAY)
    assert moment == datetime(2026, 7, 14, 8, 31, tzinfo=JST) - timedelta(microseconds=1)
