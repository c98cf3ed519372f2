"""Tokens as the Bot Framework signs them, and the keys by which they are known."""

from __future__ import annotations

import json
import time
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

ISSUER = "https://api.botframework.com"
KEY_ID = "key-1"


def _made() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65_537, key_size=2048)


@cache
def _key_pair() -> rsa.RSAPrivateKey:
    """Made once for all tests: it takes a while."""
    return _made()


@cache
def _foreign_pair() -> rsa.RSAPrivateKey:
    return _made()


class Signing:
    """One signer with one published key, and one that nobody published."""

    def __init__(self) -> None:
        self._key, self._foreign = _key_pair(), _foreign_pair()
        self.endorsements: list[str] | None = ["msteams", "webchat"]

    def keys(self) -> dict[str, Any]:
        """What the key server publishes."""
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self._key.public_key()))
        endorsed = {} if self.endorsements is None else {"endorsements": self.endorsements}
        return {"keys": [{**public, "kid": KEY_ID, "use": "sig", **endorsed}]}

    def token(self, *, audience: str, service: str, key_id: str = KEY_ID, foreign: bool = False, **claims: Any) -> str:
        """A token for this app and address; `claims` are over the right ones, None takes one out."""
        now = int(time.time())
        said = {"iss": ISSUER, "aud": audience, "serviceurl": service, "nbf": now, "exp": now + 3600, **claims}
        kept = {name: value for name, value in said.items() if value is not None}
        return jwt.encode(kept, self._foreign if foreign else self._key, algorithm="RS256", headers={"kid": key_id})
