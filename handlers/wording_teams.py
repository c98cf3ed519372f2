"""What is said on the cards of Microsoft Teams and nowhere else, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsWords:
    """The words of one language."""

    unshown: str
    welcome: str
    welcome_how: str
    welcome_channel: str
    show_requests: str
    show_memory: str
    forget_stays: tuple[str, ...]
    personal_only: str
    unconfirmed: str
    taken: str
    uncounted: str
    somebody: str
    wanted_at: str
    wanted_direct: str
    fix_missing: str
    ask_missing: str
    thread_hint: str


JAPANESE = TeamsWords(
    unshown="このカードを表示できません。Teams を最新版にしてください。",
    welcome="ヘルプデスクです",
    welcome_how="お困りのことを、ふだんの言葉で書いてください。過去のチケットを調べて、根拠となる発言を添えてお答えします。"
    "見つからないときは、そのようにお伝えします。",
    welcome_channel="チャネルやグループチャットでは、私をメンションしてください。",
    show_requests="自分の依頼を見る",
    show_memory="覚えていることを見る",
    forget_stays=(
        "残るもの: ほかの方が書いたこと（あなたについて書かれたものも含みます）",
        "残るもの: Teams の中のメッセージ。必要なら Teams で削除してください。",
    ),
    personal_only="ここではほかの方にも見えてしまいます。私との個人チャットで「{word}」と送ってください。",
    unconfirmed="回答が届いたかどうか、Teams から確認が取れませんでした。"
    "上に回答がなければ、お手数ですがもう一度お尋ねください。",
    taken="承りました。",
    uncounted="その評価は、どの回答についてのものか分からないため、数えていません。",
    somebody="利用者",
    wanted_at="質問の日時: {time}",
    wanted_direct="私との個人チャットでの質問なので、内容は表示しません。",
    fix_missing="対応を書いてください。",
    ask_missing="聞きたいことを書いてください。",
    thread_hint="担当者がいる間、ここに私をメンションして返信したことは、依頼した人に届きます。"
    "// で始めると届きません。",
)

ENGLISH = TeamsWords(
    unshown="This card cannot be shown. Please update Teams.",
    welcome="This is the helpdesk",
    welcome_how="Write what you need in your own words. I look through past tickets and answer with the messages that "
    "the answer stands on. Where I find nothing, I say so.",
    welcome_channel="In channels and group chats, mention me.",
    show_requests="Show my requests",
    show_memory="Show what you remember",
    forget_stays=(
        "This stays: what other people wrote, about you as well",
        "This stays: the messages in Teams itself. Delete them there if you wish.",
    ),
    personal_only='Others can read along here. Please send "{word}" in our personal chat.',
    unconfirmed="Teams did not confirm that my answer arrived. If you do not see it above, please ask again.",
    taken="One moment, please.",
    uncounted="I could not tell which answer that thumb is for, so it is not counted.",
    somebody="Somebody",
    wanted_at="Asked at: {time}",
    wanted_direct="They asked me in a personal chat, so I do not show what was asked.",
    fix_missing="Please write how it was solved.",
    ask_missing="Please write what you want to know.",
    thread_hint="While somebody has it, replies in this thread that mention me reach the user. Begin with // to keep "
    "one in the team.",
)
