"""The chat in the terminal: lines in, replies out, and a clean end however it ends."""

from __future__ import annotations

import io
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from config.schema import Language
from handlers.messages import IncomingMessage, OutgoingReply, plainly
from handlers.terminal.lines import Lines
from handlers.terminal.listener import Replies, chat
from handlers.terminal.parse import Typist, command_in
from handlers.terminal.screen import PlainScreen, RichScreen
from memory.model import DIRECT, Conversation, Viewer, Visibility
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.answers import JST, ScriptedAnswers, abstained
from tests.fakes.desks import desk_over
from tests.fakes.terminal_chat import forgotten

NOON = datetime(2026, 11, 29, 3, 0, tzinfo=UTC)
ROOT = Path(__file__).parents[2]


def clock() -> datetime:
    return NOON


class TypedScreen:
    """Lines that were typed beforehand, and everything that was shown, each with the way it was shown."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.shown: list[tuple[str, str]] = []

    async def read(self) -> str | None:
        return self._lines.pop(0) if self._lines else None

    def say(self, text: str) -> None:
        self.shown.append(("say", text))

    def aside(self, text: str) -> None:
        self.shown.append(("aside", text))

    @contextmanager
    def _busy(self, text: str) -> Iterator[None]:
        self.shown.append(("thinking", text))
        yield
        self.shown.append(("thought", text))

    def thinking(self, text: str) -> AbstractContextManager[object]:
        return self._busy(text)


class ScriptedDesk:
    """Gives these replies in turn and keeps the messages it got."""

    def __init__(self, *replies: str | None) -> None:
        self._replies = list(replies)
        self.messages: list[IncomingMessage] = []

    async def reply(self, incoming: IncomingMessage) -> OutgoingReply | None:
        self.messages.append(incoming)
        text = self._replies.pop(0)
        return None if text is None else plainly(text, "en")


async def talk(desk: Replies, *lines: str) -> list[tuple[str, str]]:
    screen = TypedScreen(*lines)
    await chat(
        desk, take_back=forgotten, user="tanaka", language=Language.ENGLISH, screen=screen, clock=clock, zone=JST
    )
    return screen.shown


async def test_each_line_is_one_private_message_in_the_users_own_conversation() -> None:
    desk = ScriptedDesk("one", "two")
    shown = await talk(desk, "VPN is down", "since Monday")
    assert [text for way, text in shown if way == "say"] == ["one", "two"]
    first, second = desk.messages
    assert (first.text, first.author, first.visibility) == ("VPN is down", "tanaka", Visibility.PRIVATE)
    place = first.conversation
    assert (place.platform, place.workspace, place.channel, place.thread) == ("terminal", "local", DIRECT, "dm-tanaka")
    assert (first.said_at, first.said_at.tzinfo) == (NOON, JST)
    assert second.conversation == first.conversation


async def test_messages_have_ids_of_their_own_within_a_run_and_across_runs() -> None:
    later = Typist(user="tanaka", clock=lambda: datetime(2026, 11, 29, 3, 0, 0, 1, tzinfo=UTC), zone=JST)
    now = Typist(user="tanaka", clock=clock, zone=JST)
    ids = [now.message("a").message, now.message("a").message, later.message("a").message]
    assert ids == ["20261129T030000000000-1", "20261129T030000000000-2", "20261129T030000000001-1"]


async def test_a_sign_of_life_is_shown_while_the_desk_works() -> None:
    shown = await talk(ScriptedDesk("one"), "VPN is down")
    assert [way for way, _ in shown] == ["aside", "thinking", "thought", "say", "aside"]


async def test_commands_are_answered_by_the_chat_itself() -> None:
    desk = ScriptedDesk()
    shown = await talk(desk, "/help", "／ＷＨＯ ", "/nonsense", "/quit", "never read")
    said = [text for way, text in shown if way == "say"]
    assert "/quit" in said[0]
    assert said[1] == "You are talking as tanaka."
    assert said[2] == "There is no command /nonsense. /help explains."
    assert len(said) == 3
    assert desk.messages == []


@pytest.mark.parametrize("line", ["/etc/hosts is broken", "/help me", "help", "/", "//quit", "/var/log"])
def test_a_line_that_only_begins_like_a_command_is_a_message(line: str) -> None:
    assert command_in(line) is None


class PastingDesk:
    """Finds a secret in what begins with "password"."""

    async def reply(self, incoming: IncomingMessage) -> OutgoingReply | None:
        return replace(plainly("told", "en"), pasted=incoming.text.startswith("password"))


@pytest.mark.parametrize("word", ["yes", "ＹＥＳ", " y ", "はい"])
async def test_the_last_message_with_a_secret_is_forgotten_once_that_is_confirmed(word: str) -> None:
    shown = await talk(PastingDesk(), "password one", "thanks", "/forget", word, "/forget")
    said = [text for way, text in shown if way == "say"]
    assert said[2].startswith("Forget the message that had secret information in it?")
    assert said[3:] == ["forgot password one", "No message in this chat had secret information in it."]


@pytest.mark.parametrize("word", ["no", "", "/quit", "yes please forget everything"])
async def test_whatever_else_is_typed_then_forgets_nothing(word: str) -> None:
    shown = await talk(PastingDesk(), "password one", "/forget", word)
    assert ("say", "Nothing was deleted.") in shown
    assert not any(text.startswith("forgot") for _, text in shown)


async def test_nothing_is_said_where_the_desk_has_nothing_to_say() -> None:
    assert [way for way, _ in await talk(ScriptedDesk(None), "again") if way == "say"] == []


async def test_the_end_says_how_many_messages_got_an_error_for_an_answer() -> None:
    class FailingDesk:
        async def reply(self, incoming: IncomingMessage) -> OutgoingReply | None:
            return plainly("sorry", "en", reference="afc00a81" if "disk" in incoming.text else None)

    screen = TypedScreen("disk one", "fine", "disk two", "/quit")
    failed = await chat(
        FailingDesk(),
        take_back=forgotten,
        user="tanaka",
        language=Language.ENGLISH,
        screen=screen,
        clock=clock,
        zone=JST,
    )
    assert failed == 2


async def test_what_was_said_in_an_earlier_run_is_still_in_the_hot_buffer() -> None:
    store = InMemoryStore(clock=clock)
    for words in ("VPNが切れます", "まだ切れます"):
        desk = desk_over(store, ScriptedAnswers([abstained()]), clock)
        at = datetime(2026, 11, 29, 3, len(words), tzinfo=UTC)
        await chat(
            desk,
            take_back=forgotten,
            user="tanaka",
            language=Language.JAPANESE,
            screen=TypedScreen(words),
            clock=lambda at=at: at,
            zone=JST,
        )
    conversation = Conversation(platform="terminal", workspace="local", channel=DIRECT, thread="dm-tanaka")
    recent = await store.reading.recent(conversation.id, Viewer(user="tanaka"), NOON.replace(hour=5), 10)
    assert [turn.text for turn in recent if not turn.derived] == ["VPNが切れます", "まだ切れます"]


async def _lines_of(written: Sequence[bytes]) -> list[str]:
    reader, writer = os.pipe()
    for chunk in written:
        os.write(writer, chunk)
    os.close(writer)
    lines = Lines(reader, "utf-8")
    found: list[str] = []
    while (line := await lines.next()) is not None:
        found.append(line)
    assert await lines.next() is None
    os.close(reader)
    return found


async def test_lines_are_split_at_line_ends_only_and_the_last_one_needs_none() -> None:
    assert await _lines_of(["最初\r\n\n二".encode(), "つ目".encode()]) == ["最初", "", "二つ目"]
    assert await _lines_of([b"one\n"]) == ["one"]
    assert await _lines_of([]) == []


async def test_bytes_that_are_no_text_become_the_replacement_character() -> None:
    assert await _lines_of([b"VPN \xff\xe3\x81\nok\n"]) == ["VPN \ufffd\ufffd", "ok"]


def test_a_plain_screen_shows_answers_and_nothing_else() -> None:
    output = io.StringIO()
    screen = PlainScreen(Lines(0, "utf-8"), output)
    screen.aside("hello")
    with screen.thinking("thinking"):
        screen.say("line 1\nline 2\x1b[2J")
    assert output.getvalue() == "line 1\nline 2\n\n"


def test_a_terminal_shows_remembered_text_as_text_and_not_as_markup() -> None:
    output = io.StringIO()
    screen = RichScreen(Lines(0, "utf-8"), Console(file=output, width=60), name="helpdesk")
    screen.say("[red]INC-1[/red] :smile: \x1b[2J「本文」")
    assert output.getvalue() == "helpdesk\n[red]INC-1[/red] :smile: 「本文」\n\n"


COMMAND = [sys.executable, "-m", "tests.fakes.terminal_chat"]


def test_piped_lines_are_answered_one_by_one_and_the_end_of_input_ends_the_chat() -> None:
    done = subprocess.run(COMMAND, cwd=ROOT, input=b"q1\nq2\n\xff", capture_output=True, timeout=60)
    assert done.stdout.decode() == "heard q1\n\nheard q2\n\nheard \ufffd\n\nended\n"
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_interrupt_ends_a_chat_that_waits_on_a_pipe() -> None:
    with subprocess.Popen(
        COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as chatting:
        assert chatting.stdin is not None
        assert chatting.stdout is not None
        chatting.stdin.write(b"q1\n")
        chatting.stdin.flush()
        assert chatting.stdout.readline() == b"heard q1\n"
        chatting.send_signal(signal.SIGINT)
        assert chatting.wait(60) == 0
        assert chatting.stdout.read() == b"\nended\n"
        assert chatting.stderr is not None
        assert chatting.stderr.read() == b""


@pytest.fixture
def terminal() -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A chat on a terminal of its own: the side that types and sees, and the process."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        COMMAND,
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env={**os.environ, "TERM": "dumb"},
        preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),
    )
    os.close(theirs)
    yield ours, process
    process.kill()
    process.wait()
    os.close(ours)


def _seen(terminal: int, until: str) -> str:
    """What the terminal shows, up to and with these words. The far end closing (EIO) is an end too."""
    seen = ""
    while until not in seen:
        try:
            seen += os.read(terminal, 4096).decode(errors="replace")
        except OSError:
            break
    assert until in seen
    return seen


@pytest.mark.parametrize("ending", [b"\x03", b"\x04", b"/quit\n", b"hang\n\x03"])
def test_at_a_terminal_the_chat_greets_answers_and_ends_cleanly(
    terminal: tuple[int, subprocess.Popen[bytes]], ending: bytes
) -> None:
    ours, process = terminal
    assert "This is the helpdesk." in _seen(ours, "> ")
    os.write(ours, "VPN が\n".encode())
    assert "helpdesk\r\nheard VPN が" in _seen(ours, "> ")
    for part in ending.splitlines(keepends=True):
        os.write(ours, part)
    assert "Thank you, and goodbye." in _seen(ours, "ended")
    assert process.wait(60) == 0
