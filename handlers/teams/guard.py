"""The guard at the door: who may bring an activity in, from where, and to where answers to it would go."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from handlers.teams.fields import Fields, string
from handlers.teams.hosts import is_service
from handlers.teams.keys import Keys
from handlers.teams.tokens import Proofs, Signer, Unproven
from memory.errors import PlatformUnavailable

_PLATFORM = "msteams"
_SERVICE_CLAIM = "serviceurl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a call is not let in: the HTTP status, and a word for the log that holds nothing of the call."""

    status: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What holds of every call that is let in. `signer` and `tenant` are None in development only."""

    signer: Signer | None
    tenant: str | None
    hosts: frozenset[str]


class Guard:
    """Lets in what Teams sends to our app from our organisation."""

    def __init__(self, admission: Admission, keys: Keys) -> None:
        self._admission = admission
        self._proofs = None if admission.signer is None else Proofs(admission.signer, keys)

    async def admitted(self, authorization: str, body: bytes) -> Mapping[str, Any] | Refusal:
        """The activity in `body`, or why it is refused. Nothing is parsed for whoever has proven nothing."""
        claims: Mapping[str, Any] | None = None
        if self._proofs is not None:
            try:
                claims = await self._proofs.of(authorization)
            except Unproven as refusal:
                return Refusal(status=401, why=str(refusal))
            except PlatformUnavailable:
                return Refusal(status=503, why="keys")
        activity = activity_in(body)
        return activity if isinstance(activity, Refusal) else refused(activity, claims, self._admission) or activity


def activity_in(body: bytes) -> dict[str, Any] | Refusal:
    """The JSON object that this is; 400 where it is none."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return Refusal(status=400, why="json")
    return found if isinstance(found, dict) and string(found, "type") else Refusal(status=400, why="activity")


def refused(activity: Fields, claims: Mapping[str, Any] | None, admission: Admission) -> Refusal | None:
    """Why this activity is not let in, though the call is signed; None where it is."""
    service = string(activity, "serviceUrl")
    if (string(activity, "channelId") or "").casefold() != _PLATFORM:
        return Refusal(status=403, why="channel")
    if not is_service(service, admission.hosts):
        return Refusal(status=403, why="service")
    if claims is not None and claims.get(_SERVICE_CLAIM) != service:
        return Refusal(status=403, why="service_claim")
    if admission.tenant is not None and not _is_of(activity, admission.tenant):
        return Refusal(status=403, why="tenant")
    return None


def _is_of(activity: Fields, tenant: str) -> bool:
    """Wherever the organisation is told, it is this one; and it is told. What is there and is no word tells of another
    one: two readers might read it in two ways."""
    told = [*_told(activity, "channelData", "tenant", "id"), *_told(activity, "conversation", "tenantId")]
    return bool(told) and all(isinstance(one, str) and one.casefold() == tenant.casefold() for one in told)


def _told(activity: object, *path: str) -> list[object]:
    """What stands at the end of this path; whatever stands in its way; nothing where it is not gone on."""
    found: object = activity
    for name in path:
        if not isinstance(found, Mapping):
            return [found]
        found = found.get(name)
        if found is None:
            return []
    return [found]
