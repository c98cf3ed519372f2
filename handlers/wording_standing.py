"""What is said of how a ticket stands or stood, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingWords:
    """The words of one language; names in braces are filled in."""

    now: str
    then: str
    later: str
    ended_as_same: str


JAPANESE = StandingWords(
    now="{at} の時点で、{ticket} は「{state}」（{since} から）です。担当: {owner}",
    then="{at}: {ticket} は「{state}」、担当: {owner}",
    later="{ticket} が作成されたのは、{since} です。",
    ended_as_same="{ticket} は {other} と同じ件でした。{other} は「{state}」になりました。",
)

ENGLISH = StandingWords(
    now="As of {at}, {ticket} is {state} (since {since}). Owner: {owner}",
    then="{at}: {ticket} is {state}, owner: {owner}",
    later="{ticket} was opened only later: {since}.",
    ended_as_same="{ticket} was the same as {other}, and {other} is {state}.",
)
