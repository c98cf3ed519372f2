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
    asked: str
    answered: str
    handed_back: str
    resolved: str
    cause: str
    fix: str
    closed: str
    closed_silent: str
    reopened: str

    moved: str
    refused: str
    unknown: str
    not_agent: str
    away: str
    reminder: str


JAPANESE = TicketWords(
    states={
        State.OPEN: "受付済み",
        State.WAITING_FOR_USER: "ご本人の返事待ち",
        State.WAITING_FOR_SUPPORT: "担当者が対応中",
        State.RESOLVED: "解決済み",
        State.CLOSED: "終了",
        State.REOPENED: "再開",
    },
    opened="チケットを作成しました: {title}",
    taken="{ticket} は {name} が担当します。",
    asked="{name} から {requester} への質問: {words}",
    answered="{ticket} に {name} から返事がありました。",
    handed_back="{name} が {ticket} の担当を外れました。",
    resolved="{ticket} は解決しました。",
    cause="原因: {words}",
    fix="対応: {words}",
    closed="{ticket} を終了しました。",
    closed_silent="{ticket} は返事がないまま{days}日たったため終了しました。",
    reopened="{ticket} を再開しました。",
    moved="この件は、ほかの人がたった今更新しました。もう一度ご確認ください。",
    refused="「{state}」の件では、これはできません。",
    unknown="その名前のチケットは見つかりません。",
    not_agent="これはサポート担当者だけができます。",
    away="ただいま受付時間外です。担当者は{back}に戻ります。",
    reminder="{ticket}「{title}」の件で、担当者がお返事を待っています。解決していれば、そうお知らせください。",
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
    opened="Opened a ticket: {title}",
    taken="{name} takes {ticket}.",
    asked="{name} asks {requester}: {words}",
    answered="{name} answered on {ticket}.",
    handed_back="{name} hands {ticket} back.",
    resolved="{ticket} is resolved.",
    cause="Cause: {words}",
    fix="Fix: {words}",
    closed="{ticket} is closed.",
    closed_silent="{ticket} is closed, as nobody answered for {days} days.",
    reopened="{ticket} is open again.",
    moved="Somebody else has just changed this. Please look at it again.",
    refused="This cannot be done while it is {state}.",
    unknown="There is no ticket of that name.",
    not_agent="Only support agents can do that.",
    away="Support is away just now and back {back}.",
    reminder="Support is waiting for your answer on {ticket}, “{title}”. If it is solved, please say so.",
)
