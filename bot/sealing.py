"""Secrets in a form in which they may lie in a database: readable with a key that is kept elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from memory.errors import SealUnopened


class Seal:
    """Seals with the newest of its keys, and opens with any."""

    def __init__(self, keys: Sequence[str]) -> None:
        """`keys` are of 32 bytes each in URL-safe base64, the newest first."""
        fernets = [Fernet(key) for key in keys]
        self._newest = fernets[0]
        self._any = MultiFernet(fernets)

    def sealed(self, name: str, content: Mapping[str, Any]) -> bytes:
        """JSON content under seal. The name goes in with it, so that one piece cannot be put in another's place."""
        return self._newest.encrypt(json.dumps({"name": name, "content": dict(content)}).encode())

    def opened(self, name: str, sealed: bytes) -> Mapping[str, Any]:
        """What was sealed under this name. Raises SealUnopened."""
        try:
            found = json.loads(self._any.decrypt(sealed))
        except InvalidToken as error:
            raise SealUnopened from error
        if found["name"] != name:
            raise SealUnopened
        content: Mapping[str, Any] = found["content"]
        return content

    def is_newest(self, sealed: bytes) -> bool:
        """Whether the newest key opens it."""
        try:
            self._newest.decrypt(sealed)
        except InvalidToken:
            return False
        return True
