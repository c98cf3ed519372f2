"""The app's manifest for Teams says what the bot does, and its icons are as Teams wants them."""

from __future__ import annotations

import json
import re
import struct
from typing import Any

import pytest

from handlers.acts.wishes import Wish, wish_in
from tests.fakes.source import ROOT

FOLDER = ROOT / "teams"


#: What a localisation may replace, with the greatest length of each.
LENGTHS = {
    r"name\.short": 30,
    r"name\.full": 100,
    r"description\.short": 80,
    r"description\.full": 4000,
    r"bots\[0\]\.commandLists\[0\]\.commands\[[0-9]\]\.title": 32,
    r"bots\[0\]\.commandLists\[0\]\.commands\[[0-9]\]\.description": 128,
}


def manifest() -> Any:
    return _read("manifest.json")


def japanese() -> dict[str, str]:
    """What is in the place of English words for those who use Teams in Japanese, by where it stands."""
    return {where: words for where, words in _read("ja.json").items() if where != "$schema"}


def _read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def at(where: str) -> Any:
    """What stands at this place of the manifest."""
    found = manifest()
    for name in re.findall(r"[a-zA-Z]+|\d+", where):
        found = found[int(name) if name.isdigit() else name]
    return found


def test_every_command_is_a_wish_that_the_bot_grants() -> None:
    [bot] = manifest()["bots"]
    [commands] = bot["commandLists"]
    assert [wish_in(one["title"]) for one in commands["commands"]] == [*Wish]


def test_teams_knows_the_japanese_file_and_that_the_rest_is_english() -> None:
    about = manifest()["localizationInfo"]
    assert about == {"defaultLanguageTag": "en", "additionalLanguages": [{"languageTag": "ja", "file": "ja.json"}]}
    assert (FOLDER / "manifest.json").read_text(encoding="utf-8").isascii()
    versions = {re.findall(r"/v([0-9.]+)/", one["$schema"])[0] for one in (manifest(), _read("ja.json"))}
    assert versions == {manifest()["manifestVersion"]}


def test_everything_that_people_read_is_there_in_japanese_too() -> None:
    commands = [f"bots[0].commandLists[0].commands[{number}]" for number in range(len(Wish))]
    people_read = ["name.short", "name.full", "description.short", "description.full"]
    people_read += [f"{command}.{part}" for command in commands for part in ("title", "description")]
    assert sorted(japanese()) == sorted(people_read)
    assert all(at(where) != words and not words.isascii() for where, words in japanese().items())


@pytest.mark.parametrize("words", [japanese(), {where: at(where) for where in japanese()}], ids=["ja", "en"])
def test_what_has_a_greatest_length_is_no_longer(words: dict[str, str]) -> None:
    for where, said in words.items():
        [most] = [most for pattern, most in LENGTHS.items() if re.fullmatch(pattern, where)]
        assert 0 < len(said) <= most


def test_the_japanese_commands_are_the_same_wishes_in_the_same_order() -> None:
    titles = [japanese()[f"bots[0].commandLists[0].commands[{number}].title"] for number in range(len(Wish))]
    assert [wish_in(one) for one in titles] == [*Wish]


def test_the_bot_is_where_it_answers_and_takes_files() -> None:
    [bot] = manifest()["bots"]
    assert set(bot["scopes"]) == {"personal", "team", "groupChat"}
    assert bot["supportsFiles"]


def test_both_ids_are_the_administrators_to_fill_in() -> None:
    found = manifest()
    assert {found["id"], found["bots"][0]["botId"]} == {"00000000-0000-0000-0000-000000000000"}


@pytest.mark.parametrize(("name", "side"), [("color", 192), ("outline", 32)])
def test_each_icon_has_its_size(name: str, side: int) -> None:
    file = (FOLDER / manifest()["icons"][name]).read_bytes()
    assert file.startswith(b"\x89PNG\r\n")
    assert struct.unpack(">II", file[16:24]) == (side, side)
