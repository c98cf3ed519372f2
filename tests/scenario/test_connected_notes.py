"""Notes that find each other, learn from each other and forget each other, from the messages on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from memory.facts import Event, Link
from memory.model import Note, Role, Turn, Viewer, Visibility
from memory.remember.note_diff import note_diff
from memory.remember.reports import nobody
from memory.upkeep.rollback import Rollback
from tests.fakes.remembering import HOUSES, Remembering, remembering
from tests.fakes.turns import turn

AGENT = Viewer(user="takagi", agent=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A helpdesk's day in one language: what tickets say, and what has to come of it."""

    opened: str
    title: str
    solved: str
    other: str
    reason: str
    see_also: str


JAPANESE = Language(
    opened="受注端末でエラーコード QX-7713 が出て、証明書の確認で止まります。",
    title="受注端末 QX-7713",
    solved="証明書を入れ直したところ直りました。原因は証明書の期限切れです。",
    other="食堂のメニューはどこで見られますか。",
    reason="同じエラーコード QX-7713",
    see_also="関連: ",
)
ENGLISH = Language(
    opened="The order terminal shows error code QX-7713 and stops while it checks the certificate.",
    title="Order terminal QX-7713",
    solved="We installed the certificate again, which helped. The certificate had expired.",
    other="Where can I find the menu of the canteen?",
    reason="same error code QX-7713",
    see_also="see also ",
)
LANGUAGES = pytest.mark.parametrize("words", [JAPANESE, ENGLISH], ids=["ja", "en"])


@pytest.fixture(params=HOUSES)
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering(request.param, tmp_path) as found:
        yield found


def ticket(
    name: str, words: Language, *, days: float, user: str = "sato", visibility: Visibility = Visibility.EVERYONE
) -> list[Turn]:
    """A ticket that is opened and solved `days` after noon."""
    about = {"thread": name, "ticket": name, "requester": user, "visibility": visibility}
    start = days * 1440
    return [
        turn(1, words.opened, minutes=start, author=user, title=words.title, status="open", **about),  # type: ignore[arg-type]
        turn(2, words.solved, minutes=start + 20, author="takagi", role=Role.AGENT, status="resolved", **about),  # type: ignore[arg-type]
    ]


async def consolidated(memory: Remembering) -> dict[str, int]:
    return dict((await memory.app.jobs.run("consolidate", nobody)).counts)


async def ids(memory: Remembering) -> dict[str, str]:
    """The episode of each ticket."""
    return {each.name: each.id for each in await memory.app.store.writing.episodes_after(None, 100)}


async def links(memory: Remembering, *names: str, viewer: Viewer = AGENT) -> list[Link]:
    known = await ids(memory)
    return await memory.app.store.facts.links([known[name] for name in names if name in known], viewer)


async def events(memory: Remembering, viewer: Viewer = AGENT) -> list[Event]:
    return await memory.app.store.facts.events(list((await ids(memory)).values()), viewer)


async def versions(memory: Remembering, name: str) -> Sequence[Note]:
    return await memory.app.store.facts.note_versions((await ids(memory))[name], AGENT)


def rollback(memory: Remembering, encoder: object = None) -> Rollback:
    app = memory.app
    return Rollback(
        writing=app.store.writing,
        facts=app.store.fact_writing,
        index=app.index,
        encoder=memory.encoder,
        clock=memory.watch,
    )
