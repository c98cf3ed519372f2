"""The rules of tests/conftest.py hold: they are run on small test files in a folder of their own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import NetworkRefused

ROOT = Path(__file__).parents[2]
SOME_TESTS = """
import os
import pytest

@pytest.fixture
def database():
    pytest.skip("postgresql: not installed")

def test_with_a_database(database): ...
def test_the_environment(): assert not {"HELPDESK_DATA", "OPENAI_API_KEY"} & set(os.environ)
"""


@pytest.fixture(params=["0", "1"], ids=["in one process", "in a worker"])
def workers(request: pytest.FixtureRequest) -> str:
    """How many processes are started for the tests."""
    return str(request.param)


def run(folder: Path, workers: str, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_some.py").write_text(SOME_TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    command += [f"--numprocesses={workers}", "--dist=loadfile", str(folder)]
    path = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=path | environment, capture_output=True, text=True, timeout=100)


def test_a_missing_backend_is_named_and_the_environment_is_clean(tmp_path: Path, workers: str) -> None:
    done = run(tmp_path, workers, HELPDESK_DATA="/there", OPENAI_API_KEY="k")
    assert done.returncode == 0
    assert "MISSING BACKEND: postgresql: not installed" in done.stdout
    assert "1 passed, 1 skipped" in done.stdout


def test_a_missing_backend_fails_where_all_are_required(tmp_path: Path, workers: str) -> None:
    done = run(tmp_path, workers, HELPDESK_REQUIRE_BACKENDS="1")
    assert done.returncode == 1
    assert "a backend is missing: postgresql: not installed" in done.stdout


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1"])
def test_another_machine_is_out_of_reach(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as plug, pytest.raises(NetworkRefused, match=host):
        plug.connect((host, 80))


def test_a_name_is_not_looked_up() -> None:
    with pytest.raises(NetworkRefused, match=r"models\.example"):
        socket.getaddrinfo("models.example", 443)


def test_this_machine_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as plug:
        assert plug.getpeername() == server.getsockname()


def make_environment(folder: Path, python: Path) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(ROOT / "requirements/venv.sh"), str(folder / "made")]
    return subprocess.run(command, env={"PYTHON": str(python)}, capture_output=True, text=True, timeout=60)


def stand_in(folder: Path, script: str) -> Path:
    python = folder / "python3"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    return python


def test_without_a_python_that_fits_the_way_out_is_told(tmp_path: Path) -> None:
    for python in (tmp_path / "absent", stand_in(tmp_path, "exit 1")):
        done = make_environment(tmp_path, python)
        assert done.returncode == 1
        assert "Python 3.11, 3.12 or 3.13" in done.stderr
        assert not (tmp_path / "made").exists()


def test_a_python_that_cannot_make_environments_names_the_package_to_install(tmp_path: Path) -> None:
    python = stand_in(tmp_path, 'case "$*" in *ensurepip*) exit 1;; esac')
    done = make_environment(tmp_path, python)
    assert done.returncode == 1
    assert "python3-venv" in done.stderr
