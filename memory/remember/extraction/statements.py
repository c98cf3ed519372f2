"""What an enricher says before it is a fact: unverified, and its time only in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Of `subject`, `predicate` is `value`; `text` says it whole, in the source's language.

    `turns` are places, from 0, among the episode's turns that are not derived. `when` are the source's own words for
    the time, empty where it has none. `before` is the value that, by the same words, this one takes the place of.
    `made_by` is empty where whoever made the enrichment said it.
    """

    subject: str
    predicate: str
    value: str
    text: str
    people: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    when: str = ""
    before: str = ""
    confidence: float = 1.0
    made_by: str = ""
