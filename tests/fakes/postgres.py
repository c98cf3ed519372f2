"""A temporary PostgreSQL: Debian's own server in a folder of its own, on a socket, gone when the tests are."""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from itertools import count
from pathlib import Path

import asyncpg
import pytest

from tests.fakes.folders import memory_disk

_START_SECONDS = 60
_USER = "helpdesk"
_numbers = count(1)

#: Lives as long as its standard input is open: it stops the server and cleans up however the tests have ended.
_WATCH = """
"$1" -D "$2/data" -k "$2" -c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=60 \
    >"$2/log" 2>&1 </dev/null &
server=$!
read -r _
kill -QUIT $server
wait $server
rm -rf "$2"
"""


def require() -> None:
    """Skip the test where PostgreSQL is missing; fail it where every backend is required."""
    if _binaries() is not None:
        return
    reason = "postgresql: not installed (Debian: apt-get install postgresql)"
    if os.environ.get("HELPDESK_REQUIRE_BACKENDS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@asynccontextmanager
async def database() -> AsyncIterator[str]:
    """The address of a database for one test, dropped afterwards."""
    folder = await _started()
    name = f"test_{os.getpid()}_{next(_numbers)}"
    await _command(address(folder, "postgres"), f"CREATE DATABASE {name}")
    try:
        yield address(folder, name)
    finally:
        await _command(address(folder, "postgres"), f"DROP DATABASE {name} WITH (FORCE)")


async def lasting() -> str:
    """The address of a database that lives as long as the server."""
    folder, name = await _started(), f"lasting_{os.getpid()}"
    await _command(address(folder, "postgres"), f"CREATE DATABASE {name}")
    return address(folder, name)


async def empty(url: str, tables: Sequence[str]) -> None:
    """Most tables are empty after a test: looking is quicker than TRUNCATE, which makes new files for each of them."""
    each = " ".join(f"IF EXISTS (SELECT 1 FROM {table}) THEN DELETE FROM {table}; END IF;" for table in tables)
    await _command(url, f"DO $$ BEGIN SET LOCAL session_replication_role = replica; {each} END $$")


def address(folder: Path, name: str) -> str:
    return f"postgresql://{_USER}@/{name}?host={folder}"


def _binaries() -> Path | None:
    """The folder of the newest server there is."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda found: int(found.parts[-3]))
    found = installed[-1] if installed else shutil.which("postgres")
    return Path(found).resolve().parent if found else None


async def _started() -> Path:
    folder = _server()
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            await _command(address(folder, "postgres"), "SELECT 1")
        except (OSError, asyncpg.PostgresError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)  # noqa: ASYNC251 -- once a session, nothing else is running
        else:
            return folder


@cache
def _server() -> Path:
    """Start the server, once per process; the folder that holds its socket."""
    binaries = _binaries()
    assert binaries is not None
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir=memory_disk() or "/tmp"))
    owner = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
    if owner is not None:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    _initialise(binaries, folder, owner)
    watch = subprocess.Popen(
        ["sh", "-c", _WATCH, "sh", binaries / "postgres", folder],
        stdin=subprocess.PIPE,
        start_new_session=True,
        cwd=folder,
        user=owner and owner.pw_uid,
        group=owner and owner.pw_gid,
        extra_groups=owner and (),
    )
    atexit.register(_stop, watch)
    return folder


def _initialise(binaries: Path, folder: Path, owner: pwd.struct_passwd | None) -> None:
    options = ["--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", f"--username={_USER}"]
    subprocess.run(
        [binaries / "initdb", "-D", folder / "data", *options],
        check=True,
        capture_output=True,
        cwd=folder,
        timeout=_START_SECONDS,
        user=owner and owner.pw_uid,
        group=owner and owner.pw_gid,
        extra_groups=owner and (),
    )


def _stop(watch: subprocess.Popen[bytes]) -> None:
    watch.communicate(timeout=_START_SECONDS)


async def _command(url: str, sql: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
