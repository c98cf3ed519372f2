"""From statements to facts: what is believed of what an enricher says, and from when on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory.facts import STATE, Fact
from memory.model import Role, Turn, Visibility
from memory.remember.enricher import Enrichment
from memory.remember.extraction.facts import facts_of
from memory.remember.extraction.predicates import SHIPPED, canonical, predicate_names
from memory.remember.extraction.rules import rule_statements
from memory.remember.extraction.statements import Statement
from memory.remember.timeline import timeline
from tests.fakes.episodes import at, episode_of
from tests.fakes.turns import turn

#: A Friday.
SAID = at("2026-07-10T10:00:00+09:00")


def message(text: str, number: int = 1, **others: object) -> Turn:
    given = {"said_at": SAID, "ticket": None, "thread": "T", "author": "mori", "role": Role.AGENT, **others}
    return turn(number, text, **given)  # type: ignore[arg-type]


def statement(subject: str, predicate: str, value: str, text: str = "", **others: object) -> Statement:
    given = {"text": text or f"{subject} {predicate} {value}", "turns": (0,), **others}
    return Statement(subject=subject, predicate=predicate, value=value, **given)  # type: ignore[arg-type]


def facts(turns: list[Turn], *statements: Statement) -> list[Fact]:
    return facts_of(episode_of(turns), Enrichment(summary="s", facts=statements, made_by="small"))


def only(text: str, said: Statement) -> Fact:
    [fact] = facts([message(text)], said)
    return fact


# --- what stands in the cited turns ---------------------------------------------------------------------------------

ROOMS = "The projector is in Room 101, ask Keiko Mori. Error KX-41 is gone."


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        (statement("projector", "location", "Room 101"), True),
        (statement("projector", "location", "room 101"), True),
        (statement("projector", "location", "Ｒｏｏｍ　１０１"), True),
        (statement("projector", "location", "Room 102"), False),
        (statement("projector", "location", "Room 10"), False),
        (statement("projector", "contact", "Keiko Mori"), True),
        (statement("projector", "contact", "Jan Bauer"), False),
        (statement("projector", "contact", "Keiko", "Keiko of Berlin has the projector"), False),
        (statement("KX-41", "status", "gone"), True),
        (statement("KX-14", "status", "gone"), False),
        (statement("kx‐41", "status", "gone"), True),
        (statement("projector", "location", "Room 101", "They bought 3 projectors"), False),
    ],
)
def test_numbers_codes_and_names_must_stand_in_the_cited_turn(said: Statement, stands: bool) -> None:
    assert bool(facts([message(ROOMS)], said)) is stands


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        (statement("受付システム", "担当", "高橋さん"), True),
        (statement("受付システム", "担当", "高橋"), True),
        (statement("受付システム", "担当", "佐藤"), False),
        (statement("受付システム", "担当", "高橋", "受付システムの担当は佐藤さんです。"), False),
        (statement("勤怠システム", "担当", "高橋"), False),
        (statement("受付システム", "担当", "高橋", "受付システムはサイボウズの担当が高橋です。"), False),
    ],
)
def test_japanese_names_must_stand_in_the_cited_turn(said: Statement, stands: bool) -> None:
    assert bool(facts([message("受付システムは広報の高橋さんにお願いします。")], said)) is stands


def test_a_name_may_be_the_authors_or_stand_in_the_title() -> None:
    turns = [message("I took the laptop home.", author="anna", title="Laptop MK-7")]
    assert len(facts(turns, statement("Anna", "did", "took the laptop home", "Anna took the laptop MK-7 home."))) == 1


def test_a_value_is_never_the_titles_alone() -> None:
    turns = [message("The prefix is 29 now.", title="Prefix 17 of CityPhone")]
    assert len(facts(turns, statement("CityPhone", "prefix", "29"))) == 1
    assert facts(turns, statement("CityPhone", "prefix", "17")) == []


def test_a_sentence_may_name_whoever_else_took_part_but_a_value_may_not() -> None:
    turns = [message("I gave you my lamp.", author="anna"), message("Thanks!", 2, author="berta")]
    assert len(facts(turns, statement("Anna", "did", "gave a lamp", "Anna gave Berta her lamp."))) == 1
    assert facts(turns, statement("lamp", "owner", "Berta", "The lamp is hers.")) == []
    assert facts(turns, statement("Anna", "did", "gave a lamp", "Anna gave Clara her lamp.")) == []


def test_a_date_may_be_written_out_from_a_relative_one() -> None:
    said = "The switch was replaced {}."
    turns = [message("We replaced the switch yesterday.")]
    assert len(facts(turns, statement("switch", "did", "replaced", said.format("on 9 July 2026")))) == 1
    assert facts(turns, statement("switch", "did", "replaced", said.format("on 3 July 2026"))) == []


def test_a_number_word_is_its_digit() -> None:
    assert len(facts([message("Leave it off for seven minutes.")], statement("it", "duration", "7 minutes"))) == 1


# --- which turns say so ---------------------------------------------------------------------------------------------

TALK = ["The lamp is in the hall.", "The key is in box 12.", "The lamp is old."]


@pytest.mark.parametrize(
    ("turns", "value", "source"),
    [
        ((1,), "box 12", "2"),
        ((99,), "box 12", "2"),
        ((-1,), "box 12", "2"),
        ((), "box 12", "2"),
        ((0,), "box 12", None),
        ((7,), "lamp", None),
        ((7,), "box 13", None),
    ],
)
def test_a_wrong_number_is_mended_only_where_one_turn_has_the_words(
    turns: tuple[int, ...], value: str, source: str | None
) -> None:
    talk = [message(text, number) for number, text in enumerate(TALK, start=1)]
    found = facts(talk, statement("key", "location", value, f"It is {value}", turns=turns))
    assert [fact.turn_ids for fact in found] == ([(talk[int(source) - 1].id,)] if source else [])


def test_a_bots_or_a_derived_turn_is_never_a_source() -> None:
    key = statement("key", "location", "box 12")
    bot = message("The key is in box 12.", role=Role.BOT, author="helpbot")
    assert facts([bot], key) == []
    assert facts([message("hello"), replace(bot, derived=True, message="2")], replace(key, turns=(1,))) == []


def test_numbers_count_only_turns_that_are_not_derived() -> None:
    talk = [message("recalled: box 9", derived=True), message("The key is in box 12.", 2)]
    [fact] = facts(talk, statement("key", "location", "box 12"))
    assert fact.turn_ids == (talk[1].id,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Thanks a lot, good morning!", statement("anna", "said", "thanks", "Anna thanked everyone")),
        ("ありがとうございます！", statement("mori", "発言", "ありがとう", "ありがとうございます")),
        ("Is it Room 101?", statement("it", "location", "Room 101")),
        ("The key is in box 12.", statement("key", "", "box 12")),
        ("The key is in box 12.", statement("key", "location", " ")),
    ],
)
def test_courtesies_questions_and_what_says_nothing_are_no_facts(text: str, said: Statement) -> None:
    assert facts([message(text)], said) == []


def test_what_several_turns_say_is_as_private_as_the_most_private_of_them() -> None:
    turns = [
        message("The key is in box 12.", 1, visibility=Visibility.EVERYONE),
        message("The key is in box 12, keep it secret.", 2, visibility=Visibility.PRIVATE, author="anna"),
    ]
    [fact] = facts(turns, statement("key", "location", "box 12", turns=(0, 1)))
    assert fact.scope.visibility is Visibility.PRIVATE
    assert fact.scope.participants == {"mori", "anna"}
    assert fact.recorded_at == turns[0].said_at


# --- from when on ---------------------------------------------------------------------------------------------------

OWNER = statement("price list", "owner", "Bauer")


@pytest.mark.parametrize(
    ("text", "said", "start", "end", "precision", "dated"),
    [
        ("From 1 August the owner of the price list is Bauer.", OWNER, "2026-08-01T00:00", None, "day", True),
        ("The owner of the price list is Bauer.", OWNER, "2026-07-10T10:00", None, "minute", False),
        ("On 3 May we met. The owner of the price list is Bauer.", OWNER, "2026-07-10T10:00", None, "minute", False),
        ("Until 31 July Bauer has the price list.", OWNER, "2026-07-10T10:00", "2026-08-01T00:00", "minute", False),
        (
            "From 1 August until 31 August Bauer has the price list.",
            OWNER,
            "2026-08-01T00:00",
            "2026-09-01T00:00",
            "day",
            True,
        ),
        (
            "8月1日から価格表の担当は高橋さんです。",
            statement("価格表", "担当", "高橋"),
            "2026-08-01T00:00",
            None,
            "day",
            True,
        ),
        (
            "In 2024 we moved the archive to Malmo.",
            statement("archive", "did", "moved to Malmo", when="In 2024"),
            "2024-01-01T00:00",
            None,
            "year",
            True,
        ),
        (
            "I went to the dentist yesterday.",
            statement("mori", "did", "went to the dentist"),
            "2026-07-09T00:00",
            None,
            "day",
            True,
        ),
        (
            "I painted the shed yesterday.",
            statement("mori", "painted", "the shed"),
            "2026-07-09T00:00",
            None,
            "day",
            True,
        ),
        (
            "Starting 3 August it is Bauer who has the price list. The rest stays until 30 June 2027.",
            OWNER,
            "2026-08-03T00:00",
            None,
            "day",
            True,
        ),
        (
            "今は課長決裁は5万円までです。8/1から上限は10万円になります。",
            statement("課長決裁", "上限", "5万円", "上限は5万円"),
            "2026-07-10T10:00",
            None,
            "minute",
            False,
        ),
    ],
)
def test_the_dates_in_the_words_decide(
    text: str, said: Statement, start: str, end: str | None, precision: str, dated: bool
) -> None:
    fact = only(text, said)
    assert fact.valid_from == at(f"{start}+09:00")
    assert fact.valid_to == (at(f"{end}+09:00") if end else None)
    assert (fact.precision, fact.dated) == (precision, dated)
    assert fact.recorded_at == SAID
    assert fact.confidence == (0.9 if dated else 0.6)


def test_words_for_a_time_count_only_if_the_turn_has_it() -> None:
    text = "From 1 August the owner of the price list is Bauer, since 3 May it was Visser."
    assert only(text, replace(OWNER, when="since 3 May")).valid_from == at("2026-05-03T00:00+09:00")
    assert only(text, replace(OWNER, when="from 1 August 2026")).valid_from == at("2026-08-01T00:00+09:00")
    made_up = only("The owner of the price list is Bauer.", replace(OWNER, when="from 1 August"))
    assert (made_up.valid_from, made_up.dated) == (SAID, False)


def test_a_date_that_is_the_value_is_not_when_it_began() -> None:
    fact = only("The deadline is 15 August.", statement("report", "deadline", "15 August"))
    assert (fact.valid_from, fact.dated) == (SAID, False)
    both = only(
        "From 1 August the deadline is 15 August.", statement("report", "deadline", "15 August", when="From 1 August")
    )
    assert (both.valid_from, both.dated) == (at("2026-08-01T00:00+09:00"), True)


def test_a_length_of_time_is_no_date() -> None:
    text = "8/3から申請は窓口です。有効期間は14日です。"
    assert only(text, statement("申請", "有効期間", "14日")).valid_from == at("2026-08-03T00:00+09:00")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("I went to the dentist yesterday.", "I went to the dentist yesterday. (2026-07-09)"),
        ("I went to the dentist on 9 July.", "I went to the dentist on 9 July."),
        ("I went to the dentist last month.", "I went to the dentist last month. (2026-06)"),
        ("I went to the dentist in 2024.", "I went to the dentist in 2024."),
        ("I went to the dentist last year.", "I went to the dentist last year. (2025)"),
        ("I went to the dentist.", "I went to the dentist."),
    ],
)
def test_the_text_has_the_date_that_relative_words_mean(text: str, shown: str) -> None:
    assert only(text, statement("mori", "did", "went to the dentist", text)).text == shown


def test_the_authors_own_offset_counts() -> None:
    late = datetime.fromisoformat("2026-07-10T23:30:00-05:00")
    [fact] = facts([message("I moved it today.", said_at=late)], statement("mori", "did", "moved it"))
    assert fact.valid_from == at("2026-07-10T00:00:00-05:00")


def test_one_moment_in_two_offsets_makes_two_facts() -> None:
    [fact] = facts([message("I moved it today.")], statement("mori", "did", "moved it"))
    elsewhere = replace(fact, valid_from=fact.valid_from.astimezone(UTC))
    assert (elsewhere.valid_from == fact.valid_from, elsewhere.id == fact.id) == (True, False)
    assert replace(elsewhere, valid_from=fact.valid_from).id == fact.id


# --- predicates -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("担当者", "owner"),
        ("Owner", "owner"),
        ("is owned by", "owner"),
        ("person_in_charge", "owner"),
        ("責任者", "owner"),
        ("内線", "phone number"),
        ("バージョン", "version"),
        ("ﾊﾞｰｼﾞｮﾝ", "version"),
        ("保管期間", "retention"),
        ("STATUS", "status"),
        ("went to", "did"),
        ("Favourite Colour", "favourite colour"),
        ("サーバー", "server"),
    ],
)
def test_a_paraphrase_goes_to_its_canonical_name(said: str, name: str) -> None:
    assert canonical(said, predicate_names(SHIPPED)) == name


def test_every_word_of_the_table_means_one_thing() -> None:
    words = [word for settings in SHIPPED.values() for word in settings.words]
    assert len(words) == len(set(words))
    assert not set(words) & set(SHIPPED)


def test_whoever_takes_over_is_the_value() -> None:
    fact = only("Bauer takes over the price list.", statement("Bauer", "takes over", "price list", people=("Bauer",)))
    assert (fact.subject, fact.predicate, fact.value) == ("price list", "owner", "Bauer")


# --- states of a ticket, and who is believed ------------------------------------------------------------------------


def test_states_are_exact_and_repeat_only_when_they_change() -> None:
    turns = [
        message("hello", 1, ticket="INC-1", status="open", title="Lamp"),
        message("on it", 2, ticket="INC-1", status="open", minutes=1),
        message("done", 3, ticket="INC-1", status="resolved", role=Role.AGENT),
        message("auto", 4, ticket="INC-1", status="closed", role=Role.BOT),
    ]
    turns[1] = replace(turns[1], assignee="mori")
    found = facts(turns)
    assert [(fact.subject, fact.predicate, fact.value) for fact in found] == [
        ("INC-1", "status", "open"),
        ("INC-1", "status", "resolved"),
        ("INC-1", "assignee", "mori"),
    ]
    assert {(fact.confidence, fact.dated, fact.made_by) for fact in found} == {(1.0, True, STATE)}
    assert found[0].text == "The status of INC-1 (Lamp) is open."


def change(text: str, number: int, key: str, **fields: object) -> Turn:
    """The record of an act on a ticket of ours."""
    made = message(text, number, ticket="HD-1", role=fields.pop("role", Role.AGENT), status=fields.pop("status"))
    return replace(made, message=f"HD-1-{key}", said_at=SAID + timedelta(hours=number), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "nobody", "told"),
    [
        (
            (
                "複合機が止まりました。",
                "HD-1 は 健 が担当します。",
                "健 が HD-1 の担当を外れました。",
                "HD-1 は終了しました。",
            ),
            "なし",
            "HD-1の担当者はいません。",
        ),
        (
            ("The copier has stopped.", "Ken takes HD-1.", "Ken hands HD-1 back.", "HD-1 is closed."),
            "nobody",
            "Nobody has HD-1.",
        ),
    ],
)
def test_whatever_is_done_to_a_ticket_is_a_state_of_it_and_nothing_else(
    words: tuple[str, ...], nobody: str, told: str
) -> None:
    asked, taken, handed_back, closed = words
    turns = [
        replace(message(asked, ticket="HD-1", role=Role.REQUESTER, thread="T"), status="open"),
        change(taken, 2, "take", status="waiting for support", assignee="健"),
        change(handed_back, 3, "back", status="open", assignee=""),
        change(closed, 4, "silent-3", status="closed", role=Role.BOT),
    ]
    made = statement("複合機", "owner", "健", turns=(1,))
    found = facts_of(episode_of(turns), Enrichment(summary="s", facts=(made, *rule_statements(turns)), made_by="small"))
    assert [(fact.predicate, fact.value, fact.made_by) for fact in found] == [
        ("status", "open", STATE),
        ("status", "waiting for support", STATE),
        ("status", "open", STATE),
        ("status", "closed", STATE),
        ("assignee", "健", STATE),
        ("assignee", nobody, STATE),
    ]
    assert (found[-1].text, found[-1].people) == (told, ())
    owners = timeline(found, single={"status", "assignee"}).holding(SAID + timedelta(hours=3))
    assert [fact.value for fact in owners if fact.predicate == "assignee"] == [nobody]


def test_what_a_bot_says_in_a_ticket_is_no_state_of_it() -> None:
    said = message("closed now", 4, ticket="INC-1", status="closed", role=Role.BOT)
    assert facts([said]) == []


def test_the_exact_state_wins_over_what_a_model_says_of_it() -> None:
    turns = [message("I close INC-1, it is fixed.", ticket="INC-1", status="resolved")]
    [fact] = facts(turns, statement("INC-1", "status", "fixed"))
    assert (fact.value, fact.made_by) == ("resolved", STATE)


def test_rules_win_over_a_model_on_the_same_matter_of_the_same_turn() -> None:
    turns = [message("The owner of the price list is Bauer, not Visser.")]
    by_rule = replace(OWNER, made_by="rules")
    [fact] = facts(turns, statement("price list", "owner", "Visser"), by_rule)
    assert (fact.value, fact.made_by) == ("Bauer", "rules")
    [alone] = facts(turns, OWNER)
    assert alone.made_by == "small"


def test_one_matter_has_one_value_from_one_moment_on() -> None:
    turns = [message("The owner is Bauer or Visser of the price list.")]
    assert [fact.value for fact in facts(turns, OWNER, replace(OWNER, value="Visser"))] == ["Bauer"]
    likes = statement("mori", "likes", "Bauer")
    assert len(facts(turns, likes, replace(likes, value="Visser"))) == 2


def test_the_same_statement_is_the_same_fact_however_often_it_is_made() -> None:
    first, second = (
        only("The owner of the price list is Bauer.", OWNER),
        only("The owner of the price list is Bauer.", OWNER),
    )
    assert first.id == second.id
    assert len(facts([message("The owner of the price list is Bauer.")], OWNER, OWNER)) == 1
