"""Which words ask for the asker's own open requests, and for nothing else."""

from __future__ import annotations

import pytest

from handlers.acts.wishes import Wish, wish_in
from memory.recall.open_requests import asks_for_open


@pytest.mark.parametrize(
    "text",
    [
        "私の未解決の問い合わせは？",
        "my open tickets",
        "What tickets of mine are still open?",
        "自分のチケットの状況",
        "status of my request",
        "未解決の私の問い合わせを見せて",
        "私の依頼はどうなっていますか",
        "自分の依頼の進捗を教えてください",
        "まだ終わっていない私の申請はありますか",
        "私が出した依頼はどうなりましたか",
        "私の対応中のチケット一覧",
        "わたしの問合せ、今どうなってます？",
        "自分のチケットのステータス",
        "私のチケットは何件残っていますか",
        "Any update on my request?",
        "how is my ticket going?",
        "which of my requests are open?",
        "Do I have any open tickets?",
        "do i still have open requests",
        "Show me all my pending requests, please",
        "is my request still open?",
        "What's happening with my ticket?",
        "list my unresolved tickets",
        "where are my requests",
    ],
)
def test_who_asks_for_their_open_requests_is_understood_and_wishes_for_the_list(text: str) -> None:
    assert asks_for_open(text)
    assert wish_in(text) is Wish.TICKETS


@pytest.mark.parametrize(
    "text",
    [
        "コンサートのチケット",
        "自分でチケットを作れますか",
        "私が申請できますか",
        "私の依頼です",
        "私の問い合わせは誰が担当ですか",
        "私のチケットを閉じてください",
        "私のPCの申請の状況は？",
        "昨日の私の依頼はどうなりましたか",
        "田中さんの未解決の問い合わせは？",
        "未解決の問い合わせは？",
        "open tickets",
        "status of Tanaka's request",
        "This is my request",
        "my VPN request, any news?",
        "close my ticket",
        "who has my ticket?",
        "my ticket HD-5",
        "my request from yesterday",
        "I have a request",
        "How do I open a ticket?",
        "What tickets were open last week?",
        "status of the mail server",
    ],
)
def test_who_asks_for_something_else_does_not(text: str) -> None:
    assert not asks_for_open(text)
