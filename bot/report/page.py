"""The report as one page of HTML that needs nothing else: no script, no font, no picture from anywhere."""

from __future__ import annotations

from bot.report.charts import columns
from bot.report.figures import Figures
from bot.report.markup import Markup, element, words
from bot.report.reading import Gap, Report
from bot.report.spoken import Spoken
from bot.report.style import STYLE
from bot.report.tables import Column, Row, soft, table
from bot.report.tiles import Tile, tiles

#: A browser that shows the page fetches nothing and runs nothing, whatever its words say.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(report: Report, spoken: Spoken) -> str:
    """The whole page, well-formed as XML too."""
    found, said = report.figures, spoken.words
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", words(f"{said.title} {spoken.period(found.period)}")),
        element("style", Markup(STYLE)),
    )
    body = element(
        "body",
        element("h1", words(said.title)),
        soft(spoken.period(found.period)),
        element("div", *map(_tile, tiles(found, spoken)), class_="tiles"),
        _each_day(found, spoken),
        _topics(report, spoken),
        _gaps(report, spoken),
        _tokens(found, spoken),
        _stages(found, spoken),
        element("footer", soft(said.footnote)),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang=spoken.language)}\n"


def _tile(tile: Tile) -> Markup:
    number = element("div", words(tile.number), class_="number")
    return element("div", element("div", words(tile.name)), number, soft(tile.detail), class_="tile")


def _section(heading: str, *inside: Markup) -> Markup:
    return element("section", element("h2", words(heading)), *inside)


def _each_day(found: Figures, spoken: Spoken) -> Markup:
    said = spoken.words
    heading = said.each_day if found.days_a_bar == 1 else said.each_days.format(days=found.days_a_bar)
    if not found.questions:
        return _section(heading, soft(said.nothing_yet))
    told = [
        said.bar.format(day=spoken.day(bar.first), answered=f"{bar.answered:,}", abstained=f"{bar.abstained:,}")
        for bar in found.bars
    ]
    legend = element(
        "p",
        element("span", words(""), class_="key of-answered"),
        words(said.answered),
        element("span", words(""), class_="key of-open"),
        words(said.abstained),
        class_="soft",
    )
    highest = said.highest.format(count=f"{max(bar.asked for bar in found.bars):,}")
    short = said.short_bar.format(days=f"{found.short_bar:,}") if found.short_bar else ""
    return _section(
        heading,
        soft(short),
        legend,
        _ends("", highest),
        columns([(bar.answered, bar.abstained) for bar in found.bars], told, heading),
        _ends(spoken.day(found.period.first), spoken.day(found.period.last)),
    )


def _ends(left: str, right: str) -> Markup:
    """What stands at the two ends of a line above or below a chart."""
    return element("div", element("span", words(left)), element("span", words(right)), class_="ends soft")


def _topics(report: Report, spoken: Spoken) -> Markup:
    said = spoken.words
    if not report.topics:
        return _section(said.topics, soft(said.nothing_yet))
    most = max(topic.episodes for topic in report.topics)
    rows = [
        Row(name=topic.name, share=topic.episodes / most, within=topic.episodes / most, cells=(f"{topic.episodes:,}",))
        for topic in report.topics
    ]
    drawn = table(rows, (Column(name=said.topic), Column(name="", chart=True), Column(name=said.episodes)))
    return _section(said.topics, soft(said.topics_detail), drawn)


def _gaps(report: Report, spoken: Spoken) -> Markup:
    said = spoken.words
    if not report.figures.abstained:
        return _section(said.gaps, soft(said.nothing_yet))
    further = said.further.format(count=f"{report.further:,}", shown=len(report.gaps)) if report.further else ""
    unread = said.unread.format(count=f"{report.unread:,}") if report.unread else ""
    settled = said.settled.format(count=f"{report.settled:,}") if report.settled else ""
    columns_ = (Column(name=said.gap), Column(name=said.last), Column(name=said.times))
    rows = [_gap(gap, spoken) for gap in report.gaps]
    drawn = (table(rows, columns_),) if rows else ()
    return _section(said.gaps, soft(said.gaps_detail), *drawn, soft(further), soft(unread), soft(settled))


def _gap(gap: Gap, spoken: Spoken) -> Row:
    return Row(name=gap.words, cells=(spoken.day(gap.last), f"{gap.times:,}"))


def _tokens(found: Figures, spoken: Spoken) -> Markup:
    said = spoken.words
    most = max((used.prompt + used.completion for used in found.tokens), default=0)
    if not most:
        return _section(said.tokens, soft(said.nothing_yet))
    rows = [
        Row(
            name=said.roles.get(used.role, used.role),
            share=(used.prompt + used.completion) / most,
            within=used.cached / most,
            cells=(f"{used.prompt:,}", f"{used.cached:,}", f"{used.completion:,}"),
        )
        for used in found.tokens
    ]
    counts = (Column(name=name) for name in (said.prompt, said.cached, said.completion))
    drawn = table(rows, (Column(name=said.role), Column(name="", chart=True), *counts))
    return _section(said.tokens, soft(said.tokens_detail), drawn)


def _stages(found: Figures, spoken: Spoken) -> Markup:
    said = spoken.words
    if not found.stages:
        return _section(said.stages, soft(said.nothing_yet))
    longest = max(each.p95 for each in found.stages) or 1
    rows = [
        Row(
            name=said.stage_names.get(each.stage, each.stage),
            share=each.p95 / longest,
            within=each.median / longest,
            cells=(spoken.time(each.median), spoken.time(each.p95)),
        )
        for each in found.stages
    ]
    columns_ = (Column(name=said.stage), Column(name="", chart=True), Column(name=said.median), Column(name=said.p95))
    return _section(said.stages, soft(said.stages_detail), table(rows, columns_))
