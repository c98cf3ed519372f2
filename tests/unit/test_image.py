"""The image: nothing in it that is nobody's business, and nothing written but where it is meant to write."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from memory.text.redact import Redactor
from memory.text.secrets.found import Kind

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def compose() -> Any:
    return YAML(typ="safe", pure=True).load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


# --- what it may do -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bot", "bot2"])
def test_a_bot_runs_with_everything_read_only_but_its_data_and_tmp_and_without_rights(name: str) -> None:
    bot = compose()["services"][name]
    assert bot["read_only"] is True
    assert [one.partition(":")[0] for one in bot["tmpfs"]] == ["/tmp"]
    assert bot["cap_drop"] == ["ALL"]
    assert not {"cap_add", "privileged", "user", "devices", "pid", "network_mode"} & bot.keys()
    mounted = [one.rsplit(":", 1) for one in bot["volumes"]]
    assert [where for what, where in mounted if where != "ro"] == ["/data", "/data/models"]


def test_no_service_gains_rights() -> None:
    for name, service in compose()["services"].items():
        assert service["security_opt"] == ["no-new-privileges:true"], name


def last_stage() -> str:
    return DOCKERFILE.rpartition("\nFROM ")[2]


def environment() -> dict[str, str]:
    told = re.findall(r"^ENV ((?:.*\\\n)*.*)$", last_stage(), re.MULTILINE)
    return dict(pair.split("=", 1) for line in told for pair in line.replace("\\\n", " ").split())


def test_whatever_a_library_keeps_lies_where_the_image_may_write() -> None:
    found = environment()
    assert found["PYTHONDONTWRITEBYTECODE"] == "1"
    for name in ("HOME", "HELPDESK_DATA", "HF_HOME", "XDG_CACHE_HOME"):
        assert found[name].split("/")[1] in ("data", "tmp"), name
    assert re.search(r"^USER helpdesk$", last_stage(), re.MULTILINE)
    assert "--home-dir /data " in last_stage()


def test_a_command_writes_into_its_data_folder_and_the_temporary_one_alone(tmp_path: Path) -> None:
    watch, seen, data, temporary = (tmp_path / name for name in ("watch", "seen", "data", "tmp"))
    watch.mkdir()
    temporary.mkdir()
    shutil.copy(ROOT / "tests/fakes/writing_watch.py", watch / "sitecustomize.py")
    given = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{watch}:{ROOT}",
        "WRITING_WATCH": str(seen),
        "TMPDIR": str(temporary),
        **environment(),
        "HELPDESK_DATA": str(data),
        "HOME": str(data),
        "HF_HOME": str(data / "models"),
        "XDG_CACHE_HOME": str(temporary / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-m", "bot", "ask", "VPNが切れます"],
        env=given,
        cwd=data.parent,
        capture_output=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr.decode()
    written = {Path(line) for line in seen.read_text(encoding="utf-8").splitlines()}
    outside = {one for one in written if not (one.is_relative_to(data) or one.is_relative_to(temporary))}
    assert any(one.is_relative_to(data) for one in written)
    assert outside - {Path("/dev/null")} == set()


# --- what is in it --------------------------------------------------------------------------------------------------


def rules() -> Iterator[tuple[bool, re.Pattern[str]]]:
    """The lines of .dockerignore: whether what fits stays out."""
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pattern = re.escape(line.removeprefix("!")).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
            yield not line.startswith("!"), re.compile(f"{pattern}(?:/.*)?")


RULES = tuple(rules())


def goes_in(path: str) -> bool:
    """Whether a file of the folder is sent to the builder: the last line that fits decides."""
    fitting = [out for out, pattern in RULES if pattern.fullmatch(path)]
    return not (fitting and fitting[-1])


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "config/.env",
        "config/.env.production",
        "bot/desk.env",
        "config/desk.yaml",
        "config/tls.pem",
        "config/tls.key",
        "helpdesk.db",
        "bot/helpdesk.db-wal",
        "memory/helpdesk.log.1",
        "config/backup-2026-11-30.zip",
        "data/helpdesk.db",
        ".git/config",
        "tests/unit/redaction_tables.py",
        "bot/__pycache__/cli.cpython-311.pyc",
        "compose.yaml",
    ],
)
def test_what_an_administrator_has_beside_the_sources_stays_out(path: str) -> None:
    assert not goes_in(path)


def test_what_the_program_needs_goes_in() -> None:
    needed = ("config/defaults.yaml", "config/example.yaml", "bot/__main__.py", "bot/demo_history/history.jsonl")
    assert all(map(goes_in, needed))


def context() -> Iterator[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    yield from (ROOT / name for name in listed.split("\0") if name and goes_in(name))


def test_no_token_or_key_stands_in_what_the_image_is_built_from() -> None:
    net = Redactor(b"k" * 16, kinds=(Kind.TOKEN, Kind.PRIVATE_KEY, Kind.URL_PASSWORD))
    searched = 0
    for path in context():
        if path.suffix == ".npz":
            continue
        searched += 1
        assert net.redact(path.read_text(encoding="utf-8")).kinds == (), path
    assert searched > 300


def test_no_secret_is_an_argument_or_a_variable_of_the_build() -> None:
    assert "ARG " not in DOCKERFILE
    assert not re.search(r"(?i)password|secret|token|api_?key", DOCKERFILE)
