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
        ("[file: _old_.png]", "_old_.png"),
        ("[file: 手順.txt]\n[file: 手順.txt]\n手順書: 再起動", "手順書: 再起動"),
        ("[file: error.png] この画面です", "この画面です"),
    ],
)
def test_marks_ids_and_addresses_do_not_stand_in_a_title(words: str, title: str) -> None:
    assert title_of(words) == title


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("The *elevator kiosk* in Hall 3 stays _dark_", "The elevator kiosk in Hall 3 stays dark"),
        ("*Elevator* kiosk is ~off~ dark", "Elevator kiosk is off dark"),
        ("これは*型番*です", "これは型番です"),
        ("*very _old_* printer", "very old printer"),
        ("> *The* printer is jammed", "The printer is jammed"),
        ("*The printer is jammed.* It beeps.", "The printer is jammed."),
    ],
)
def test_marks_of_looks_do_not_stand_in_a_title(words: str, title: str) -> None:
    assert title_of(words) == title


@pytest.mark.parametrize(
    "words",
    [
        "my_var_name is empty",
        "2*3*4 is not 24",
        "2 * 3 * 4 is not 24",
        "__init__ fails",
        "the disk ~/old and ~/new are full",
        "wiki.example/_a_b is gone",
    ],
)
def test_what_looks_like_a_mark_and_is_none_stays_in_a_title(words: str) -> None:
    assert title_of(words) == words


def test_code_and_addresses_keep_their_signs_in_a_title() -> None:
    assert (
        title_of("`grep _id_ *.log*` fails at https://wiki.example/_it_")
        == "grep _id_ *.log* fails at wiki.example/_it_"
    )


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
        ("お疲れ様です。広報の佐藤です。プリンタが動きません。", "プリンタが動きません。"),
        ("佐藤です。お世話になっております。プロジェクターが映りません。", "プロジェクターが映りません。"),
        ("いつもお世話になっております。小林です。VPNがつながりません。", "VPNがつながりません。"),
        ("プリンタが動きません。広報の佐藤です。", "プリンタが動きません。"),
        ("お疲れ様です、佐藤です、プリンタが動きません。", "プリンタが動きません。"),
        ("山田 太郎です。マウスが壊れました。", "マウスが壊れました。"),
        ("Bobです。Wi-Fiが切れます。", "Wi-Fiが切れます。"),
        ("営業部のスミスです。Outlookが開きません。", "Outlookが開きません。"),
        ("株式会社ミクマリの田中と申します。請求書の件です。", "請求書の件です。"),
        ("突然のご連絡失礼いたします。よろしくお願いいたします。複合機が止まりました。", "複合機が止まりました。"),
        ("すみません、質問です。会議室の予約方法を教えてください。", "会議室の予約方法を教えてください。"),
        ("至急です。レジが止まりました。", "レジが止まりました。"),
        ("チケットを作ってください。モニターがちらつきます。", "モニターがちらつきます。"),
        ("Hi team, hope you're well. The dehumidifier DH-5 stopped.", "The dehumidifier DH-5 stopped."),
        ("Hi Emma, the VPN is down.", "the VPN is down."),
        ("This is Bob from sales. My monitor flickers.", "My monitor flickers."),
        ("Hello, I'm Emma Stone from accounting. The scanner is broken.", "The scanner is broken."),
        ("Good morning, Bob here. Printer jam on floor 3.", "Printer jam on floor 3."),
        ("Sorry to bother you. The lift is stuck.", "The lift is stuck."),
        ("Quick question: where is the VPN guide?", "where is the VPN guide?"),
        ("Please help! My screen is black.", "My screen is black."),
        ("I'd like to open a ticket, my monitor flickers", "my monitor flickers"),
        ("お知らせです。収蔵庫の扉が閉まりません。", "収蔵庫の扉が閉まりません。"),
        ("【お知らせ】\n収蔵庫の扉が閉まりません。", "収蔵庫の扉が閉まりません。"),
        ("ご報告です。受付のプリンターが動きません", "受付のプリンターが動きません"),
        ("件名：プリンター故障", "プリンター故障"),
        ("お疲れ様です。ご相談したいことがあります。VPNが切れます", "VPNが切れます"),
        ("チケット作成：マウスが壊れた", "マウスが壊れた"),
        ("チケットお願いします。マウスが壊れました", "マウスが壊れました"),
        ("チケットを切ってほしい：VPNが切れる", "VPNが切れる"),
        ("Announcement. The door is stuck.", "The door is stuck."),
        ("FYI: the door is stuck", "the door is stuck"),
        ("I have an announcement. The lift is stuck.", "The lift is stuck."),
        ("open a ticket: my mouse is broken", "my mouse is broken"),
        ("ticket please - my mouse is broken", "my mouse is broken"),
    ],
)
def test_a_greeting_does_not_say_what_a_message_is_about(words: str, title: str) -> None:
    assert title_of(words) == title


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("お疲れ様です。広報の佐藤です。", "お疲れ様です。"),
        ("広報の佐藤です。", "広報の佐藤です。"),
        ("Hi team, hope you're well.", "Hi team, hope you're well."),
        ("open a ticket", "open a ticket"),
        ("お知らせです。", "お知らせです。"),
        ("FYI", "FYI"),
    ],
)
def test_a_message_that_is_nothing_but_a_greeting_keeps_its_words(words: str, title: str) -> None:
    assert title_of(words) == title


@pytest.mark.parametrize(
    "title",
    [
        "会議室のプリンタです。",
        "経理のプリンタです。",
        "会議室の電話です。",
        "Outlookです。",
        "故障です。",
        "電源つかないです。",
        "VPNの件です。",
        "This is Windows 11.",
    ],
)
def test_a_thing_is_not_taken_for_somebody_who_writes(title: str) -> None:
    more = "動きません。" if title.endswith("。") else " It stopped."
    assert title_of(title + more) == title


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (
            "my login to the till does not work, password: [password-ed93] please check",
            "my login to the till does not work",
        ),
        ("password: [password-ed93], my login to the till does not work", "my login to the till does not work"),
        ("My password is [password-ed93] and the till says no", "the till says no"),
        ("My password is [password-ed93]. The till says no.", "The till says no."),
        ("The till (PIN [password-ed93]) is frozen", "The till is frozen"),
        ("Hello, the API key is [token-00ff]. Deploying fails.", "Deploying fails."),
        ("パスワードは [password-bc5e] です。PCに入れません", "PCに入れません"),
        ("パスワードは [password-bc5e] で、PCに入れません", "PCに入れません"),
        ("パスワードは [password-bc5e] ですがPCに入れません", "PCに入れません"),
        ("PCに入れません、パスワードは[password-bc5e]です。", "PCに入れません"),
        ("お疲れ様です。私の暗証番号は[password-bc5e]です。カードキーが反応しません。", "カードキーが反応しません。"),
        ("社員番号は [staff-id-bc5e] です。PCに入れません", "社員番号は [staff-id-bc5e] です。"),
    ],
)
def test_what_only_tells_a_secret_does_not_say_what_a_message_is_about(words: str, title: str) -> None:
    assert title_of(words) == title


@pytest.mark.parametrize(
    "words",
    [
        "password: [password-ed93] please check",
        "パスワードは [password-bc5e] です。",
        "My card [card-12ab] was declined",
        "[password-ed93] というパスワードが拒否されます",
        "What is [password-ed93] for?",
    ],
)
def test_what_says_more_of_a_secret_or_nothing_else_keeps_its_words(words: str) -> None:
    assert title_of(words) == words


def test_of_a_greeting_and_a_secret_the_secret_is_the_matter() -> None:
    assert title_of("Hello!\npassword: [password-ed93]\nThanks") == "password: [password-ed93]"


def test_a_long_title_ends_with_an_ellipsis_at_eighty_characters() -> None:
    assert title_of("あ" * 200) == "あ" * 79 + "…"


@given(st.text(max_size=300))
def test_whatever_is_written_a_title_is_one_readable_line_or_none(words: str) -> None:
    title = title_of(words)
    assert len(title) <= 80
    assert "\n" not in title
    assert title == title.strip()
    assert title == "" or any(character.isalnum() for character in title) or not title.isascii()


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "`",
        "https://",
        "@U",
        "[file: ",
        "お疲れ様です",
        "よろしくお願いします",
        "担当様",
        "> # - ",
        "*a ",
        "*_~",
        "_a*b",
    ],
)
def test_a_huge_message_has_a_title_soon(piece: str) -> None:
    assert len(title_of(piece * 20_000)) <= 80
