"""All quick measurements in one table: `python -m bench [--json]`; `python -m bench NAME …` runs one by itself.

Each runs in a process of its own, so that what one has loaded does not count for another. Nothing here is a test: on a
machine that has other work to do compare only what one run says.
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import acknowledgement, cold_start, flush, question, size, tickets

_SECONDS = 3600
#: Those that need a file of questions, or models, or very long, or measure nothing.
ON_REQUEST = (
    "answers",
    "ami",
    "facts",
    "index_scale",
    "injection",
    "jsquad",
    "knowledge",
    "redaction",
    "scope",
    "sizing",
    "slack",
    "statements",
    "teams",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A figure that is to stay on one side of a limit; None when it is only told."""

    bench: str
    figure: str
    at_most: float | None = None
    at_least: float | None = None

    def kept(self, value: float) -> bool | None:
        if self.at_most is not None:
            return value <= self.at_most
        return value >= self.at_least if self.at_least is not None else None

    @property
    def limit(self) -> str:
        if self.at_most is not None:
            return f"at most {self.at_most:g}"
        return f"at least {self.at_least:g}" if self.at_least is not None else ""


TARGETS = (
    Target(bench="acknowledgement", figure="ratio", at_most=acknowledgement.LIMIT),
    Target(bench="acknowledgement", figure="bare_mean_ms"),
    Target(bench="acknowledgement", figure="record_mean_ms"),
    Target(bench="acknowledgement", figure="bare_p50_ms"),
    Target(bench="acknowledgement", figure="record_p50_ms"),
    Target(bench="tickets", figure="ratio", at_most=tickets.LIMIT),
    Target(bench="question", figure="share_100k", at_least=question.SHARE),
    Target(bench="question", figure="growth", at_most=question.GROWTH),
    Target(bench="flush", figure="share", at_least=flush.SHARE),
    Target(bench="size", figure="mb", at_most=size.LIMIT),
    Target(bench="size", figure="ask_alone_s", at_most=cold_start.LIMIT),
    Target(bench="cold_start", figure="help_s", at_most=cold_start.HELP_LIMIT),
    Target(bench="cold_start", figure="ask_alone_s", at_most=cold_start.LIMIT),
    Target(bench="cold_start", figure="ask_running_s"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One figure beside its limit."""

    bench: str
    figure: str
    value: float
    limit: str
    kept: bool | None


def lines(figures: Mapping[str, Mapping[str, float]]) -> list[Line]:
    """The targets of those that were measured, by bench and figure."""
    return [
        Line(
            bench=target.bench,
            figure=target.figure,
            value=figures[target.bench][target.figure],
            limit=target.limit,
            kept=target.kept(figures[target.bench][target.figure]),
        )
        for target in TARGETS
        if target.bench in figures
    ]


def table(told: Sequence[Line]) -> str:
    words = {True: "kept", False: "MISSED", None: ""}
    rows = [
        f"{one.bench:16} {one.figure:16} {one.value:10.2f}  {one.limit:14} {words[one.kept]}".rstrip() for one in told
    ]
    return "\n".join(rows)


def measured(name: str, *options: str) -> Mapping[str, float]:
    """The figures of one, which prints them as one object."""
    sys.stderr.write(f"measuring {name} …\n")
    command = [sys.executable, "-m", f"bench.{name}", *options, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=_SECONDS)
    found: Mapping[str, float] = json.loads(done.stdout)
    return found


def quick() -> dict[str, Mapping[str, float]]:
    """All that need nothing but this machine; the filled stores of one serve the next."""
    with tempfile.TemporaryDirectory(prefix="helpdesk-bench-") as folder:
        filled = ("--folder", str(Path(folder) / "filled"))
        return {
            "acknowledgement": measured("acknowledgement"),
            "flush": measured("flush"),
            "cold_start": measured("cold_start"),
            "question": measured("question", *filled),
            "size": measured("size", *filled),
        }


def main(arguments: Sequence[str]) -> None:
    names = {target.bench for target in TARGETS} | set(ON_REQUEST)
    if arguments and arguments[0] in names:
        sys.argv = [f"bench.{arguments[0]}", *arguments[1:]]
        runpy.run_module(f"bench.{arguments[0]}", run_name="__main__")
        return
    if [*arguments] not in ([], ["--json"]):
        sys.exit(f"usage: python -m bench [--json] | NAME …; NAME is one of {', '.join(sorted(names))}")
    figures = quick()
    told = lines(figures)
    if not arguments:
        sys.stdout.write(table(told) + "\n")
    sys.stdout.write(json.dumps({"lines": [asdict(one) for one in told], "figures": figures}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
