"""An answer about one person does not rest on what another tells of themselves."""

from __future__ import annotations

from dataclasses import replace

from memory.answers import Evidence
from memory.model import Role
from memory.recall.subject import of_somebody_else
from tests.fakes.answers import evidence


def said(speaker: str, quote: str, role: Role = Role.REQUESTER) -> Evidence:
    return replace(evidence(quote), speaker=speaker, role=role)


MELANIE = said("Melanie", "I started running to clear my mind.")
CAROLINE = said("Caroline", "I love painting.")


def test_another_persons_own_story_answers_nothing() -> None:
    assert of_somebody_else("Why did Caroline start running?", [MELANIE], [CAROLINE, MELANIE])


def test_ones_own_story_answers() -> None:
    assert not of_somebody_else("Why did Melanie start running?", [MELANIE], [CAROLINE, MELANIE])


def test_one_piece_by_the_person_is_enough() -> None:
    assert not of_somebody_else("What does Caroline love?", [MELANIE, CAROLINE], [CAROLINE, MELANIE])


def test_who_speaks_of_the_person_answers() -> None:
    told = said("Melanie", "We saw that Caroline started running.")
    assert not of_somebody_else("Did Caroline start running?", [told], [CAROLINE, told])


def test_who_only_calls_the_person_by_name_speaks_of_themselves() -> None:
    for called in ("Hey Caroline, I started running!", "Thanks, Caroline! I ran.", "I ran today, Caroline."):
        told = said("Melanie", called)
        assert of_somebody_else("Did Caroline start running?", [told], [CAROLINE, told]), called


def test_support_speaks_of_others() -> None:
    told = said("nomura", "I enrolled the certificate again.", Role.AGENT)
    asked = said("sato", "My VPN fails.")
    assert not of_somebody_else("What fixed the VPN of sato?", [told], [asked, told])


def test_without_a_person_in_the_question_anybody_answers() -> None:
    assert not of_somebody_else("Why would one start running?", [MELANIE], [CAROLINE, MELANIE])


def test_a_person_who_does_not_speak_may_stand_in_the_words_by_another_name() -> None:
    assert not of_somebody_else("What did Okabe buy?", [MELANIE], [CAROLINE, MELANIE])


def test_a_statement_that_is_not_about_its_author_answers() -> None:
    told = said("Melanie", "The plotter moved to the second floor.")
    assert not of_somebody_else("Where is the plotter of Caroline?", [told], [CAROLINE, told])


def test_japanese_is_read_the_same_way() -> None:
    tanaka, sato = said("田中", "私はランプを買いました。"), said("佐藤", "机を買いました。")
    assert of_somebody_else("佐藤さんは何を買いましたか", [tanaka], [sato, tanaka])
    assert not of_somebody_else("田中さんは何を買いましたか", [tanaka], [sato, tanaka])
    called = said("田中", "佐藤さん、私はランプを買いました。")
    assert of_somebody_else("佐藤さんは何を買いましたか", [called], [sato, called])
    of_sato = said("田中", "私は佐藤さんがランプを買うのを見ました。")
    assert not of_somebody_else("佐藤さんは何を買いましたか", [of_sato], [sato, of_sato])


def test_a_name_may_be_written_otherwise_in_another_language() -> None:
    told = said("tanaka", "私は佐藤さんにランプを渡しました。")
    assert not of_somebody_else("What did sato get?", [told], [said("sato", "I need light."), told])


def test_nothing_cited_is_nobodys_story() -> None:
    assert not of_somebody_else("Why did Caroline start running?", [], [CAROLINE])
