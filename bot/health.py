"""How the parts of the running bot are: what platforms report, and what is asked of the stores."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from inspect import getdoc

import structlog

from memory.errors import HelpdeskError

log = structlog.get_logger()

#: Asks something small of a part; raises a HelpdeskError where the part is not well.
Ask = Callable[[], Awaitable[object]]

#: How long a part may take to answer.
_SECONDS = 2.0
#: For how long an answer holds: whoever asks more often costs nothing.
_FRESH_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """How one part is; `why` it is not well, in plain words, empty where all is well."""

    ok: bool
    why: str = ""


WELL = Condition(ok=True)


class Health:
    """What the platforms last said of themselves, by name."""

    def __init__(self) -> None:
        self._conditions: dict[str, Condition] = {}

    def report(self, platform: str, ok: bool, why: str = "") -> None:
        """How the platform is from now on. `why` is shown to anybody: nothing private belongs in it."""
        now = Condition(ok=ok, why=why)
        if self._conditions.get(platform) != now:
            log.info("platform_condition", platform=platform, ok=ok, why=why)
        self._conditions[platform] = now

    def ready(self) -> Mapping[str, Condition]:
        """The condition of every platform that has reported."""
        return dict(self._conditions)


class Checkup:
    """The condition of all parts: those that are asked, and the platforms, which report."""

    def __init__(self, asked: Mapping[str, Ask], health: Health) -> None:
        self._asked = asked
        self._health = health
        self._one_at_a_time = asyncio.Lock()
        self._until = 0.0
        self._found: Mapping[str, Condition] = {}

    async def conditions(self) -> Mapping[str, Condition]:
        """Every part by name. Never raises; what was asked less than a second ago is not asked again."""
        async with self._one_at_a_time:
            if time.monotonic() >= self._until:
                found = await asyncio.gather(*(_condition(ask) for ask in self._asked.values()))
                self._found = dict(zip(self._asked, found, strict=True))
                self._until = time.monotonic() + _FRESH_SECONDS
        return {**self._found, **self._health.ready()}


async def _condition(ask: Ask) -> Condition:
    try:
        async with asyncio.timeout(_SECONDS):
            await ask()
    except HelpdeskError as error:
        return Condition(ok=False, why=_about(error))
    except TimeoutError:
        return Condition(ok=False, why=f"It did not answer within {_SECONDS:g} seconds.")
    return WELL


def _about(error: HelpdeskError) -> str:
    """The sentence of the error's kind: its own may name an address."""
    return " ".join((getdoc(type(error)) or "").split())
