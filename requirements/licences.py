"""Writes docs/licences.md: under what the packages may be used that the program runs with, as they say themselves.

`python requirements/licences.py > docs/licences.md`, in an environment that has what is locked (`make docs`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

_HERE = Path(__file__).parent
#: The files of exact versions, each with what is said of it.
LOCKED: Mapping[str, str] = {"run": "always", "production": "larger encoders"}

#: Names of licences as they are written in metadata, by the identifier of SPDX. Where a package says no more than "BSD"
#: it is one of the permissive ones of that family.
_NAMES: Mapping[str, str] = {
    "apache 2.0": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD",
    "bsd license": "BSD",
    "3-clause bsd license": "BSD-3-Clause",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
}
#: Whoever passes the program on keeps the notices, and need do no more.
PERMISSIVE = (
    "0BSD",
    "Apache-2.0",
    "BSD",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CNRI-Python",
    "ISC",
    "LLVM-exception",
    "MIT",
    "MIT-0",
    "PSF-2.0",
    "Zlib",
)
#: Files of theirs that are changed stay under it; what is beside them does not come under it.
WEAK_COPYLEFT = ("MPL-2.0",)
#: What is neither, by package, with the reason for which it is used all the same.
EXCEPTIONS: Mapping[str, str] = {}

_ABOUT = (
    "Under what the packages may be used that the program runs with, in the versions of `requirements/run.txt` and",
    "`requirements/production.txt`, as their own metadata says it. Made by `make docs`; a test compares it with what",
    "is locked and installed, and fails for a licence that is unknown or spreads to what is beside it (GPL, AGPL,",
    "LGPL).",
)
_LEFT_OUT = (
    "are used as they come. Not in the list: what the tests need; the image's Debian and Python; `nvidia-*` packages,",
    "which torch brings along on machines with such a processor and which are not free software; models that you",
    "fetch.",
)

_WORD = re.compile(r"[A-Za-z0-9.+-]+")
_OPERATORS = ("AND", "OR", "WITH")


@dataclass(frozen=True, slots=True, kw_only=True)
class Licence:
    """A locked package, and the licence that its metadata names, "" where it names none."""

    package: str
    version: str
    needed: str
    says: str


def locked() -> Iterator[tuple[str, str, str]]:
    """Each package with its exact version, and for what it is needed."""
    for file, needed in LOCKED.items():
        for line in (_HERE / f"{file}.txt").read_text(encoding="utf-8").splitlines():
            if line and not line.startswith(("#", "-")):
                package, _, version = line.partition("==")
                yield package, version, needed


def found() -> list[Licence]:
    """The licences of what is locked and installed here, by name."""
    return sorted(_installed(), key=lambda one: one.package.casefold())


def _installed() -> Iterator[Licence]:
    for package, version, needed in locked():
        try:
            metadata = distribution(package).metadata
        except PackageNotFoundError:
            continue
        yield Licence(package=package, version=version, needed=needed, says=said_in(metadata))


def said_in(metadata: object) -> str:
    """The licence that metadata names: as an expression, as a name, or as a classifier; "" where none can be read."""
    get_all = metadata.get_all  # type: ignore[attr-defined]
    for expression in get_all("License-Expression") or ():
        return str(expression)
    names = [*(get_all("License") or ()), *_classified(get_all("Classifier") or ())]
    return next((one for one in map(_named, names) if one), "")


def _classified(classifiers: Sequence[str]) -> Iterator[str]:
    for classifier in classifiers:
        if classifier.startswith("License ::"):
            yield classifier.rpartition("::")[2].strip()


def _named(name: str) -> str:
    """The identifier or expression that a name stands for; "" for a whole text of a licence, and for unknown names."""
    known = _NAMES.get(name.strip().casefold())
    return known or (name.strip() if identifiers(name) and not unknown(name) else "")


def identifiers(expression: str) -> list[str]:
    """The licences in an expression."""
    return [word for word in _WORD.findall(expression) if word not in _OPERATORS]


def unknown(expression: str) -> list[str]:
    """Those of them that nobody has looked at, or that spread to what is beside them."""
    return [one for one in identifiers(expression) if one not in (*PERMISSIVE, *WEAK_COPYLEFT)]


def page(licences: Sequence[Licence]) -> str:
    """docs/licences.md."""
    rows = [f"| {one.package} | {one.version} | {one.says or 'not named'} | {one.needed} |" for one in licences]
    weak = [one.package for one in licences if set(identifiers(one.says)) & {*WEAK_COPYLEFT}]
    reasons = [f"- {package}: {reason}" for package, reason in EXCEPTIONS.items()]
    return "\n".join(
        [
            "# Licences",
            "",
            *_ABOUT,
            "",
            f"Permissive, but for {', '.join(weak)}: the Mozilla Public License covers their own files alone, which",
            *_LEFT_OUT,
            "",
            *([*reasons, ""] if reasons else []),
            "| package | version | licence | needed |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    sys.stdout.write(page(found()))
