"""A question is no answer to itself, whoever asked it before, nor is what only says what became of a ticket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from memory.answers import AnswerKind
from memory.model import DIRECT, Role, Turn, Visibility
from tests.fakes.remembering import HOUSES, Remembering, remembering
from tests.fakes.turns import turn

LUCAS = "U0LUCAS"
#: What is remembered beside, as of a small desk.
OTHERS = (
    turn(1, "The cafeteria opens at noon.", thread="INC-91", ticket="INC-91"),
    turn(1, "新しい椅子が届きました", thread="INC-92", ticket="INC-92"),
)


@pytest.fixture(params=HOUSES)
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering(request.param, tmp_path) as opened:
        yield opened


def said_by_lucas(message: int, text: str, *, public: bool = False) -> Turn:
    """A message of a person whose name is not the id, as on every platform; each begins a thread."""
    said = turn(
        message,
        text,
        thread=f"lucas-{message}",
        ticket=None,
        minutes=message,
        author=LUCAS,
        requester=LUCAS,
        visibility=Visibility.EVERYONE if public else Visibility.PRIVATE,
        channel="it-help" if public else DIRECT,
    )
    return replace(said, speaker="Lucas")


@pytest.mark.parametrize(
    ("asked", "again"),
    [
        ("What is the wifi name in the submarine Xq-55?", "What is the wifi name in the submarine Xq-55?"),
        ("What is the wifi name in the submarine Xq-55?", "What's the wifi name of the submarine Xq-55 please?"),
        ("潜水艦Xq-55のWi-Fiの名前は何ですか？", "潜水艦Xq-55のWi-Fiの名前は何ですか？"),
        ("潜水艦Xq-55のWi-Fiの名前を知りたい", "潜水艦Xq-55のWi-Fiの名前を知りたい"),
    ],
)
@pytest.mark.parametrize("asker", [LUCAS, "U0EMMA"])
async def test_a_question_that_was_asked_before_is_no_answer_to_itself(
    memory: Remembering, asked: str, again: str, asker: str
) -> None:
    before = [said_by_lucas(n, words, public=True) for n, words in enumerate([asked, again, "hi", "thanks a lot"], 1)]
    await memory.remember(*OTHERS, *before)
    answer = await memory.answer(again, asker)
    assert (answer.kind, [one.quote for one in answer.cited]) == (AnswerKind.ABSTAINED, [])


async def test_questions_asked_before_do_not_push_what_helped_out_of_the_answer(memory: Remembering) -> None:
    question = "How do I connect to the wifi in the submarine Xq-55?"
    fix = "The wifi in the submarine Xq-55 connects once the certificate is enrolled."
    helped = turn(1, fix, thread="INC-7", ticket="INC-7", author="okabe", role=Role.AGENT)
    asked = [said_by_lucas(n, question) for n in range(1, 30)]
    await memory.remember(*OTHERS, helped, *asked)
    answer = await memory.answer(question, LUCAS)
    assert [one.quote for one in answer.cited] == [fix]


@pytest.mark.parametrize(
    ("before", "fix", "now"),
    [
        (
            "潜水艦Xq-55のWi-Fiに接続するにはどうすればいいですか？",
            "潜水艦Xq-55のWi-Fiは証明書を登録すると接続できます。",
            "潜水艦Xq-55のWi-Fiの証明書はどこで登録しますか？",
        ),
        (
            "Does the wifi of the submarine Xq-55 need a certificate?",
            "The wifi in the submarine Xq-55 connects once the certificate is enrolled.",
            "Where do I enrol the certificate for the wifi of the submarine Xq-55?",
        ),
    ],
)
async def test_a_question_in_a_talk_is_not_quoted_beside_what_helped(
    memory: Remembering, before: str, fix: str, now: str
) -> None:
    helped = turn(1, fix, thread="INC-7", ticket="INC-7", author="okabe", role=Role.AGENT)
    await memory.remember(*OTHERS, helped, said_by_lucas(1, before))
    assert [one.quote for one in (await memory.answer(now, LUCAS)).cited] == [fix]


@pytest.mark.parametrize(
    ("above", "answer"),
    [
        (("Who looks after the signage Xq-55 now?", "good question"), "The signage Xq-55 is looked after by Mori."),
        (("サイネージXq-55の担当はどなたですか？", "私も知りたいです"), "サイネージXq-55の担当は森さんです。"),
    ],
)
async def test_what_a_question_is_made_of_is_no_answer_to_it(
    memory: Remembering, above: tuple[str, str], answer: str
) -> None:
    """Who calls the bot into a talk and says "any idea?" asks what stands above."""
    told = turn(1, answer, thread="INC-7", ticket="INC-7", author="okabe", role=Role.AGENT)
    await memory.remember(*OTHERS, told, *(said_by_lucas(n, words, public=True) for n, words in enumerate(above, 1)))
    assert [one.quote for one in (await memory.answer("\n".join(above), "U0EMMA")).cited] == [answer]


async def test_a_question_that_states_more_than_is_asked_now_is_evidence(memory: Remembering) -> None:
    told = "Why does plotter LYNX-88 print blank pages? Replacing its ink pads helped last year."
    await memory.remember(*OTHERS, said_by_lucas(1, told, public=True))
    answer = await memory.answer("Why does plotter LYNX-88 print blank pages?", "U0EMMA")
    assert [one.quote for one in answer.cited] == [told]


async def test_what_only_says_what_became_of_a_ticket_is_no_evidence(memory: Remembering) -> None:
    report = turn(1, "Plotter LYNX-88 prints blank pages.", thread="p", ticket="HD-5")
    entries = [
        ("1-ticket", "Opened a ticket: plotter LYNX-88 prints blank pages", "open"),
        ("HD-5-take", "Okabe takes HD-5.", "waiting_for_support"),
        ("HD-5-resolve", "HD-5 is resolved.\nFix: ink pads of plotter LYNX-88 replaced", "resolved"),
        ("HD-5-close", "HD-5 is closed.", "closed"),
    ]
    done = [
        turn(name, words, thread="p", ticket="HD-5", minutes=n, author="okabe", role=Role.AGENT, status=status)
        for n, (name, words, status) in enumerate(entries, 1)
    ]
    await memory.remember(*OTHERS, report, *done)
    answer = await memory.answer("blank pages from plotter LYNX-88 in HD-5", "U0EMMA")
    others = {one.text for one in OTHERS}
    assert {one.quote for one in answer.evidence} - others == {report.text, done[2].text}
    assert done[2].text in [one.quote for one in answer.cited]


@pytest.mark.parametrize(
    ("report", "fix", "again", "now"),
    [
        (
            "売店のカード端末がピーと鳴り、XJ-4402と出ています。",
            "XJ-4402は用紙カバーが開いているという意味です。左右ともカチッと鳴るまで押してください。",
            ("カード端末にXJ-4402と出ます", "XJ-4402というエラーは何でしたか", "端末2でXJ-4402が出ました"),
            "カード端末にXJ-4402と出ました",
        ),
        (
            "Museum shop here. The card terminal at till 2 beeps and shows XJ-4402.",
            "XJ-4402 means that the paper cover is open. Press it down until it clicks on both sides.",
            ("Till 2 shows XJ-4402", "What was the error XJ-4402?", "the card terminal has XJ-4402"),
            "Card terminal shows XJ-4402",
        ),
    ],
    ids=["ja", "en"],
)
async def test_reports_that_nobody_answered_do_not_push_the_answer_out(
    memory: Remembering, report: str, fix: str, again: tuple[str, ...], now: str
) -> None:
    helped = (
        turn(1, report, thread="INC-7", ticket="INC-7", author="chloe"),
        turn(2, fix, thread="INC-7", ticket="INC-7", author="okabe", role=Role.AGENT),
    )
    reports = [turn(1, words, thread=f"INC-8{n}", ticket=f"INC-8{n}", author="emma") for n, words in enumerate(again)]
    await memory.remember(*OTHERS, *helped, *reports)
    quotes = [one.quote for one in (await memory.answer(now, LUCAS)).cited]
    assert fix in quotes
    assert not {one for one in quotes if one.endswith(("か", "?"))}


ENROL = "When the VPN does not connect, enrol the certificate again."


@pytest.mark.parametrize(
    ("fix", "question"),
    [
        (
            "社内VPNにつながらないときは証明書を登録し直してください。",
            "私のパスワードは [password-389f] です。VPNにつながりません",
        ),
        (ENROL, "My password is [password-389f] and the VPN does not connect"),
        (ENROL, "VPN does not connect (token [api-key-02bb])"),
    ],
)
async def test_what_stands_in_the_place_of_a_secret_is_not_looked_for(
    memory: Remembering, fix: str, question: str
) -> None:
    helped = turn(1, fix, thread="INC-7", ticket="INC-7", author="okabe", role=Role.AGENT)
    await memory.remember(*OTHERS, helped, said_by_lucas(1, question))
    assert [one.quote for one in (await memory.answer(question, LUCAS)).cited] == [fix]


async def test_a_question_that_is_nothing_but_a_secret_is_answered_with_nothing(memory: Remembering) -> None:
    await memory.remember(*OTHERS)
    assert (await memory.answer("[password-389f]", LUCAS)).kind is AnswerKind.ABSTAINED


@pytest.mark.parametrize(
    ("report", "resolved", "shared"),
    [
        ("調光卓DM-44が起動直後に落ちます", "HD-5 は解決しました。", "原因: 電池切れ\n対応: DM-44の電池を交換"),
        ("DM-44 goes down", "HD-5 is resolved.", "Cause: dead battery\nFix: DM-44's battery replaced"),
    ],
)
async def test_a_fix_that_was_shared_with_everyone_is_quoted_once(
    memory: Remembering, report: str, resolved: str, shared: str
) -> None:
    said = [
        turn(1, report, thread="p", ticket="HD-5"),
        turn(2, f"{resolved}\n{shared}", thread="p", ticket="HD-5", author="okabe", role=Role.AGENT, status="resolved"),
        turn(3, shared, thread="p", ticket="HD-5", author="okabe", role=Role.AGENT),
    ]
    await memory.remember(*OTHERS, *said)
    quotes = [one.quote for one in (await memory.answer(report, LUCAS)).cited]
    assert f"{resolved}\n{shared}" in quotes
    assert shared not in quotes
