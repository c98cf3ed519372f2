"""What two episodes share by their words, and how that is said."""

from __future__ import annotations

import pytest

from memory.model import Note
from memory.remember.common_ground import Tie, Words, as_written, common_ground, stands_in, strength, words_of
from memory.remember.link_reasons import reason_for
from memory.remember.rarity import Rarity
from tests.fakes.turns import NOON, turn
from tests.fakes.words import episode


def told(name: str, text: str, *keywords: str, title: str | None = None, author: str = "sato") -> Words:
    """A ticket of one message."""
    note = Note(
        episode=name, version=1, fingerprint="f", summary=text, keywords=keywords, made_by="rules", made_at=NOON
    )
    return words_of(episode(name, [turn(1, text, thread=name, ticket=name, title=title, author=author)]), note)


def everywhere(having: float, *words: str, total: int = 100) -> Rarity:
    return Rarity(total=total, having=dict.fromkeys(words, having))


def said(one: Words, other: Words, meaning: float = 0.0, having: float = 2) -> str:
    rarity = everywhere(having, *one.names, *other.names, *one.keywords, *other.keywords)
    found = common_ground(one, other, rarity, meaning)
    return reason_for(found, one.language) if found else ""


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("エラーコード qx-7713 で止まります", "ＱＸ－７７１３が出ました", "同じエラーコード qx-7713"),
        ("「QX-7713 認証失敗」と出ます", "QX-7713 の件です", "同じエラーコード QX-7713"),
        ("The console shows QX-7713 again", "it was QX‐7713", "same error code QX-7713"),
        ("Updates fail with error 0x80070005", "0x80070005 here too", "same error code 0x80070005"),
        ("印刷できません。LBL-07 です", "LBL-07 を交換しました", "どちらにも LBL-07"),
        ("LBL-07 prints nothing", "we swapped LBL-07", "both name LBL-07"),
        ("ログは files.example.com です", "files.example.com is slow", "同じホスト files.example.com"),
        ("Since 4.1.7 it is slow", "4.1.7 crashes", "same version 4.1.7"),
        ("Like INC-2 yesterday", "no codes here", "one mentions INC-2"),
        ("昨日の INC-2 と同じです", "コードはありません", "INC-2 に言及"),
        ("Room 101 is cold", "Room 102 is cold", ""),
    ],
)
def test_exact_names_are_shared_and_said_as_they_were_written(one: str, other: str, reason: str) -> None:
    assert said(told("INC-1", one), told("INC-2", other)) == reason


def test_keywords_are_what_both_are_about() -> None:
    one = told("A", "The VPN certificate has expired again", "vpn", "certificate")
    other = told("B", "my certificate for the vpn is gone", "gone")
    assert said(one, other) == "both about VPN, certificate"
    japanese = told("A", "VPNの証明書が切れました", "証明書")
    assert said(japanese, told("B", "証明書がありません")) == "どちらも 証明書 の件"


@pytest.mark.parametrize(
    ("one", "keyword", "other"),
    [
        ("営業の松田です。動きません", "松田", "松田さんの件です"),
        ("確認をお願いします", "確認", "確認しました"),
        ("please help with my ticket", "ticket", "the ticket is open"),
        ("sato here, it hangs", "sato", "sato says it hangs"),
        ("the portal hangs", "port", "no port there"),
    ],
)
def test_a_name_of_somebody_a_usual_word_and_part_of_a_word_connect_nothing(one: str, keyword: str, other: str) -> None:
    assert said(told("A", one, keyword), told("B", other)) == ""


def test_what_everybody_says_connects_nothing() -> None:
    one, other = told("A", "win11 with outlook", "outlook"), told("B", "win11 and outlook")
    assert said(one, other, having=2) == "both name win11; both about outlook"
    assert said(one, other, having=60) == ""


def test_meaning_alone_is_a_reason_only_when_nothing_else_is_shared() -> None:
    one, other = told("A", "It does not print", "print"), told("B", "no print today")
    plain, far = told("A", "It does not print"), told("B", "nothing on paper")
    assert said(plain, far, meaning=0.6) == "much the same in meaning"
    assert said(told("A", "印刷できません"), told("B", "紙に出ない"), meaning=0.6) == "内容が近い"
    assert said(one, other, meaning=0.6) == "both about print"
    assert said(plain, far, meaning=0.1) == ""


def test_strength_grows_with_what_is_shared_and_falls_with_how_many_share_it() -> None:
    one, other = told("A", "error QX-7713 on the till", "till"), told("B", "QX-7713, my till")
    few, many = everywhere(2, "qx-7713", "till"), everywhere(12, "qx-7713", "till")
    [code, topic] = common_ground(one, other, few, 0.0)
    assert (code.tie, topic.tie) == (Tie.CODE, Tie.TOPIC)
    assert strength([code]) == 0.85
    assert strength([code, topic]) == pytest.approx(1 - 0.15 * 0.8, abs=1e-3)
    assert strength(common_ground(one, other, many, 0.0)) < strength(common_ground(one, other, few, 0.0))
    assert strength([]) == 0


@pytest.mark.parametrize(
    ("word", "plain", "stands"),
    [
        ("vpn", "the vpn-certificate", True),
        ("vpn", "vpnclient", False),
        ("bl-6", "bl-61 and bl-6.", True),
        ("bl-6", "bl-61", False),
        ("inc-1", "see inc-1/3", True),
        ("inc-1", "inc-1-2", False),
        ("1", "inc-1", False),
        ("証明書", "vpn証明書が", True),
        ("", "anything", False),
    ],
)
def test_a_code_is_no_part_of_a_longer_one(word: str, plain: str, stands: bool) -> None:
    assert stands_in(word, plain) is stands


@pytest.mark.parametrize(
    ("word", "text", "written"),
    [("vpn", "The VPN is down", "VPN"), ("bl-61", "ＢＬ BL—61", "BL—61"), ("gone", "nothing", "gone")],
)
def test_a_word_is_shown_as_it_was_written(word: str, text: str, written: str) -> None:
    assert as_written(word, text) == written
