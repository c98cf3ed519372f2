"""What is said of tickets that are settled and of which people go on to speak, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ComebackWords:
    """The words of one language; names in braces are filled in. `unsolved` is what the conversation keeps of a ticket
    that comes back."""

    unsolved: str
    came_back: str
    would_come_back: str
    over: str
    others: str
    earlier: str
    not_passed_over: str


JAPANESE = ComebackWords(
    unsolved="{ticket} はまだ解決していないため、再開しました。",
    came_back="この件を再開し、もう一度担当者に伝えました。返事をお待ちください。",
    would_come_back="担当者に相談すると、解決済みの {ticket} を再開します。",
    over="{ticket} は「{state}」のため、担当者には伝えていません。"
    "まだお困りのことがあれば、新しいメッセージで書いてください。新しいチケットにできます。",
    others="{ticket} は、ほかの方の依頼です。ご自分の依頼にするには、私に直接書いてください。",
    earlier="同じ人の以前の依頼: {ticket}（{state}）",
    not_passed_over="{ticket} は「{state}」のため、依頼した人に伝えていません。続けるには、コマンド"
    " helpdesk tickets reopen {ticket} で再開し、担当してから書いてください。本人に直接連絡することもできます。",
)

ENGLISH = ComebackWords(
    unsolved="{ticket} is not solved, so it is open again.",
    came_back="It is open again, and I told the support team. Please wait for their reply.",
    would_come_back="If you ask a person, {ticket}, which is resolved, is opened again.",
    over="{ticket} is {state}, so I told nobody. If you still need help, please write it in a new message: a new "
    "ticket can be made of that.",
    others="{ticket} is another person's request. For a request of your own, please write to me directly.",
    earlier="Earlier request of the same person: {ticket} ({state})",
    not_passed_over="{ticket} is {state}, so the user was not told this. To go on, open it again with the command "
    "helpdesk tickets reopen {ticket} and take it, or contact the user directly.",
)
