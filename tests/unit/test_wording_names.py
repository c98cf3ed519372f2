"""Sentences that an administrator changes: by name, in either language, and never so that one cannot be said."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any, cast

import pytest

from bot.configured import configured
from config.problems import ConfigProblems
from config.schema import Settings
from config.wording import WordingSettings
from handlers.acts.aside_replies import aside_reply, person_reply
from handlers.acts.asides import Aside
from handlers.replies import regret_text
from handlers.slack.acts.answer_end import answer_end
from handlers.teams.cards import help_card, welcome_card
from handlers.teams.records import Place
from handlers.wording_names import sentences, wording_conflicts, wording_of
from handlers.wordings import SHIPPED
from memory.errors import StoreUnavailable
from tests.fakes.source import Module, modules


def problems_of(text: str, folder: Path) -> list[str]:
    path = folder / "desk.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigProblems) as found:
        configured(path, {})
    return [str(problem).removeprefix(f"{folder}/") for problem in found.value.problems]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ja: {greting: やあ}", "wording.ja.greting: there is no such sentence; did you mean greeting?"),
        ("en: {thanks: Ta}", "wording.en.thanks: there is no such sentence; did you mean acts.thanks?"),
        ("en: {xyzzy: a}", "wording.en.xyzzy: there is no such sentence; `helpdesk config wording` lists all"),
        ("ja: {language: fr}", "wording.ja.language: there is no such sentence"),
        ("en: {more: some more}", "wording.en.more: must have exactly these blanks: {count}"),
        ("en: {more: '{count} {name}'}", "wording.en.more: must have exactly these blanks: {count}"),
        ("en: {more: '{count:%Y}'}", "wording.en.more: must have exactly these blanks: {count}"),
        ("en: {more: '{count.real}'}", "wording.en.more: must have exactly these blanks: {count}"),
        ("en: {more: '{count'}", "wording.en.more: has a { or } without the other one"),
        ("en: {more: '{count} {{}}'}", "wording.en.more: has a { or } without the other one"),
        ("ja: {greeting: '{name}さん'}", "wording.ja.greeting: must have no { or }: nothing is filled in there"),
        ("ja: {greeting: ''}", "wording.ja.greeting: must say something"),
        ("ja: {greeting: '　'}", "wording.ja.greeting: must say something"),
        ('ja: {greeting: "a\\u202eb"}', "wording.ja.greeting: has a control character in it; delete that"),
        ('ja: {greeting: "a\\e[31mb"}', "wording.ja.greeting: has a control character in it; delete that"),
        ('ja: {greeting: "a\\nb"}', "wording.ja.greeting: must be on one line"),
        (f"ja: {{greeting: {'あ' * 1001}}}", "wording.ja.greeting: must have 1000 characters or fewer"),
        (f"en: {{acts.form_title: {'a' * 25}}}", "wording.en.acts.form_title: must have 24 characters or fewer"),
        ("en: {degraded: {model: a}}", "wording.en.degraded: must be a text"),
        ("fr: {greeting: Salut}", "wording.fr: there is no such setting"),
    ],
)
def test_a_sentence_that_could_not_be_said_is_told_with_its_line(text: str, problem: str, tmp_path: Path) -> None:
    [told] = problems_of(f"wording:\n  {text}\n", tmp_path)
    assert told.startswith(f"desk.yaml:2: {problem}")


def test_the_shipped_sentences_are_ones_that_an_administrator_could_write() -> None:
    settings = Settings(wording=WordingSettings(ja=dict(sentences(SHIPPED.ja)), en=dict(sentences(SHIPPED.en))))
    assert list(wording_conflicts(settings)) == []
    assert wording_of(settings.wording) == SHIPPED


def test_both_languages_have_the_same_sentences() -> None:
    assert sentences(SHIPPED.ja).keys() == sentences(SHIPPED.en).keys()


@pytest.mark.parametrize("language", ["ja", "en"])
def test_each_sentence_can_be_changed_alone(language: str) -> None:
    shipped = sentences(getattr(SHIPPED, language))
    for name, sentence in shipped.items():
        changed = wording_of(WordingSettings.model_validate({language: {name: f"{sentence}※"}}))
        assert dict(sentences(getattr(changed, language))) == {**shipped, name: f"{sentence}※"}
        other = "en" if language == "ja" else "ja"
        assert getattr(changed, other) == getattr(SHIPPED, other)


def _marked(shipped: Mapping[str, str], mark: str) -> dict[str, str]:
    return {name: f"{sentence}{mark}" for name, sentence in shipped.items()}


WORDING = wording_of(WordingSettings(ja=_marked(sentences(SHIPPED.ja), "※"), en=_marked(sentences(SHIPPED.en), "§")))


@pytest.mark.parametrize(("language", "mark"), [("ja", "※"), ("en", "§")])
def test_replies_buttons_and_cards_say_what_the_administrator_wrote(language: str, mark: str) -> None:
    regret = regret_text(StoreUnavailable(), kept=False, language=language, reference="r1", wording=WORDING)
    assert regret.count(mark) == 2
    assert mark in aside_reply(Aside.THANKS, language, wording=WORDING).text
    person = person_reply("{button}", None, language, contact="", wording=WORDING)
    [button] = answer_end("t1", person, wording=WORDING)
    [[shown]] = [cast(list[Any], button["elements"])]
    assert shown["text"]["text"].endswith(mark)
    for card in (
        welcome_card(language, Place.PERSONAL, wording=WORDING),
        help_card(language, Place.PERSONAL, wording=WORDING),
    ):
        [attachment] = cast(list[Any], card.content["attachments"])
        assert attachment["content"]["fallbackText"].endswith(mark)
        assert attachment["content"]["body"][0]["text"].endswith(mark)


# --- whoever can be told the wording is told --------------------------------------------------------------------------


def _taking(module: Module) -> Iterator[str]:
    """The functions and classes of a module that take a wording."""
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _takes(node):
            yield node.name
        if isinstance(node, ast.ClassDef):
            made = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
            declared = [
                one.target.id
                for one in node.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            ]
            if any(map(_takes, made)) or "wording" in declared:
                yield node.name


def _takes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return "wording" in [one.arg for one in (*function.args.args, *function.args.kwonlyargs)]


def _forgetting(module: Module, taking: Mapping[str, Set[str]]) -> Iterator[str]:
    """The calls in a module that leave out the wording of what takes one."""
    known = set(taking.get(module.dotted, ()))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            known |= {alias.name for alias in node.names} & taking.get(node.module or "", set())
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in known:
            given = [one.arg for one in node.keywords] + [ast.unparse(one).rpartition(".")[2] for one in node.args]
            if "wording" not in given:
                yield f"{module.name}:{node.lineno} {node.func.id}"


def test_nobody_who_takes_a_wording_is_left_with_the_shipped_one() -> None:
    """A default exists for tests; a call in the program that forgets it would speak in words that nobody chose."""
    taking = {module.dotted: set(_taking(module)) for module in modules() if not module.name.startswith("config/")}
    assert sum(map(len, taking.values())) > 20
    assert sorted(found for module in modules() for found in _forgetting(module, taking)) == []
