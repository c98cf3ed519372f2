"""What is quoted where no model writes an answer, and when nothing is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory.answers import Evidence
from memory.model import Role
from memory.recall.evidence import no_surer
from memory.recall.extractive import ExtractiveMaster
from memory.recall.voices import Verdict
from tests.fakes.answers import evidence
from tests.fakes.small_desk import question

ASKED = "収蔵庫Bのロガーの電池は何か月ごとに交換ですか？"


def asks(quote: str, message: str = "1", *, ticket: str = "INC-1051", speaker: str = "kobayashi") -> Evidence:
    return replace(evidence(quote, ticket=ticket, message=message, speaker=speaker), role=Role.REQUESTER)


async def verdict(*found: Evidence, asked: str = ASKED) -> Verdict:
    return await ExtractiveMaster().answer(question(asked), "ja", (), found)


SAME = asks("ロガーの電池は何か月ごとに交換すればよいのでしょうか。型番は裏に SK-B と書いてあります。")
NUDGE = asks("どなたかご存じですか？ 🙂", "3")
RECEIPT = replace(evidence("受け付けました。", ticket="INC-1051", message="2", speaker="helpbot"), role=Role.BOT)


@pytest.mark.parametrize("found", [(SAME,), (SAME, NUDGE), (SAME, RECEIPT)], ids=["alone", "nudged", "acknowledged"])
async def test_a_ticket_in_which_nobody_knew_answers_nothing(found: tuple[Evidence, ...]) -> None:
    assert await verdict(*found) == Verdict(abstained=True)


async def test_with_an_answer_of_somebody_else_both_are_quoted() -> None:
    told = evidence("電池は半年ごとです。", ticket="INC-1051", message="4")
    assert (await verdict(SAME, told)).cited == (0, 1)


async def test_who_names_the_ticket_reads_it() -> None:
    assert (await verdict(SAME, asked="INC-1051 の状況は？")).cited == (0,)


async def test_who_means_an_own_request_reads_it() -> None:
    assert (await verdict(SAME, asked="先週問い合わせたロガーの電池の件です")).cited == (0,)


async def test_what_somebody_only_reports_is_quoted() -> None:
    assert (await verdict(asks("収蔵庫Bのロガーの電池が切れました。"))).cited == (0,)


def test_what_settled_a_ticket_is_trusted_little_more_than_its_best_turn() -> None:
    fix = evidence("Renew the certificate.", ticket="INC-1067", confidence=0.7)
    near = evidence("The VPN is down.", ticket="INC-1067", message="1", confidence=0.5)
    far = evidence("The VPN is down.", ticket="INC-1067", message="1", confidence=0.1)
    assert [one.confidence for one in no_surer([fix], [near])] == pytest.approx([0.6])
    assert [one.confidence for one in no_surer([fix], [far])] == pytest.approx([0.12])
    assert [one.confidence for one in no_surer([fix], [replace(near, confidence=0.9)])] == [0.7]
    assert [one.confidence for one in no_surer([fix], [])] == [0.0]
