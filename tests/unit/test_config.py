"""What a configuration file may say, and what an admin is told about one that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.configured import configured
from config.loader import load_settings
from config.problems import ConfigProblems, dotted
from config.recall import RecallMode
from config.schema import IndexKind, Language, ModelSettings, Settings


def settings_of(text: str | bytes, tmp_path: Path, **environment: str) -> Settings:
    file = tmp_path / "desk.yaml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_settings(file, environment)


def problems_of(text: str | bytes, tmp_path: Path, **environment: str) -> list[str]:
    """The problems as an admin reads them, without the folder."""
    with pytest.raises(ConfigProblems) as caught:
        settings_of(text, tmp_path, **environment)
    return [str(problem).removeprefix(f"{tmp_path}/") for problem in caught.value.problems]


MASTER = "models:\n  master:\n    base_url: http://127.0.0.1:8080/v1\n    model: m\n"


# --- what is read ---------------------------------------------------------------------------------------------------


def test_without_a_file_the_defaults_hold() -> None:
    assert load_settings(None, {}) == Settings()


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "---\n", "\ufeff", "recall:\n", "jobs:\n  flush:\n"])
def test_a_file_that_says_nothing_means_the_defaults(text: str, tmp_path: Path) -> None:
    assert settings_of(text, tmp_path) == Settings()


def test_a_file_changes_only_what_it_names(tmp_path: Path) -> None:
    found = settings_of("bot:\n  language: en\njobs:\n  flush:\n    lease_seconds: 30\n", tmp_path)
    assert found.bot.language is Language.ENGLISH
    assert (found.jobs.flush.lease_seconds, found.jobs.flush.every_seconds) == (30, 60)
    assert found.recall == Settings().recall


def test_an_alias_repeats_a_branch(tmp_path: Path) -> None:
    found = settings_of(MASTER.replace("master:", "master: &m") + "  assistant: *m\n", tmp_path)
    assert (
        found.models.assistant == found.models.master == ModelSettings(base_url="http://127.0.0.1:8080/v1", model="m")
    )


def test_a_date_is_taken_as_the_text_it_is_written_as(tmp_path: Path) -> None:
    assert settings_of("bot:\n  name: 2026-01-02\n", tmp_path).bot.name == "2026-01-02"


# --- variables and secrets ------------------------------------------------------------------------------------------


def test_variables_are_filled_in_from_the_environment_or_their_default(tmp_path: Path) -> None:
    text = "bot:\n  name: desk-${WHERE}-${FLOOR:-3}\nrecall:\n  max_episodes: ${EPISODES}\n  mode: ${MODE:-direct}\n"
    found = settings_of(text, tmp_path, WHERE="tokyo", EPISODES="12", MODE="")
    assert found.bot.name == "desk-tokyo-3"
    assert (found.recall.max_episodes, found.recall.mode) == (12, RecallMode.DIRECT)


def test_what_a_variable_holds_is_not_filled_in_again(tmp_path: Path) -> None:
    assert settings_of("bot:\n  name: ${A}\n", tmp_path, A="${B}").bot.name == "${B}"


def test_a_missing_variable_is_named_with_its_line(tmp_path: Path) -> None:
    assert problems_of("bot:\n  name: ${A}${B}${A}\n", tmp_path) == [
        "desk.yaml:2: bot.name: A and B must be set in the environment"
    ]


@pytest.mark.parametrize("value", ["${A", "${a-b}", "${}", "${1A}", "x ${A:+y}"])
def test_a_malformed_variable_is_refused(value: str, tmp_path: Path) -> None:
    assert problems_of(f"bot:\n  name: '{value}'\n", tmp_path, A="1") == [
        "desk.yaml:2: bot.name: ${ must be followed by a name and }, as in ${MY_KEY} or ${MY_KEY:-default}"
    ]


def test_a_password_in_an_address_may_hold_any_character(tmp_path: Path) -> None:
    found = settings_of("store:\n  url: postgresql://desk:${PW}@db/desk\n", tmp_path, PW="p@ss/wörd:#")
    assert found.store.url == "postgresql://desk:p%40ss%2Fw%C3%B6rd%3A%23@db/desk"


def test_an_address_from_the_environment_is_taken_as_it_is(tmp_path: Path) -> None:
    url = "postgresql://desk:p%40ss@db/desk"
    assert settings_of("store:\n  url: ${URL}\n", tmp_path, URL=url).store.url == url


@pytest.mark.parametrize("key", ["sk-123", "${KEY:-sk-123}", "Bearer ${KEY}", "123456"])
def test_a_literal_secret_is_refused_and_not_repeated(key: str, tmp_path: Path) -> None:
    [problem] = problems_of(f"{MASTER}    api_key: {key}\n", tmp_path, KEY="k")
    assert problem.startswith("desk.yaml:5: models.master.api_key: a secret must not stand in the file")
    assert "123" not in problem


def test_a_literal_password_is_refused_and_not_repeated(tmp_path: Path) -> None:
    [problem] = problems_of("store:\n  url: postgresql://desk:hunter2@db/desk\n", tmp_path)
    assert problem.startswith("desk.yaml:2: store.url: a password must not stand in the file")
    assert "hunter2" not in problem


def test_an_empty_secret_is_refused_unless_it_may_be_empty(tmp_path: Path) -> None:
    [problem] = problems_of(f"{MASTER}    api_key: ${{KEY}}\n", tmp_path, KEY="")
    assert problem.endswith("KEY is empty in the environment; write ${KEY:-} if there may be none")
    found = settings_of(f"{MASTER}    api_key: ${{KEY:-}}\n", tmp_path)
    assert found.models.master is not None
    assert found.models.master.api_key is None


def test_a_value_from_the_environment_is_never_shown_in_a_problem(tmp_path: Path) -> None:
    found = problems_of(
        "recall:\n  max_episodes: ${N}\nstore:\n  url: ${URL}\n", tmp_path, N="hush", URL="mysql://hush"
    )
    assert [problem.split(": ")[1] for problem in found] == ["recall.max_episodes", "store.url"]
    assert "hush" not in "".join(found)


# --- what cannot be read --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- a\n- b\n", "desk.yaml:1: the file must hold settings, as in `recall:` on a line of its own"),
        ("hello\n", "desk.yaml:1: the file must hold settings, as in `recall:` on a line of its own"),
        ("bot:\n\tname: x\n", "desk.yaml:2: this line is indented with a tab; use spaces"),
        ("bot:\n  name: a: b\n", "desk.yaml:2: this is not valid YAML: the indentation is off, or a text with a colon"),
        ("bot:\n  name: 'x\n", "desk.yaml:3: this is not valid YAML: a quote was opened and never closed"),
        ("bot:\n  name: @x\n", "desk.yaml:2: this is not valid YAML: a text that begins with this character needs quo"),
        ("bot: [1,\n", "desk.yaml:2: this is not valid YAML: the indentation is off, or a bracket was opened and ne"),
        ("access:\n  agents: [${A}]\n", "desk.yaml:2: this is not valid YAML: inside [ ] and { } a variable needs qu"),
        ("bot: *nobody\n", "desk.yaml:1: this is not valid YAML: an alias (*name) points at nothing"),
        ("a: 1\n---\nb: 2\n", "desk.yaml:2: this is not valid YAML: the file must hold one document"),
        ("bot:\n  name: a\x07b\n", "desk.yaml:2: this line holds a control character; delete it"),
        (
            "bot: {}{}\n".format("[" * 5000, "]" * 5000),
            "desk.yaml:1: this is not valid YAML: this is nested more than 20",
        ),
        ("bot:\n  {}x\n".format("- " * 5000), "desk.yaml:2: this is not valid YAML: this is nested more than 20 deep"),
        ("#" * 300_000, "desk.yaml: the file is longer than 256 KB; is it a configuration?"),
        (b"bot:\n  name: \xff\xfe\n", "desk.yaml:2: this line is not UTF-8; save the file as UTF-8"),
        ("bot:\n  language: ja\n".encode("utf-16"), "desk.yaml:1: this line is not UTF-8; save the file as UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_problem(text: str | bytes, problem: str, tmp_path: Path) -> None:
    [found] = problems_of(text, tmp_path)
    assert found.startswith(problem)


def test_every_line_with_a_tab_is_named(tmp_path: Path) -> None:
    found = problems_of("bot:\n\tname: x\n  \tlanguage: ja\n", tmp_path)
    assert [problem.split(":")[1] for problem in found] == ["2", "3"]


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    for path, said in ((tmp_path / "no.yaml", "there is no such file"), (tmp_path, "this is a folder")):
        with pytest.raises(ConfigProblems, match=said):
            load_settings(path, {})


# --- what is wrong in a file that can be read -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("recal:\n  mode: emem\n", "desk.yaml:1: recal: there is no such setting; did you mean recall?"),
        (
            "bot:\n  time-zone: UTC\n",
            "desk.yaml:2: bot.time-zone: there is no such setting; did you mean bot.time_zone?",
        ),
        ("max_episodes: 3\n", "desk.yaml:1: max_episodes: there is no such setting; did you mean recall.max_episodes?"),
        ("qwxyz: 3\n", "desk.yaml:1: qwxyz: there is no such setting; docs/configuration.md lists all that there are"),
        ("1: 3\n", "desk.yaml:1: the name of a setting must be a word"),
        ("recall:\n  max_episodes: 0\n", "desk.yaml:2: recall.max_episodes: must be 1 or more (found: 0)"),
        ("recall:\n  min_confidence: 1.5\n", "desk.yaml:2: recall.min_confidence: must be 1 or less (found: 1.5)"),
        ("store:\n  busy_seconds: 0\n", "desk.yaml:2: store.busy_seconds: must be more than 0 (found: 0)"),
        ("retention:\n  days: soon\n", "desk.yaml:2: retention.days: must be a whole number (found: soon)"),
        ("retention:\n  days: 1.5\n", "desk.yaml:2: retention.days: must be a whole number (found: 1.5)"),
        ("retention:\n  days: true\n", "desk.yaml:2: retention.days: must be a number (found: true)"),
        ("store:\n  busy_seconds: .inf\n", "desk.yaml:2: store.busy_seconds: must be a number (found: .inf)"),
        (
            "jobs:\n  flush:\n    enabled: maybe\n",
            "desk.yaml:3: jobs.flush.enabled: must be true or false (found: maybe)",
        ),
        ("bot:\n  name: 7\n", "desk.yaml:2: bot.name: must be a text; put quotes around it (found: 7)"),
        ("bot:\n  name: ''\n", "desk.yaml:2: bot.name: must have 1 character or more (found: nothing)"),
        ("access:\n  agents: alice\n", "desk.yaml:2: access.agents: must be a list, as in [one, two] (found: alice)"),
        (
            "access:\n  agents:\n    - a\n    - 7\n",
            "desk.yaml:4: access.agents[1]: must be a text; put quotes around it",
        ),
        ("recall: fast\n", "desk.yaml:1: recall: must be a group of settings, each on a line of its own and indented"),
        (
            "recall:\n  mode: emen\n",
            "desk.yaml:2: recall.mode: must be one of direct, emem, auto (found: emen); did you mean emem?",
        ),
        ("log:\n  format: xml\n", "desk.yaml:2: log.format: must be one of console, json (found: xml)"),
        (
            "bot:\n  time_zone: Asia/Tokio\n",
            "desk.yaml:2: bot.time_zone: must be the name of a time zone; did you mean Asia/Tokyo? (found: Asia/Tokio)",
        ),
        ("bot:\n  time_zone: Asia\n", "desk.yaml:2: bot.time_zone: must be the name of a time zone"),
        ("bot:\n  time_zone: /etc/passwd\n", "desk.yaml:2: bot.time_zone: must be the name of a time zone"),
        (
            "store:\n  url: mysql://db/desk\n",
            "desk.yaml:2: store.url: must begin with sqlite:/// (then a file) or postg",
        ),
        ("store:\n  url: postgres://db/desk\n", "desk.yaml:2: store.url: must begin with postgresql://, in full"),
        ("store:\n  url: postgresql:///desk\n", "desk.yaml:2: store.url: must name a host"),
        ("store:\n  url: sqlite://desk.db\n", "desk.yaml:2: store.url: must have three slashes and then the file"),
        (
            "index:\n  kind: server\n  url: qdrant:6333\n",
            "desk.yaml:3: index.url: must be a web address that begins wi",
        ),
        (
            "index:\n  kind: server\n  url: http://q:x\n",
            "desk.yaml:3: index.url: must be an address; the host or the po",
        ),
        ("index:\n  prefix: Help Desk\n", "desk.yaml:2: index.prefix: must consist of small letters, digits, - and _"),
        ("models:\n  master:\n    model: m\n", "desk.yaml:2: models.master.base_url: must be given; it has no default"),
        (
            MASTER.replace("/v1", "/v1/chat/completions"),
            "desk.yaml:3: models.master.base_url: must end before /chat/completions, as in http://127.0.0.1:8080/v1",
        ),
        ("bot:\n  name: !secret x\n", "desk.yaml:2: bot.name: the tag !secret means nothing here; delete it"),
        (
            "retention:\n  days: 1\nretention: {}\n",
            "desk.yaml:3: retention: is written twice, first in line 1; put the two together",
        ),
        (
            "retention:\n  days: 1\nretention:\n  days: 2\n",
            "desk.yaml:3: retention: is written twice, first in line 1; put the two together",
        ),
        (
            "retention:\n  days: 1\n  days: 2\n",
            "desk.yaml:3: retention.days: is written twice, first in line 2; delete one of the two",
        ),
        (
            "models:\n%YAML 9.9\n  assistant:\n",
            "desk.yaml:2: this names a version of YAML that is not known; delete it",
        ),
        ("bot: &b\n  x: *b\n", "desk.yaml:1: bot.x: an alias (*name) must not stand inside what it points at"),
        ("index:\n  url: http://q:6333\n", "desk.yaml:2: index.url: has no effect without `kind: server`; add that"),
        ("embeddings:\n  model: e5\n", "desk.yaml:2: embeddings.model: has no effect without `kind`"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_its_remedy(text: str, problem: str, tmp_path: Path) -> None:
    [found] = problems_of(text, tmp_path)
    assert found.startswith(problem)


def test_a_name_in_yaml_that_is_given_twice_means_the_later(tmp_path: Path) -> None:
    text = "bot: &b\n  name: Taro\nrecall: &b\n  max_episodes: 3\n"
    assert settings_of(text, tmp_path).recall.max_episodes == 3


def test_all_problems_come_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = f"recall:\n  max_episodes: 0\n{MASTER}    api_key: abc\n    model: n\nbot:\n  name: ${{NO}}\n  colour: red\n"
    assert [problem.split(":")[1] for problem in problems_of(text, tmp_path)] == ["2", "7", "8", "10", "11"]


def lines_of(text: str, tmp_path: Path) -> list[str]:
    """Line and setting of each problem, also of what only the upper layers know."""
    file = tmp_path / "desk.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigProblems) as caught:
        configured(file, {"T": "xoxb-1", "A": "xapp-1"})
    return [f"{problem.line}: {dotted(problem.path)}" for problem in caught.value.problems]


MANY = """\
bot:
  time_zone: Asia/Tokio
knowledge:
  collections:
    - {name: it, folder: docs}
    - {name: it, folder: more}
glossary:
  - {name: Tonbo, aliases: [drone]}
  - {name: Kite, aliases: [drone]}
wording:
  en: {greting: Hi, thanks: 7}
slack:
  bot_token: ${T}
  app_token: ${A}
  channels:
    C0123: {knowledge: [hr], colour: red}
index:
  url: http://q:6333
limits: {tokens_a_day: 5, person_tokens_a_day: 6}
recal: {}
"""


def test_what_is_wrong_by_itself_hides_nothing_that_does_not_fit_together(tmp_path: Path) -> None:
    assert lines_of(MANY, tmp_path) == [
        "2: bot.time_zone",
        "6: knowledge.collections[1].name",
        "9: glossary[1].aliases[0]",
        "11: wording.en.greting",
        "11: wording.en.thanks",
        "16: slack.channels.C0123.colour",
        "16: slack.channels.C0123.knowledge",
        "18: index.url",
        "19: limits.person_tokens_a_day",
        "20: recal",
    ]


def test_an_entry_that_cannot_be_used_leaves_the_others_their_lines(tmp_path: Path) -> None:
    text = (
        "glossary:\n  - {name: a}\n  - {name: Kite, aliases: [drone]}\n  - {nam: Owl}\n"
        "  - {name: Tonbo, aliases: [lift, drone]}\n"
    )
    assert lines_of(text, tmp_path) == [
        "2: glossary[0].name",
        "4: glossary[2].nam",
        "4: glossary[2].name",
        "5: glossary[3].aliases[1]",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("index:\n  kind: servr\n  url: http://q:6333\n", ["2: index.kind"]),
        ("index:\n  kind: ${NO}\n  url: http://q:6333\n", ["2: index.kind"]),
        ("embeddings:\n  kind: best\n  model: e5\n", ["2: embeddings.kind"]),
        ("slack:\n  transport: mail\n  bot_token: ${T}\n", ["2: slack.transport"]),
        ("slack: fast\nteams: {development: maybe}\nweb: {}\n", ["1: slack", "2: teams.development"]),
        (
            "knowledge:\n  collections:\n    - {name: it}\n"
            "slack:\n  bot_token: ${T}\n  app_token: ${A}\n  default: {knowledge: [it]}\n",
            ["3: knowledge.collections[0].folder"],
        ),
        ("recall:\n  weights: {words_turn: 99}\n", ["2: recall.weights.words_turn"]),
        ("jobs:\n  flush:\n    every_seconds: never\n", ["3: jobs.flush.every_seconds"]),
        ("models:\n  master: {model: m}\n", ["2: models.master.base_url"]),
    ],
)
def test_nothing_is_said_of_what_hangs_on_a_setting_that_cannot_be_used(
    text: str, told: list[str], tmp_path: Path
) -> None:
    assert lines_of(text, tmp_path) == told


def test_an_explicit_choice_of_the_embedded_index_may_keep_its_servers_address(tmp_path: Path) -> None:
    found = settings_of("index:\n  kind: edge\n  url: http://q:6333\n", tmp_path)
    assert found.index.kind is IndexKind.EDGE


# --- predicates -------------------------------------------------------------------------------------------------------


def test_a_file_adds_words_to_a_predicate_and_leaves_the_others(tmp_path: Path) -> None:
    shipped = Settings().remember.predicates
    found = settings_of(
        "remember:\n  predicates:\n    owner:\n      words: [主管, 担当]\n", tmp_path
    ).remember.predicates
    assert found["owner"].words == (*shipped["owner"].words, "主管")
    assert found["owner"].single
    assert {name: found[name] for name in found if name != "owner"} == {
        name: shipped[name] for name in shipped if name != "owner"
    }


def test_a_file_adds_a_predicate_and_changes_whether_one_is_single(tmp_path: Path) -> None:
    text = "remember:\n  predicates:\n    colour:\n      single: true\n    owner:\n      single: false\n"
    found = settings_of(text, tmp_path).remember.predicates
    assert (found["colour"].single, found["colour"].words) == (True, ())
    assert not found["owner"].single
    assert "担当" in found["owner"].words


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("3", "desk.yaml:2: remember.predicates: must be a group of settings, each on a line of its own and indented"),
        ("{owner: 3}", "desk.yaml:2: remember.predicates.owner: must be a group of settings"),
        ("{owner: {singel: true}}", "desk.yaml:2: remember.predicates.owner.singel: there is no such setting"),
        ("{owner: {words: 主管}}", "desk.yaml:2: remember.predicates.owner.words: must be a list"),
        ("{owner: {single: 3}}", "desk.yaml:2: remember.predicates.owner.single: must be true or false"),
    ],
)
def test_a_mistake_in_a_predicate_is_told(text: str, problem: str, tmp_path: Path) -> None:
    [told] = problems_of(f"remember:\n  predicates: {text}\n", tmp_path)
    assert told.startswith(problem)
