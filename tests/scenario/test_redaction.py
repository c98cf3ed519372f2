"""What people paste reaches neither the disk, nor the index, nor the log, nor a model; and they are told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.application import Application
from bot.logs import log_to_file
from bot.platforms import changes_over
from bot.use_cases import perform
from bot.wiring import build
from config.loader import load_settings
from handlers.files import Contents, read_into
from handlers.handover import Handed, RedactedHandOver, Wanted
from handlers.messages import IncomingMessage
from memory.answers import Answer, AnswerKind
from memory.model import DIRECT, Conversation, Turn, Viewer
from memory.stores.in_memory_words import InMemoryStore
from memory.text.redact import Redactor
from tests.fakes.answers import JST, ScriptedAnswers, evidence
from tests.fakes.desks import desk_over
from tests.fakes.exports import jsonl, ticket_row
from tests.fakes.folders import contents
from tests.fakes.llm_server import LlmServer, computes, serving
from tests.unit.redaction_tables import SECRETS

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=JST)
TALK = Conversation(platform="terminal", workspace="local", channel=DIRECT, thread="t1")


def message(text: str, number: int = 1, conversation: Conversation = TALK) -> IncomingMessage:
    return IncomingMessage(conversation=conversation, message=f"m{number}", author="sato", text=text, said_at=NOON)


# --- nowhere ----------------------------------------------------------------------------------------------------------


@pytest.fixture
async def server() -> AsyncIterator[LlmServer]:
    async with serving() as running:
        running.chat.always = computes(_sensible)
        yield running


def _sensible(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A reply that fits every role's shape."""
    return {"summary": "VPN", "keywords": [], "evidence": [], "answer": "はい。", "cited": [1], "supported": True}


def settings_file(server: LlmServer, folder: Path) -> Path:
    model = f"{{base_url: '{server.base_url}', model: small, retries: 0, concurrency: 8}}"
    path = folder / "helpdesk.yaml"
    path.write_text(
        f"models: {{assistant: {model}, master: {model}, enricher: {model}, breaker_failures: 100}}\n"
        f"embeddings: {{kind: endpoint, base_url: '{server.base_url}', model: vectors}}\n"
        "log: {level: debug}\nrecall: {mode: emem}\n"
        # One person says all of it at once.
        "limits: {person_messages_a_minute: 1000, channel_messages_a_minute: 10000}\n",
        encoding="utf-8",
    )
    return path


async def say_everything(app: Application, folder: Path) -> None:
    """Each secret is said to the bot, comes in a file and is imported with a title; some are overheard, edited in and
    asked about, too."""
    changes, numbers = changes_over(app), count(1)
    for leak in SECRETS:
        assert isinstance(await app.desk.receive(message(leak.said, next(numbers))), Turn)
    for leak in SECRETS[::5]:
        told, edited = message(leak.said, next(numbers)), message("VPN?", next(numbers))
        assert await app.desk.overhear(told)
        assert isinstance(await app.desk.receive(edited), Turn)
        assert await changes.edited(TALK, edited.message, "sato", f"もう一度: {leak.said}")
    for some in (SECRETS[start : start + 12] for start in range(0, len(SECRETS), 12)):
        carrier = await app.desk.receive(message("[file: a.log] これです", next(numbers)))
        assert isinstance(carrier, Turn)
        await read_into(carrier, [_File("\n".join(leak.said for leak in some))], _fetched, changes)
    for leak in SECRETS[::20]:
        assert await app.desk.reply(message(leak.said, next(numbers))) is not None
    rows = [ticket_row(str(number), text=leak.said, title=leak.said) for number, leak in enumerate(SECRETS)]
    await perform(app, "import", {"path": str(jsonl(folder / "desk.jsonl", *rows))}, lambda _: None)


class _File:
    name, mimetype = "a.log", "text/plain"

    def __init__(self, text: str) -> None:
        self.text = text


async def _fetched(file: _File) -> Contents:
    return Contents(text=file.text)


@pytest.mark.timeout(300)
async def test_no_secret_is_in_any_file_of_the_data_folder_or_in_anything_that_a_model_was_asked(
    server: LlmServer, tmp_path: Path
) -> None:
    data, clock = tmp_path / "data", count()
    data.mkdir()
    settings = load_settings(settings_file(server, tmp_path), {})
    log_to_file(settings.log, data)
    async with build(settings, data, lambda: NOON + timedelta(minutes=next(clock))) as app:
        await say_everything(app, tmp_path)
        await perform(app, "jobs run", {"name": "flush"}, lambda _: None)
        await perform(app, "ask", {"question": f"VPN? {SECRETS[0].said}", "user": "sato"}, lambda _: None)
        assert (await app.store.writing.counts())["turns"] >= 2 * len(SECRETS)
        written = await asyncio.to_thread(files_of, data)
    written += await asyncio.to_thread(files_of, data)
    asked = [json.dumps(one.body, ensure_ascii=False) for one in (*server.chat.asked, *server.embeddings.asked)]
    assert any(name.startswith("helpdesk.db") and b"[password-" in content for name, content in written)
    assert any(name.startswith("index") and content for name, content in written)
    assert any("[password-" in body for body in asked)
    everywhere = b"\n".join([*(content for _, content in written), *(body.encode() for body in asked)])
    forms = {form.encode() for leak in SECRETS for form in (leak.hidden, json.dumps(leak.hidden)[1:-1])}
    assert [form for form in forms if form in everywhere] == []


def files_of(folder: Path) -> list[tuple[str, bytes]]:
    """Every file below the folder, by its path there. The index's are mostly holes, which are left out."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [(str(path.relative_to(folder)), contents(path)) for path in files]


# --- told -------------------------------------------------------------------------------------------------------------


TOKEN = "ghp_" + "a1B2c3D4e5" * 4


def clock() -> datetime:
    return NOON


@pytest.mark.parametrize(
    ("platform", "said", "told"),
    [
        (
            "slack",
            "パスワードは hunter2 です",
            "メッセージにパスワードと思われるものがあったため、保存する前に取り除きました。念のため、新しいものに変えてください。"
            "Slack のメッセージも削除してください。削除すると、私の記憶からも消えます。",
        ),
        (
            "teams",
            "My password is hunter2 and it does not work",
            "Your message had what looks like a password. I took that out before keeping the message. "
            "To be safe, please change it. Please also delete the message in Teams; I then forget it too.",
        ),
        (
            "terminal",
            "My card 4111 1111 1111 1111 was declined",
            "Your message had what looks like a card number. I took that out before keeping the message. "
            "Type /forget to have me forget the message.",
        ),
        (
            "teams",
            f"Here is the log. password: hunter2 and token {TOKEN}",
            "Your message had what looks like a password and a token or key. I took that out before keeping the "
            "message. To be safe, please change them. Please also delete the message in Teams; I then forget it too.",
        ),
        (
            "teams",
            "It fails, see [file: a.log]\n[file: a.log]\npassword: hunter2",
            "A file with your message had what looks like a password. I took that out before keeping what was in it. "
            "To be safe, please change it. Please also delete the message in Teams; I then forget it too.",
        ),
        (
            "slack",
            f"パスワードは hunter2 です [file: a.log]\n[file: a.log]\ntoken: {TOKEN}",
            "メッセージにパスワードと思われるものがあったため、保存する前に取り除きました。"
            "添付ファイルにトークンやキーと思われるものがあったため、保存する前に取り除きました。"
            "念のため、それぞれ新しいものに変えてください。"
            "Slack のメッセージも削除してください。削除すると、私の記憶からも消えます。",
        ),
    ],
)
async def test_whoever_pasted_a_secret_is_told_what_to_do(platform: str, said: str, told: str) -> None:
    language = "ja" if platform == "slack" else "en"
    answers = ScriptedAnswers([Answer(kind=AnswerKind.WRITTEN, language=language, body="OK")])
    desk = desk_over(InMemoryStore(clock=clock), answers, clock)
    reply = await desk.reply(message(said, conversation=replace(TALK, platform=platform)))
    assert reply is not None
    assert reply.text == f"OK\n\n{told}"
    assert reply.notes == (told,)
    assert reply.pasted
    assert "hunter2" not in answers.questions[0].text
    assert "4111" not in answers.questions[0].text


async def test_whoever_pasted_none_is_told_nothing() -> None:
    answers = ScriptedAnswers([Answer(kind=AnswerKind.WRITTEN, language="en", body="OK")])
    reply = await desk_over(InMemoryStore(clock=clock), answers, clock).reply(message("How do I reset my password?"))
    assert reply is not None
    assert (reply.text, reply.notes, reply.pasted) == ("OK", (), False)


async def test_a_secret_that_is_in_an_answer_goes_no_further() -> None:
    """A model may write anything, and quotes may be of words that were kept before secrets were taken out."""
    answer = Answer(
        kind=AnswerKind.WRITTEN,
        language="ja",
        body="パスワードは hunter2 です",
        cited=(evidence("パスワードは hunter2 です"),),
        evidence=(evidence("パスワードは hunter2 です"),),
    )
    store = InMemoryStore(clock=clock)
    desk = desk_over(store, ScriptedAnswers([answer, answer]), clock)
    reply = await desk.reply(message("パスワードは？"))
    assert reply is not None
    assert "hunter2" not in f"{reply.text}{reply.body}{reply.sources}{reply.notes}"
    asked = await desk.ask("パスワードは？", user="sato", channel=DIRECT, now=NOON)
    assert "hunter2" not in str(asked)


async def test_what_is_filled_in_goes_to_a_person_without_secrets() -> None:
    told: list[Wanted] = []

    async def team(wanted: Wanted) -> Handed:
        told.append(wanted)
        return Handed(ticket=None, away=None)

    wanted = Wanted(
        conversation=TALK,
        message="m1",
        viewer=Viewer(user="sato"),
        language="ja",
        title="PW: hunter2",
        note="パスワードは hunter2 です",
    )
    assert await RedactedHandOver(team, Redactor(b"key"))(wanted)
    [one] = told
    assert "hunter2" not in f"{one.title}{one.note}"
    assert (one.title[:5], one.note[:8]) == ("PW: [", "パスワードは [")
