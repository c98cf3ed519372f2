"""The app's manifest for Teams says what the bot does, and its icons are as Teams wants them."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest

from handlers.acts.wishes import Wish, wish_in
from tests.fakes.source import ROOT

FOLDER = ROOT / "teams"


def manifest() -> Any:
    return json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))


def test_every_command_is_a_wish_that_the_bot_grants() -> None:
    [bot] = manifest()["bots"]
    [commands] = bot["commandLists"]
    assert [wish_in(one["title"]) for one in commands["commands"]] == [*Wish]


def test_the_bot_is_where_it_answers_and_takes_files() -> None:
    [bot] = manifest()["bots"]
    assert set(bot["scopes"]) == {"personal", "team", "groupChat"}
    assert bot["supportsFiles"]


def test_both_ids_are_the_administrators_to_fill_in() -> None:
    found = manifest()
    assert {found["id"], found["bots"][0]["botId"]} == {"00000000-0000-0000-0000-000000000000"}


def test_what_has_a_greatest_length_is_no_longer() -> None:
    found = manifest()
    assert len(found["name"]["short"]) <= 30
    assert len(found["name"]["full"]) <= 100
    assert len(found["description"]["short"]) <= 80
    assert len(found["description"]["full"]) <= 4000
    for one in found["bots"][0]["commandLists"][0]["commands"]:
        assert len(one["title"]) <= 32
        assert len(one["description"]) <= 128


@pytest.mark.parametrize(("name", "side"), [("color", 192), ("outline", 32)])
def test_each_icon_has_its_size(name: str, side: int) -> None:
    file = (FOLDER / manifest()["icons"][name]).read_bytes()
    assert file.startswith(b"\x89PNG\r\n")
    assert struct.unpack(">II", file[16:24]) == (side, side)
