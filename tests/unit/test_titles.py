"""What a message is called in a list: words of its own that somebody can read, never what is around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.titles import title_of


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("VPNにつながりません。昨日からです。", "VPNにつながりません。"),
        ("The printer is jammed. It beeps.", "The printer is jammed."),
        ("one\nline each", "one"),
        ("  spaces \t all   over  ", "spaces all over"),
        ("@彩 プリンターが動きません", "@彩 プリンターが動きません"),
        ("version 4.1.7 of files.example.com fails", "version 4.1.7 of files.example.com fails"),
        ("C# と C++ のビルドが失敗", "C# と C++ のビルドが失敗"),
    ],
)
def test_a_title_is_the_first_sentence_in_one_line(words: str, title: str) -> None:
    assert title_of(words) == title


@pytest.mark.parametrize(
    "words",
    [
        "",
        "  \n ",
        "@U0BOT12345",
        "<@U0BOT>",
        "<@U0BOT|helpdesk> ",
        "<!here>",
        "@unknown",
        "🙏",
        "…",
        "```\n```",
        "@",
        "---",
    ],
)
def test_what_nobody_can_read_is_no_title(words: str) -> None:
    assert title_of(words) == ""


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("<@U0BOT12345> VPN is down", "VPN is down"),
        ("@U0BOT12345 VPN is down", "VPN is down"),
        ("@unknown さん、VPNが切れます", "さん、VPNが切れます"),
        ("```\nTraceback (most recent call last):\n  File\n```", "Traceback (most recent call last):"),
        ("```python\nraise ValueError\n```", "raise ValueError"),
        ("```ERROR QX-7713 at boot```", "ERROR QX-7713 at boot"),
        ("`ping` fails", "ping fails"),
        ("https://wiki.example/it/vpn?token=abc#top", "wiki.example/it/vpn"),
        ("<https://wiki.example/|wiki>", "wiki.example"),
        ("これが出ます https://wiki.example/it?x=1 。", "これが出ます wiki.example/it 。"),
        ("> 再起動しました\n直りません", "再起動しました"),
        ("- VPN\n- Wi-Fi", "VPN"),
        ("# 障害報告\n内容", "障害報告"),
        ("🙏\nVPNが切れます", "VPNが切れます"),
        ("[file: error.png]", "error.png"),
        ("[file: error.png] この画面です", "この画面です"),
    ],
)
def test_marks_ids_and_addresses_do_not_stand_in_a_title(words: str, title: str) -> None:
    assert title_of(words) == title


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("お疲れ様です。プリンターが動きません。", "プリンターが動きません。"),
        ("お世話になっております。\n\nVPNの件です", "VPNの件です"),
        ("すみません！ 複合機が止まりました", "複合機が止まりました"),
        ("Hi all! The VPN drops every hour.", "The VPN drops every hour."),
        ("Hello\nMy screen is black", "My screen is black"),
        ("こんにちは", "こんにちは"),
        ("Thanks!", "Thanks!"),
        ("Hello world program does not compile.", "Hello world program does not compile."),
    ],
)
def test_a_greeting_does_not_say_what_a_message_is_about(words: str, title: str) -> None:
    assert title_of(words) == title


def test_a_long_title_ends_with_an_ellipsis_at_eighty_characters() -> None:
    assert title_of("あ" * 200) == "あ" * 79 + "…"


@given(st.text(max_size=300))
def test_whatever_is_written_a_title_is_one_readable_line_or_none(words: str) -> None:
    title = title_of(words)
    assert len(title) <= 80
    assert "\n" not in title
    assert title == title.strip()
    assert title == "" or any(character.isalnum() for character in title) or not title.isascii()


@pytest.mark.parametrize("piece", ["<", "`", "https://", "@U", "[file: ", "お疲れ様です", "> # - "])
def test_a_huge_message_has_a_title_soon(piece: str) -> None:
    assert len(title_of(piece * 20_000)) <= 80
