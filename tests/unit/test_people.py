"""Who is meant: "I", whoever is replaced, and those who sign otherwise than they are called."""

from __future__ import annotations

import pytest

from memory.facts import ACCOUNT, Fact
from memory.model import Role, Turn
from memory.remember.enricher import Enrichment
from memory.remember.extraction.facts import facts_of
from memory.remember.extraction.rules import rule_statements
from tests.fakes.episodes import at, episode_of
from tests.fakes.turns import turn

#: A Wednesday.
SAID = at("2026-09-30T09:41:00+09:00")
MONDAY = at("2026-10-05T00:00:00+09:00")


def message(text: str, author: str = "okabe", role: Role = Role.AGENT, number: int = 1) -> Turn:
    return turn(number, text, said_at=SAID, ticket="INC-32", author=author, role=role)


def told(*turns: Turn) -> list[Fact]:
    enrichment = Enrichment(summary="s", facts=rule_statements(turns), made_by="rules")
    return [fact for fact in facts_of(episode_of(list(turns)), enrichment) if fact.predicate in ("owner", "limit")]


def accounts(*turns: Turn) -> list[tuple[str, str]]:
    made = facts_of(episode_of(list(turns)), Enrichment(summary="s", facts=(), made_by="rules"))
    return [(fact.subject, fact.value) for fact in made if fact.predicate == ACCOUNT]


@pytest.mark.parametrize(
    "text", ["障害です。もう直っています。", "Warifuの障害です。", "無線です。電子レンジの近くです。", "メールです。"]
)
def test_a_thing_before_a_full_stop_signs_for_nobody(text: str) -> None:
    assert accounts(message(text)) == []


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("Kurabaseの担当は来週から私ではなくナディアさんになります。", "okabe", "ナディア"),
        ("来週からKurabaseの担当は岡部からナディアさんに変わります。", "岡部", "ナディア"),
        ("From next week Nadia is in charge of Kurabase instead of me.", "okabe", "Nadia"),
        ("From next Monday the owner of Kurabase changes from Okabe to Nadia.", "Okabe", "Nadia"),
        ("来月からVPNの上限が5万円から10万円に変わります。", "5万円", "10万円"),
    ],
)
def test_an_announcement_for_a_day_to_come_tells_what_holds_until_then(text: str, before: str, after: str) -> None:
    then, now = sorted(told(message(text)), key=lambda fact: fact.valid_from, reverse=True)
    assert (now.value, now.valid_from, now.valid_to) == (before, SAID, then.valid_from)
    assert (then.value, then.valid_to) == (after, None)
    assert then.valid_from > SAID


@pytest.mark.parametrize(
    "text",
    [
        "Kurabaseの担当は先週から私ではなくナディアさんになりました。",
        "Kurabaseの担当はナディアさんになります。",
        "Kurabaseの担当は来週からナディアさんになります。",
    ],
)
def test_what_is_over_or_not_named_is_not_told(text: str) -> None:
    assert [fact.value for fact in told(message(text))] == ["ナディア"]


def test_the_day_of_the_announcement_is_the_first_of_the_week_that_it_names() -> None:
    found = told(message("Kurabaseの担当は来週から私ではなくナディアさんになります。"))
    assert {fact.value: fact.valid_from for fact in found} == {"okabe": SAID, "ナディア": MONDAY}


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("小林さん、ナディアです。これからKurabaseは私が担当します。", "nadia"),
        ("Kurabaseの担当は岡部さんから私になりました。", "nadia"),
        ("Nadia here. I am in charge of Kurabase.", "nadia"),
    ],
)
def test_i_is_the_author(text: str, author: str) -> None:
    assert [fact.value for fact in told(message(text, author))] == [author]


@pytest.mark.parametrize(
    ("text", "author", "name"),
    [
        ("岡部です。まずPCを再起動してください。", "okabe", "岡部"),
        ("おはようございます、広報の佐藤です。VPNにつながりません。", "sato", "佐藤"),
        ("小林さん、ナディアです。これから私が担当します。", "nadia", "ナディア"),
        ("お世話になっております。経理の小林と申します。", "kobayashi", "小林"),
        ("Nadia here, I'll have a look.", "nadia.b", "Nadia"),
        ("Hi all, this is Priya from the web team.", "priya.k", "Priya"),
    ],
)
def test_whoever_says_who_they_are_has_that_name(text: str, author: str, name: str) -> None:
    assert accounts(message(text, author)) == [(name, author)]


@pytest.mark.parametrize(
    "text",
    [
        "担当は岡部です。",
        "大丈夫です。",
        "ロビーの担当、岡部です。",
        "これは佐藤さんの件です。",
        "Come here, please.",
        "Kurabase is here.",
        "okabeです。",
    ],
)
def test_what_is_said_of_others_gives_nobody_a_name(text: str) -> None:
    assert accounts(message(text)) == []


def test_a_name_is_learnt_once_and_not_from_a_bot() -> None:
    said = [message("岡部です。一つ目です。"), message("岡部です。二つ目です。", number=2)]
    assert accounts(*said, message("受付です。", "bot", Role.BOT, number=3)) == [("岡部", "okabe")]
