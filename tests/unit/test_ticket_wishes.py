"""The wish for a ticket is told from questions about tickets, by rule."""

from __future__ import annotations

import pytest

from handlers.acts.ticket_wishes import ticket_wish_in


@pytest.mark.parametrize(
    "words",
    [
        "チケットを作って",
        "チケットを起票してください",
        "open a ticket",
        "Open a ticket please",
        "can you open a ticket for this?",
        "please create a ticket",
        "I need a ticket",
        "起票をお願いします",
        "チケット化してください",
        "この件でチケットを切ってもらえますか？",
        "チケットお願いします",
        "チケットを作りたいです",
        "new ticket please",
        "すみませんが、チケットを発行してください",
        "やっぱりチケットを作成してほしいです",
        "let's open a ticket",
        "make this a ticket",
        "ありがとうございます。チケットを作ってください。",
    ],
)
def test_a_ticket_may_be_wanted_with_no_word_of_what_about(words: str) -> None:
    wish = ticket_wish_in(words)
    assert wish is not None
    assert not wish.told


@pytest.mark.parametrize(
    "words",
    [
        "I'd like to open a ticket, my monitor flickers",
        "Can you open a ticket for my broken monitor?",
        "My monitor flickers, please open a ticket",
        "モニターがちらつきます。チケットを作ってください。",
        "モニターの件でチケットを作ってください",
        "Hello, could you please raise a support ticket? The lift is stuck.",
        "I want to submit a ticket about the scanner",
        "open a ticket: my mouse is broken",
        "Hi, could you open a ticket - the door is stuck",
        "Please create a ticket — the door is stuck at 10:30",
        "ticket please: my mouse is broken",
        "please open a ticket\nmy mouse is broken",
        "my mouse is broken - please open a ticket",
        "チケット作成：マウスが壊れた",
        "チケット作成 - マウスが壊れた",
        "チケット作成―マウスが壊れた",
        "チケット希望：マウスが壊れた",
        "お疲れ様です。山口です。チケット作成お願いします：マウスが壊れました",
        "チケットお願いします。マウスが壊れました",
        "チケットお願いします\nマウスが壊れました",
    ],
)
def test_a_ticket_may_be_wanted_together_with_what_it_is_about(words: str) -> None:
    wish = ticket_wish_in(words)
    assert wish is not None
    assert wish.told


@pytest.mark.parametrize(
    "words",
    [
        "",
        "👍",
        "How do I open a ticket?",
        "チケットの作り方",
        "チケットを作ってもらうにはどうすればいいですか",
        "who can open a ticket for the printer?",
        "どこでチケットを作ってもらえますか",
        "チケットを作って放置されています",
        "did Bob open a ticket?",
        "open tickets",
        "I want to open the ticket INC-7 again",
        "I tried to open a ticket but the form fails",
        "チケット",
        "my tickets",
        "ticket",
        "チケット一覧",
        "ticket HD-4",
        "the ticket is stuck",
        "The wizard says open a ticket",
        "The page says: open a ticket",
        "エラー：チケットを作成してください",
        "Error: the printer stopped at 10:30",
        "チケットを見せて",
        "What is a ticket?",
        "have you a ticket for the train",
        "open a file",
        "a ticket",
        "チケットの状況を教えてください",
        "the ticket",
        "where is my ticket",
        "open a ticket " * 1000,
        "チケット" * 15 + "x",
        "では" * 29 + "x",
    ],
)
def test_what_is_said_or_asked_of_tickets_is_no_such_wish(words: str) -> None:
    assert ticket_wish_in(words) is None
