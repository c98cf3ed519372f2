"""Which addresses are Teams' own: words of people go to these and to no others, whatever a request says."""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import urlsplit

#: No user, no backslash, nothing that two parsers might read in two ways.
_ADDRESS = re.compile(r"(https?)://([a-z0-9.-]{1,253})(:[0-9]{1,5})?(/[A-Za-z0-9._~/%:;=@!$&+,-]{0,2000})?")
_LAST_PORT = 65_535
_LOCAL = frozenset(("127.0.0.1", "localhost"))


def is_service(url: str | None, hosts: Collection[str]) -> bool:
    """Whether answers may go to this address: its host is one of `hosts` to the letter, by https at the usual port.
    This machine itself, where it is among them, may be called by http and at any port."""
    found = _ADDRESS.fullmatch(url or "")
    if found is None or found[2] not in hosts or not _is_port(found[3]):
        return False
    return is_local(found[2]) or (found[1] == "https" and found[3] in (None, ":443"))


def _is_port(told: str | None) -> bool:
    """Whether there is such a port, where one is told; nobody can be called at another."""
    return told is None or 0 < int(told[1:]) <= _LAST_PORT


def is_local(host: str) -> bool:
    """Whether this is the machine itself, which may be called without https."""
    return host in _LOCAL


def is_file_host(url: str, hosts: Collection[str]) -> bool:
    """Whether a file may be fetched from this address: its host is among `hosts`, or below one with a dot in front."""
    if "\\" in url or "@" in url.partition("?")[0]:
        return False
    try:
        given = urlsplit(url)
        host = given.hostname or ""
    except ValueError:  # as in an unclosed bracket
        return False
    known = any(host.endswith(one) if one.startswith(".") else host == one for one in hosts)
    return known and (given.scheme == "https" or (given.scheme == "http" and is_local(host)))
