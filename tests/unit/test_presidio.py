"""Personal data as presidio finds it: what the bot makes of that, with a small analyser in the library's place."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot.opening import open_words
from bot.presidio import finders_over
from config.loader import load_settings
from config.problems import ConfigProblems
from config.redaction import RedactionSettings
from memory.errors import ConfigInvalid, RedactionUnavailable, StoreUnavailable
from memory.model import Viewer
from memory.redaction import redacted_text, redactor_of
from memory.stores.sql import open_store
from memory.text.redact import Redactor
from tests.fakes.turns import NOON, turn

_FORMS = {"EMAIL_ADDRESS": r"[\w.]+@[\w.]+\w", "PHONE_NUMBER": r"\+\d[\d ]{7,}\d"}


@dataclass(frozen=True, slots=True)
class Result:
    entity_type: str
    start: int
    end: int


class SmallAnalyser:
    """Finds two entities by their form, and is sure of them to .8; notes what it was asked, and in which threads."""

    def __init__(self, failing: Exception | None = None) -> None:
        self.asked: list[tuple[str, str]] = []
        self.threads: set[int] = set()
        self._failing = failing

    def analyze(self, text: str, language: str, entities: list[str], score_threshold: float) -> Sequence[Result]:
        self.asked.append((text, language))
        self.threads.add(threading.get_ident())
        if self._failing:
            raise self._failing
        return [
            Result(entity, match.start(), match.end())
            for entity in entities
            for match in re.finditer(_FORMS.get(entity, r"(?!)"), text)
            if score_threshold <= 0.8
        ]


def redactor(analyser: SmallAnalyser, **settings: object) -> Redactor:
    given = RedactionSettings.model_validate({"presidio": True, **settings})
    return redactor_of(given, b"k" * 16, finders_over(analyser, given))


SAID = "Mail aya.sato@example.com or call +81 90 1234 5678 about PW: hunter2"


async def test_what_presidio_finds_is_taken_out_beside_secrets_and_its_author_is_told_of_secrets_alone() -> None:
    net = redactor(SmallAnalyser())
    kept = await redacted_text(SAID, net)
    pattern = r"Mail \[email-address-\w{4}\] or call \[phone-number-\w{4}\] about PW: \[password-\w{4}\]"
    assert re.fullmatch(pattern, kept)
    assert net.kinds_in(kept) == ("password",)
    assert await redacted_text(kept, net) == kept


async def test_it_runs_beside_the_event_loop_once_for_each_text() -> None:
    analyser = SmallAnalyser()
    net = redactor(analyser)
    await asyncio.gather(*(redacted_text(SAID, net) for _ in range(5)))
    assert threading.get_ident() not in analyser.threads
    assert {language for _, language in analyser.asked} == {"en"}
    assert [text for text, _ in analyser.asked].count(SAID) <= 5


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        ({"presidio_threshold": 0.9}, ("aya.sato@example.com", "+81 90 1234 5678")),
        ({"presidio_entities": ["PHONE_NUMBER"]}, ("aya.sato@example.com",)),
        ({"presidio_entities": ["EMAIL_ADDRESS"]}, ("+81 90 1234 5678",)),
    ],
)
async def test_only_the_entities_that_are_wanted_and_surely_found_are_taken_out(
    settings: dict[str, object], left: tuple[str, ...]
) -> None:
    kept = await redacted_text(SAID, redactor(SmallAnalyser(), **settings))
    assert tuple(one for one in ("aya.sato@example.com", "+81 90 1234 5678") if one in kept) == left


async def test_a_text_in_a_language_without_a_model_is_not_looked_through() -> None:
    analyser, said = SmallAnalyser(), "連絡先は aya.sato@example.com です。よろしくお願いします。"
    assert await redacted_text(said, redactor(analyser)) == said
    assert analyser.asked == []
    both = redactor(analyser, presidio_models={"en": "e", "ja": "j"})
    assert "aya.sato" not in await redacted_text(said, both)
    assert {language for _, language in analyser.asked} == {"ja"}


async def test_an_administrators_pattern_of_the_same_name_is_found_too_and_told() -> None:
    net = redactor(SmallAnalyser(), patterns={"email-address": "desk-at-example"})
    kept = await redacted_text("write to desk-at-example or aya.sato@example.com", net)
    assert kept.count("[email-address-") == 2
    assert net.kinds_in(kept) == ("email-address",)


@pytest.mark.parametrize("failure", [ValueError("bad"), RuntimeError("spacy"), MemoryError(), OSError("gone")])
async def test_what_could_not_be_looked_through_is_not_kept(tmp_path: Path, failure: Exception) -> None:
    settings = RedactionSettings(presidio=True)
    finders = finders_over(SmallAnalyser(failure), settings)
    url = f"sqlite:///{tmp_path}/helpdesk.db"
    async with open_store(url, busy_seconds=5, clock=lambda: NOON, redaction=settings, slow_finders=finders) as store:
        with pytest.raises(RedactionUnavailable, match="was not kept"):
            await store.mailbox.receive(turn(1, "The VPN is down, says aya.sato@example.com"))
        assert (await store.writing.counts())["turns"] == 0
    assert issubclass(RedactionUnavailable, StoreUnavailable), "so that a platform is not thanked for it"


async def test_what_is_kept_has_none_of_it(tmp_path: Path) -> None:
    settings = RedactionSettings(presidio=True)
    finders = finders_over(SmallAnalyser(), settings)
    url = f"sqlite:///{tmp_path}/helpdesk.db"
    async with open_store(url, busy_seconds=5, clock=lambda: NOON, redaction=settings, slow_finders=finders) as store:
        await store.mailbox.receive(said := turn(1, SAID))
        [kept] = await store.reading.turns([said.id], Viewer(user="sato"), NOON)
    assert not {"aya.sato", "1234"} & set(re.findall(r"aya\.sato|1234", kept.text))


@pytest.mark.skipif(find_spec("presidio_analyzer") is not None, reason="the extra is installed here")
async def test_without_the_extra_an_administrator_is_told_what_to_install(tmp_path: Path) -> None:
    file = tmp_path / "desk.yaml"
    file.write_text("redaction: {presidio: true}\n", encoding="utf-8")
    with pytest.raises(ConfigInvalid, match=r"pip install 'helpdesk-bot\[presidio\]'"):
        async with open_words(load_settings(file, {}), tmp_path, lambda: NOON):
            raise AssertionError("it opened")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("presidio_entities: [person]", "must be a name of presidio's, as EMAIL_ADDRESS"),
        ("presidio_entities: [CARD]", "is taken out already, whatever presidio finds; leave it out"),
        ("presidio_entities: []", "presidio_entities"),
        ("presidio_threshold: 1.5", "presidio_threshold"),
        ("presidio_models: {fr: fr_core}", "presidio_models"),
    ],
)
def test_settings_that_cannot_be_meant_are_told(tmp_path: Path, given: str, said: str) -> None:
    file = tmp_path / "desk.yaml"
    file.write_text(f"redaction:\n  presidio: true\n  {given}\n", encoding="utf-8")
    with pytest.raises(ConfigProblems) as refused:
        load_settings(file, {})
    assert said in str(refused.value)
