"""Web API answers that go wrong on demand."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass(slots=True, kw_only=True)
class Fault:
    """What happens to the next `times` calls of a method, or of those with the arguments `about`; `drop` is `before` or
    `after` the call is carried out; `garbled` is an answer that calls itself JSON and is none."""

    method: str
    times: int = 1
    status: int | None = None
    retry_after: float | None = None
    error: str | None = None
    slow: float = 0.0
    drop: str | None = None
    garbled: bool = False
    about: Mapping[str, str] = field(default_factory=dict)

    @property
    def answers(self) -> bool:
        """Whether the call gets this answer instead of being carried out."""
        return self.status is not None or self.error is not None or self.garbled

    def meets(self, method: str, arguments: Mapping[str, Any]) -> bool:
        """Whether it happens to this call."""
        return self.method in (method, "*") and all(arguments.get(name) == said for name, said in self.about.items())

    def response(self) -> web.Response:
        headers = {} if self.retry_after is None else {"Retry-After": f"{self.retry_after:g}"}
        if self.garbled:
            return web.Response(text='{"ok": tr', content_type="application/json")
        if self.status is not None and self.status != 429:
            return web.Response(status=self.status, text="Internal Server Error", headers=headers)
        error = self.error or "ratelimited"
        return web.json_response({"ok": False, "error": error}, status=self.status or 200, headers=headers)


@dataclass(slots=True)
class Faults:
    """The faults still to come, in order."""

    coming: list[Fault] = field(default_factory=list)

    def add(self, fault: Fault) -> None:
        self.coming.append(fault)

    async def meet(self, method: str, arguments: Mapping[str, Any]) -> Fault | None:
        """The fault that this call meets, used up by one; a slow one has been waited for."""
        found = next((fault for fault in self.coming if fault.meets(method, arguments)), None)
        if found is None:
            return None
        found.times -= 1
        if found.times <= 0:
            self.coming.remove(found)
        await asyncio.sleep(found.slow)
        return found


def dropped(request: web.Request) -> web.Response:
    """The connection breaks; nothing of this response is seen."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
