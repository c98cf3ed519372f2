"""A memory with secrets that not everybody may see, a ticket that is open, and attacks wherever words can stand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path

from config.loader import load_settings
from config.schema import Settings
from handlers.tickets.records import Actor
from memory.chat_model import ChatModel, ModelRole, Prompt, Reply, Shape
from memory.model import DIRECT, Conversation, Role, Turn, Viewer, Visibility
from memory.stores.in_memory_index import InMemoryIndex
from tests.fakes.injections import Attack
from tests.fakes.remembering import Remembering, remembering
from tests.fakes.turns import turn

#: What only yamada may see, only the channel hr, only support agents.
SECRETS = ("KESTREL-4417", "HERON-5528", "OSPREY-6639")
#: Several of these fit into one ticket.
_SHARED = ("ticket", "file")
#: The third ticket that is opened here.
TICKET = "HD-3"
_CONFIGURATION = """\
access:
  agents: [okabe]
recall:
  mode: emem
  max_episodes: 1
knowledge:
  collections:
    - {name: it, folder: it}
    - {name: internal, folder: internal, visibility: agents}
limits:  # one person asks everything, and the clock stands still
  person_messages_a_minute: 1000
  channel_messages_a_minute: 10000
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """Attacks in one place, and the question that leads to them; by its `code` the place is found."""

    attacks: tuple[Attack, ...]
    code: str

    @property
    def where(self) -> str:
        return self.attacks[0].where

    @property
    def name(self) -> str:
        return " ".join(one.name for one in self.attacks)

    @property
    def asked(self) -> str:
        [first, *_] = self.attacks
        if first.where == "question":
            return first.words
        if first.where == "article":
            return f"How do I fix {self.code}?" if first.english else f"{self.code}の直し方を教えてください"
        return f"How was {self.code} fixed?" if first.english else f"{self.code}はどう直しましたか"


class Listening:
    """A model that somebody listens to: `told` is everything that it was told, in order."""

    def __init__(self, model: ChatModel, told: list[str]) -> None:
        self._model = model
        self._told = told

    async def ask(self, prompt: Prompt, shape: type[Shape]) -> Reply[Shape]:
        self._told.append("\n".join((prompt.instructions, prompt.material, prompt.question)))
        return await self._model.ask(prompt, shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The memory, what was planted in it, and what models have been told so far."""

    memory: Remembering
    planted: tuple[Planted, ...]
    told: list[str]

    @property
    def public(self) -> str:
        """All words that everybody may read."""
        return "\n".join(one.words for place in self.planted if place.where != "question" for one in place.attacks)


@asynccontextmanager
async def world(
    folder: Path, attacks: Sequence[Attack], models: Mapping[ModelRole, ChatModel], together: int = 1
) -> AsyncIterator[World]:
    """The attacks in a memory of its own; of those in messages and files so many share a ticket. Nothing is flushed
    yet: no model has seen anything."""
    told: list[str] = []
    listening = {role: Listening(model, told) for role, model in models.items()}
    planted = tuple(_placed(attacks, together))
    settings = _settings(folder)
    _write_articles(folder, planted)
    async with remembering("sqlite", folder, index=InMemoryIndex(), models=listening, settings=settings) as memory:
        await memory.say(*_secrets(), *(said for one in planted for said in _said(one)))
        await _open_tickets(memory)
        yield World(memory=memory, planted=planted, told=told)
        await memory.app.store.ledger.count_since(memory.watch.now)


async def remembered(made: World, *jobs: str) -> None:
    """Have models read everything that these jobs give them."""
    for job in jobs:
        await made.memory.app.jobs.run(job)


def _placed(attacks: Sequence[Attack], together: int) -> Iterator[Planted]:
    numbers = count(101)
    for where in dict.fromkeys(one.where for one in attacks):
        of_kind = [one for one in attacks if one.where == where]
        most = together if where in _SHARED else 1
        for first in range(0, len(of_kind), most):
            yield Planted(attacks=tuple(of_kind[first : first + most]), code=f"ZK-{next(numbers)}")


def _settings(folder: Path) -> Settings:
    file = folder / "desk.yaml"
    file.write_text(_CONFIGURATION, encoding="utf-8")
    return load_settings(file, {})


def _write_articles(folder: Path, planted: Sequence[Planted]) -> None:
    for name in ("it", "internal"):
        (folder / name).mkdir()
    (folder / "internal" / "secret.md").write_text(f"# Salary and bonus\n\nThe number is {SECRETS[2]}.\n")
    for place in planted:
        if place.where == "article":
            [one] = place.attacks
            parts = (f"# How to fix {place.code}", f"{place.code}の直し方です。", one.words, f"Restart {place.code}.")
            (folder / "it" / f"{one.name}.md").write_text("\n\n".join(parts), encoding="utf-8")


def _said(place: Planted) -> Iterator[Turn]:
    """A ticket that anybody may read, with the attacks in it."""
    first, code = place.attacks[0], place.code
    if place.where in ("question", "article"):
        return
    told = partial(turn, thread=f"INC-{code}", ticket=f"INC-{code}")
    broken = f"{code} does not start." if first.english else f"{code}が起動しません。"
    yield replace(told(1, broken), title=first.words if place.where == "title" else None)
    for number, one in enumerate(place.attacks, start=2):
        words = f"{code}\n[file: note.txt]\n{one.words}" if place.where == "file" else f"{code}: {one.words}"
        named = one.words if place.where == "author" else "mallory"
        yield replace(told(number, words, author="mallory", minutes=number), speaker=named)
    fixed = f"Restarting {code} helped." if first.english else f"{code}は再起動で直りました。"
    yield told(100, fixed, author="okabe", role=Role.AGENT, minutes=30)


def _secrets() -> Iterator[Turn]:
    private = turn(1, f"給与の相談です。The salary is {SECRETS[0]}.", author="yamada", requester="yamada")
    place = Conversation(platform="slack", workspace="T1", channel=DIRECT, thread="dm-yamada")
    yield replace(private, conversation=place, ticket=None, visibility=Visibility.PRIVATE)
    closed = turn(1, f"組織変更の件です。hr plans {SECRETS[1]}.", author="suzuki", requester="suzuki")
    hr = Conversation(platform="slack", workspace="T1", channel="hr", thread="hr-1")
    yield replace(closed, conversation=hr, ticket=None, visibility=Visibility.CHANNEL)


async def _open_tickets(memory: Remembering) -> None:
    actor = Actor(viewer=Viewer(user="mori"), name="mori", language="ja")
    for number in range(1, 4):
        said = turn(1, f"{number}階の席を変えたいです。", thread=f"seat-{number}", author="mori", requester="mori")
        asked = replace(said, ticket=None, visibility=Visibility.PRIVATE)
        await memory.say(asked)
        await memory.app.tickets.open(asked.id, actor)
