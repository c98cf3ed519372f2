"""Facts from messages to answers: who owns something now, who did then, and what the newest word hides. In Japanese and
in English, over small stores and over the shipped ones."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from bot.arguments import Named, RedoClosing, UndoClosing
from bot.telling import unheard
from bot.use_cases import perform
from bot.use_cases_facts import history, redo, undo
from bot.use_cases_memory import KEEPER
from bot.use_cases_profile import profile_called
from memory.answers import Answer
from memory.errors import NothingFound
from memory.model import Role, Turn, Viewer, Visibility
from tests.fakes.remembering import HOUSES, Remembering, remembering
from tests.fakes.turns import turn

KIM, SATO = Viewer(user="kim"), Viewer(user="sato")
TOKYO = timezone(timedelta(hours=9))


def at(month: int, day: int, hour: int = 10) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=TOKYO)


def told(number: int, text: str, when: datetime, *, thread: str = "INC-1", title: str | None = None) -> Turn:
    """What a support agent announces to everybody."""
    return turn(number, text, thread=thread, ticket=thread, author="okabe", role=Role.AGENT, said_at=when, title=title)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tale:
    """The same change of hands in one language: who had it, who has it, and how one asks."""

    first: str
    second: str
    now: str
    then: str
    before: str
    subject: str
    old: str
    new: str


JA = Tale(
    first="基幹プリンタの担当は田中です。",
    second="9月15日から基幹プリンタの担当は鈴木に交代します。",
    now="基幹プリンタの担当はいま誰ですか？",
    then="9月10日時点の基幹プリンタの担当は誰でしたか？",
    before="基幹プリンタの担当は以前は誰でしたか？",
    subject="基幹プリンタ",
    old="田中",
    new="鈴木",
)
EN = Tale(
    first="The owner of the plotter is Tanaka.",
    second="From 15 September the owner of the plotter is Suzuki.",
    now="Who is the owner of the plotter now?",
    then="Who was the owner of the plotter on 10 September?",
    before="Who was the owner of the plotter previously?",
    subject="Plotter",
    old="Tanaka",
    new="Suzuki",
)
TALES = [pytest.param(JA, id="ja"), pytest.param(EN, id="en")]


@pytest.fixture
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering(getattr(request, "param", HOUSES[0]), tmp_path) as house:
        house.watch.now = at(11, 20)
        yield house


async def quoted(memory: Remembering, text: str, *, as_of: datetime | None = None) -> str:
    """Everything that an answer quotes."""
    found: Answer = await memory.app.recall.answer(replace(memory.question(text), as_of=as_of))
    return "\n".join(one.quote for one in found.evidence)


def change(tale: Tale) -> list[Turn]:
    return [told(1, tale.first, at(9, 1)), told(2, tale.second, at(9, 12), thread="INC-2")]


@pytest.mark.parametrize("memory", HOUSES, indirect=True)
@pytest.mark.parametrize("tale", TALES)
async def test_asked_for_now_only_the_present_owner_is_quoted(memory: Remembering, tale: Tale) -> None:
    await memory.remember(*change(tale))
    said = await quoted(memory, tale.now)
    assert tale.second in said
    assert tale.first not in said


@pytest.mark.parametrize("tale", TALES)
async def test_asked_for_a_past_day_only_the_owner_of_that_day_is_quoted(memory: Remembering, tale: Tale) -> None:
    await memory.remember(*change(tale))
    for said in (await quoted(memory, tale.then), await quoted(memory, tale.now, as_of=at(9, 10, 23))):
        assert tale.first in said
        assert tale.second not in said


@pytest.mark.parametrize("tale", TALES)
async def test_asked_for_the_history_both_are_quoted_and_the_first_says_until_when(
    memory: Remembering, tale: Tale
) -> None:
    await memory.remember(*change(tale))
    found = await memory.answer(tale.before)
    ends = {one.quote: one.valid_to for one in found.evidence}
    assert ends == {tale.first: at(9, 15, 0), tale.second: None}


@pytest.mark.parametrize("tale", TALES)
async def test_the_order_in_which_messages_arrive_changes_no_answer(memory: Remembering, tale: Tale) -> None:
    for one in reversed(change(tale)):
        await memory.remember(one)
    assert tale.first not in await quoted(memory, tale.now)
    assert tale.second not in await quoted(memory, tale.then)


@pytest.mark.parametrize("tale", TALES)
async def test_what_was_told_in_private_changes_nobody_elses_answer(memory: Remembering, tale: Tale) -> None:
    first, second = change(tale)
    await memory.remember(first, replace(second, visibility=Visibility.PRIVATE, requester="kim"))
    said = await quoted(memory, tale.now)
    assert tale.first in said
    assert tale.second not in said


@pytest.mark.parametrize("tale", TALES)
async def test_traffic_that_comes_three_times_leaves_the_facts_of_one(memory: Remembering, tale: Tale) -> None:
    for _ in range(3):
        await memory.remember(*change(tale))
        await memory.app.store.writing.reopen_all()
    await memory.remember()
    assert (await memory.app.store.fact_writing.counts())["facts"] == 2


@pytest.mark.parametrize("tale", TALES)
async def test_the_bots_own_words_make_no_facts(memory: Remembering, tale: Tale) -> None:
    answer = turn(1, tale.first, author="helpdesk", role=Role.BOT, said_at=at(9, 1), derived=True)
    await memory.remember(answer, turn(2, "thanks", said_at=at(9, 2)))
    assert (await memory.app.store.fact_writing.counts())["facts"] == 0


@pytest.mark.parametrize("tale", TALES)
async def test_the_first_owner_holds_again_when_the_message_of_the_change_is_deleted(
    memory: Remembering, tale: Tale
) -> None:
    await memory.remember(*change(tale))
    writing = memory.app.store.writing
    gone = [one.id for one in await writing.episodes_after(None, 10) if one.ticket == "INC-2"]
    await memory.app.index.remove(gone)
    await writing.erase(gone)
    assert tale.first in await quoted(memory, tale.now)


@pytest.mark.parametrize("tale", TALES)
async def test_an_edited_message_leaves_no_fact_of_its_old_words(memory: Remembering, tale: Tale) -> None:
    first, second = change(tale)
    await memory.remember(first, second)
    await memory.remember(replace(second, text=tale.second.replace(tale.new, "Mori")))
    life = await history(memory.app, Named(id="INC-2"), unheard)
    assert [one["value"] for one in life["facts"] if one["valid_to"] is None] == ["Mori"]


@pytest.mark.parametrize("tale", TALES)
async def test_the_history_of_a_ticket_tells_from_when_to_when_and_why(memory: Remembering, tale: Tale) -> None:
    await memory.remember(*change(tale))
    first, second = (await history(memory.app, Named(id="INC-1"), unheard))["facts"]
    assert (first["value"], first["valid_to"], first["said_in"]) == (tale.old, at(9, 15, 0).isoformat(), ["INC-1/1"])
    assert (first["ended"]["value"], first["ended"]["reason"]) == (tale.new, "replaced")
    assert (second["value"], second["valid_from"], second["ended"]) == (tale.new, at(9, 15, 0).isoformat(), None)


@pytest.mark.parametrize("memory", HOUSES, indirect=True)
@pytest.mark.parametrize("tale", TALES)
async def test_a_system_is_shown_with_what_held_from_when_to_when_and_the_words_that_say_so(
    memory: Remembering, tale: Tale
) -> None:
    await memory.remember(*change(tale))
    shown = await perform(memory.app, "memory show", {"id": tale.subject}, unheard)
    assert shown is not None
    [owner] = shown["profile"]["attributes"]
    held = {
        part: [(one["value"], one["valid_from"], one["valid_to"], one["said_in"]) for one in owner[part]]
        for part in ("current", "history")
    }
    assert held == {
        "current": [(tale.new, at(9, 15, 0).isoformat(), None, ["INC-2/2"])],
        "history": [(tale.old, at(9, 1).isoformat(), at(9, 15, 0).isoformat(), ["INC-1/1"])],
    }
    assert [(turn["turn"], turn["text"]) for turn in shown["turns"]] == [
        ("INC-1/1", tale.first),
        ("INC-2/2", tale.second),
    ]


@pytest.mark.parametrize("tale", TALES)
async def test_a_profile_is_read_with_a_viewers_eyes(memory: Remembering, tale: Tale) -> None:
    """The keeper of the data folder sees what one person was told; another person does not."""
    first, second = change(tale)
    await memory.remember(first, replace(second, visibility=Visibility.PRIVATE, requester="kim"))
    now = memory.watch.now
    seen = {viewer.user: await profile_called(memory.app, tale.subject, viewer, now) for viewer in (KEEPER, KIM, SATO)}
    values = {user: profile and [one.value for one in profile.attributes[0].current] for user, profile in seen.items()}
    # What was told in private ends nothing that everybody was told.
    assert values == {"": [tale.new, tale.old], "kim": [tale.new, tale.old], "sato": [tale.old]}
    assert await profile_called(memory.app, "nobody", KEEPER, now) is None


@pytest.mark.parametrize("tale", TALES)
async def test_a_ticket_is_shown_as_a_ticket_although_it_is_the_subject_of_facts(
    memory: Remembering, tale: Tale
) -> None:
    await memory.remember(replace(change(tale)[0], status="open"))
    assert (await profile_called(memory.app, "INC-1", KEEPER, memory.watch.now)) is not None
    shown = await perform(memory.app, "memory show", {"id": "INC-1"}, unheard)
    assert shown is not None
    assert (shown["profile"], len(shown["turns"])) == (None, 1)


async def test_a_name_that_is_nothing_is_told_so(memory: Remembering) -> None:
    await memory.remember(*change(EN))
    with pytest.raises(NothingFound, match="Suzuki's cat"):
        await perform(memory.app, "memory show", {"id": "Suzuki's cat"}, unheard)


@pytest.mark.parametrize("tale", TALES)
async def test_a_closing_that_was_wrong_is_undone_and_stays_undone(memory: Remembering, tale: Tale) -> None:
    await memory.remember(*change(tale))
    first, _ = (await history(memory.app, Named(id="INC-1"), unheard))["facts"]
    wrong = UndoClosing(id=first["fact"], user="okabe", why="both of them")
    after = (await undo(memory.app, wrong, unheard))["facts"]
    assert [one["valid_to"] for one in after] == [None, None]
    await memory.app.store.writing.reopen_all()
    await memory.remember()
    assert tale.first in await quoted(memory, tale.now)


async def test_why_something_is_undone_is_kept_without_secrets(memory: Remembering) -> None:
    await memory.remember(*change(EN))
    first, _ = (await history(memory.app, Named(id="INC-1"), unheard))["facts"]
    wrong = UndoClosing(id=first["fact"], user="okabe", why="he told me, password: Tk9-fluss-88")
    assert (await undo(memory.app, wrong, unheard))["undo"]["why"].startswith("he told me, password: [password-")


def announced() -> list[Turn]:
    """Okabe has it, says on a Wednesday that Nadia has it from Monday on, and Nadia answers at once."""
    nadia = told(
        4,
        "小林さん、ナディアです。これからKurabaseは私が担当します。どの権限が必要ですか？",
        at(9, 30, 11),
        thread="INC-2",
    )
    return [
        told(1, "I am responsible for Kurabase now, so please ask me.", at(8, 7)),
        told(
            2,
            "お知らせが遅れてすみません。Kurabaseの担当は来週から私ではなくナディアさんになります。引き継ぎは済んでいます。",
            at(9, 30),
            thread="INC-2",
        ),
        replace(nadia, author="nadia"),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoThings:
    """Two things that changed hands. Who had them at first is told in the other language, and found by facts alone."""

    owned: str
    other_owned: str
    other_change: str
    asked_for: str
    change: str
    question: str


TWO_THINGS = [
    pytest.param(
        TwoThings(
            owned="I am in charge of Andon.",
            other_owned="I am in charge of Kurabase.",
            other_change="Kurabaseの担当は10月5日から森に交代します。",
            asked_for="ロビーのAndon（サイネージ）が消えています。",
            change="Andonの担当は10月19日から岡部に交代しました。",
            question="9月10日のサイネージの担当は誰でしたか？",
        ),
        id="ja",
    ),
    pytest.param(
        TwoThings(
            owned="これからAndonは私が担当します。",
            other_owned="これからKurabaseは私が担当します。",
            other_change="From 5 October the owner of Kurabase is Mori.",
            asked_for="The signage (Andon) in the lobby is black.",
            change="From 19 October the owner of Andon is Okabe.",
            question="Who was the owner of the signage on 10 September?",
        ),
        id="en",
    ),
]


@pytest.mark.parametrize("things", TWO_THINGS)
async def test_who_had_another_thing_does_not_lead_the_answer(memory: Remembering, things: TwoThings) -> None:
    """It is asked about by a name that its own announcements do not use."""
    await memory.remember(
        replace(told(1, things.owned, at(8, 7)), author="nadia"),
        told(2, things.other_owned, at(8, 8), thread="INC-2"),
        told(3, things.other_change, at(10, 1), thread="INC-3"),
        replace(told(4, things.asked_for, at(10, 20), thread="INC-4"), author="sato", role=Role.REQUESTER),
        told(5, things.change, at(10, 20, 11), thread="INC-4"),
    )
    found = await memory.answer(things.question)
    cited = [one.quote for one in found.cited]
    assert things.owned in cited
    assert things.other_owned not in cited
    surest = max(found.evidence, key=lambda one: one.confidence).confidence
    assert {one.confidence for one in found.evidence if one.quote == things.owned} == {surest}


@pytest.mark.parametrize("memory", HOUSES, indirect=True)
@pytest.mark.parametrize(
    ("reported", "fix"),
    [
        ("Does anybody know why the plotter PLT-7 prints magenta?", "The plotter PLT-7 needs a new ink head, ordered."),
        (
            "プロッターPLT-7が赤く印刷されるのはなぜですか？",
            "プロッターPLT-7はインクヘッドの交換が必要で、注文しました。",
        ),
    ],
)
async def test_what_holds_of_other_things_does_not_push_what_helped_out_of_the_answer(
    memory: Remembering, reported: str, fix: str
) -> None:
    """In a small memory they are found too, as there is nothing else."""
    await memory.remember(
        told(1, reported, at(10, 5), thread="C-1"),
        told(2, fix, at(10, 5, 12), thread="C-1"),
        told(3, "プロジェクターの担当は田中さんから鈴木さんに交代しました。", at(6, 10), thread="T-2"),
        told(4, "The helpdesk extension is 4410.", at(3, 5), thread="T-4"),
        told(5, "From 15 October the helpdesk extension is 6630.", at(10, 1), thread="T-6"),
    )
    found = await memory.app.recall.answer(memory.question(reported))
    assert fix in [one.quote for one in found.cited]
    assert {one.ticket for one in found.cited} == {"C-1"}


KURABASE = ["Kurabaseの担当は誰ですか？", "Who is in charge of Kurabase?"]


@pytest.mark.parametrize("memory", HOUSES, indirect=True)
@pytest.mark.parametrize("text", KURABASE)
async def test_an_announcement_answers_for_the_days_before_it_comes_true(memory: Remembering, text: str) -> None:
    own, announcement, eager = announced()
    await memory.remember(own, announcement, eager)
    before = await quoted(memory, text, as_of=at(10, 2))
    assert announcement.text in before
    assert "これから" not in before
    assert own.text not in await quoted(memory, text)
    assert announcement.text in await quoted(memory, text)


async def test_one_person_who_signs_otherwise_than_others_call_them_is_no_second_owner(memory: Remembering) -> None:
    await memory.remember(*announced())
    found = (await history(memory.app, Named(id="Kurabase"), unheard))["facts"]
    assert [(one["value"], one["valid_to"], (one["ended"] or {}).get("reason")) for one in found] == [
        ("okabe", at(10, 5, 0).isoformat(), "replaced"),
        ("okabe", at(10, 5, 0).isoformat(), None),
        ("nadia", at(9, 30, 11).isoformat(), "announced"),
        ("ナディア", None, None),
    ]


async def test_a_name_that_two_people_sign_with_is_neither_of_them(memory: Remembering) -> None:
    both = [
        replace(told(place, "佐藤です。よろしくお願いします。", at(9, place), thread=f"INC-{place}"), author=author)
        for place, author in ((1, "sato"), (2, "sato2"))
    ]
    owners = [
        told(3, "基幹プリンタの担当はsatoです。", at(9, 3), thread="INC-3"),
        told(4, "9月15日から基幹プリンタの担当は佐藤に交代します。", at(9, 4), thread="INC-4"),
    ]
    await memory.remember(*both[:1], *owners)
    assert await changes(memory) == 0
    await memory.remember(both[1])
    assert await changes(memory) == 1


async def changes(memory: Remembering) -> int:
    found = (await history(memory.app, Named(id="基幹プリンタ"), unheard))["facts"]
    return sum(one["ended"] is not None for one in found)


@pytest.mark.parametrize("tale", TALES)
async def test_the_same_undo_again_says_so_and_changes_nothing(memory: Remembering, tale: Tale) -> None:
    """Three owners: the first one's end is undone, and not by the way also the next."""
    first, second = change(tale)
    third = replace(second, message="9", text=tale.second.replace(tale.new, "Mori"), said_at=at(9, 20))
    await memory.remember(first, second, third)
    facts = (await history(memory.app, Named(id="INC-1"), unheard))["facts"]
    wrong = UndoClosing(id=facts[0]["fact"], user="okabe")
    once = await undo(memory.app, wrong, unheard)
    assert (once["changed"], once["undo"]["value"], once["undo"]["by_value"]) == (True, tale.old, tale.new)
    again = await undo(memory.app, replace_user(wrong, "sato"), unheard)
    assert (again["changed"], again["undo"]["who"], again["facts"]) == (False, "okabe", once["facts"])


def replace_user(given: UndoClosing, user: str) -> UndoClosing:
    return given.model_copy(update={"user": user})


@pytest.mark.parametrize("tale", TALES)
async def test_an_undo_is_of_the_named_pair_and_can_be_taken_back(memory: Remembering, tale: Tale) -> None:
    await memory.remember(*change(tale))
    before = (await history(memory.app, Named(id="INC-1"), unheard))["facts"]
    first, second = (one["fact"] for one in before)
    with pytest.raises(NothingFound, match="does not end"):
        await undo(memory.app, UndoClosing(id=first, by=first, user="okabe"), unheard)
    with pytest.raises(NothingFound, match="nothing to take back"):
        await redo(memory.app, RedoClosing(id=first), unheard)
    shown = await undo(memory.app, UndoClosing(id=first, by=second, user="okabe", why="both"), unheard)
    assert [(one["by"], one["who"], one["why"]) for one in shown["facts"][0]["undone"]] == [(second, "okabe", "both")]
    back = await redo(memory.app, RedoClosing(id=first, by=second), unheard)
    assert (back["undo"]["by"], back["facts"]) == (second, before)
    with pytest.raises(NothingFound, match="nothing to take back"):
        await redo(memory.app, RedoClosing(id=first), unheard)


async def test_days_are_those_of_the_desk(memory: Remembering) -> None:
    """Said in Tokyo on the 1st, when it was still August in UTC."""
    await memory.remember(told(1, "The printers are handled by Mori.", at(9, 1, 8)))
    [one] = (await history(memory.app, Named(id="INC-1"), unheard))["facts"]
    assert (one["known_from"], one["valid_from"]) == ("2026-09-01T08:00:00+09:00", "2026-09-01T08:00:00+09:00")


async def test_what_is_asked_about_finds_the_fact_that_no_search_found(memory: Remembering) -> None:
    """The older message has the question's words, the newer one says it without them."""
    await memory.remember(
        *change(JA), *(told(n, f"別件 {n} です。", at(10, n), thread=f"INC-9{n}") for n in range(1, 9))
    )
    found = await memory.answer(JA.now)
    assert JA.new in "\n".join(one.quote for one in found.evidence)
    assert [fact.value for fact in found.facts] == [JA.new]
