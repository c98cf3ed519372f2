"""Properties of the whole configuration: no jargon in any problem, and what is shown of the settings in force."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from config.display import config_hash, show
from config.loader import load_settings
from config.problems import ConfigProblems, Problem
from config.schema import Settings
from config.tree import settings as walk

MASTER = "models:\n  master:\n    base_url: http://127.0.0.1:8080/v1\n    model: m\n"


def settings_of(text: str, tmp_path: Path, **environment: str) -> Settings:
    file = tmp_path / "desk.yaml"
    file.write_text(text, encoding="utf-8")
    return load_settings(file, environment)


WRONG = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=5),
    st.just([1]),
    st.just({}),
)


@given(wrong=WRONG, setting=st.sampled_from([each.path for each in walk()]))
def test_no_value_at_all_brings_out_the_jargon_of_the_library(
    wrong: Any, setting: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Any wrong value anywhere is either accepted or told in our own sentences, at the setting or below it."""
    tree: Any = wrong
    for name in reversed(setting):
        tree = {name: tree}
    text = StringIO()
    YAML(typ="safe", pure=True).dump(tree, text)
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_text(text.getvalue(), encoding="utf-8")
    try:
        load_settings(file, {})
    except ConfigProblems as problems:
        for problem in problems.problems:
            assert problem.line is not None
            assert "Input should" not in problem.sentence
            assert "cannot be used" not in problem.sentence
            assert "\n" not in str(problem)


def test_what_is_shown_can_be_read_back_and_holds_no_secret(tmp_path: Path) -> None:
    text = f"{MASTER}    api_key: ${{KEY}}\nstore:\n  url: postgresql://desk:${{PW}}@db/desk\nbot:\n  name: ヘルプ\n"
    shown = show(settings_of(text, tmp_path, KEY="k-secret", PW="p-secret"))
    assert "secret" not in shown
    assert "api_key: '****'" in shown
    assert "url: postgresql://desk:****@db/desk" in shown
    assert "name: ヘルプ" in shown


def test_the_shown_defaults_are_a_valid_file_of_the_same_settings(tmp_path: Path) -> None:
    assert settings_of(show(Settings()), tmp_path) == Settings()


def test_the_hash_follows_values_and_ignores_secrets_and_spelling(tmp_path: Path) -> None:
    plain = config_hash(settings_of(MASTER, tmp_path))
    assert (
        config_hash(settings_of(f"{MASTER}    api_key: ${{K}}\n    timeout_seconds: 30.0\n", tmp_path, K="x")) == plain
    )
    assert config_hash(settings_of(MASTER.replace("model: m", "model: n"), tmp_path)) != plain
    assert len(plain) == 12


def test_a_problem_without_a_line_names_only_the_file() -> None:
    assert str(Problem(file="a.yaml", line=None, path=(), sentence="is gone")) == "a.yaml: is gone"
