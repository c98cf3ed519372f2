"""Whether a call is signed by the Bot Framework for our app: the bearer token, checked to the last claim."""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import jwt

from handlers.teams.keys import Key, Keys

#: Tokens have about 1,500 characters.
_BEARER = re.compile(r"Bearer ([A-Za-z0-9_=-]{1,4000}\.[A-Za-z0-9_=-]{1,8000}\.[A-Za-z0-9_=-]{1,4000})")
#: As far as two clocks may be apart.
_LEEWAY_SECONDS = 300
_CHANNEL = "msteams"
_ALGORITHMS = ["RS256"]
#: Tokens that are known to be true, by their digests; Teams has few at a time.
_AT_HAND = 100


class Unproven(Exception):
    """A token that proves nothing; the word says which check failed, for the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """Who must have signed, and for whom."""

    issuer: str
    app_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Proof:
    """What a token says, and by which key it was found to be true."""

    key_id: str
    key: Key
    claims: Mapping[str, Any]


class Proofs:
    """The tokens of one signer, each proven once: Teams brings the same one with every call for an hour or a day."""

    def __init__(self, signer: Signer, keys: Keys, now: Callable[[], float] = time.time) -> None:
        """`now`: seconds since 1970."""
        self._signer = signer
        self._keys = keys
        self._now = now
        self._known: OrderedDict[bytes, _Proof] = OrderedDict()

    async def of(self, authorization: str) -> Mapping[str, Any]:
        """The claims of the token in this header. Raises Unproven, and PlatformUnavailable where the signer's keys
        cannot be had: nothing is asked of the key server for a token that is not even said to be for us."""
        found = _BEARER.fullmatch(authorization)
        if found is None:
            raise Unproven("header")
        name = sha256(found[1].encode()).digest()
        proof = await self._still_known(name) or await self._proven(found[1])
        if self._now() >= int(proof.claims["exp"]) + _LEEWAY_SECONDS:
            raise Unproven("exp")
        self._keep(name, proof)
        return proof.claims

    async def _still_known(self, name: bytes) -> _Proof | None:
        """What was proven holds while the signer has the key: where keys were fetched anew it is proven anew."""
        proof = self._known.pop(name, None)
        return proof if proof is not None and await self._keys.of(proof.key_id) is proof.key else None

    async def _proven(self, token: str) -> _Proof:
        _said_to_be_for_us(token, self._signer)
        key_id = _key_id(token)
        key = await self._keys.of(key_id)
        if key is None:
            raise Unproven("key")
        if key.endorsements and _CHANNEL not in key.endorsements:
            raise Unproven("endorsement")
        return _Proof(key_id=key_id, key=key, claims=_claims(token, key, self._signer))

    def _keep(self, name: bytes, proof: _Proof) -> None:
        self._known[name] = proof
        if len(self._known) > _AT_HAND:
            self._known.popitem(last=False)


def _claims(token: str, key: Key, signer: Signer) -> Mapping[str, Any]:
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key.public,
            algorithms=_ALGORITHMS,
            audience=signer.app_id,
            issuer=signer.issuer,
            leeway=_LEEWAY_SECONDS,
            options={"require": ["iss", "aud", "exp"]},
        )
    except (jwt.PyJWTError, ValueError) as error:
        raise Unproven(type(error).__name__) from error
    return claims


def _key_id(token: str) -> str:
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, RecursionError) as error:
        raise Unproven("token") from error
    id = header.get("kid")
    if header.get("alg") not in _ALGORITHMS or not isinstance(id, str):
        raise Unproven("algorithm")
    return id


def _said_to_be_for_us(token: str, signer: Signer) -> None:
    try:
        said = jwt.decode(token, options={"verify_signature": False})
    except (jwt.PyJWTError, ValueError, RecursionError) as error:
        raise Unproven("token") from error
    if said.get("iss") != signer.issuer:
        raise Unproven("issuer")
    if said.get("aud") != signer.app_id:
        raise Unproven("audience")
