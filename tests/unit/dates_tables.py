"""Expressions of time with what they mean, worked out by hand from a calendar.

2026-11-30 is a Monday, 2026-09-03 a Thursday, 2027-01-01 a Friday, 2028-02-29 a Tuesday.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

JST = timezone(timedelta(hours=9))
CET = timezone(timedelta(hours=1))
#: The last morning of a month, and the first of a week.
MONDAY = datetime(2026, 11, 30, 10, 0, tzinfo=JST)
#: Late in the evening in Tokyo, when it is still afternoon in UTC and in Europe.
NIGHT = datetime(2026, 9, 3, 23, 30, tzinfo=JST)
NEW_YEAR = datetime(2027, 1, 1, 9, 0, tzinfo=CET)
LEAP_DAY = datetime(2028, 2, 29, 12, 0, tzinfo=JST)

#: (text, written at, first day, last day, precision): one mention each.
Row = tuple[str, datetime, str, str, str]


def _rows(anchor: datetime, table: str) -> list[Row]:
    """Lines of `text | days | precision`; days are one, or two with `..` between."""
    rows: list[Row] = []
    for line in table.strip().splitlines():
        text, days, precision = (cell.strip() for cell in line.split("|"))
        first, _, last = days.partition("..")
        rows.append((text, anchor, first, last or first, precision))
    return rows


JAPANESE = [
    *_rows(
        MONDAY,
        """
        昨日から動きません | 2026-11-29 | day
        きのう連絡しました | 2026-11-29 | day
        一昨日の件です | 2026-11-28 | day
        おととい届きました | 2026-11-28 | day
        今日の作業 | 2026-11-30 | day
        本日は不在です | 2026-11-30 | day
        明日伺います | 2026-12-01 | day
        明後日までに直します | 2026-12-02 | day
        あさって届きます | 2026-12-02 | day
        先週の金曜に出ました | 2026-11-27 | day
        先週金曜日に出ました | 2026-11-27 | day
        今週の水曜 | 2026-12-02 | day
        来週水曜に交換 | 2026-12-09 | day
        再来週の月曜 | 2026-12-14 | day
        先々週の日曜日 | 2026-11-22 | day
        先週の障害 | 2026-11-23..2026-11-29 | week
        先々週の件 | 2026-11-16..2026-11-22 | week
        今週の当番 | 2026-11-30..2026-12-06 | week
        来週から出張 | 2026-12-07..2026-12-13 | week
        先週末に止めました | 2026-11-28..2026-11-29 | day
        金曜の夕方までは使えていました | 2026-11-27 | hour
        金曜日に壊れました | 2026-11-27 | day
        金曜日に交換します | 2026-12-04 | day
        この前の金曜に聞いた | 2026-11-27 | day
        次の金曜に | 2026-12-04 | day
        前の月曜に | 2026-11-23 | day
        3日前に申請した | 2026-11-27 | day
        三日前から出る | 2026-11-27 | day
        １０日前の件 | 2026-11-20 | day
        2週間前に入れた | 2026-11-13..2026-11-19 | week
        3日後に届く予定 | 2026-12-03 | day
        2ヶ月前の更新 | 2026-09-15..2026-10-15 | month
        三か月前の件 | 2026-08-15..2026-09-14 | month
        2年前に買った | 2024-01-01..2024-12-31 | year
        先月も出ました | 2026-10-01..2026-10-31 | month
        先々月の請求 | 2026-09-01..2026-09-30 | month
        今月の予算 | 2026-11-01..2026-11-30 | month
        来月の会議 | 2026-12-01..2026-12-31 | month
        来月末で廃止 | 2026-12-31 | day
        今月末まで有効 | 2026-11-30 | day
        先月の10日に | 2026-10-10 | day
        来月5日から | 2026-12-05 | day
        先月下旬に | 2026-10-21..2026-10-31 | week
        9月上旬 | 2026-09-01..2026-09-10 | week
        9月中旬に | 2026-09-11..2026-09-20 | week
        9月の下旬 | 2026-09-21..2026-09-30 | week
        9月初めの停止 | 2026-09-01..2026-09-10 | week
        4月末で退職 | 2026-04-30 | day
        9月前半の記録 | 2026-09-01..2026-09-15 | week
        昨年の契約 | 2025-01-01..2025-12-31 | year
        去年も見た | 2025-01-01..2025-12-31 | year
        一昨年に更新 | 2024-01-01..2024-12-31 | year
        今年の目標 | 2026-01-01..2026-12-31 | year
        来年の春 | 2027-01-01..2027-12-31 | year
        昨年末に導入 | 2025-12-01..2025-12-31 | month
        昨年の9月に | 2025-09-01..2025-09-30 | month
        去年9月10日に | 2025-09-10 | day
        9月10日(木)までに返却してください | 2026-09-10 | day
        2019年度末 | 2020-03-01..2020-03-31 | month
        12月10日に止まると聞きました | 2026-12-10 | day
        11月20日に交換する予定です | 2026-11-20 | day
        14日の月曜日が締切でした | 2026-11-14 | day
        2026年度の計画 | 2026-04-01..2027-03-31 | year
        今年度の予算 | 2026-04-01..2027-03-31 | year
        前年度の実績 | 2025-04-01..2026-03-31 | year
        来年度から | 2027-04-01..2028-03-31 | year
        2026年度上期 | 2026-04-01..2026-09-30 | quarter
        今年度の下期 | 2026-10-01..2027-03-31 | quarter
        2026年度第3四半期 | 2026-10-01..2026-12-31 | quarter
        2026年第3四半期 | 2026-07-01..2026-09-30 | quarter
        上期の棚卸で止まった | 2026-04-01..2026-09-30 | quarter
        第3四半期の報告 | 2026-07-01..2026-09-30 | quarter
        9月10日時点の担当 | 2026-09-10 | day
        ９月１０日の担当 | 2026-09-10 | day
        九月十日の担当 | 2026-09-10 | day
        9月10日(木)の作業 | 2026-09-10 | day
        12月10日に交換 | 2026-12-10 | day
        10月21日に増やした | 2026-10-21 | day
        9/10に出た | 2026-09-10 | day
        9/10(木)の件 | 2026-09-10 | day
        日付：9/10 | 2026-09-10 | day
        2026/9/10の記録 | 2026-09-10 | day
        2026年9月10日 | 2026-09-10 | day
        2026年9月の件 | 2026-09-01..2026-09-30 | month
        二〇二六年九月十日 | 2026-09-10 | day
        令和8年の予算 | 2026-01-01..2026-12-31 | year
        令和8年9月10日付 | 2026-09-10 | day
        令和元年5月1日 | 2019-05-01 | day
        ㋿8年9月 | 2026-09-01..2026-09-30 | month
        R8.9.10に受領 | 2026-09-10 | day
        平成30年の規程 | 2018-01-01..2018-12-31 | year
        H30年度の購入 | 2018-04-01..2019-03-31 | year
        H30に買った | 2018-01-01..2018-12-31 | year
        昭和64年1月7日 | 1989-01-07 | day
        9月3日から5日まで停止 | 2026-09-03..2026-09-05 | day
        9月3日〜5日 | 2026-09-03..2026-09-05 | day
        9/3-9/5 の間 | 2026-09-03..2026-09-05 | day
        12月28日から1月5日まで休業 | 2026-12-28..2027-01-05 | day
        5月の土曜に止めた | 2026-05-01..2026-05-31 | month
        前回（9月）の件 | 2026-09-01..2026-09-30 | month
        """,
    ),
    *_rows(
        NIGHT,
        """
        今日中に直します | 2026-09-03 | day
        昨日の件 | 2026-09-02 | day
        明日の朝 | 2026-09-04 | hour
        今月末 | 2026-09-30 | day
        10日に交換します | 2026-09-10 | day
        1日に止まりました | 2026-09-01 | day
        31日に壊れました | 2026-08-31 | day
        月曜に届きました | 2026-08-31 | day
        9月15日から担当はBです | 2026-09-15 | day
        """,
    ),
    *_rows(
        NEW_YEAR,
        """
        先月の障害 | 2026-12-01..2026-12-31 | month
        昨年末に | 2026-12-01..2026-12-31 | month
        昨日の夕方 | 2026-12-31 | hour
        12月28日に止まりました | 2026-12-28 | day
        今年度の契約 | 2026-04-01..2027-03-31 | year
        先週の件 | 2026-12-21..2026-12-27 | week
        """,
    ),
    *_rows(
        LEAP_DAY,
        """
        今日 | 2028-02-29 | day
        一年前 | 2027-01-01..2027-12-31 | year
        今月末 | 2028-02-29 | day
        2月29日に | 2028-02-29 | day
        昨日 | 2028-02-28 | day
        来月の29日 | 2028-03-29 | day
        """,
    ),
]

ENGLISH = [
    *_rows(
        MONDAY,
        """
        It broke yesterday | 2026-11-29 | day
        the day before yesterday | 2026-11-28 | day
        today it works | 2026-11-30 | day
        I will call tomorrow | 2026-12-01 | day
        the day after tomorrow | 2026-12-02 | day
        last Friday it failed | 2026-11-27 | day
        last Monday | 2026-11-23 | day
        this Friday | 2026-12-04 | day
        next Tuesday | 2026-12-08 | day
        it stopped on Friday | 2026-11-27 | day
        we will replace it on Friday | 2026-12-04 | day
        since Thursday | 2026-11-26 | day
        until Friday | 2026-12-04 | day
        on Fri we moved it | 2026-11-27 | day
        last week | 2026-11-23..2026-11-29 | week
        this week | 2026-11-30..2026-12-06 | week
        next week | 2026-12-07..2026-12-13 | week
        last weekend | 2026-11-28..2026-11-29 | day
        two weeks ago | 2026-11-13..2026-11-19 | week
        a fortnight ago | 2026-11-13..2026-11-19 | week
        3 days ago | 2026-11-27 | day
        a week ago | 2026-11-20..2026-11-26 | week
        a couple of days ago | 2026-11-28 | day
        two months ago | 2026-09-15..2026-10-15 | month
        a year ago | 2025-01-01..2025-12-31 | year
        it will arrive in three days | 2026-12-03 | day
        last month | 2026-10-01..2026-10-31 | month
        next month | 2026-12-01..2026-12-31 | month
        last year | 2025-01-01..2025-12-31 | year
        last quarter | 2026-07-01..2026-09-30 | quarter
        at the end of the month | 2026-11-30 | day
        by the end of next month | 2026-12-31 | day
        end of March | 2026-03-31 | day
        early March | 2026-03-01..2026-03-10 | week
        in mid-July | 2026-07-11..2026-07-20 | week
        late September | 2026-09-21..2026-09-30 | week
        in 2026 | 2026-01-01..2026-12-31 | year
        since 2024 | 2024-01-01..2024-12-31 | year
        what we saw in Q3 | 2026-07-01..2026-09-30 | quarter
        Q3 2026 | 2026-07-01..2026-09-30 | quarter
        2026 Q3 | 2026-07-01..2026-09-30 | quarter
        in H1 we had two | 2026-01-01..2026-06-30 | quarter
        H2 2025 | 2025-07-01..2025-12-31 | quarter
        the third quarter of 2026 | 2026-07-01..2026-09-30 | quarter
        FY2026 | 2026-04-01..2027-03-31 | year
        FY26 Q1 | 2026-04-01..2026-06-30 | quarter
        it broke on the 3rd | 2026-11-03 | day
        we met on the 15th, I think | 2026-11-15 | day
        the 3rd of next month | 2026-12-03 | day
        3 September | 2026-09-03 | day
        3rd of September | 2026-09-03 | day
        Sept 3rd, 2026 | 2026-09-03 | day
        September 3 | 2026-09-03 | day
        Sep. 3, 2025 | 2025-09-03 | day
        Thursday 3 September 2026 | 2026-09-03 | day
        3-Sep-2026 | 2026-09-03 | day
        2026-09-03 | 2026-09-03 | day
        3/9/2026 | 2026-09-03 | day
        9/30/2026 | 2026-09-30 | day
        2026/9/3 | 2026-09-03 | day
        3.9.2026 | 2026-09-03 | day
        it came on 9/10 | 2026-10-09 | day
        2026-09 | 2026-09-01..2026-09-30 | month
        in October | 2026-10-01..2026-10-31 | month
        in May | 2026-05-01..2026-05-31 | month
        what broke in march | 2026-03-01..2026-03-31 | month
        the March outage | 2026-03-01..2026-03-31 | month
        September 2025 | 2025-09-01..2025-09-30 | month
        last March | 2026-03-01..2026-03-31 | month
        last December | 2025-12-01..2025-12-31 | month
        next March | 2027-03-01..2027-03-31 | month
        between 3 and 5 September | 2026-09-03..2026-09-05 | day
        from 3 to 5 September | 2026-09-03..2026-09-05 | day
        September 3-5 | 2026-09-03..2026-09-05 | day
        from 28 December to 5 January | 2026-12-28..2027-01-05 | day
        between Monday and Wednesday | 2026-11-30..2026-12-02 | day
        it was off from March to May | 2026-03-01..2026-05-31 | month
        from 15 September | 2026-09-15 | day
        10 December we switch | 2026-12-10 | day
        Friday 14 August we restart | 2026-08-14 | day
        no later than Friday | 2026-12-04 | day
        Fri Oct 24 06:42:44 UTC 2008 | 2008-10-24 | minute
        the board is swapped at the May maintenance | 2026-05-01..2026-05-31 | month
        """,
    ),
    *_rows(
        NIGHT,
        """
        today | 2026-09-03 | day
        on the 3rd | 2026-09-03 | day
        we deliver on the 2nd, please wait | 2026-10-02 | day
        this Friday | 2026-09-04 | day
        last Thursday | 2026-08-27 | day
        on Thursday | 2026-09-03 | day
        yesterday morning | 2026-09-02 | hour
        """,
    ),
    *_rows(
        NEW_YEAR,
        """
        yesterday | 2026-12-31 | day
        last month | 2026-12-01..2026-12-31 | month
        last week | 2026-12-21..2026-12-27 | week
        last year | 2026-01-01..2026-12-31 | year
        on 28 December it failed | 2026-12-28 | day
        last quarter | 2026-10-01..2026-12-31 | quarter
        """,
    ),
    *_rows(
        LEAP_DAY,
        """
        a year ago | 2027-01-01..2027-12-31 | year
        on 29 February | 2028-02-29 | day
        end of the month | 2028-02-29 | day
        three months ago | 2027-11-14..2027-12-14 | month
        """,
    ),
]

#: What looks like a time and names none.
NOTHING = """
VPNにつながりません
先日はありがとうございました
最近よく落ちます
数日前から
2月31日
令和8年13月1日
平成40年に
昭和100年
毎週月曜に再起動
毎月10日に締める
毎日落ちます
毎年9月に更新
10日間かかります
10日かかります
あと3日の猶予
3日以内に返事
3日前までに申請してください
2週間前までに申し込む
1日3回
一日に3回
一時的に止まる
同時に出る
24時間対応
3時間かかる
15時間後
3ヶ月の契約
1年間有効
2026年版を使う
v2026.9.1
バージョン 2026.9.1
INC-1007
INC-2026-09-10
PO2026/09/10
MES 6.4
10.9.20.26
192.168.9.10
10/10でした
満足度は9/10
進捗3/9
1/2に減った
90/100点
03-1234-5678
090-1234-5678
〒939-0001
30日前後
土日祝
月額500円
火災報知器
水が漏れた
金額が違う
木製の棚
日本の拠点
本部に確認
今後の予定
前回と同じ
来客用
Windows Server 2012 R2の設定
会議室S3の鍵
部屋番号401
型番H30
I may have lost it
you may 2 times retry
the march of progress
march on
a second screen
the second attempt
just a second
the sun is out
he sat down
mon prints nothing
Jan fixed it
the mar on the case
recently it fails
the other day
these days
every Monday
on Mondays
each Friday we restart
年末年始は休業
毎週金曜17時に締める
ticket 2026-11
this may help
download it and may be installed
Sun machines and Sun servers
1日につき3回
1日6時間ではやり過ぎ
device 01:05.0 is a VGA card
1980年代の建物
前日の15時までに
毎朝8:30に走る
保存期間を30日に延ばします
lists/2004-October/5.html
the 3rd floor
the 3rd time it failed
on the 3rd floor
on the 2nd attempt
this is the 3rd
we scored 10/10
9/10 users agree
page 3/9
1/2 of the disk
24/7 support
version 2026.9.1
release 2026.9.1
v1.2.3
build 2026.11
10.0.0.1
555-2026
+44 2026 123456
port 8080
2026 units
room 2026
fixed in two days
it took 3 days
three days of work
within 2 weeks
Q3: why is it slow?
<h1>
h1 heading
H2 database
april.smith@example.com
http://example.com/2026/09/10
C:\\2026\\09
16:9 screen
00:1A:2B:3C
30 February
February 30, 2026
31 April
99/99/2026
9999999999
Only 3 may log in
2026-13-01
2026-02-30
""".strip().splitlines()
