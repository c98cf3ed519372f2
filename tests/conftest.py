"""The house rules of every test: a clean environment, no network but this machine's, no backend missing unnoticed."""

from __future__ import annotations

import gc
import ipaddress
import os
import sys
import tempfile
from collections.abc import Generator
from typing import Any

import hypothesis
import pytest

from tests.fakes.folders import memory_disk

#: Set where every backend must be there: then a test that would be skipped fails.
REQUIRED = os.environ.get("HELPDESK_REQUIRE_BACKENDS") == "1"

hypothesis.settings.register_profile(
    "helpdesk", max_examples=60, deadline=None, derandomize=True, database=None, print_blob=True
)
hypothesis.settings.load_profile("helpdesk")


class NetworkRefused(RuntimeError):
    """A test may talk to this machine only."""


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the person at the keyboard has set must not reach the tests."""
    for name in tuple(os.environ):
        if name.startswith("HELPDESK_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)


def pytest_configure(config: pytest.Config) -> None:
    """An audit hook sees every socket of the interpreter, so nothing in the code needs patching."""
    sys.addaudithook(_refuse_network)
    _write_to_memory()
    gc.disable()  # what is collected now stays until the end


def _write_to_memory() -> None:
    """Have temporary files in memory where there is room: a database and an index wait for a disk at every step, which
    is most of the time of the tests that have one."""
    if "TMPDIR" not in os.environ and (memory := memory_disk()):
        os.environ["TMPDIR"] = str(memory)
        tempfile.tempdir = None  # it is looked for once, and has been


def pytest_collection_finish() -> None:
    """Thousands of tests and the modules behind them are left alone when garbage is looked for, and that is seldom."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def _refuse_network(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if isinstance(address, tuple) and not _is_here(str(address[0])):
            raise NetworkRefused(f"a test wanted to reach {address[0]}")
    elif event == "socket.getaddrinfo" and not _is_here(_text(arguments[0])):
        raise NetworkRefused(f"a test wanted to look up {_text(arguments[0])}")


def _is_here(host: str) -> bool:
    if host in ("", "localhost", "0.0.0.0", "::"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _text(host: str | bytes | None) -> str:
    return host.decode() if isinstance(host, bytes) else host or ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test is skipped for one reason only: a backend is missing, named before the colon of the reason."""
    report = yield
    if REQUIRED and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"a backend is missing: {_reason(report)}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons = {_reason(report) for report in terminalreporter.stats.get("skipped", [])}
    for reason in sorted(reasons):
        terminalreporter.write_line(f"MISSING BACKEND: {reason}", yellow=True)


def _reason(report: pytest.TestReport) -> str:
    """Why a test was skipped: pytest gives (file, line, "Skipped: why")."""
    said = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return said.removeprefix("Skipped: ")
