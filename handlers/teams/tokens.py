"""Whether a call is signed by the Bot Framework for our app: the bearer token, checked to the last claim."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jwt

from handlers.teams.keys import Keys

#: Tokens have about 1,500 characters.
_BEARER = re.compile(r"Bearer ([A-Za-z0-9_=-]{1,4000}\.[A-Za-z0-9_=-]{1,8000}\.[A-Za-z0-9_=-]{1,4000})")
#: As far as two clocks may be apart.
_LEEWAY_SECONDS = 300
_CHANNEL = "msteams"
_ALGORITHMS = ["RS256"]


class Unproven(Exception):
    """A token that proves nothing; the word says which check failed, for the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """Who must have signed, and for whom."""

    issuer: str
    app_id: str


async def proven(authorization: str, signer: Signer, keys: Keys) -> Mapping[str, Any]:
    """The claims of the token in this header. Raises Unproven, and PlatformUnavailable where the signer's keys cannot
    be had: nothing is asked of the key server for a token that is not even said to be for us."""
    found = _BEARER.fullmatch(authorization)
    if found is None:
        raise Unproven("header")
    token = found[1]
    _said_to_be_for_us(token, signer)
    key = await keys.of(_key_id(token))
    if key is None:
        raise Unproven("key")
    if key.endorsements and _CHANNEL not in key.endorsements:
        raise Unproven("endorsement")
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
