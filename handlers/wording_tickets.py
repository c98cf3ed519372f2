"""What is said of tickets, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass

from memory.tickets import State


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketWords:
    """The words of one language; names in braces are filled in. `states` are shown to people; the ones up to `reopened`
    are what the conversation keeps of a change."""

    states: dict[State, str]

    opened: str
    taken: str
    answered: str
    asked_elsewhere: str
    handed_back: str
    resolved: str
    cause: str
    fix: str
    closed: str
    closed_silent: str
    closed_same: str
    closed_forgotten: str
    deleted: str
    asked_gone: str
    copy_gone: str
    forget_ends: str
    reopened: str

    standing: str
    nobody: str
    take: str
    hand_back: str
    resolve: str
    resolve_title: str
    cause_asked: str
    fix_asked: str
    resolve_hint: str
    fix_missing: str

    ask_user: str
    ask_title: str
    ask_asked: str
    ask_hint: str
    ask_missing: str
    asks: str
    from_support: str
    from_requester: str
    files: str
    passed_on: str
    passed_on_else: str
    not_passed: str
    passed_gone: str
    not_passable: str
    passed_unsure: str
    unhelped: str
    unreached: str
    unreachable: str
    reached_unsure: str
    call_me: str
    thread_hint: str
    share: str
    share_title: str
    symptom_asked: str
    learned_asked: str
    share_hint: str
    learned_missing: str
    shared: str

    remind_support: str
    remind_user: str

    offer: str
    offer_in: str
    open_ticket: str
    of: str
    added: str
    added_others: str
    under_way: str
    under_way_others: str
    others_gone: str
    away: str
    stand_in: str
    same_as: str
    same: str
    following: str
    same_over: str
    ended: str
    moved: str
    somebody_has: str
    you_have: str
    nobody_has: str
    refused: str
    unknown: str
    not_agent: str


JAPANESE = TicketWords(
    states={
        State.OPEN: "受付済み",
        State.WAITING_FOR_USER: "ご本人の返事待ち",
        State.WAITING_FOR_SUPPORT: "担当者が対応中",
        State.RESOLVED: "解決済み",
        State.CLOSED: "終了",
        State.REOPENED: "再開",
    },
    opened="チケットを作成しました。",
    taken="{ticket} は {name} が担当します。",
    answered="{ticket} に {name} から返事がありました。",
    asked_elsewhere="{ticket} は、依頼した人の返事を待っています（{name}）。",
    handed_back="{name} が {ticket} の担当を外れました。",
    resolved="{ticket} は解決しました。",
    cause="原因: {words}",
    fix="対応: {words}",
    closed="{ticket} を終了しました。",
    closed_silent="{ticket} は返事がないまま{days}日たったため終了しました。",
    closed_same="{ticket} は {other} と同じ件のため終了しました。",
    closed_forgotten="{ticket} を終了しました。依頼した人の記録が削除されたためです。",
    deleted="{ticket} は質問とともに削除されました。対応は不要です。",
    asked_gone="質問のメッセージは削除されました。",
    copy_gone="このメッセージは、書いた人が削除しました。",
    forget_ends="終わるもの: 対応中の依頼（{count}件）。担当者も対応を終えます。",
    reopened="{ticket} を再開しました。",
    standing="{ticket}: {state}（担当: {owner}）",
    nobody="なし",
    take="担当する",
    hand_back="担当を外れる",
    resolve="解決にする",
    resolve_title="解決の記録",
    cause_asked="原因（なくても構いません）",
    fix_asked="対応（どうやって直したか）",
    resolve_hint="ここに書いたことは、依頼した人に伝わり、次の質問に答えるために覚えます。",
    fix_missing="対応が空のため、{ticket} を解決にしていません。どうやって直したかを書いてください。",
    ask_user="本人に質問する",
    ask_title="本人への質問",
    ask_asked="聞きたいこと",
    ask_hint="ここに書いたことは、あなたの名前で依頼した人に届きます。返事はこのスレッドに届きます。",
    ask_missing="質問が空のため、{ticket} の依頼者には何も聞いていません。聞きたいことを書いてください。",
    asks="{name}（サポート担当）からの質問です。ここに返事を書いてください。",
    from_support="{name}（サポート担当）:",
    from_requester="{name}:",
    files="📎 {names}（名前のみ）",
    passed_on="これから {ticket} に担当者がいる間、ここに書いたことは担当者に届きます。",
    passed_on_else="別の件は、チャネルの新しい投稿で私に尋ねてください。この件が終われば、ここでもお答えします。",
    not_passed="{ticket} はいま担当者がいないため、依頼した人に伝えていません。担当してから、もう一度書いてください。",
    passed_gone="{ticket} の依頼はもう削除されているため、いまの書き込みはどなたにも届いていません。対応は不要です。",
    not_passable="{ticket} を依頼した人に伝えられませんでした。長すぎるか、届け先に書き込めません。",
    unhelped="お役に立てず申し訳ありません。ご意見を記録しました。"
    "この件は {ticket} として担当者に伝えてあります。返事をお待ちください。",
    unreached="{ticket}: いまの書き込みは、まだ担当者に届いていません。"
    "担当者のチャンネルに書き込めるようになったら届けます。お急ぎのときは、ほかの方法で連絡してください。",
    passed_unsure="{ticket} を依頼した人にいまの書き込みが届いたかどうか、確認が取れませんでした。"
    "返事がなければ、もう一度書いてください。",
    unreachable="{ticket}: いまの書き込みは、担当者に届けられませんでした。ほかの方法で連絡してください。",
    reached_unsure="{ticket}: いまの書き込みが担当者に届いたかどうか、確認が取れませんでした。"
    "返事がなければ、もう一度書いてください。",
    call_me="書くときは私をメンションしてください。メンションがないと届きません。",
    thread_hint="担当者がいる間、ここに返信したことは依頼した人に届きます。// で始めると届きません。",
    share="全員に共有する",
    share_title="全員への共有",
    symptom_asked="どんな問題だったか",
    learned_asked="原因と対応",
    share_hint="送信すると、だれの質問にもこの内容で答えるようになります。名前など、見せたくないことは消してください。",
    learned_missing="「原因と対応」が空のため、{ticket} の内容は共有していません。",
    shared="{ticket} の内容を保存しました。検索できるようになりしだい（通常は1分以内）、全員への回答に使います。",
    remind_support="{ticket} は対応を待っています（担当: {owner}）。しばらく、どなたも返事をしていません。",
    remind_user="{ticket} は、あなたの返事を待っています。ここに返事を書いてください。",
    offer="担当者に相談しますか？「{title}」としてチケットを作成します。",
    offer_in="担当者に相談しますか？「{title}」（分類: {category}）としてチケットを作成します。",
    open_ticket="チケットを作成する",
    of="{ticket}: {words}",
    added="新しいチケットは作らず、ここでのあなたの依頼 {ticket} に加えました。",
    added_others="{ticket} は、ほかの方の依頼です。"
    "書かれた内容はそれに加え、あなたのチケットは作っていません。ご自分の依頼にするには、私に直接書いてください。",
    under_way="ここでは、あなたの依頼 {ticket} が進行中です。"
    "担当者に相談すると、書かれた内容は {ticket} に加わります。",
    under_way_others="ここでは、ほかの方の依頼 {ticket} が進行中です。"
    "ここで担当者に相談すると、書かれた内容はそれに加わります。ご自分の依頼にするには、私に直接書いてください。",
    others_gone="{ticket} は、依頼した人の記録が削除されたため終了しました。"
    "まだお困りの方は、もう一度私に書いてください。",
    away="ただいま受付時間外です。担当者は{back}に戻ります。",
    stand_in="受付時間外の担当: {name}",
    same_as="{ticket}（{title}、{since}から）と同じことでしょうか。そうでしたら「{button}」を押してください。",
    same="{ticket} と同じ件です",
    following="{other} が終わったら、ここでお知らせします。",
    same_over="{ticket} はもう終わっているか、見られなくなっています。この件はそのまま受け付けています。",
    ended="{ticket} は「{state}」になりました。",
    moved="この件は、ほかの人がたった今更新しました。もう一度ご確認ください。",
    somebody_has="{ticket} は {name} が担当しています。",
    you_have="{ticket} は、すでにあなたが担当しています。",
    nobody_has="{ticket} には、いま担当者がいません。",
    refused="{ticket} は「{state}」のため、これはできません。",
    unknown="その名前のチケットは見つかりません。",
    not_agent="これはサポート担当者だけができます。",
)

ENGLISH = TicketWords(
    states={
        State.OPEN: "open",
        State.WAITING_FOR_USER: "waiting for the requester",
        State.WAITING_FOR_SUPPORT: "with support",
        State.RESOLVED: "resolved",
        State.CLOSED: "closed",
        State.REOPENED: "reopened",
    },
    opened="Opened a ticket.",
    taken="{name} takes {ticket}.",
    answered="{name} answered on {ticket}.",
    asked_elsewhere="{ticket} waits for whoever asked ({name}).",
    handed_back="{name} hands {ticket} back.",
    resolved="{ticket} is resolved.",
    cause="Cause: {words}",
    fix="Fix: {words}",
    closed="{ticket} is closed.",
    closed_silent="{ticket} is closed, as nobody answered for {days} days.",
    closed_same="{ticket} is closed: it is the same as {other}.",
    closed_forgotten="{ticket} is closed, as what was asked was deleted with all else of who asked.",
    deleted="{ticket} was deleted with what was asked. Nothing is left to do.",
    asked_gone="The message was deleted.",
    copy_gone="Whoever wrote this message deleted it.",
    forget_ends="This ends: your open requests ({count}). The support team does nothing more about them.",
    reopened="{ticket} is open again.",
    standing="{ticket}: {state} (owner: {owner})",
    nobody="nobody",
    take="Take",
    hand_back="Hand back",
    resolve="Resolve",
    resolve_title="What was learned",
    cause_asked="Cause (may be left empty)",
    fix_asked="Fix (how it was solved)",
    resolve_hint="Who asked is told what you write here, and it is remembered for the next question.",
    fix_missing="{ticket} is not resolved, as no fix was given. Please write how it was solved.",
    ask_user="Ask the user",
    ask_title="Ask the user",
    ask_asked="What do you want to know?",
    ask_hint="The user reads this under your name. The answer comes into this thread.",
    ask_missing="Nothing was asked about {ticket}, as the question was empty. Please write what you want to know.",
    asks="{name} (support) asks. Please answer here:",
    from_support="{name} (support):",
    from_requester="{name}:",
    files="📎 {names} (name only)",
    passed_on="From now on, while somebody has {ticket}, what you write here reaches the support team.",
    passed_on_else="Ask me anything else in a new post in a channel. When this is done I answer here again.",
    not_passed="Nobody has {ticket} just now, so the user was not told this. Take it, then write it again.",
    passed_gone="The request of {ticket} is gone, so what you just wrote reached nobody. Nothing is left to do.",
    not_passable="This could not be passed on for {ticket}: it is too long, or nothing can be written there.",
    unhelped="Sorry that this did not help. I made a note of it. The support team has this as {ticket}; please wait "
    "for their reply.",
    unreached="{ticket}: what you just wrote has not reached the support team yet, as I cannot write in its channel. "
    "I pass it on as soon as I can. If it is urgent, please contact the team in another way.",
    passed_unsure="I cannot tell whether what you just wrote reached the user of {ticket}. If nobody answers, please "
    "write it again.",
    unreachable="{ticket}: what you just wrote could not be passed on to the support team. Please contact it "
    "in another way.",
    reached_unsure="{ticket}: I cannot tell whether what you just wrote reached the support team. If nobody answers, "
    "please write it again.",
    call_me="Please mention me in it, as otherwise it does not reach anybody.",
    thread_hint="While somebody has it, replies in this thread reach the user. Begin with // to keep one in the team.",
    share="Share with everyone",
    share_title="Share with everyone",
    symptom_asked="What the problem was",
    learned_asked="Cause and fix",
    share_hint="From then on anybody can get this as an answer. Take out names and whatever else is not for everybody.",
    learned_missing="Nothing of {ticket} is shared, as cause and fix are empty.",
    shared="What was learned from {ticket} is kept. It answers everybody once it can be searched,"
    " usually within a minute.",
    remind_support="{ticket} waits for support (owner: {owner}). Nobody has said anything about it for a while.",
    remind_user="{ticket} waits for your answer. Please write it here.",
    offer="Shall I ask a person? I would open a ticket: {title}",
    offer_in="Shall I ask a person? I would open a ticket in {category}: {title}",
    open_ticket="Open a ticket",
    of="{ticket}: {words}",
    added="I opened no new ticket: this is added to {ticket}, your request here.",
    added_others="{ticket} is another person's request. What you wrote is added to it, and you "
    "have no ticket of your own. For a request of your own, please write to me directly.",
    under_way="Your request {ticket} is under way here. If you ask a person, what you wrote is added to {ticket}.",
    under_way_others="Another person's request, {ticket}, is under way here. If you ask a person here, what you wrote "
    "is added to it. For a request of your own, please write to me directly.",
    others_gone="{ticket} is closed, as who asked had all that they wrote deleted. If you still need help, please "
    "write to me again.",
    away="Support is away just now, and back on {back}.",
    stand_in="Outside working hours: {name}",
    same_as="Is it the same as {ticket} ({title}, open since {since})? If so, click “{button}”.",
    same="Same as {ticket}",
    following="You will hear here when {other} is over.",
    same_over="{ticket} is over already, or can no longer be seen. Your request stays open.",
    ended="{ticket} is {state}.",
    moved="Somebody else has just changed this. Please look at it again.",
    somebody_has="{name} has {ticket}.",
    you_have="You have {ticket} already.",
    nobody_has="Nobody has {ticket} just now.",
    refused="This cannot be done while {ticket} is {state}.",
    unknown="There is no ticket of that name.",
    not_agent="Only support agents can do that.",
)
