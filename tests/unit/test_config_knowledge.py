"""The knowledge base in the configuration, and which collections a place may use."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli_config import config
from config.channels import ChannelSettings, collections_allowed
from config.knowledge import CollectionSettings, KnowledgeSettings, OpenTo
from config.loader import load_settings
from config.problems import ConfigProblems
from config.slack import SlackChannelSettings, SlackSettings
from config.teams import TeamsChannelSettings, TeamsSettings
from handlers.access import collections_for
from handlers.ports import PLAIN, Manners
from handlers.slack.directory import Room
from handlers.slack.rules import Rules as SlackRules
from handlers.teams.records import Place, Site
from handlers.teams.rules import Rules as TeamsRules
from memory.model import Viewer, Visibility

BASE = "knowledge:\n  collections:\n    - {name: it, folder: docs/it}\n"
TEAMS = BASE + "web: {host: 127.0.0.1}\nteams:\n  development: true\n"
KNOWLEDGE = KnowledgeSettings(
    collections=(
        CollectionSettings(name="it", folder="/it"),
        CollectionSettings(name="hr", folder="/hr"),
        CollectionSettings(name="internal", folder="/internal", visibility=OpenTo.AGENTS),
    )
)


def problems_of(text: str, tmp_path: Path) -> list[str]:
    """The problems as an admin reads them, without the file's name."""
    file = tmp_path / "desk.yaml"
    file.write_text(text, encoding="utf-8")
    try:
        load_settings(file, {})
    except ConfigProblems as caught:
        return [str(problem).removeprefix(f"{file}:").strip() for problem in caught.problems]
    return []


def test_a_folder_is_below_that_of_the_configuration_unless_it_is_absolute(tmp_path: Path) -> None:
    file = tmp_path / "desk.yaml"
    file.write_text(BASE + "    - {name: book, folder: /srv/book}\n", encoding="utf-8")
    found = load_settings(file, {}).knowledge.collections
    assert [one.folder for one in found] == [str(tmp_path / "docs/it"), "/srv/book"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (BASE + "    - {name: it, folder: other}\n", "is the name of another one too"),
        (BASE.replace("name: it", "name: 'a/b'"), "must be 1 to 60 letters"),
        (BASE.replace(", folder: docs/it", ""), "folder"),
        (BASE.replace("docs/it", "docs/it, colour: red"), "colour"),
        (BASE.replace("docs/it", "docs/it, base_url: wiki"), "must be a web address"),
        (TEAMS + "  default: {knowledge: [hr]}\n", "names hr, which is not among `knowledge.collections`"),
        (
            TEAMS + '  channels:\n    "19:x@thread.v2": {knowledge: [it, hr]}\n',
            "names hr, which is not among `knowledge.collections`",
        ),
    ],
)
def test_what_cannot_be_meant_is_told(text: str, problem: str, tmp_path: Path) -> None:
    [told] = problems_of(text, tmp_path)
    assert problem in told


def test_a_collection_that_is_there_may_be_named(tmp_path: Path) -> None:
    assert problems_of(TEAMS + "  default: {knowledge: [it]}\n  teams: {}\n", tmp_path) == []


@pytest.mark.parametrize(
    ("given", "outsiders", "allowed"),
    [
        (ChannelSettings(), False, None),
        (ChannelSettings(), True, frozenset()),
        (ChannelSettings(knowledge=("it",)), False, frozenset({"it"})),
        (ChannelSettings(knowledge=("it",)), True, frozenset({"it"})),
        (ChannelSettings(knowledge=()), False, frozenset()),
    ],
)
def test_a_channel_uses_all_collections_unless_it_names_some_and_outsiders_only_named_ones(
    given: ChannelSettings, outsiders: bool, allowed: frozenset[str] | None
) -> None:
    assert collections_allowed(given, outsiders=outsiders) == allowed


SATO, OKABE = Viewer(user="sato"), Viewer(user="okabe", agent=True)


@pytest.mark.parametrize(
    ("viewer", "manners", "used"),
    [
        (SATO, PLAIN, {"it", "hr"}),
        (OKABE, PLAIN, {"it", "hr", "internal"}),
        (Viewer(user="okabe", agent=True, channel="C1"), PLAIN, {"it", "hr"}),
        (Viewer(user="okabe", agent=True, confined=True), PLAIN, {"it", "hr"}),
        (SATO, Manners(knowledge=frozenset({"it", "internal", "gone"})), {"it"}),
        (SATO, Manners(confined=True), {"it", "hr"}),
        (SATO, Manners(knowledge=frozenset()), set()),
    ],
)
def test_who_asks_and_where_decides_on_the_collections(viewer: Viewer, manners: Manners, used: set[str]) -> None:
    assert collections_for(viewer, KNOWLEDGE, manners) == used


def test_a_channel_of_slack_says_what_its_answers_may_use() -> None:
    rules = SlackRules(lambda: SlackSettings(channels={"C0123ABCD": SlackChannelSettings(knowledge=("it",))}))
    room = Room(visibility=Visibility.EVERYONE, shared=False)
    assert rules.manners("C0123ABCD", room, guest=False).knowledge == frozenset({"it"})
    assert rules.manners("C0999ZZZZ", room, guest=False).knowledge is None
    assert rules.manners("C0999ZZZZ", room, guest=True).knowledge == frozenset()
    assert (
        rules.manners("C0999ZZZZ", Room(visibility=Visibility.CHANNEL, shared=True), guest=False).knowledge
        == frozenset()
    )


def test_a_channel_of_teams_says_what_its_answers_may_use() -> None:
    named, other = (
        Site(tenant="t", chat=chat, place=Place.CHANNEL, team="19:team@thread.tacv2")
        for chat in ("19:one@thread.tacv2", "19:two@thread.tacv2")
    )
    rules = TeamsRules(lambda: TeamsSettings(channels={named.chat: TeamsChannelSettings(knowledge=("it",))}))
    assert rules.manners(named).knowledge == frozenset({"it"})
    assert rules.manners(other).knowledge is None


def test_a_folder_that_is_not_there_is_noted_with_the_line_of_its_setting(tmp_path: Path) -> None:
    (tmp_path / "it").mkdir()
    file = tmp_path / "desk.yaml"
    file.write_text(
        "knowledge:\n  collections:\n    - name: it\n      folder: it\n    - name: net\n      folder: 記事\n",
        encoding="utf-8",
    )
    done = CliRunner().invoke(config, ["check", str(file)])
    assert (done.exit_code, done.stdout) == (0, f"{file}: no problems.\n")
    assert done.stderr == (
        f"Note: {file}:6: knowledge.collections[1].folder: there is no folder {tmp_path / '記事'}; "
        "its articles are not used until there is\n"
    )
