"""What is said of trouble that several people report at once, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass

from memory.incidents import Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentWords:
    """The words of one language; names in braces are filled in. `suspected` and `confirmed` stand over an answer,
    `reported` is what the incident's ticket begins with, `noted` what support is told."""

    phases: dict[Phase, str]

    suspected: str
    confirmed: str
    about: str
    untitled: str
    reported: str

    subscribe: str
    subscribed: str
    subscribed_before: str
    settled: str

    noted: str
    report: str
    reports_shown: str
    standing: str
    confirm: str
    dismiss: str
    end: str

    over: str
    dismissed: str


JAPANESE = IncidentWords(
    phases={
        Phase.SUSPECTED: "確認待ち",
        Phase.CONFIRMED: "既知の問題",
        Phase.DISMISSED: "別々の問題",
        Phase.OVER: "終了",
    },
    suspected="いま、ほかの人からも同じような問い合わせが来ています（{about}）。",
    confirmed="これは既知の問題です（{about}）。サポートが対応しています。",
    about="{ticket}: {title}",
    untitled="同じような問い合わせ",
    reported="{people}人から同じような問い合わせが来ています: {title}",
    subscribe="終わったら知らせる",
    subscribed="{ticket} が終わったら、ここでお知らせします。",
    subscribed_before="もう登録してあります。{ticket} が終わったら、ここでお知らせします。",
    settled="この件はもう終わっています。まだ困っている場合は、もう一度質問してください。",
    noted="{people}人から同じような問い合わせが来ています（{about}）。",
    report="報告 {number}",
    reports_shown="すべての報告は、サーバーで helpdesk incidents show {ticket} を実行すると見られます。",
    standing="{ticket}: {phase}",
    confirm="既知の問題",
    dismiss="別々の問題",
    end="終わった",
    over="{about} は終わりました。まだ困っている場合は、もう一度質問してください。",
    dismissed="{about} は、それぞれ別の問題でした。まだ困っている場合は、担当者に聞いてください。",
)

ENGLISH = IncidentWords(
    phases={
        Phase.SUSPECTED: "not confirmed yet",
        Phase.CONFIRMED: "known problem",
        Phase.DISMISSED: "separate problems",
        Phase.OVER: "over",
    },
    suspected="Others ask about the same just now ({about}).",
    confirmed="This is a known problem ({about}). Support is working on it.",
    about="{ticket}: {title}",
    untitled="similar questions",
    reported="{people} people ask about the same: {title}",
    subscribe="Tell me when it is over",
    subscribed="You will be told here when {ticket} is over.",
    subscribed_before="You are on the list already, and will be told here when {ticket} is over.",
    settled="This is over already. If you still have trouble, please ask again.",
    noted="{people} people ask about the same ({about}).",
    report="Report {number}",
    reports_shown="On the server, helpdesk incidents show {ticket} shows all reports.",
    standing="{ticket}: {phase}",
    confirm="Known problem",
    dismiss="Separate problems",
    end="It is over",
    over="{about} is over. If you still have trouble, please ask again.",
    dismissed="{about} turned out to be separate problems. If you still have trouble, please ask a person.",
)
