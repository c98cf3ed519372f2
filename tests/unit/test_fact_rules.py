"""What the rules read in sentences, and where they keep silent."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.model import Role, Turn
from memory.remember.extraction.rules import rule_statements
from memory.remember.extraction.statements import Statement
from tests.fakes.turns import turn

Said = tuple[str, str, str]


def statements(
    text: str, *, title: str | None = None, author: str = "mori", role: Role = Role.AGENT
) -> list[Statement]:
    return list(rule_statements([turn(1, text, title=title, author=author, role=role)]))


def said(text: str, title: str | None = None) -> list[Said]:
    """(subject, predicate, value) of what an agent's message says by rule, deeds left out."""
    return [(one.subject, one.predicate, one.value) for one in statements(text, title=title) if one.predicate != "did"]


JAPANESE = [
    ("受付システムの担当は広報の高橋さんです。", ("受付システム", "owner", "高橋")),
    ("受付システムの担当が高橋さんから岡田さんに変わりました。", ("受付システム", "owner", "岡田")),
    ("在庫マスタは来月から物流の岡田さんに引き継ぎます。", ("在庫マスタ", "owner", "岡田")),
    ("岡田さんが請求書の発行を引き継ぎました。", ("請求書の発行", "owner", "岡田")),
    ("勤怠マスタは総務の岡田さんが担当します。", ("勤怠マスタ", "owner", "岡田")),
    ("守衛室の内線は 2210 です。", ("守衛室の内線", "phone number", "2210")),
    ("守衛室の内線が2210から2350に変わります。", ("守衛室の内線", "phone number", "2350")),
    ("守衛室の内線が変わります。6/1から 2350 です。", ("守衛室の内線", "phone number", "2350")),
    ("外線特番は 0 ではなく 8 になります。", ("NijiBoard 外線特番", "phone number", "8")),
    ("アーカイブの保存期間を90日に延ばします。", ("アーカイブ", "retention", "90日")),
    ("アーカイブの保存期間は30日間です。", ("アーカイブ", "retention", "30日間")),
    ("入館証の有効期限は1年間です。", ("入館証", "validity", "1年間")),
    ("仮パスを発行します（有効15分）。", ("仮パス", "validity", "15分")),
    ("係長決裁の上限が5万円から8万円に変わります。", ("係長決裁の上限", "limit", "8万円")),
    ("月次レポートの締切は毎月第2営業日です。", ("月次レポート", "deadline", "毎月第2営業日")),
    ("月次レポートの締切を5/12に延期します。", ("月次レポート", "deadline", "5/12")),
    ("計画停止は 5/16（土）9:00 の予定です。", ("NijiBoard", "stop", "5/16(土)9:00")),
    ("NijiBoardの停止日は 5/23 に変更します。", ("NijiBoard", "stop", "5/23")),
    ("再開は 5/17 の 8:00 です。", ("NijiBoard", "resumption", "5/17 の 8:00")),
    ("旧ポータルは 7/31 で終了します。", ("旧ポータル", "end", "7/31")),
    ("検証サーバー hk-09 は 7/31 に停止します。", ("検証サーバー hk-09", "stop", "7/31")),
    ("備品の申請はPortalの「備品フォーム」になります。", ("備品の申請", "procedure", "Portalの「備品フォーム」")),
    (
        "入館証の再発行は守衛室ではなくPortalの「入館証」で行います。",
        ("入館証の再発行", "procedure", "Portalの「入館証」"),
    ),
    ("出張の精算は経理部に提出してください。", ("出張の精算", "procedure", "経理部")),
    ("検査票は新テンプレート v3 を本日から使います。", ("検査票", "version", "新テンプレート v3")),
    ("NijiBoardのバージョンは 7.2 です。", ("NijiBoard", "version", "7.2")),
    ("NijiBoardは7.2.1になりました。", ("NijiBoard", "version", "7.2.1")),
    ("紙の申請書B-4は廃止になりました。", ("紙の申請書B-4", "status", "廃止")),
    ("プリンタ PR-03 は修理中です。", ("プリンタ PR-03", "status", "修理中")),
    ("接続先は gate-02.example です。", ("NijiBoard 接続先", "address", "gate-02.example")),
    (
        "プリンタ PR-03 の設置場所は3階の休憩室前になりました。",
        ("プリンタ PR-03 の設置場所", "location", "3階の休憩室前"),
    ),
    ("食堂の営業時間は11:00〜14:00に変わりました。", ("食堂", "opening hours", "11:00〜14:00")),
    ("担当：山本さん", ("NijiBoard", "owner", "山本")),
    ("KX-41は証明書の期限が切れると出ます。", ("KX-41", "cause", "証明書の期限が切れる")),
    ("ＫＸ－４１は「接続数の超過」という意味です。", ("KX-41", "cause", "接続数の超過")),
    ("KX-41 は容量が足りないときに出ます。", ("KX-41", "cause", "容量が足りない")),
    ("原因は配線の抜けでした。", ("NijiBoard", "cause", "配線の抜け")),
    ("電源ユニットの故障のようです。", ("NijiBoard", "cause", "電源ユニットの故障")),
    ("制服はネイビーではなくグレーになります。", ("制服", "is", "グレー")),
    ("担当はBに交代しました。", ("NijiBoard", "owner", "B")),
    ("勤怠の問い合わせ先が木村さんから林さんに変更となります。", ("勤怠の問い合わせ先", "procedure", "林さん")),
    ("備品マスタの追加は今後、購買の佐々木さんにお願いしてください。", ("備品マスタの追加", "owner", "佐々木")),
    ("鍵の管理者は4/1付で山口さんになりました。", ("鍵", "owner", "山口")),
    ("担当が変わりました。今後は西村が対応します。", ("NijiBoard", "owner", "西村")),
    ("運用担当は外注のミライ社になります。", ("NijiBoard 運用担当", "owner", "ミライ社")),
    ("複合機 PR-11 は2階から4階に移設しました。", ("複合機 PR-11", "location", "4階")),
    ("経費精算の締め日は毎月20日から25日になりました。", ("経費精算", "deadline", "25日")),
    ("出張申請は6月からTripNestで行うことになりました。", ("出張申請", "procedure", "TripNest")),
    ("モニターの貸出期間は2週間でしたが、7/1から1か月になります。", ("モニター", "loan period", "1か月")),
    ("受付時間は9時〜17時です。", ("NijiBoard", "opening hours", "9時〜17時")),
    ("定期メンテナンスは 6/14（日）2:00 に延期になりました。", ("定期メンテナンス", "date", "6/14(日)2:00")),
    (
        "来客Wi-Fiの手続きが変わります。Portalの「来客」から発行してください。",
        ("来客Wi-Fiの手続き", "procedure", "Portalの「来客」"),
    ),
    ("入館証は最長3日間有効です。", ("NijiBoard", "validity", "3日間")),
    ("原因がわかりました。配線が外れていました。", ("NijiBoard", "cause", "配線が外れていました")),
    ("KX-41 は証明書の期限切れです。", ("KX-41", "cause", "証明書の期限切れ")),
    (
        "予約はカレンダーの「備品」から「箱」を選んでください。",
        ("予約", "procedure", "カレンダーの「備品」から「箱」を選んで"),
    ),
]
ENGLISH = [
    ("The archive server is owned by Keiko Mori.", ("archive server", "owner", "Keiko Mori")),
    ("Bauer takes over the price list from Visser.", ("price list", "owner", "Bauer")),
    ("The owner of the price list is now Bauer.", ("price list", "owner", "Bauer")),
    ("Bauer is responsible for the price list.", ("price list", "owner", "Bauer")),
    ("The price list is handled by the finance team.", ("price list", "owner", "the finance team")),
    ("I hand over the price list to Bauer.", ("price list", "owner", "Bauer")),
    ("The extension of the gate house is 2210.", ("gate house extension", "phone number", "2210")),
    ("The gate house extension changed from 2210 to 2350.", ("gate house extension", "phone number", "2350")),
    ("From 1 June the dialling prefix is 8 instead of 0.", ("QuickBoard dialling prefix", "phone number", "8")),
    ("From 1 June the lending period is 14 days at most.", ("QuickBoard", "loan period", "14 days")),
    ("PostBox keeps deleted mail for 21 days instead of 14.", ("deleted mail", "retention", "21 days")),
    ("Deleted mail is kept for 14 days, then it is gone.", ("Deleted mail", "retention", "14 days")),
    ("Visitor passes are valid for 8 hours.", ("Visitor passes", "validity", "8 hours")),
    ("The form must be in 5 working days before.", ("QuickBoard form", "deadline", "5 working days before")),
    ("The deadline stays the 2nd working day.", ("QuickBoard", "deadline", "2nd working day")),
    ("The end of QuickBoard 3 moves to 20 November.", ("QuickBoard 3", "end", "20 November")),
    ("pr-srv-01 will be switched off on 30 September.", ("pr-srv-01", "end", "30 September")),
    ("From 14 September the print server is pr-srv-02.", ("QuickBoard print server", "server", "pr-srv-02")),
    (
        'Please send expense claims with the "Claim" form in Portal.',
        ("expense claims", "procedure", '"Claim" form in Portal'),
    ),
    ("Late claims go through Sato-san in HR.", ("Late claims", "procedure", "Sato-san in HR")),
    ("Please use the badge portal instead of the paper form.", ("QuickBoard", "procedure", "badge portal")),
    ("5.2.1 is out and fixes it.", ("QuickBoard", "version", "5.2.1")),
    ("The version of QuickBoard is 5.2.", ("QuickBoard", "version", "5.2")),
    ("Printer PR-03 is out of service.", ("Printer PR-03", "status", "out of service")),
    ("The old portal is now closed.", ("portal", "status", "closed")),
    ("Printer PR-03 moved to the lobby.", ("Printer PR-03", "location", "lobby")),
    ("The location of printer PR-03 is Room 102.", ("printer PR-03 location", "location", "Room 102")),
    ("KX-41 means the licence pool is empty.", ("KX-41", "cause", "the licence pool is empty")),
    (
        "KX-41 appears when the clock is more than 5 minutes off.",
        ("KX-41", "cause", "the clock is more than 5 minutes off"),
    ),
    ("KX-41 = month already closed.", ("KX-41", "cause", "month already closed")),
    ("The cause was a loose cable.", ("QuickBoard", "cause", "loose cable")),
    ("The password expiry of the guest network is 90 days.", ("guest network", "password policy", "90 days")),
    (
        "Effective 1 June, travel requests are filed in TripNest instead of by mail.",
        ("travel requests", "procedure", "TripNest"),
    ),
    ("As of 1 October, Marta will be looking after the vendor list.", ("vendor list", "owner", "Marta")),
    ("Jonas hands the vendor list over to Marta on 1 October.", ("vendor list", "owner", "Marta")),
    ("The list owner is Emma, I asked her to approve.", ("list", "owner", "Emma")),
    ("Please contact Marta for the vendor list from now on.", ("vendor list contact", "procedure", "Marta")),
    ("The wiki has moved to wiki2.example.", ("wiki", "address", "wiki2.example")),
    ("Please use kb.example, not kb-old.example.", ("QuickBoard", "address", "kb.example")),
    ("The upgrade is postponed to 14 June.", ("upgrade", "date", "14 June")),
    ("Support hours are now 8:00 to 18:00.", ("QuickBoard", "opening hours", "8:00 to 18:00")),
    ("The limit was lowered: it's 20 MB now, so keep files small.", ("QuickBoard limit", "limit", "20 MB")),
    ("The mailbox quota was raised from 5 GB to 10 GB.", ("mailbox quota", "limit", "10 GB")),
    ("Passwords now expire every 180 days instead of 90.", ("Passwords expiry", "password policy", "180 days")),
    ("We are now on version 5.3.2.", ("QuickBoard", "version", "5.3.2")),
    ("The printer MF-3 is now on the second floor.", ("printer MF-3", "location", "on the second floor")),
    ('KX-41 is "paper cover open".', ("KX-41", "cause", "paper cover open")),
    ("That error (KX-41) is caused by an expired token.", ("KX-41", "cause", "an expired token")),
    ("Office hours: 8:00 to 16:00", ("QuickBoard", "opening hours", "8:00 to 16:00")),
]
SILENT_JAPANESE = [
    "守衛室の内線は 2210 ですか？",
    "守衛室の内線は何番でしたっけ",
    "担当は高橋さんでしょうか。",
    "もし担当が岡田さんになったら教えてください。",
    "来月になれば保存期間は90日になります。",
    "紛失した場合は、窓口は守衛室になります。",
    "保存期間は90日ではありません。",
    "担当は岡田さんではないです。",
    "いつもお世話になっております。",
    "お世話になります、経理の岡田です。",
    "ありがとうございます、助かりました。",
    "確認いたします。少々お待ちください。",
    "大変ご迷惑になりました。",
    "とても楽になりました。",
    "問題になっています。",
    "動かなくなりました。",
    "参考になりました。",
    "気になります。",
    "担当は誰ですか",
    "原因はまだ分かっていません。",
    "原因は調査中です。",
    "内線は後で連絡します。",
    "上限はいくらまで上がりますか。",
    "手順を教えてください。",
    "よろしくお願いします。",
    "バージョンは最新のはずです。",
    "場所はどこになりますか。",
    "期限は大丈夫です。",
    "KX-41 はまた出ますか？",
    "担当の方にお伝えください。",
    "番号は同じです。",
    "会議は無理そうだと思っていますか。",
    "部屋は和室がいいです。",
    "朝食なしを希望しています。",
    "来月になりそうです。",
    "担当は高橋さんでした。",
    "内線は 2210 でした。",
    "ご迷惑をおかけしました。",
    "紛失したなら、窓口は守衛室になります。",
    "8月10日から2泊で考えています。",
]
SILENT_ENGLISH = [
    "Is the extension 2210?",
    "Who is in charge of the price list?",
    "Is the price list owned by Bauer now?",
    "If Bauer takes over the price list, tell me.",
    "Could you check whether the extension is 2350?",
    "The extension is not 2210.",
    "The price list isn't owned by Bauer.",
    "The lending period would be 14 days.",
    "Maybe the limit is 5 days.",
    "Thanks, that is fine now.",
    "Thank you so much!",
    "Good morning everyone.",
    "It is back now.",
    "That is the same.",
    "I moved on to the next thing.",
    "You moved to the next page.",
    "Rolled you back to 3.1.",
    "The number is wrong.",
    "The owner is unknown to me yet?",
    "The place was amazing.",
    "Does KX-41 mean the licence pool is empty?",
    "KX-41 is not KX-14.",
    "Please restart and try again.",
    "Unless it is renewed, the pass is valid for 8 hours.",
    "Should the form be in 5 days before?",
    "We are ready.",
    "Will do, thanks.",
    "The deadline is soon.",
    "Who takes over the price list from Visser?",
    "They say the portal is closed?",
    "Nobody owns the price list.",
    "He is responsible for it.",
    "The extension was 2210.",
    "Images are back.",
    "Wifi is up again.",
    "Probably an old link from before the move to the new address.",
    "The link is empty.",
    "The server is installing.",
    "Now you can go to the settings page.",
    "The price list was handled by Visser.",
    "They say it was moved to the lobby?",
]


@pytest.mark.parametrize(("text", "wanted"), JAPANESE)
def test_a_japanese_sentence_says_this(text: str, wanted: Said) -> None:
    assert wanted in said(text, "NijiBoard の件")


@pytest.mark.parametrize(("text", "wanted"), ENGLISH)
def test_an_english_sentence_says_this(text: str, wanted: Said) -> None:
    assert wanted in said(text, "QuickBoard 件")


@pytest.mark.parametrize("text", [*SILENT_JAPANESE, *SILENT_ENGLISH])
def test_questions_conditions_denials_and_courtesies_say_nothing(text: str) -> None:
    assert said(text, "NijiBoard の件") == []


def test_there_are_enough_examples_of_both_kinds() -> None:
    assert len(JAPANESE) + len(ENGLISH) >= 40
    assert len(SILENT_JAPANESE) + len(SILENT_ENGLISH) >= 40


def test_an_announcement_of_several_clauses_says_several_things() -> None:
    text = "【変更】8/3から備品の申請はPortalの「備品」になります。紙のB-4は廃止、有効期間は14日です。"
    assert said(text, "備品の申請") == [
        ("備品の申請", "procedure", "Portalの「備品」"),
        ("紙のB-4", "status", "廃止"),
        ("備品の申請", "validity", "14日"),
    ]
    english = (
        "Change of rule: from 1 August the form must be in 5 working days before, and the loan period is "
        "7 days at most."
    )
    assert [one[1:] for one in said(english, "Loan laptop")] == [
        ("deadline", "5 working days before"),
        ("loan period", "7 days"),
    ]


def test_what_a_procedure_needs_is_said_of_it() -> None:
    text = "SignCardの再登録は窓口ではなくPortalの「再登録」で行います。上長の承認が必要です。"
    assert said(text) == [
        ("SignCardの再登録", "procedure", "Portalの「再登録」"),
        ("SignCardの再登録", "requirement", "上長の承認"),
    ]


def test_what_holds_now_and_what_will_are_two_values_of_one_matter() -> None:
    found = statements("今は5万円未満までです。ただ7/1から課長決裁の上限が10万円未満になります。")
    assert [(one.subject, one.value, one.when) for one in found] == [
        ("課長決裁の上限", "10万円未満", "7/1から"),
        ("課長決裁の上限", "5万円未満", ""),
    ]


def test_i_is_whoever_speaks() -> None:
    [one] = statements("三宅です。私は工程表だけ残ります。", author="miyake")
    assert (one.subject, one.predicate, one.value) == ("工程表", "owner", "miyake")
    [one] = statements("I took over the price list.", author="bauer")
    assert (one.subject, one.predicate, one.value) == ("price list", "owner", "bauer")


def test_a_ticket_that_is_handed_over_is_the_tickets_matter() -> None:
    [one] = statements("I hand this ticket over to Nadia.", title="Kiosk frozen")
    assert (one.subject, one.predicate, one.value) == ("INC-1", "assignee", "Nadia")


def test_two_extensions_of_two_places_are_two_matters() -> None:
    assert said("守衛室の内線は 2210 です。")[0][0] != said("医務室の内線は 2210 です。")[0][0]
    assert said("外線特番は 0 です。", "CityPhone の件")[0][0] == "CityPhone 外線特番"


def test_a_deed_with_a_date_is_of_whoever_tells_it() -> None:
    [one] = statements("I went to the dentist yesterday.", author="anna", role=Role.REQUESTER)
    assert (one.subject, one.predicate, one.when) == ("anna", "did", "yesterday")
    [other] = statements("昨日、携帯を買い替えました。", author="oka", role=Role.REQUESTER)
    assert (other.subject, other.predicate, other.when) == ("oka", "did", "昨日")


@pytest.mark.parametrize(
    "text",
    [
        "I will go to the dentist tomorrow.",
        "It comes at 07:00 every day.",
        "I reopened June for you.",
        "I saw yesterday's programme.",
        "They say they sent it on Friday.",
        "明日携帯を買い替えます。",
        "毎朝8:30に検査が走っていました。",
        "6/10のスナップショットから戻しました。",
    ],
)
def test_plans_habits_and_hearsay_are_no_deeds(text: str) -> None:
    assert statements(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I moved to the third floor last Monday.",
        "Last week we finally sent the laptop back.",
        "My sister and I went hiking yesterday.",
        "Please keep this quiet: I left my work phone on a train last night.",
        "Took the laptop home yesterday.",
        "先週、ノートPCを家に持ち帰りました。",
        "私は昨日大阪に行きました。",
        "昨日は東京へ出張しました。",
        "先週、証明書を更新しました。",
        "昨日、総務に連絡しました。",
        "昨日、フォルダーを消してしまいました。",
    ],
)
def test_what_one_did_oneself_is_a_deed(text: str) -> None:
    [one] = statements(text, author="anna", role=Role.REQUESTER)
    assert (one.subject, one.predicate) == ("anna", "did")


@pytest.mark.parametrize(
    "text",
    [
        "Nothing was opened after 22:00 yesterday.",
        "Home was fine two days ago.",
        "Nobody called back last Friday.",
        "No mail arrived yesterday.",
        "We were told yesterday.",
        "I was locked out yesterday.",
        "A link was sent to me last night.",
        "Stopped working yesterday.",
        "My colleague changed her password last week.",
        "Okabe restarted it yesterday.",
        "It worked until last night.",
        "今日は保存できました。",
        "昨日の夜までは使えていました。",
        "昨日までは大丈夫でした。",
        "昨日、プリンターが止まりました。",
        "昨日、田中さんがPCを交換しました。",
        "昨日から急に遅くなりました。",
        "今朝、警告が出ました。",
        "昨日、アカウントを消されました。",
        "昨日、急に停止しました。",
        "今日は会議でした。",
        "昨日から画面を開けられていました。",
    ],
)
def test_what_others_did_what_was_done_and_what_went_is_no_deed_of_who_tells_it(text: str) -> None:
    assert [one for one in statements(text, author="anna", role=Role.REQUESTER) if one.subject == "anna"] == []


def ticket(*turns: tuple[Role, str], title: str, resolved: int) -> list[Turn]:
    return [
        turn(
            n, text, role=role, minutes=n, title=title if n == 1 else None, status="resolved" if n == resolved else None
        )
        for n, (role, text) in enumerate(turns, start=1)
    ]


def test_what_helped_last_before_it_was_resolved_is_the_fix_of_the_code() -> None:
    turns = ticket(
        (Role.REQUESTER, "PayNote shows KX-41 since this morning."),
        (Role.AGENT, "Please restart the client."),
        (Role.REQUESTER, "Still the same."),
        (Role.AGENT, "I renewed the licence, please try again."),
        (Role.REQUESTER, "It works, thanks!"),
        title="PayNote KX-41",
        resolved=5,
    )
    found = {one.predicate: one for one in rule_statements(turns)}
    assert (found["fix"].subject, found["fix"].turns) == ("KX-41", (3,))
    assert found["fix"].value == "I renewed the licence, please try again."
    assert (found["symptom"].subject, found["symptom"].turns) == ("PayNote", (0,))
    assert found["symptom"].when.startswith("this morning")


def test_nothing_is_fixed_before_it_is_resolved() -> None:
    turns = ticket((Role.REQUESTER, "KX-41が出ます。"), (Role.AGENT, "再起動してください。"), title="KX-41", resolved=0)
    assert {one.predicate for one in rule_statements(turns)} == {"symptom"}


def test_a_bot_says_nothing() -> None:
    assert rule_statements([turn(1, "外線特番は 8 になりました。", author="helpbot", role=Role.BOT)]) == ()


PIECES = [
    "担当",
    "は",
    "が",
    "高橋さん",
    "に",
    "なりました",
    "。",
    "\n",
    "から",
    "8/3",
    "14日",
    "KX-41",
    "（",
    "）",
    "「",
    "」",
    "、",
    " ",
    ":",
    "From ",
]
PIECES += [
    "1 August",
    ", ",
    "the owner",
    " of ",
    "is now ",
    "Bauer",
    ".",
    "?",
    "not ",
    "moved to ",
    "{",
    "[",
    "\\",
    "００",
    "原因",
    "a" * 300,
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), max_size=4))
def test_whatever_is_written_is_read_without_an_error_and_cites_its_own_turn(texts: list[str]) -> None:
    turns = [turn(n, text, minutes=n, title="NijiBoard") for n, text in enumerate(texts)]
    for one in rule_statements(turns):
        assert set(one.turns) <= set(range(len(turns)))
        assert one.subject.strip()
        assert one.value.strip()


@pytest.mark.parametrize(
    "piece", ["or ", "は", "担当が", "「", "is ", "KX-1", "8/3から", "。", ", ", "\n", "-", "a.b "]
)
def test_a_very_long_message_is_read_in_the_end(piece: str) -> None:
    rule_statements([turn(1, piece * (20_000 // len(piece)), title="NijiBoard")])
