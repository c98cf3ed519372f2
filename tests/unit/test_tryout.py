"""What `make try-slack` begins with, and what it says when it cannot."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.fakes.slack import serving
from tests.fakes.slack.manifest import install
from tests.fakes.tryout.bot_process import DidNotStart, Folder, ended
from tests.fakes.tryout.desk import ready
from tests.fakes.tryout.museum import SATO, history, museum

NOON = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)


def test_whoever_speaks_in_the_history_is_in_the_workspace_under_the_same_id_and_name() -> None:
    people = {person.id: person.display_name for person in museum().people.values()}
    rows = [json.loads(line) for line in history(NOON).splitlines()]
    assert {row["author"] for row in rows} == people.keys()
    assert {(row["author"], row["speaker"]) for row in rows if row["role"] != "bot"} <= people.items()


def test_its_channels_are_there_with_their_requesters_in_them() -> None:
    world = museum()
    rows = [json.loads(line) for line in history(NOON).splitlines()]
    places = {row["channel"] for row in rows} - {"dm"}
    assert places < world.channels.keys()
    for row in rows:
        if row["visibility"] == "channel":
            assert row["author"] in world.channels[row["channel"]].members


def test_its_dates_count_from_today() -> None:
    rows = [json.loads(line) for line in history(NOON, only=["INC-1067"]).splitlines()]
    assert {row["ticket"] for row in rows} == {"INC-1067"}
    assert (rows[0]["author"], rows[0]["at"]) == (SATO, "2026-11-23T08:52:00+09:00")


async def test_the_app_may_do_and_is_told_what_the_manifest_says() -> None:
    async with serving(world=museum()) as slack:
        install(slack)
        assert slack.wire.subscribed is not None
        assert {"message", "app_mention", "app_home_opened"} <= slack.wire.subscribed
        assert "reaction_added" not in slack.wire.subscribed
        assert "users:read.email" not in slack.api.granted
        assert set(slack.shortcuts) == {"helpdesk_remember_thread", "helpdesk_make_ticket"}


def test_a_configuration_brings_the_rules_of_the_platform_that_is_tried_but_not_its_connection(tmp_path: Path) -> None:
    given = tmp_path / "given.yaml"
    given.write_text(
        "bot: {name: Desk, contact: nobody}\n"
        "web: {port: 80}\n"
        "slack:\n"
        "  transport: http\n"
        "  bot_token: ${MINE}\n"
        "  handover_channel: C0MINE\n"
        "  report_channel: C0MINE\n"
        "  default: {language: en}\n"
        "  channels: {C0ITDESK: {ephemeral: true}}\n"
        "teams: {development: true}\n",
        encoding="utf-8",
    )
    folder = Folder(path=tmp_path)
    connection = {"bot_token": "${SLACK_BOT_TOKEN}", "handover_channel": "C0SUPPORT"}
    folder.configure({"bot": {"contact": "it-help"}, "slack": connection}, given)
    assert json.loads(folder.config.read_text()) == {
        "bot": {"name": "Desk", "contact": "it-help"},
        "slack": {
            **connection,
            "default": {"language": "en"},
            "channels": {"C0ITDESK": {"ephemeral": True}},
        },
    }


def test_a_configuration_brings_its_models_but_not_its_stores_and_platforms(tmp_path: Path) -> None:
    given = tmp_path / "given.yaml"
    given.write_text("models: {master: {model: m}}\nstore: {url: 'postgresql://x'}\nslack: {stream: false}\n")
    folder = Folder(path=tmp_path)
    folder.configure({"slack": {"bot_token": "${SLACK_BOT_TOKEN}"}}, given)
    assert json.loads(folder.config.read_text()) == {
        "models": {"master": {"model": "m"}},
        "slack": {"stream": False, "bot_token": "${SLACK_BOT_TOKEN}"},
    }


async def test_a_port_that_is_taken_is_said_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.fakes.tryout", "--port", str(port),
            cwd=Path(__file__).parents[2], stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        _, said = await process.communicate()
    assert process.returncode == 1
    assert said.decode() == (
        f"Port {port} is taken by another program. Choose another: make try-slack PORT={port + 1}\n"
    )


async def test_a_command_that_takes_too_long_is_said_in_a_sentence(tmp_path: Path) -> None:
    folder = Folder(path=tmp_path, seconds=0)
    folder.configure({})
    with pytest.raises(DidNotStart, match=r"^`helpdesk jobs` was not done after 0 seconds: the machine may be busy"):
        await folder.done("jobs")


async def test_a_bot_that_is_not_ready_in_time_is_said_in_a_sentence(tmp_path: Path) -> None:
    async def never() -> None:
        raise TimeoutError

    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE)
    try:
        with pytest.raises(DidNotStart, match=r"^`helpdesk run` was not ready after 300 seconds"):
            await ready(Folder(path=tmp_path), process, never())
    finally:
        await ended(process)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells a process that its parent is gone")
def test_what_was_begun_ends_when_its_parent_is_killed() -> None:
    parent = (
        "import os, signal, subprocess; from tests.fakes.tryout.bot_process import end_with_parent\n"
        "subprocess.Popen(['sleep', '600'], preexec_fn=end_with_parent, start_new_session=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    # The child has the same standard output, which is at its end only when both are gone.
    done = subprocess.run(
        [sys.executable, "-c", parent], cwd=Path(__file__).parents[2], capture_output=True, timeout=60
    )
    assert done.returncode == -9
