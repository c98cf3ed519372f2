"""How many of something, as people write it."""

from __future__ import annotations


def amount(count: int, thing: str) -> str:
    """`1 episode`, `1,200 episodes`; `thing` is one of them, and takes an s where there are more."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"
