"""How channels add up, and the second look at the best turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta

import pytest

from config.recall import GraphSettings, RecallPart
from memory.index_ports import Pointer
from memory.model import Question, Viewer
from memory.recall.connections import Connected
from memory.recall.evidence import share_of_best
from memory.recall.intent import Intent, means_own, read_intent
from memory.recall.parts import CHANNELS_OF, channels_of, not_searched
from memory.recall.pathways import PATHWAY_OF, Channel, Findings, Found, Pathway
from memory.recall.rerank import WEIGHTS, Scored, rank
from memory.recall.second_look import second_look
from memory.recall.support import admitted, doors_of, support

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
NO_GRAPH = frozenset({Channel.GRAPH})


def pointer(name: str, episode: str = "e", position: int = 0, length: int = 1) -> Pointer:
    return Pointer(
        episode=episode,
        turn=name,
        position=position,
        length=length,
        speaker="sato",
        requester="sato",
        language="en",
        said_at=NOON + timedelta(minutes=position),
    )


def scored(name: str, score: float, episode: str = "e", position: int = 0) -> Scored:
    return by_shipped_weights(pointer(name, episode, position), {Channel.WORDS_TURN: score})


def by_shipped_weights(of: Pointer, parts: Mapping[Channel, float]) -> Scored:
    return Scored(pointer=of, score=sum(parts.values()), parts=parts, shipped=parts)


def looked(
    found: Sequence[Scored], texts: Mapping[str, str], intent: Intent, without: Set[Channel]
) -> tuple[list[Scored], Findings]:
    """A second look at turns that no event and no link connects."""
    return second_look(found, texts, intent, without, Connected(), GraphSettings(), WEIGHTS)


def order(ranked: list[Scored]) -> list[tuple[str | None, float]]:
    return [(one.pointer.turn, round(one.score, 6)) for one in ranked]


# --- channels ---------------------------------------------------------------------------------------------------------


def test_a_turn_means_what_the_best_of_its_statements_does_and_its_window_what_the_whole_does() -> None:
    findings = Findings(
        channels={
            Channel.MEANING_TURN: [Found(pointer=pointer("a"), value=0.2)],
            Channel.MEANING_STATEMENT: [
                Found(pointer=pointer("a"), value=0.6),
                Found(pointer=pointer("a"), value=0.4),
            ],
        }
    )
    [only] = rank(findings, {}, WEIGHTS)
    assert only.parts[Channel.MEANING_TURN] == pytest.approx(0.6 * WEIGHTS[Channel.MEANING_TURN])
    assert only.parts[Channel.MEANING_WINDOW] == pytest.approx(0.2 * WEIGHTS[Channel.MEANING_WINDOW])
    assert only.parts[Channel.MEANING_EPISODE] == pytest.approx(0.2 * WEIGHTS[Channel.MEANING_EPISODE])


def test_a_turn_is_found_by_a_statement_alone() -> None:
    findings = Findings(channels={Channel.MEANING_STATEMENT: [Found(pointer=pointer("a"), value=0.5)]})
    assert order(rank(findings, {}, WEIGHTS)) == [("a", 0.5 * WEIGHTS[Channel.MEANING_TURN])]


def test_a_channel_that_is_left_out_has_no_weight() -> None:
    findings = Findings(
        channels={
            Channel.MEANING_TURN: [Found(pointer=pointer("a"), value=0.5)],
            Channel.WORDS_TURN: [Found(pointer=pointer("a"), value=0.5)],
        }
    )
    [only] = rank(findings, {}, WEIGHTS, without=channels_of([RecallPart.TURN]))
    assert set(only.parts) == {Channel.MEANING_WINDOW, Channel.MEANING_EPISODE}


# --- parts ------------------------------------------------------------------------------------------------------------


def test_every_part_has_its_channels_and_every_channel_is_part_of_one() -> None:
    assert set(CHANNELS_OF) == set(RecallPart)
    assert channels_of(RecallPart) == set(Channel)
    assert channels_of([]) == frozenset()


def test_the_meaning_of_turns_is_searched_as_long_as_windows_or_episodes_need_it() -> None:
    assert Channel.MEANING_TURN not in not_searched(channels_of([RecallPart.TURN]))
    assert Channel.MEANING_TURN in not_searched(channels_of([RecallPart.MEANING]))


# --- the second look --------------------------------------------------------------------------------------------------


def test_a_turn_that_only_asks_gives_way_to_one_that_tells() -> None:
    ranked, _ = looked(
        [scored("asks", 1.9), scored("tells", 1.5)],
        {"asks": "Did you restart it?", "tells": "I restarted it."},
        Intent(asks=True),
        NO_GRAPH,
    )
    assert order(ranked) == [("tells", 1.5), ("asks", 1.4)]
    assert ranked[1].parts[Channel.ASKS] == pytest.approx(-0.5)


def test_words_that_ask_nothing_may_be_found_in_a_question() -> None:
    found = [scored("asks", 1.9), scored("tells", 1.5)]
    ranked, _ = looked(found, {"asks": "Did you restart it?", "tells": "I did."}, Intent(), NO_GRAPH)
    assert order(ranked) == order(found)
    assert not read_intent(asked("restarting the label printer")).asks
    assert read_intent(asked("ラベルプリンターは再起動しましたか")).asks


def test_no_turn_loses_more_than_half_of_its_score() -> None:
    ranked, _ = looked([scored("asks", 0.4)], {"asks": "Did you restart it?"}, Intent(asks=True), NO_GRAPH)
    assert order(ranked) == [("asks", 0.2)]


def test_who_wants_several_things_finds_them_in_several_conversations() -> None:
    """Each better turn of the same episode costs .06."""
    found = [scored("a1", 1.0, "a", 0), scored("a2", 0.98, "a", 1), scored("a3", 0.96, "a", 2), scored("b1", 0.9, "b")]
    texts = dict.fromkeys(("a1", "a2", "a3", "b1"), "It works.")
    ranked, _ = looked(found, texts, Intent(several=True), NO_GRAPH)
    assert order(ranked) == [("a1", 1.0), ("a2", 0.92), ("b1", 0.9), ("a3", 0.84)]
    as_they_were, _ = looked(found, texts, Intent(), NO_GRAPH)
    assert order(as_they_were) == order(found)


def test_association_brings_up_a_turn_that_names_the_same_rare_thing_and_admits_its_episode() -> None:
    found = [scored("hit", 2.0, "a"), *(scored(f"n{number}", 1.0, f"n{number}") for number in range(8))]
    texts = {f"n{number}": f"nothing here {number}" for number in range(8)} | {"hit": "the valve Tonbo is stuck"}
    texts["n7"] = "Tonbo was oiled in spring"
    ranked, associated = looked(found, texts, Intent(), frozenset())
    assert order(ranked)[1] == ("n7", 1.0 + WEIGHTS[Channel.GRAPH])
    words = Findings(channels={Channel.WORDS_TURN: [Found(pointer=pointer("hit", "a"), value=1.0)]})
    let_in = {
        entry.scored.pointer.episode: entry.pathways for entry in admitted(doors_of(words.beside(associated)), ranked)
    }
    assert PATHWAY_OF[Channel.GRAPH] is Pathway.ASSOCIATIVE
    assert let_in["n7"] == (Pathway.ASSOCIATIVE,)
    assert "n3" not in let_in


# --- what a question wants --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "What activities does Melanie enjoy?",
        "Which European countries has Maria been to?",
        "What kind of errors come from the label printer?",
        "How many tournaments has Nate won?",
        "What do Jon and Gina both have in common?",
        "What has the vendor replaced?",
        "What are Melanie's pets' names?",
        "今年プリンターの故障は何件ありましたか",
        "NJ-3107が3月と10月に出た原因をそれぞれ教えてください",
        "停止の予定をすべて教えて",
    ],
)
def test_a_question_for_several_things(text: str) -> None:
    assert read_intent(asked(text)).several


@pytest.mark.parametrize(
    "text",
    [
        "What is Jon's favorite style of dance?",
        "What does this error mean?",
        "When did Nate get Tilly?",
        "What was Maria's reason to move?",
        "BL-61の原因は何ですか",
        "今の担当は誰ですか",
        "いくつか質問してもいいですか",
    ],
)
def test_a_question_for_one_thing(text: str) -> None:
    assert not read_intent(asked(text)).several


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("What did I ask last week?", True),
        ("Have we reported this before?", True),
        ("I asked about the VPN last week", True),
        ("先週私が聞いた件はどうなりましたか", True),
        ("先週問い合わせた者ですが", True),
        ("先月も同じのが出ましたが、原因は何でしたか", True),
        ("ハンディが、またWi-Fiにつながりません。先月の処置を教えて", True),
        ("有線または無線が使えますか", False),
        ("Did I need a form for this?", False),
        ("What did Jon ask last week?", False),
        ("私が使うプリンターはどれですか", False),
    ],
)
def test_who_speaks_of_a_request_of_their_own_is_understood(text: str, own: bool) -> None:
    assert read_intent(asked(text)).own is own


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("I asked about the VPN last week, it is happening again", True),
        ("先週問い合わせた件ですが、また同じ症状です", True),
        ("Who looks after the signage again?", False),
        ("サイネージの担当がまた分からなくなりました。どなたですか", False),
        ("Who looked after the signage last week?", False),
    ],
)
def test_an_earlier_request_is_meant_where_its_time_is_named(text: str, meant: bool) -> None:
    assert means_own(asked(text)) is meant


def asked(text: str) -> Question:
    return Question(text=text, viewer=Viewer(user="sato"), now=NOON)


# --- support ----------------------------------------------------------------------------------------------------------


def test_whose_it_is_and_when_count_as_the_subject_only_for_who_speaks_of_a_request_of_their_own() -> None:
    parts = {Channel.WORDS_TURN: 1.0, Channel.PERIOD: 0.6, Channel.OWN: 0.3}
    found = by_shipped_weights(pointer("a"), parts)
    assert support([found], Intent()) == pytest.approx(0.2 + 0.3 * 1.0)
    assert support([found], Intent(own=True)) == pytest.approx(0.2 + 0.3 * 1.9)
    of_others = by_shipped_weights(pointer("a"), {Channel.WORDS_TURN: 1.0, Channel.PERIOD: 0.6})
    assert support([of_others], Intent(own=True)) == pytest.approx(0.2 + 0.3 * 1.0)


def found_by(values: Mapping[str, Mapping[Channel, float]]) -> Findings:
    """Turns by name, each with the values of its channels."""
    channels = {channel for of in values.values() for channel in of}
    return Findings(
        channels={
            channel: [
                Found(pointer=pointer(name, name), value=of[channel]) for name, of in values.items() if channel in of
            ]
            for channel in channels
        }
    )


@pytest.mark.parametrize("weight", [0.0, 0.5, 20.0])
def test_what_the_weights_bring_to_the_top_does_not_change_what_is_thought_to_be_known(weight: float) -> None:
    """By the shipped weights `a` is the best, with words of 1.0 at .5 and an exact name of .5 at 2.0: a fit of 1.5."""
    findings = found_by({"a": {Channel.WORDS_TURN: 1.0, Channel.EXACT: 0.5}, "b": {Channel.WORDS_EPISODE: 1.0}})
    weights = {**WEIGHTS, Channel.WORDS_EPISODE: weight, Channel.WORDS_TURN: 0.0, Channel.EXACT: 0.0}
    assert support(rank(findings, {}, weights), Intent()) == pytest.approx(0.2 + 0.3 * 1.5)


@pytest.mark.parametrize("weight", [0.0, 2.0])
def test_a_code_that_stands_there_is_known_whatever_exact_names_are_worth(weight: float) -> None:
    findings = found_by({"a": {Channel.WORDS_TURN: 1.0, Channel.EXACT: 0.5}})
    ranked = rank(findings, {}, {**WEIGHTS, Channel.EXACT: weight})
    assert support(ranked, Intent(codes=("bl-61",))) == pytest.approx(0.2 + 0.3 * 1.5)


def test_a_second_look_counts_for_what_is_known_where_it_counts_nothing_for_the_order() -> None:
    """Of 1.9 and 1.8 by words, the first only asks and loses .5: by the shipped weights the second is the best."""
    weights = {**WEIGHTS, Channel.ASKS: 0.0}
    ranked, _ = second_look(
        [scored("asks", 1.9), scored("tells", 1.8)],
        {"asks": "Did you restart it?", "tells": "I restarted it."},
        Intent(asks=True),
        NO_GRAPH,
        Connected(),
        GraphSettings(),
        weights,
    )
    assert order(ranked) == [("asks", 1.9), ("tells", 1.8)]
    assert support(ranked, Intent(asks=True)) == pytest.approx(0.2 + 0.3 * 1.8)


def test_where_nothing_that_counts_was_found_all_turns_are_trusted_alike() -> None:
    assert (share_of_best(0.0, 0.0), share_of_best(0.5, 2.0)) == (1.0, 0.25)
