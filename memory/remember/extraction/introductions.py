"""By what name people speak of themselves: 「岡部です」 signed okabe, "Nadia here". So two spellings are one person."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from memory.facts import ACCOUNT, STATE, Fact, matter
from memory.model import Episode, Role, Turn
from memory.scope import narrowest

_GREETING = (
    r"(?:(?:お世話に?なって(?:い|お)?(?:り)?ます|お疲れ(?:様|さま)(?:です|でした)?|おはようございます|こんにちは|こんばんは|"
    r"はじめまして|すみません|失礼します|\S{1,10}(?:さん|様))[、。！!,\s]*)*"
)
_JAPANESE = re.compile(
    rf"^{_GREETING}(?:[A-Za-z0-9\u30a1-\u30ff\u3400-\u9fff々]{{1,12}}の)?(?P<name>[\u30a1-\u30ff\u3400-\u9fff々]{{1,8}})(?:です|と申します)(?=[。、！!\s]|$)"
)
_ENGLISH = re.compile(
    r"^(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Gg]ood \w+)(?: [\w-]+)?[,.!]? )?"
    r"(?:(?P<name>[A-Z][\w'-]+) here\b|[Tt]his is (?P<also>[A-Z][\w'-]+) (?:from|in|at)\b)"
)
#: What stands before です at the start of a message and is nobody's name.
_NO_NAME = frozenset(
    "大丈夫 以上 不明 同様 同感 結構 必要 可能 無理 完了 解決 残念 了解 承知 確認 本当 正常 未定 不要 対応 対応済 "
    "現在 今日 明日 原因 最新 問題 追加 追記 訂正 続報 至急 緊急 質問 相談 報告 連絡 変更 復旧 担当 件 "
    "障害 故障 不具合 停電 無線 有線 設定 更新 印刷 回線 電源 画面 端末 共有 添付 期限 期限切れ 上限 手順 予定 会議 "
    "出張 在宅 休暇 エラー テスト メール パスワード ネットワーク サーバー プリンター プリンタ パソコン ログイン "
    "アカウント バージョン 再起動 初期化 再発 正解 不可 順調 最後 最初 後日 午前 午後 両方 全員 全部 別件 本件 初めて "
    "Come Over Right Out Same Look Not Back Still".split()
)


def introductions(episode: Episode) -> list[Fact]:
    """Who signs as whom, each once: of the name that is given, the account is the turn's author."""
    found: dict[tuple[str, str], Fact] = {}
    for turn in episode.turns:
        if turn.derived or turn.role is Role.BOT:
            continue
        for name in _given(turn.text):
            if matter(name) != matter(turn.said_by):
                found.setdefault((matter(name), turn.said_by), _account(episode, turn, name))
    return list(found.values())


def _given(text: str) -> Iterator[str]:
    start = unicodedata.normalize("NFKC", text[:80]).lstrip()
    match = _JAPANESE.search(start) or _ENGLISH.search(start)
    if match is not None:
        name = match["name"] or match.groupdict().get("also") or ""
        if name not in _NO_NAME:
            yield name


def _account(episode: Episode, turn: Turn, name: str) -> Fact:
    return Fact(
        subject=name,
        predicate=ACCOUNT,
        value=turn.said_by,
        text=f"{name}: {turn.said_by}",
        people=(turn.said_by,),
        episode=episode.id,
        turn_ids=(turn.id,),
        scope=narrowest([turn]),
        valid_from=turn.said_at,
        precision="minute",
        dated=False,
        recorded_at=turn.said_at,
        confidence=1.0,
        made_by=STATE,
    )
