"""What stands on buttons and in menus, and what is said about what somebody did there, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """The words of one language; names in braces are filled in."""

    working: str
    cut: str
    helpful: str
    unhelpful: str
    thanks: str
    sorry: str
    ask_person: str
    person_asked: str
    no_person: str
    not_yours: str
    file_unread: str
    file_login: str
    failed: str

    commands: str
    my_requests: str
    no_requests: str
    request: str
    remembered: str
    nothing_remembered: str
    forget_confirm: str
    forget: str
    keep: str
    forgotten: str
    kept: str

    thread_remembered: str
    home_title: str
    home_examples: str
    examples: tuple[str, ...]


JAPANESE = Actions(
    working="過去のチケットを調べています…",
    cut="（長いため、ここまでを表示しています）",
    helpful="役に立った",
    unhelpful="役に立たなかった",
    thanks="ありがとうございます。今後の参考にします。",
    sorry="お役に立てず申し訳ありません。「人に聞く」を押すと、担当者に引き継げます。",
    ask_person="人に聞く",
    person_asked="<@{user}> さんの質問を担当者に引き継ぎます。このスレッドでお待ちください。",
    no_person="担当者への引き継ぎ先がまだ設定されていません。サポート窓口に直接ご連絡ください。",
    not_yours="これは、質問したご本人だけが押せます。",
    file_unread="添付ファイル {name} は読めませんでした（読めるのは{limit:,}文字までのテキストです）。"
    "必要な部分を貼り付けてください。",
    file_login="添付ファイル {name} の代わりに Slack のログイン画面が返ってきました。"
    "アプリに files:read の権限がありません。管理者にお伝えください。",
    failed="うまくいきませんでした。もう一度お試しください。続くときは、管理者に番号 {reference} をお伝えください。",
    commands="使い方\n"
    "• ここで質問するか、チャンネルで {mention} を付けて書いてください。スレッドの続きには付けなくて大丈夫です。\n"
    "• `/helpdesk mine` 自分の問い合わせ\n"
    "• `/helpdesk memory` 私について覚えていること\n"
    "• `/helpdesk forget` 私の発言をすべて忘れる\n"
    "• `/helpdesk help` この説明",
    my_requests="あなたの最近の問い合わせ",
    no_requests="あなたの問い合わせは、まだありません。",
    request="• {day} {title}",
    remembered="あなたの発言を{count}件覚えています（最初は{first}、最後は{last}）。見えるのは、その場にいた人だけです。",
    nothing_remembered="あなたの発言は何も覚えていません。",
    forget_confirm="あなたの発言{count}件と、そこから作った要約や事実をすべて消します。元には戻せません。",
    forget="すべて忘れる",
    keep="やめる",
    forgotten="あなたの発言{count}件を忘れました。",
    kept="何も消していません。",
    thread_remembered="このスレッドの{count}件の発言を覚えました。",
    home_title="ヘルプデスク",
    home_examples="たとえば、こう聞けます",
    examples=(
        "VPNにつながりません。前はどう直しましたか？",
        "プリンターの担当は誰ですか？",
        "9月10日の担当は誰でしたか？",
    ),
)

ENGLISH = Actions(
    working="is looking through past tickets…",
    cut="(too long; this is where it was cut)",
    helpful="Helpful",
    unhelpful="Not helpful",
    thanks="Thank you. That helps to get better.",
    sorry="Sorry that this did not help. \u201cAsk a person\u201d hands your question over.",
    ask_person="Ask a person",
    person_asked="The question of <@{user}> is handed over to a person. Please wait in this thread.",
    no_person="Nobody is set up yet to hand questions over to; please contact the support desk directly.",
    not_yours="Only the person who asked can press this.",
    file_unread="The attached file {name} could not be read (it has to be text of at most {limit:,} characters). "
    "Please paste the part that matters.",
    file_login="Instead of the attached file {name}, Slack sent its sign-in page: the app lacks the scope files:read. "
    "Please tell your administrator.",
    failed="That did not work. Please try again. If it goes on, tell your administrator the number {reference}.",
    commands="How to use it\n"
    "• Send a message here, or write {mention} in a channel. Further messages in that thread need no mention.\n"
    "• `/helpdesk mine` my requests\n"
    "• `/helpdesk memory` what you remember about me\n"
    "• `/helpdesk forget` forget everything that I wrote\n"
    "• `/helpdesk help` this",
    my_requests="Your latest requests",
    no_requests="There are no requests of yours yet.",
    request="• {day} {title}",
    remembered="{count} messages of yours are remembered (the first of {first}, the last of {last}). "
    "Only people who were there can see them.",
    nothing_remembered="Nothing that you wrote is remembered.",
    forget_confirm="This deletes {count} messages of yours and every summary and fact made from them, for good.",
    forget="Forget everything",
    keep="Cancel",
    forgotten="{count} messages of yours were forgotten.",
    kept="Nothing was deleted.",
    thread_remembered="{count} messages of this thread are remembered now.",
    home_title="Helpdesk",
    home_examples="You could ask",
    examples=(
        "The VPN does not connect. How was that fixed last time?",
        "Who is in charge of the printers?",
        "Who was in charge on 10 September?",
    ),
)


def actions(language: str) -> Actions:
    """The words of this language; Japanese where it is none of ours."""
    return ENGLISH if language == "en" else JAPANESE
