"""A token is proven once, and believed no longer than the signer and its own time allow."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import jwt
import pytest

from handlers.teams.keys import Key, Keys
from handlers.teams.tokens import Proofs, Signer, Unproven
from tests.fakes.teams.signing import ISSUER, KEY_ID, Signing

APP, SERVICE = "0a5c9c5e-1111-4abc-9def-000000000001", "https://smba.trafficmanager.net/jp/"


class Published(Keys):
    """The keys that the signer publishes now."""

    def __init__(self, session: aiohttp.ClientSession, signing: Signing) -> None:
        super().__init__(session, "")
        self._signing = signing
        self.now: Key | None = None
        self.publish()

    def publish(self) -> None:
        """Fetched anew."""
        row = self._signing.keys()["keys"][0]
        self.now = Key(public=jwt.PyJWK(row, algorithm="RS256").key, endorsements=frozenset(row["endorsements"]))

    async def of(self, id: str) -> Key | None:
        return self.now if id == KEY_ID else None


@dataclass(slots=True)
class Hours:
    """A clock that is set by hand: hours from now."""

    hours: float = 0.0
    began: float = field(default_factory=time.time)

    def __call__(self) -> float:
        return self.began + self.hours * 3600


@dataclass(slots=True)
class Door:
    """A signer, its keys, and who checks its tokens."""

    signing: Signing
    keys: Published
    clock: Hours
    proofs: Proofs

    def token(self, **claims: Any) -> str:
        return self.signing.token(audience=APP, service=SERVICE, **claims)

    async def believes(self, token: str) -> bool:
        try:
            claims = await self.proofs.of(f"Bearer {token}")
        except Unproven:
            return False
        return bool(claims["serviceurl"] == SERVICE)


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with aiohttp.ClientSession() as session:
        signing, clock = Signing(), Hours()
        keys = Published(session, signing)
        proofs = Proofs(Signer(issuer=ISSUER, app_id=APP), keys, clock)
        yield Door(signing=signing, keys=keys, clock=clock, proofs=proofs)


async def test_a_token_is_believed_as_often_as_it_comes_until_its_time_is_over(door: Door) -> None:
    token = door.token()
    believed = []
    for door.clock.hours in (0, 0.5, 1.0, 1.1):
        believed.append(await door.believes(token))
    assert believed == [True, True, True, False]


async def test_a_token_that_was_believed_is_not_when_its_key_is_withdrawn(door: Door) -> None:
    token = door.token()
    assert await door.believes(token)
    door.keys.now = None
    assert not await door.believes(token)


async def test_a_token_that_was_believed_is_not_when_its_key_may_not_sign_for_teams_any_more(door: Door) -> None:
    token = door.token()
    assert await door.believes(token)
    door.signing.endorsements = ["webchat"]
    door.keys.publish()
    assert not await door.believes(token)


async def test_a_token_that_was_believed_is_believed_when_the_same_key_was_fetched_anew(door: Door) -> None:
    token = door.token()
    assert await door.believes(token)
    door.keys.publish()
    assert await door.believes(token)


async def test_the_words_of_a_believed_token_are_not_believed_under_another_signature(door: Door) -> None:
    token, other = door.token(), door.token(foreign=True)
    assert await door.believes(token)
    forged = ".".join([*token.split(".")[:2], other.split(".")[2]])
    assert not await door.believes(forged)
    assert await door.believes(token)


async def test_however_many_tokens_come_each_is_believed(door: Door) -> None:
    tokens = [door.token(number=number) for number in range(150)]
    assert [await door.believes(token) for token in (*tokens, *tokens)] == [True] * 300
