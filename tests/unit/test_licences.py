"""The list of licences is that of what is locked, and holds nothing that nobody has looked at."""

from __future__ import annotations

from email.message import Message
from importlib.metadata import version
from pathlib import Path

import pytest

from requirements.licences import EXCEPTIONS, found, locked, page, said_in, unknown

ROOT = Path(__file__).parents[2]


def metadata(**fields: str) -> Message:
    """Metadata as a package has it; `_` stands for `-`."""
    message = Message()
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    return message


def test_the_page_names_exactly_what_is_locked_and_as_the_packages_themselves_say_it() -> None:
    assert [one.package for one in found()] == sorted((name for name, *_ in locked()), key=str.casefold)
    assert (ROOT / "docs/licences.md").read_text(encoding="utf-8") == page(found()), "run `make docs`"


def test_what_is_read_is_of_the_versions_that_are_locked() -> None:
    for package, exact, _ in locked():
        assert version(package).partition("+")[0] == exact, package


def test_every_licence_is_known_and_spreads_to_nothing_unless_a_reason_is_given() -> None:
    for one in found():
        assert one.package in EXCEPTIONS or (one.says and not unknown(one.says)), one


def test_a_reason_is_of_a_package_that_is_locked() -> None:
    assert EXCEPTIONS.keys() <= {name for name, *_ in locked()}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"License_Expression": "Apache-2.0 AND MIT"}, "Apache-2.0 AND MIT"),
        (
            {"License_Expression": "GPL-3.0-only", "Classifier": "License :: OSI Approved :: MIT License"},
            "GPL-3.0-only",
        ),
        ({"License": "MPL-2.0 AND MIT"}, "MPL-2.0 AND MIT"),
        ({"License": "Apache 2.0 License"}, "Apache-2.0"),
        ({"License": "Copyright (c) 2021 ...", "Classifier": "License :: OSI Approved :: BSD License"}, "BSD"),
        ({"License": "GPL"}, ""),
        ({"Classifier": "License :: OSI Approved :: GNU Affero General Public License v3"}, ""),
        ({}, ""),
    ],
)
def test_a_licence_is_read_as_it_is_named_and_never_guessed(fields: dict[str, str], says: str) -> None:
    assert said_in(metadata(**fields)) == says


@pytest.mark.parametrize(
    ("expression", "left"),
    [
        ("MIT OR Apache-2.0", []),
        ("(Apache-2.0 WITH LLVM-exception) AND BSL-1.0", []),
        ("MIT AND LGPL-3.0-or-later", ["LGPL-3.0-or-later"]),
        ("AGPL-3.0-only", ["AGPL-3.0-only"]),
        ("LicenseRef-Proprietary", ["LicenseRef-Proprietary"]),
    ],
)
def test_what_spreads_or_is_not_known_is_found_in_an_expression(expression: str, left: list[str]) -> None:
    assert unknown(expression) == left
