"""What somebody put right as one sentence, which the rules read back as just that."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.facts import STATE, Fact
from memory.model import Scope, Turn, Visibility
from memory.remember.extraction.asked_of import asked_of
from memory.remember.extraction.predicates import SHIPPED
from memory.remember.extraction.restating import Righted, stated_by_name, stated_of, stated_whole
from memory.text.language import LanguageCode
from tests.fakes.turns import turn

AT = datetime(2026, 11, 20, 12, 5, 33, tzinfo=UTC)


def fact(subject: str, predicate: str, value: str) -> Fact:
    return Fact(
        subject=subject,
        predicate=predicate,
        value=value,
        text="",
        episode="E1",
        turn_ids=("T1",),
        scope=Scope(visibility=Visibility.EVERYONE, channel="it-help", requester="sato"),
        valid_from=AT,
        precision="minute",
        dated=False,
        recorded_at=AT,
        confidence=1,
        made_by="rules",
    )


def said(words: str) -> Turn:
    return turn(2, words, said_at=AT, ticket=None)


@pytest.mark.parametrize(
    ("known", "value", "language", "text"),
    [
        (
            fact("経費システム", "owner", "加藤"),
            "森さん",
            "ja",
            "2026年11月20日12時5分から、経費システムの担当は森さんです。",
        ),
        (fact("総務の内線", "phone number", "8100"), "8855", "ja", "2026年11月20日12時5分から、総務の内線は8855です。"),
        (fact("Andon", "owner", "Kato"), "Mori", "en", "Since 2026-11-20 12:05, the owner of Andon is Mori."),
        (
            fact("Andon", "retention", "30 days"),
            "60 days",
            "en",
            "Since 2026-11-20 12:05, the retention of Andon is 60 days.",
        ),
        (
            replace(fact("badge system", "owner", "Okabe"), text="The owner of the badge system is Okabe."),
            "Mori",
            "en",
            "Since 2026-11-20 12:05, the owner of the badge system is Mori.",
        ),
        (
            fact("経費システム", "owner", "加藤"),
            "Mori",
            "en",
            "2026年11月20日12時5分から、経費システムの担当はMoriです。",
        ),
    ],
)
def test_a_bare_value_is_said_of_what_the_answer_told(
    known: Fact, value: str, language: LanguageCode, text: str
) -> None:
    found = stated_of([known], value, said("…"), SHIPPED, language)
    assert found is not None
    assert (found.subject, found.predicate, found.text) == (known.subject, known.predicate, text)


def test_a_value_may_be_of_one_thing_only() -> None:
    owners = [fact("Andon", "owner", "Kato"), fact("Kanban", "owner", "Sato")]
    number = fact("Andon phone number", "phone number", "8100")
    assert stated_of(owners, "Mori", said("…"), SHIPPED, "en") is None
    assert stated_of([owners[0], number], "Mori", said("…"), SHIPPED, "en") == Righted(
        subject="Andon", predicate="owner", value="Mori", text="Since 2026-11-20 12:05, the owner of Andon is Mori."
    )


@pytest.mark.parametrize("value", ["not Kato", "maybe Mori", "Kato", "60 days", "if Mori is back"])
def test_what_fits_nothing_or_says_the_same_is_nothing(value: str) -> None:
    assert stated_of([fact("Andon", "owner", "Kato")], value, said("…"), SHIPPED, "en") is None


@pytest.mark.parametrize(
    ("question", "words", "language", "text"),
    [
        ("hello", "The owner of Andon is now Mori.", "en", "Since 2026-11-20 12:05, the owner of Andon is Mori."),
        ("こんにちは", "VPNの担当は今は森さんです。", "ja", "2026年11月20日12時5分から、VPNの担当は森です。"),
        ("VPNの担当は誰ですか。", "担当は森さんです。", "ja", "2026年11月20日12時5分から、VPNの担当は森です。"),
    ],
)
def test_a_whole_statement_is_dated(question: str, words: str, language: LanguageCode, text: str) -> None:
    found = stated_whole(said(words), turn(1, question, ticket=None), SHIPPED, language)
    assert found is not None
    assert found.text == text


def test_words_that_state_nothing_are_not_restated() -> None:
    assert stated_whole(said("まだつながりません。"), turn(1, "VPNの担当は誰ですか。"), SHIPPED, "ja") is None


@pytest.mark.parametrize("words", ["the owner is Tanaka", "the owner is Tanaka.", "The owner is Tanaka now"])
def test_a_value_is_not_said_of_itself(words: str) -> None:
    asked = turn(1, "Who is the owner of the badge system?", ticket=None)
    assert stated_whole(said(words), asked, SHIPPED, "en") is None


def test_what_names_only_the_attribute_is_of_what_was_told_and_of_nothing_else() -> None:
    told = [fact("Andon", "owner", "Kato")]
    found = stated_by_name(told, said("The owner is Mori."), SHIPPED, "en")
    assert found is not None
    assert (found.subject, found.value) == ("Andon", "Mori")
    assert stated_by_name(told, said("The owner of Kanban is Mori."), SHIPPED, "en") is None


@pytest.mark.parametrize(
    ("subject", "words", "language"),
    [("総務の内線", "内線は4455です。", "ja"), ("HR phone number", "The phone number is 4455.", "en")],
)
def test_an_attribute_that_one_thing_has_several_of_is_of_what_was_told(
    subject: str, words: str, language: LanguageCode
) -> None:
    found = stated_by_name([fact(subject, "phone number", "1234")], said(words), SHIPPED, language)
    assert found is not None
    assert (found.subject, found.value) == (subject, "4455")


OWNER, PHONE = fact("Andon", "owner", "Kato"), fact("Andon", "phone number", "8100")
HELD = replace(fact("INC-1047", "assignee", "nadia"), made_by=STATE)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Andonの担当は？", [OWNER]),
        ("サイネージの担当って今どなたですか？", [OWNER]),
        ("Who is the owner of the signs?", [OWNER]),
        ("What is the phone number of Andon?", [PHONE]),
        ("INC-1047の担当は？", [HELD]),
        ("What about the signs?", [OWNER, PHONE]),
    ],
)
def test_of_what_an_answer_told_what_the_question_asked_for_is_meant(question: str, meant: list[Fact]) -> None:
    assert list(asked_of([OWNER, PHONE, HELD], question, SHIPPED)) == meant
