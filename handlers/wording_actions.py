"""What is said around an answer on chat platforms, in Japanese and English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memory.recall.steps import Stage, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """The words of one language; names in braces are filled in. `unread` says by reason which
    files were not read, their names parted by `separator`."""

    working: str
    searching: str
    reading: str
    writing: str
    cut: str
    #: Where the platform did not tell who asks, so that an answer stands on little.
    unchecked: str
    separator: str
    unread: Mapping[str, str]
    others_read: str
    too_many: str
    too_many_here: str


JAPANESE = Actions(
    working="過去のチケットを調べています…",
    searching="過去のチケットを検索",
    reading="関係のありそうなチケットを{count}件確認",
    writing="回答を作成",
    cut="（長いため、ここまでを表示しています）",
    unchecked="どなたが何を見てよいかをいま確かめられないため、ここで話されたことだけから探しました。"
    "1分ほどおいて、もう一度お尋ねください。",
    separator="、",
    unread={
        "cut": "添付ファイル {names} は長いため、はじめの部分だけを読みました（1つにつき{limit:,}文字まで）。"
        "ほかに大事な部分があれば貼り付けてください。",
        "kind": "添付ファイル {names} は読んでいません（読めるのはテキストだけです）。"
        "必要な部分を文字で書いてください。",
        "encoding": "添付ファイル {names} は文字として読めませんでした。"
        "UTF-8 で保存し直すか、必要な部分を貼り付けてください。",
        "gone": "添付ファイル {names} は取得できませんでした。必要な部分を貼り付けてください。",
        "login": "添付ファイル {names} の代わりに Slack のログイン画面が返ってきました。"
        "アプリに files:read の権限がありません。管理者にお伝えください。",
        "many": "添付ファイル {names} は読んでいません（一度に読めるのは5つまでです）。続けて送ってください。",
        "died": "添付ファイル {names} は、私が再起動したため読んでいません。もう一度送ってください。",
    },
    others_read="ここではほかの方にも見えてしまいます。私へのダイレクトメッセージで「{word}」と送るか、"
    "/helpdesk {word} と入力してください。",
    too_many="短い時間にたくさんのメッセージをいただいたため、このメッセージにはお答えしていません"
    "（お一人につき1分に{limit}件まで）。保存はしました。{seconds}秒ほどおいて、もう一度お尋ねください。",
    too_many_here="このチャンネルにいまたくさんのメッセージが届いているため、このメッセージにはお答えしていません"
    "（チャンネル全体で1分に{limit}件まで）。保存はしました。{seconds}秒ほどおいて、もう一度お尋ねください。",
)

ENGLISH = Actions(
    working="is looking through past tickets…",
    searching="Searching past tickets",
    reading="Reading past tickets ({count})",
    writing="Writing the answer",
    cut="(too long; this is where it was cut)",
    unchecked="I could not check just now who may see what, so I searched only what was said here. "
    "Please ask again in a minute.",
    separator=", ",
    unread={
        "cut": "Attached, but too long: of {names} I read only the beginning (up to {limit:,} characters each). "
        "Please paste anything else that matters.",
        "kind": "Attached, but not read: {names} (I can only read text). Please write the part that matters.",
        "encoding": "Attached, but not readable as text: {names}. Please save it as UTF-8 and send it again, "
        "or paste the part that matters.",
        "gone": "Attached, but I could not get it: {names}. Please paste the part that matters.",
        "login": "Attached, but Slack sent its sign-in page instead of {names}: the app lacks the scope files:read. "
        "Please tell your administrator.",
        "many": "Attached, but not read: {names} (I read up to 5 files at a time). Please send the rest again.",
        "died": "Attached, but not read, because I was restarted: {names}. Please send it again.",
    },
    others_read="Others can read along here. Please send “{word}” to me in a direct message, or type /helpdesk {word}.",
    too_many="That was a lot of messages in a short time, so I did not answer this one (up to {limit} a minute from "
    "one person). It was kept. Please ask again in about {seconds} seconds.",
    too_many_here="A lot of messages are coming into this channel, so I did not answer yours (up to {limit} a minute "
    "from everybody here). It was kept. Please ask again in about {seconds} seconds.",
)


def step_words(step: Step, said: Actions) -> str:
    """What the bot is doing in this step."""
    words = {Stage.SEARCHING: said.searching, Stage.READING: said.reading, Stage.WRITING: said.writing}
    return words[step.stage].format(count=step.episodes)
