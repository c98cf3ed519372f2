"""The chat in this terminal: with the running bot where there is one, else as the owner of the data folder."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from bot.application import Application
from bot.configured import configured
from bot.lifecycle import FINISH_SECONDS, asked, reaching
from bot.local_socket import serving
from bot.logs import log_to_file
from bot.own_config import tell_of_another
from bot.owner import socket_place
from bot.places import Place, made
from bot.scheduler import scheduled_jobs, scheduling
from bot.telling import JsonObject, Tell, unheard
from bot.use_cases import make_ready, perform
from bot.wiring import build, system_clock
from config.schema import Language, Settings
from handlers.messages import IncomingMessage, OutgoingReply, plainly
from handlers.terminal.listener import Replies, chat
from handlers.terminal.screen import open_screen
from handlers.wording_names import wording_of
from memory.model import turn_id

#: Does what a command asks: `bot.use_cases.perform` in whichever process has the data. Raises HelpdeskError.
Perform: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[JsonObject | None]]


class RemoteDesk:
    """The desk of the running process, asked over its socket."""

    def __init__(self, place: Place) -> None:
        self._place = place

    async def reply(self, incoming: IncomingMessage) -> OutgoingReply | None:
        """What the running process replies; if it has ended meanwhile, this one does its work. Raises HelpdeskError."""
        said = await asked(self._place, "reply", _message(incoming), unheard)
        if said is None:
            return None
        return replace(plainly(said["text"], said["language"], reference=said["reference"]), pasted=said["pasted"])


def _message(incoming: IncomingMessage) -> dict[str, object]:
    where = incoming.conversation
    return {
        "platform": where.platform,
        "workspace": where.workspace,
        "channel": where.channel,
        "thread": where.thread,
        "message": incoming.message,
        "author": incoming.author,
        "text": incoming.text,
        "said_at": incoming.said_at.isoformat(),
        "visibility": incoming.visibility.value,
        "requester": incoming.requester,
    }


async def talk(place: Place, *, user: str, language: str | None, tell: Tell) -> int:
    """Chat until the lines end; how many messages got an error for an answer.

    Raises EncoderChanged, IndexDamaged, StoreUnavailable and their kin at the start.
    """
    settings = configured(place.config, os.environ)
    made(place.data)
    log_to_file(settings.log, place.data)
    async with reaching(place) as owner:
        if owner is None:
            async with build(settings, place.data, system_clock) as app, at_work(app):
                await make_ready(app, tell)
                return await converse(app.desk, settings, in_process(app), user=user, language=language)
    await tell_of_another(place, os.environ, tell)

    async def ask(command: str, arguments: Mapping[str, Any]) -> JsonObject | None:
        done: JsonObject | None = await asked(place, command, arguments, unheard)
        return done

    return await converse(RemoteDesk(place), settings, ask, user=user, language=language)


def in_process(app: Application) -> Perform:
    """The use-cases of this process."""

    async def ask(command: str, arguments: Mapping[str, Any]) -> JsonObject | None:
        return await perform(app, command, arguments, unheard)

    return ask


async def converse(desk: Replies, settings: Settings, ask: Perform, *, user: str, language: str | None) -> int:
    """The chat itself, on this process's standard input and output; `ask` does what is no message."""
    spoken = Language(language) if language else settings.bot.language

    async def take_back(incoming: IncomingMessage) -> str:
        turn = turn_id(incoming.conversation, incoming.message)
        done = await ask("take back", {"turn": turn, "user": user, "language": spoken.value})
        return str(done["text"]) if done else ""

    return await chat(
        desk,
        take_back=take_back,
        user=user,
        language=spoken,
        screen=open_screen(sys.stdin, sys.stdout, name=settings.bot.name),
        clock=system_clock,
        zone=ZoneInfo(settings.bot.time_zone),
        wording=wording_of(settings.wording),
    )


@asynccontextmanager
async def at_work(app: Application) -> AsyncIterator[None]:
    """While somebody chats: other commands are served, and what was said is remembered in time."""
    flush = [job for job in scheduled_jobs(app.jobs) if job.name == "flush"]
    with socket_place(app.data) as path:
        async with (
            serving(path, lambda command, arguments, tell: perform(app, command, arguments, tell)),
            scheduling(app.jobs, flush, zone=ZoneInfo(app.settings.bot.time_zone), finish_seconds=FINISH_SECONDS),
        ):
            yield
