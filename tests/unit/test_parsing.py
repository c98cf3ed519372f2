"""What a model wrote is read for its meaning; what cannot be read is told apart and never raises."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.llm.loose_json import read_loosely
from memory.llm.parsing import Form, read_reply
from memory.llm.shapes import AssistantReply, EnrichmentReply, MasterReply, QuoteReply, outline_of, schema_of

ANSWER = MasterReply(answer='Roll back to "4.1.7".', cited=[2], supported=True)
WRITTEN = r'{"answer": "Roll back to \"4.1.7\".", "cited": [2], "supported": true}'


def test_strict_json_of_the_shape_is_exact() -> None:
    reading = read_reply(WRITTEN, MasterReply)
    assert (reading.form, reading.value) == (Form.EXACT, ANSWER)


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{WRITTEN}\n```",
        f"```\n{WRITTEN}",
        f"Here is the answer:\n{WRITTEN}\nI hope {{this}} helps!",
        f"<think>maybe {{'answer': 1}}</think>{WRITTEN}",
        f"\ufeff  {WRITTEN}",
        f'{{"result": {WRITTEN}}}',
        f'{{"status": "ok", "data": {{"reply": {WRITTEN}}}}}',
        json.dumps({"reply": WRITTEN}),
        f"[{WRITTEN}]",
        json.dumps({"type": "object", "properties": json.loads(WRITTEN)}),
        "{'answer': 'Roll back to \"4.1.7\".', 'cited': [2,], 'supported': True,}",
        '{answer: "Roll back to "4.1.7".", cited: ["[2]"], supported: yes /* sure */}',
        '{"answer": "Roll back to \\"4.1.7\\".", "cited": [2], "suppor',
        '{"answer": "Roll back to \\"4.1.7\\".", "cited": [2, 1',
        '{"answer": “Roll back to "4.1.7".”, "cited": 2}',
    ],
)
def test_tolerance_finds_the_same_answer(text: str) -> None:
    assert read_reply(text, MasterReply).value == ANSWER


@pytest.mark.parametrize(
    ("text", "form", "problem"),
    [
        ("", Form.EMPTY, "the reply was empty"),
        (" \n\ufeff", Form.EMPTY, "the reply was empty"),
        ("<think>still thinking", Form.EMPTY, "the reply was empty"),
        ("I do not know.", Form.LOOSE, "the reply was not JSON"),
        ("42", Form.LOOSE, "the reply was not a JSON object"),
        ('{"weather": "fine"}', Form.JSON, "these fields were missing or wrong: answer"),
        (
            '{"answer": null, "supported": "perhaps"}',
            Form.JSON,
            "these fields were missing or wrong: answer, supported",
        ),
        (
            json.dumps(schema_of(MasterReply)),
            Form.JSON,
            "the reply repeated the form instead of filling it in",
        ),
        (outline_of(MasterReply), Form.JSON, "the reply repeated the form instead of filling it in"),
        ('{"answer": "The VPN was fi', Form.LOOSE, "these fields were missing or wrong: answer"),
        ("[" * 100_000, Form.LOOSE, "the reply was not a JSON object"),
        ("{" * 100_000, Form.LOOSE, "these fields were missing or wrong: answer"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, form: Form, problem: str) -> None:
    reading = read_reply(text, MasterReply)
    assert (reading.value, reading.form, reading.problem) == (None, form, problem)


@pytest.mark.parametrize("shape", [AssistantReply, MasterReply, EnrichmentReply])
def test_an_echo_of_the_schema_is_never_an_answer(shape: type[AssistantReply | MasterReply | EnrichmentReply]) -> None:
    schema = schema_of(shape)
    for echo in (schema, shape.model_json_schema(), schema["properties"], json.loads(outline_of(shape))):
        assert read_reply(json.dumps(echo), shape).value is None
        assert read_reply(f"```json\n{json.dumps(echo)}\n```", shape).value is None


@pytest.mark.parametrize(
    "text",
    [
        '{"evidence": [{"quote": "再起動した", "turn": 3, "confidence": 0.9}]}',
        '[{"quote": "再起動した", "turn": "[3]", "confidence": "0.9"}]',
        '{"quote": "再起動した", "turn": 3.0, "confidence": 0.9}',
        '{"evidence": {"quote": "再起動した", "turn": 3, "confidence": 0.9}}',
        '{"evidence": [{"quote": "再起動した", "turn": 3, "confidence": 0.9}, {"turn": 4}, 7, {"quote": "切れ',
    ],
)
def test_one_quote_is_read_however_it_is_listed(text: str) -> None:
    assert read_reply(text, AssistantReply).value == AssistantReply(
        evidence=[QuoteReply(quote="再起動した", turn=3, confidence=0.9)]
    )


@pytest.mark.parametrize(
    ("written", "confidence"),
    [("7", 1.0), ("-3", 0.0), ('"high"', 0.5), ("NaN", 0.5), ("Infinity", 0.5), ("true", 0.5)],
)
def test_confidence_is_always_between_nothing_and_one(written: str, confidence: float) -> None:
    value = read_reply(f'{{"evidence": [{{"quote": "ab", "confidence": {written}}}]}}', AssistantReply).value
    assert value is not None
    assert value.evidence[0].confidence == confidence


def test_no_evidence_is_a_reply() -> None:
    assert read_reply('{"evidence": []}', AssistantReply).value == AssistantReply(evidence=[])


def test_control_characters_and_halves_of_characters_are_left_out() -> None:
    value = read_reply(r'{"answer": "a\u0000b\ud83dc\u001b", "cited": []}', MasterReply).value
    assert value is not None
    assert value.answer == "abc"


def test_lists_of_an_enrichment_are_unique_short_and_bounded() -> None:
    words = ["VPN", "VPN", "", "...", 5, "x" * 81, *(f"w{number}" for number in range(20))]
    value = read_reply(json.dumps({"summary": "s", "keywords": words, "tags": "a, b, a"}), EnrichmentReply).value
    assert value is not None
    assert value.keywords == ["VPN", "w0", "w1", "w2", "w3", "w4", "w5", "w6"]
    assert value.tags == ["a", "b"]


def test_the_schema_names_every_field_and_forbids_others_without_references() -> None:
    schema = schema_of(AssistantReply)
    assert schema["required"] == ["evidence"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["evidence"]["items"]["required"] == ["quote", "turn", "confidence"]
    assert "$ref" not in json.dumps(schema)


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.text(alphabet="{}[]:,\"'\\ \nab1.eu/*<>") | st.text())
def test_nothing_that_is_written_raises(text: str) -> None:
    for shape in (AssistantReply, MasterReply, EnrichmentReply):
        read_reply(text, shape)


@given(st.dictionaries(st.text(), _json, min_size=1, max_size=4))
def test_what_is_cut_off_keeps_only_what_was_complete(value: dict[str, object]) -> None:
    text = json.dumps(value, ensure_ascii=False)
    for end in range(1, len(text), max(1, len(text) // 8)):
        kept = read_loosely(text[:end])
        assert isinstance(kept, dict)
        assert set(kept) <= set(value)


FACT = {"subject": "price list", "predicate": "owner", "value": "Bauer", "text": "Bauer has the price list."}


@pytest.mark.parametrize(
    ("given", "turns", "when"),
    [
        ({"turns": [2, "[3]"], "when": "since May"}, [2, 3], "since May"),
        ({"turn": 2}, [2], ""),
        ({"turns": "2, 3"}, [2, 3], ""),
        ({"turns": None, "when": None}, [], ""),
        ({"turns": {"a": 1}, "when": ["x"]}, [1], ""),
    ],
)
def test_a_fact_takes_what_small_models_send_for_turns(given: dict[str, object], turns: list[int], when: str) -> None:
    value = read_reply(
        json.dumps({"summary": "s", "keywords": [], "facts": [{**FACT, **given}]}), EnrichmentReply
    ).value
    assert value is not None
    [fact] = value.facts
    assert (fact.turns, fact.when) == (turns, when)


def test_numbers_are_values_and_facts_are_bounded() -> None:
    facts = [{**FACT, "value": number} for number in range(30)]
    value = read_reply(json.dumps({"summary": "s", "keywords": [], "facts": facts}), EnrichmentReply).value
    assert value is not None
    assert [fact.value for fact in value.facts] == [str(number) for number in range(12)]


def test_a_reply_that_is_cut_off_among_its_facts_keeps_its_note() -> None:
    text = json.dumps({"summary": "s", "keywords": ["k"], "facts": [FACT, FACT]})
    value = read_reply(text[:-60], EnrichmentReply).value
    assert value is not None
    assert (value.summary, value.keywords, len(value.facts)) == ("s", ["k"], 1)
