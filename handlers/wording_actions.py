"""What is said around an answer on chat platforms, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """The words of one language; names in braces are filled in."""

    working: str
    searching: str
    reading: str
    writing: str
    cut: str
    file_unread: str
    file_login: str


JAPANESE = Actions(
    working="過去のチケットを調べています…",
    searching="過去のチケットを検索",
    reading="関係のありそうなチケットを{count}件確認",
    writing="回答を作成",
    cut="（長いため、ここまでを表示しています）",
    file_unread="添付ファイル {name} は読めませんでした（読めるのは{limit:,}文字までのテキストです）。"
    "必要な部分を貼り付けてください。",
    file_login="添付ファイル {name} の代わりに Slack のログイン画面が返ってきました。"
    "アプリに files:read の権限がありません。管理者にお伝えください。",
)

ENGLISH = Actions(
    working="is looking through past tickets…",
    searching="Searching past tickets",
    reading="Reading past tickets ({count})",
    writing="Writing the answer",
    cut="(too long; this is where it was cut)",
    file_unread="The attached file {name} could not be read (it has to be text of at most {limit:,} characters). "
    "Please paste the part that matters.",
    file_login="Instead of the attached file {name}, Slack sent its sign-in page: the app lacks the scope files:read. "
    "Please tell your administrator.",
)


def actions(language: str) -> Actions:
    """The words of this language; Japanese where it is none of ours."""
    return ENGLISH if language == "en" else JAPANESE
