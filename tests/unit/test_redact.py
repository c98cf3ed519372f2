"""What is taken out of a text, what is left alone, and that it costs the same whatever somebody writes."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from config.redaction import RedactionSettings
from memory.chat_model import Prompt
from memory.llm.redacting import RedactingModel
from memory.llm.scripted import ScriptedModel
from memory.redaction import redactor_of
from memory.text.redact import Redactor
from memory.text.secrets.found import Kind
from memory.text.secrets.view import view_of
from tests.unit.redaction_tables import HARMLESS, SECRETS, Leak

REDACTOR = Redactor(b"a key of tests")
PIECES = [leak.said for leak in SECRETS] + [
    *HARMLESS,
    "[password-3f2a]",
    "password",
    "パスワード",
    ":",
    "：",
    "は",
    " ",
    "\n",
]


def test_the_tables_are_as_large_as_is_promised() -> None:
    assert len({leak.hidden for leak in SECRETS}) >= 60
    assert len(set(HARMLESS)) >= 100


@pytest.mark.parametrize("leak", SECRETS, ids=lambda leak: f"{leak.kind}: {leak.text[:30]!r}")
def test_a_secret_is_taken_out_whole_and_the_words_around_it_stay(leak: Leak) -> None:
    redacted = REDACTOR.redact(leak.said)
    before, after = leak.text.replace("¦", "").split("{}")
    assert redacted.kinds == (leak.kind,)
    assert redacted.text.startswith(before)
    assert redacted.text.endswith(after)
    placeholder = redacted.text.removeprefix(before).removesuffix(after)
    assert placeholder.startswith(f"[{leak.kind}-")
    assert len(placeholder) == len(f"[{leak.kind}-0000]")


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_stays_byte_for_byte(text: str) -> None:
    redacted = REDACTOR.redact(text)
    assert (redacted.text, redacted.kinds) == (text, ())


def test_in_the_shipped_history_only_the_one_real_password_is_taken_out() -> None:
    """Below 2 % of its messages, which is what is promised; there are no false ones at all."""
    rows = (resources.files("bot") / "demo_history" / "history.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(row)["text"] for row in rows]
    changed = [text for text in texts if REDACTOR.redact(text).kinds]
    assert len(texts) == 377
    assert [("Kamome-Teapot42!" in text) for text in changed] == [True]


def test_the_same_secret_has_the_same_placeholder_wherever_and_however_it_is_written() -> None:
    texts = ["password: hunter2", "パスワードは「hunter2」です", "パスワード：ｈｕｎｔｅｒ２", "PW: hun\u200bter2"]
    placeholders = {placeholder for text in texts for placeholder in REDACTOR.redact(text).text.split("[")[1:]}
    assert len({placeholder.partition("]")[0] for placeholder in placeholders}) == 1
    assert REDACTOR.redact("password: hunter3").text != REDACTOR.redact("password: hunter2").text


def test_without_the_key_nobody_can_work_out_a_placeholder() -> None:
    said = [Redactor(bytes([number])).redact("PIN: 4821").text for number in range(20)]
    assert len(set(said)) > 10


async def test_no_model_is_told_a_secret_that_was_remembered_before_or_is_asked_with() -> None:
    model = ScriptedModel('{"note": "ok"}')
    asked = "The VPN does not take it; password: hunter2"
    prompt = Prompt(instructions="Answer.", material="(sato): PIN: 4821", question=asked)
    await RedactingModel(model, REDACTOR).ask(prompt, _Noted)
    assert "4821" not in str(model.asked)
    assert "hunter2" not in str(model.asked)
    [told] = model.asked
    assert told.instructions == "Answer."
    assert told.material == f"(sato): PIN: {_placeholder('PIN: 4821')}"
    assert told.question == f"The VPN does not take it; password: {_placeholder('password: hunter2')}"


class _Noted(BaseModel):
    note: str


def _placeholder(said: str) -> str:
    return REDACTOR.redact(said).text.rpartition(" ")[2]


def test_what_was_taken_out_can_be_read_off_the_text() -> None:
    redacted = REDACTOR.redact("password: hunter2, card 4111 1111 1111 1111, pwd=hunter3")
    assert redacted.kinds == (Kind.PASSWORD, Kind.CARD)
    assert REDACTOR.kinds_in(redacted.text) == (Kind.PASSWORD, Kind.CARD)
    assert REDACTOR.kinds_in("see [build-1a2b] and [password-XYZ1]") == ()


def test_kinds_that_are_switched_off_stay() -> None:
    redactor = redactor_of(RedactionSettings(card=False), b"key")
    said = "password: hunter2, card 4111 1111 1111 1111"
    assert redactor.redact(said).kinds == (Kind.PASSWORD,)
    assert "4111 1111 1111 1111" in redactor.redact(said).text


def test_the_administrators_patterns_are_taken_out_under_their_names() -> None:
    redactor = redactor_of(RedactionSettings(patterns={"staff-card": r"SC-\d{8}"}), b"key")
    redacted = redactor.redact("社員証 ＳＣ－１２３４５６７８ と SC-12345678 です")
    assert redacted.kinds == ("staff-card",)
    assert redacted.text.count("[staff-card-") == 2
    assert redactor.redact(redacted.text).text == redacted.text
    assert redactor.kinds_in(redacted.text) == ("staff-card",)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = REDACTOR.redact(text).text
    assert REDACTOR.redact(once).text == once


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_a_text_is_changed_only_where_something_was_found(text: str) -> None:
    redacted = REDACTOR.redact(text)
    assert (redacted.text == text) == (redacted.kinds == ())


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_what_is_looked_at_knows_where_it_stands_in_the_original(text: str) -> None:
    view = view_of(text)
    for place, character in enumerate(view.text):
        start, end = view.span(place, place + 1)
        assert end - start == 1
        assert character in view_of(text[start:end]).text


HOSTILE = (
    "password:",
    "パスワード：",
    "-----BEGIN PRIVATE KEY-----",
    "://a:",
    "ID/PW: a",
    "4111 1111 1111 1111 ",
    "eyJaaaaaaaaa.",
)


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.timeout(60)
def test_a_long_hostile_text_ends(piece: str) -> None:
    """200 kB. Work that grew with the square of the length would be over a hundred times what the limit allows."""
    text = (piece * (200_000 // len(piece) + 1))[:200_000]
    assert isinstance(REDACTOR.redact(text).text, str)
