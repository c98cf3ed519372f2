"""Who speaks of a request of their own means that one: what they said in the time that they name."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.answers import Answer, AnswerKind
from memory.model import Role, Turn, Visibility
from tests.fakes.remembering import HOUSES, Remembering, remembering
from tests.fakes.turns import NOON, turn

WEEK = 7 * 24 * 60
#: What others asked for in the same weeks; the last of it is a week after the request that is meant.
OTHERS = [
    turn(n, words, thread=f"INC-9{n}", ticket=f"INC-9{n}", minutes=minutes, author=f"other-{n}", requester=f"other-{n}")
    for n, (minutes, words) in enumerate(
        [
            (-WEEK, "新しい椅子が届きました"),
            (-90, "先週から自動ドアが開きません。同じ症状の方はいますか"),
            (60, "The same problem again: the coffee machine is empty, as last week."),
            (120, "The badge reader asks me twice."),
            (WEEK, "The cafeteria opens at noon."),
        ]
    )
]


@pytest.fixture(params=HOUSES)
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering(request.param, tmp_path) as opened:
        yield opened


def ticket(name: str, *said: str, requester: str = "sato") -> list[Turn]:
    """A request, what support says to it, and how it ended, at noon."""
    people = [requester, "okabe", requester]
    return [
        turn(n, words, thread=name, ticket=name, author=who, requester=requester, role=role)
        for n, (words, who, role) in enumerate(
            zip(said, people, (Role.REQUESTER, Role.AGENT, Role.REQUESTER), strict=False), 1
        )
    ]


MINE = {
    "ja": ("編集室のスキャナーが緑に光ったままです", "ガラス板の裏の板を外して差し直してください", "動きました"),
    "en": ("The scanner stays green", "Take the plate behind the glass out and put it in again", "It works"),
}
VPN = {
    "ja": ("VPNがつながりません", "VPNの証明書を登録し直してください", "つながりました"),
    "en": ("The VPN does not connect", "Enrol the VPN certificate again", "It connects"),
}


def quotes(answer: Answer) -> set[str]:
    return {one.quote for one in answer.cited}


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("ja", "先週問い合わせた件ですが、また同じ症状です"),
        ("ja", "先週と同じ症状がまた出ました"),
        ("en", "I wrote to you last week, the same problem is back"),
        ("en", "the same thing as last week"),
        ("en", "先週問い合わせた件ですが、また同じ症状です"),
        ("ja", "I wrote to you last week, the same problem is back"),
        ("ja", "先週の件、再発しました"),
        ("ja", "先週お願いした件、どうなっていますか"),
        ("en", "last week's one again"),
        ("en", "the thing from last week, any news?"),
    ],
)
async def test_without_a_word_on_what_it_was_ones_own_ticket_of_that_time_is_quoted_and_no_other(
    memory: Remembering, language: str, question: str
) -> None:
    await memory.remember(*OTHERS, *ticket("INC-7", *MINE[language]))
    answer = await memory.answer(question)
    assert {one.ticket for one in answer.cited} == {"INC-7"}
    assert quotes(answer) == set(MINE[language])


@pytest.mark.parametrize("question", ["昨日の件どうなった？", "the thing from yesterday, any news?"])
async def test_of_ones_own_tickets_that_of_the_day_is_meant_and_not_that_of_the_day_before(
    memory: Remembering, question: str
) -> None:
    before = [replace(one, said_at=one.said_at - timedelta(days=1)) for one in ticket("INC-6", *VPN["en"])]
    await memory.remember(*OTHERS, *before, *ticket("INC-7", *MINE["en"]))
    memory.watch.now = NOON + timedelta(days=1)
    assert {one.ticket for one in (await memory.answer(question)).cited} == {"INC-7"}


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("ja", "先週VPNの件で問い合わせました。また同じ症状です"),
        ("en", "I asked about the VPN last week, it is happening again"),
    ],
)
async def test_ones_own_ticket_on_it_comes_before_that_of_another(
    memory: Remembering, language: str, question: str
) -> None:
    theirs = ticket("INC-8", *VPN[language], requester="mori")
    mine = ticket("INC-7", *(words + "。" for words in VPN[language]))
    await memory.remember(*OTHERS, *theirs, *mine)
    assert {one.ticket for one in (await memory.answer(question)).cited} == {"INC-7"}


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("ja", "先週VPNの件で問い合わせました。また同じ症状です"),
        ("en", "I asked about the VPN last week, it is happening again"),
    ],
)
async def test_what_one_asked_then_about_something_else_is_not_meant(
    memory: Remembering, language: str, question: str
) -> None:
    theirs = ticket("INC-8", *VPN[language], requester="mori")
    await memory.remember(*OTHERS, *theirs, *ticket("INC-7", *MINE[language]))
    assert VPN[language][1] in quotes(await memory.answer(question))


@pytest.mark.parametrize(
    "question", ["先週問い合わせた件ですが、また同じ症状です", "I wrote to you last week, the same problem is back"]
)
async def test_who_points_at_a_request_that_is_not_there_hears_that_nothing_was_found(
    memory: Remembering, question: str
) -> None:
    await memory.remember(*OTHERS, *ticket("INC-7", *MINE["ja"], requester="mori"))
    assert (await memory.answer(question)).kind is AnswerKind.ABSTAINED


@pytest.mark.parametrize("question", ["私の未解決の問い合わせは？", "status of my request"])
async def test_who_asks_for_their_open_requests_reads_of_these_and_of_nobody_elses(
    memory: Remembering, question: str
) -> None:
    settled = [replace(one, status="closed") for one in ticket("INC-6", *VPN["en"])]
    await memory.remember(*OTHERS, *settled, *ticket("INC-7", MINE["ja"][0]), *ticket("INC-8", MINE["en"][0]))
    await memory.remember(*ticket("INC-9", *VPN["ja"], requester="mori"))
    assert quotes(await memory.answer(question)) == {MINE["ja"][0], MINE["en"][0]}


@pytest.mark.parametrize("question", ["自分のチケットの状況", "What tickets of mine are still open?"])
async def test_who_has_no_open_request_hears_that_nothing_was_found(memory: Remembering, question: str) -> None:
    settled = [replace(one, status="closed") for one in ticket("INC-6", *VPN["en"])]
    await memory.remember(*OTHERS, *settled, *ticket("INC-7", *MINE["ja"], requester="mori"))
    assert (await memory.answer(question)).kind is AnswerKind.ABSTAINED


async def test_an_open_request_that_may_not_be_read_in_a_channel_is_not_read_there(memory: Remembering) -> None:
    mine = [replace(one, visibility=Visibility.PRIVATE) for one in ticket("INC-7", MINE["en"][0])]
    await memory.remember(*OTHERS, *mine)
    assert quotes(await memory.answer("my open tickets")) == {MINE["en"][0]}
    assert (await memory.answer("my open tickets", channel="it-help")).kind is AnswerKind.ABSTAINED


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("サイネージの担当は岡部さんに替わりました", "サイネージの担当は誰ですか"),
        ("Okabe looks after the signage now", "Who looks after the signage?"),
    ],
)
async def test_for_a_day_before_anything_was_said_nothing_is_known(
    memory: Remembering, said: str, question: str
) -> None:
    await memory.remember(*OTHERS, turn(1, said, thread="INC-7", ticket="INC-7", author="okabe", role=Role.AGENT))
    asked = memory.question(question)
    assert quotes(await memory.app.recall.answer(asked)) == {said}
    before = replace(asked, as_of=NOON - timedelta(days=700))
    assert (await memory.app.recall.answer(before)).kind is AnswerKind.ABSTAINED
