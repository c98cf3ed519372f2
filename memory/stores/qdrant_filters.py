"""Keys and scopes as Qdrant stores and filters them. The engine in process and the client of the server have classes of
their own for the same conditions; these records are rendered into either, so that who may read what is written once."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, get_args

from memory.model import DIRECT, KeyKind, Scope, Viewer, Visibility, utc
from memory.text.language import LanguageCode

if TYPE_CHECKING:  # the engine's own process imports this module and needs no numbers library for it
    from memory.index_ports import Key, Pointer

DENSE = "dense"
WORDS = "words"
KINDS = tuple(kind.value for kind in KeyKind)
KIND = "kind"
EPISODE = "episode"
LANGUAGE = "language"
#: Who may see it, as a set of tokens: what a viewer holds is compared with it in one step, for each of a million keys.
READERS = "readers"
SAID_AT = "said_at"
#: The pointer as one piece of text: it is handed back, never filtered by.
POINTER = "pointer"
#: Payload fields that are filtered by, and therefore indexed; `SAID_AT` is too, as a whole number.
KEYWORDS = (KIND, EPISODE, LANGUAGE, READERS)

LANGUAGES: tuple[str, ...] = get_args(LanguageCode)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Is:
    """A field that is, or has among its values, one of these; there is at least one."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IsNot:
    """A field that does not have this among its values."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Has:
    """A vector of this name."""

    vector: str


@dataclass(frozen=True, slots=True)
class UpTo:
    """A number that is not above this one."""

    field: str
    most: int


Condition = Is | IsNot | Has | UpTo
#: All of these hold.
Conditions = tuple[Condition, ...]


class Reach(StrEnum):
    """What anybody may see anywhere is kept apart from the rest, so that nobody's right to it has to be checked."""

    OPEN = "open"
    LIMITED = "limited"


def reach_of(key: Key) -> Reach:
    """Open is only what is surely for everyone; all else is searched under the viewer's conditions."""
    everyone = key.scope.visibility is Visibility.EVERYONE and key.pointer.language in LANGUAGES
    return Reach.OPEN if everyone else Reach.LIMITED


def reachable(viewer: Viewer, until: datetime) -> dict[Reach, Conditions]:
    """The conditions on keys of each reach, for an index that keeps them apart."""
    limited = readable(viewer, until)
    bound = viewer.confined or viewer.collections
    return {Reach.OPEN: limited if bound else _said(until), Reach.LIMITED: limited}


def readable(viewer: Viewer, until: datetime) -> Conditions:
    """What `memory.scope.may_read` says, as conditions on stored keys, and nothing said after `until`."""
    direct = viewer.channel == DIRECT
    if viewer.collections:
        return (Is(READERS, tuple(map(_looked_up, sorted(viewer.collections)))), *_said(until))
    if viewer.confined:
        return (Is(READERS, (_own(viewer.user) if direct else _in_channel(viewer.channel),)), *_said(until))
    if viewer.agent and direct:
        return (IsNot(READERS, _COLLECTED), *_said(until))
    held = (_took_part(viewer.user), _own(viewer.user)) if direct else (_in_channel(viewer.channel),)
    return (Is(READERS, (_ANYBODY, *held)), *_said(until))


def _said(until: datetime) -> Conditions:
    return (UpTo(SAID_AT, microseconds(until)),)


def in_language(language: str | None) -> Conditions:
    """Only keys of this language; None for all."""
    return () if language is None else (Is(LANGUAGE, (language,)),)


def without_time(conditions: Conditions, newest: int) -> Conditions:
    """The same conditions where nothing was said after `newest`: a limit that lies later keeps nothing away."""
    return tuple(one for one in conditions if not (isinstance(one, UpTo) and one.most >= newest))


_ANYBODY = "anybody"
_COLLECTED = "collected"


def _in_channel(channel: str) -> str:
    return f"in {channel}"


def _took_part(user: str) -> str:
    return f"with {user}"


def _own(user: str) -> str:
    return f"of {user}"


def _looked_up(collection: str) -> str:
    return f"up {collection}"


def _readers(scope: Scope) -> list[str]:
    """The tokens of which a viewer must hold one."""
    if scope.visibility is Visibility.COLLECTION:
        return [_COLLECTED, _looked_up(scope.channel)]
    if scope.visibility is Visibility.EVERYONE:
        return [_ANYBODY, _in_channel(scope.channel)]
    if scope.visibility is Visibility.CHANNEL:
        return [_in_channel(scope.channel), *sorted(map(_took_part, scope.participants))]
    return [_own(scope.requester)]


def microseconds(moment: datetime) -> int:
    """Microseconds since 1970, exactly: engines compare whole numbers."""
    return (utc(moment) - _EPOCH) // timedelta(microseconds=1)


def payload(key: Key) -> dict[str, Any]:
    """What is stored beside a key's vectors."""
    return {
        KIND: key.kind.value,
        EPISODE: key.pointer.episode,
        LANGUAGE: key.pointer.language,
        READERS: _readers(key.scope),
        SAID_AT: microseconds(key.pointer.said_at),
        POINTER: _packed(key.pointer),
    }


def _packed(pointer: Pointer) -> str:
    said = {**asdict(pointer), SAID_AT: pointer.said_at.isoformat()}
    return json.dumps(list(said.values()), ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=8192)
def unpacked(text: str) -> Pointer:
    """The pointer that was stored. Remembered: the searches of one question find the same keys again and again."""
    from memory.index_ports import Pointer

    episode, turn, position, length, speaker, requester, language, said_at = json.loads(text)
    return Pointer(
        episode=episode,
        turn=turn,
        position=position,
        length=length,
        speaker=speaker,
        requester=requester,
        language=language,
        said_at=datetime.fromisoformat(said_at),
    )
