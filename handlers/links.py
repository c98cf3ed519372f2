"""How a link reads in plain words."""

from __future__ import annotations

#: What a word is made a link with, which its author did not write.
_ADDED = ("", "http://", "https://", "mailto:", "tel:")


def link_in_words(url: str, label: str) -> str:
    """The label, and the address where the label is another; only the address without a label."""
    if label and url.removesuffix("/") in {f"{added}{label.removesuffix('/')}" for added in _ADDED}:
        return label
    address = url.removeprefix("mailto:").removeprefix("tel:")
    return f"{label} ({address})" if label else address
