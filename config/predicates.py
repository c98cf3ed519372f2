"""The shipped table of predicates: what statements say of things, and the words that people use for it.

Fine rather than coarse: "until when is it kept" and "how long is it valid" are two matters, and only one name for both
would let one statement end the other.
"""

from __future__ import annotations

from typing import Any

_SINGLE = {
    "status": "状態, ステータス, 状況, 現状, state, current status, current state",
    "assignee": "対応者, 割り当て, 割当, アサイン, assigned to, is assigned to, handled in the ticket by",
    "owner": "担当, 担当者, 責任者, 後任, 管理, 管理者, 主担当, 担当窓口, オーナー, 引き継ぎ先, in charge, "
    "responsible, takes over, "
    "owned by, is owned by, handled by, is handled by, managed by, is managed by, person in charge, contact person, "
    "responsible person, maintainer, administrator, successor, is responsible for, is in charge of, manages",
    "location": "場所, 設置場所, 保管場所, 置き場, 置き場所, 所在地, 所在, オフィス, 事務所, 席, 座席, フロア, "
    "部屋, 会場, office, "
    "place, room, floor, seat, desk, venue, is located in, located in, is located at, lives in, sits in, based in",
    "phone number": "内線, 内線番号, 電話番号, 電話, 外線, 外線番号, 外線特番, 特番, 番号, 連絡先, 連絡先番号, "
    "extension, "
    "extension number, phone, telephone number, number, prefix, outside prefix, dialling prefix, "
    "hotline, hotline number",
    "version": "版, バージョン, ヴァージョン, テンプレート版, 版数, 最新版, 現行版, リリース, テンプレート, "
    "ver, release, "
    "firmware, firmware version, "
    "software version, current version, latest version, template version, template, runs version",
    "address": "アドレス, ホスト, ホスト名, 接続先, 宛先, サーバー名, url, uri, リンク, ip, ipアドレス, "
    "メールアドレス, ポータル, host, "
    "hostname, host name, link, mail address, email, e-mail address, email address, website, site",
    "server": "サーバー, サーバ, プリントサーバー, ファイルサーバー, print server, file server, mail server, "
    "proxy, gateway, "
    "プロキシ, ゲートウェイ",
    "deadline": "期限, 締め日, 締日, 締切, 締め切り, 〆切, しめきり, 提出期限, 申請期限, 期日, due, due date, due by, "
    "cutoff, cut-off, must be in by",
    "date": "日程, 日時, 開催日, 実施日, 予定日, 開催日時, 実施日時, schedule, planned date, date and time",
    "interval": "周期, 更新周期, 間隔, 頻度, サイクル, frequency, cycle, every",
    "start": "開始, 開始日, 開始時刻, 利用開始, 稼働開始, start date, begins, starts, go-live, launch, launch date",
    "end": "終了, 終了日, サポート終了, 提供終了, 廃止日, end date, end of support, ends, end of life, expiry date, "
    "expires on, expiration date, is switched off on, will be switched off on",
    "stop": "停止, 停止日, 停止時間, 停止予定, 計画停止, メンテナンス日, downtime, planned downtime, outage window, "
    "maintenance, maintenance window, maintenance date",
    "resumption": "再開, 再開日, 再開時刻, 復旧予定, resumes, restart date, resumption date, eta",
    "opening hours": "営業時間, 受付時間, 対応時間, 開室時間, 開館時間, 利用時間, 開店時間, hours, opening time, "
    "business hours, "
    "office hours, service hours, support hours, is open from",
    "retention": "保管期間, 保存期間, 保管, 保存, 保持期間, 保持, 保存日数, 保管日数, retention period, storage "
    "period, "
    "is kept for, are kept for, kept for, keeps, is stored for, stored for, snapshot days",
    "validity": "有効時間, 有効期間, 有効期限, 有効, 期間, 所要時間, validity period, valid for, is valid for, "
    "valid until, "
    "is valid until, duration, period, lifetime",
    "loan period": "貸出期間, 貸出日数, 貸し出し期間, 利用期間, lending period, borrowing period, rental period",
    "limit": "上限, 上限額, 上限値, 限度, 限度額, 決裁上限, 容量, 上限容量, 最大, 定員, 枠, maximum, max, "
    "at most, upper limit, cap, quota, "
    "capacity, limit per person, pool, pool size, threshold",
    "minimum": "下限, 最低, 最小, at least, lower limit",
    "price": "価格, 料金, 費用, 値段, 単価, cost, costs, fee, rate",
    "procedure": "手順, 申請, 申請方法, 申請先, 窓口, 受付窓口, 申込先, 申込方法, 申し込み, 手続き, 手続, 届出, "
    "提出先, 依頼先, 方法, やり方, "
    "報告先, 問い合わせ先, process, how to, how to apply, where to apply, apply via, submit via, "
    "request via, goes through, "
    "go through, is requested via, is done via, contact, where to report, form",
    "password policy": "パスワードポリシー, パスワード規則, パスワードの条件, パスワード長, パスワードの有効期限, "
    "パスワード期限, "
    "password expiry, password expiration, password length, password rule, password rules, password requirements",
    "job": "職業, 役職, 肩書, 肩書き, 部署, 所属, 所属部署, job title, title at work, position, role, "
    "department, team, "
    "works as, works in",
}
_MANY = {
    "cause": "原因, 理由, 要因, 根本原因, 意味, reason, root cause, caused by, is caused by, because, "
    "because of, due to, "
    "meaning, means, happens when, appears when, occurs when",
    "fix": "対処, 対応, 対策, 解決, 解決策, 解決方法, 対処法, 処置, 復旧方法, 修正, solution, resolution, "
    "workaround, fixed by, "
    "is fixed by, solved by, is solved by, resolved by, remedy",
    "symptom": "症状, 現象, 不具合, 障害, 問題, エラー, problem, issue, error, shows, shows error, symptoms, "
    "fails with",
    "requirement": "条件, 要件, 必要, 必要なもの, 承認, requires, needs, need, is required, requirements, approval",
    "outage": "停止実績, 停止した時間, was down, down time, was offline",
    "member": "メンバー, 参加者, 構成員, 所属者, members, participant, participants, belongs to, is a member of",
    "uses": "利用, 使用, 使う, 使っている, use, used, is using, works with",
    "likes": "好き, 好み, 好物, 気に入っている, like, loves, enjoys, prefers, preference, hobby, hobbies, "
    "favourite, favorite",
    "has": "所有, 持っている, 保有, own, owned, have, owns, possesses, got",
    "did": "した, 行った, 実施, 実施した, 経験, activity, went to, visited, attended, happened, event, "
    "action, has done, "
    "took part in",
    "plans": "予定, 計画, つもり, plan, planned, plans to, will, is going to, intends to, wants to, scheduled",
}


def _row(single: bool, words: str) -> dict[str, Any]:
    return {"single": single, "words": tuple(word.strip() for word in words.split(","))}


#: By canonical name, in the form in which a configuration file says it.
SHIPPED: dict[str, dict[str, Any]] = {
    **{name: _row(True, words) for name, words in _SINGLE.items()},
    **{name: _row(False, words) for name, words in _MANY.items()},
}
