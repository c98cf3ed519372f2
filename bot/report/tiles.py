"""The numbers at the head of a report, each with its name and what it is of."""

from __future__ import annotations

from dataclasses import dataclass

from bot.report.figures import Figures
from bot.report.spoken import Spoken, part


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One number in words; `detail` is empty where there is nothing to add."""

    name: str
    number: str
    detail: str = ""


def tiles(found: Figures, spoken: Spoken) -> tuple[Tile, ...]:
    """What matters most comes first. Where no model was asked there is neither cost nor saving."""
    words = spoken.words
    asked = Tile(
        name=words.questions,
        number=f"{found.questions:,}",
        detail=words.questions_detail.format(answered=f"{found.answered:,}", abstained=f"{found.abstained:,}"),
    )
    share = spoken.share(part(found.alone, found.questions))
    alone = Tile(
        name=words.alone,
        number=f"{found.alone:,}" if found.questions else words.none,
        detail=words.alone_detail.format(share=share) if found.questions else "",
    )
    return (asked, alone, _helpful(found, spoken), _time(found, spoken), *_spent(found, spoken))


def _helpful(found: Figures, spoken: Spoken) -> Tile:
    words, votes = spoken.words, found.votes
    every = votes.helpful + votes.unhelpful
    return Tile(
        name=words.helpful,
        number=spoken.share(part(votes.helpful, every)),
        detail=words.helpful_detail.format(helpful=f"{votes.helpful:,}", all=f"{every:,}") if every else "",
    )


def _time(found: Figures, spoken: Spoken) -> Tile:
    words = spoken.words
    if found.total is None:
        return Tile(name=words.time, number=words.none)
    return Tile(
        name=words.time,
        number=spoken.time(found.total.median),
        detail=words.time_detail.format(p95=spoken.time(found.total.p95)),
    )


def _spent(found: Figures, spoken: Spoken) -> tuple[Tile, ...]:
    words = spoken.words
    if found.saving is None:
        return ()
    full = words.cost_detail.format(full=spoken.money(found.full_context_cost))
    cost = Tile(name=words.cost, number=spoken.money(found.cost), detail=full)
    saving = Tile(name=words.saving, number=spoken.share(found.saving), detail=words.saving_detail)
    return (cost, saving)
