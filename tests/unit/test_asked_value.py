"""A question for a value that is known by its form is not answered by quotes that have none."""

from __future__ import annotations

import pytest

from memory.recall.asked_value import asks_for_what_is_missing

NUMBERS = (
    "What is the mobile phone number of Lim?",
    "ペナンのLimさんの電話番号を教えてください",
    "limさんの携帯の番号は？",
)
PASSWORDS = (
    "What is the Wi-Fi password of MKM-Floor?",
    "what's the guest password",
    "来客用Wi-Fiのパスワードは何ですか",
)


@pytest.mark.parametrize("question", NUMBERS)
def test_a_telephone_number_is_missing_where_no_quote_has_one(question: str) -> None:
    assert asks_for_what_is_missing(question, ["Opened a case with the carrier, CR-50918.", "Limです。4.2.1が出ました"])
    assert not asks_for_what_is_missing(question, ["Opened a case.", "You reach Lim at +60 4-555 0199."])
    assert not asks_for_what_is_missing(question, ["０７６－４４５－０１９９ にお願いします"])


@pytest.mark.parametrize("question", PASSWORDS)
def test_a_password_is_missing_where_no_quote_speaks_of_one(question: str) -> None:
    assert asks_for_what_is_missing(question, ["HT-3112がMKM-Floorにつながりません"])
    assert not asks_for_what_is_missing(question, ["パスワードは総務の掲示板にあります"])
    assert not asks_for_what_is_missing(question, ["The password is on the board."])


@pytest.mark.parametrize(
    "question",
    [
        "I forgot it: what was the CargoLink password I posted in May?",
        "CargoLinkのパスワードを教えてください",
        "What is the API token for CargoLink?",
        "5月に貼ったAPIトークンの値を教えてください",
    ],
)
def test_a_secret_that_was_taken_out_of_a_ticket_is_not_told_by_what_else_the_ticket_says(question: str) -> None:
    ticket = "My login is joost / [password-d0f2], API token [token-e131].\nPlease change the password and the token."
    assert asks_for_what_is_missing(question, [ticket])
    assert not asks_for_what_is_missing(
        question, [ticket, "パスワードとAPIトークンは金庫にあります / password and token: the safe"]
    )


def test_an_address_is_missing_where_no_quote_has_one() -> None:
    assert asks_for_what_is_missing("サポートのメールアドレスは？", ["サポートに連絡してください"])
    assert not asks_for_what_is_missing("サポートのメールアドレスは？", ["help@example.com に送ってください"])
    assert asks_for_what_is_missing("What is the email address of the helpdesk?", [])


@pytest.mark.parametrize(
    "question",
    [
        "How do I reset my password?",
        "What is the password policy for the VPN?",
        "パスワードを忘れました",
        "What is the PIN pad showing?",
        "What does QX-7713 mean?",
        "My phone number changed, what should I do about the MFA?",
        "メールアドレスを変更したい",
        "",
    ],
)
def test_what_asks_for_no_value_misses_none(question: str) -> None:
    assert not asks_for_what_is_missing(question, ["Restart it."])
