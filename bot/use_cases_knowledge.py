"""Looking after the knowledge base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.application import Application
from bot.arguments import Nothing
from bot.telling import JsonObject, Notice, Tell
from bot.use_cases import watching
from memory.answers import Dissent
from memory.knowledge.articles import heading_of
from memory.knowledge.shelf import Shelved
from memory.model import Question, Turn, Viewer, turn_id

#: Articles whose sections are compared with tickets at a time.
_AT_ONCE = 50


async def sync(app: Application, given: Nothing, tell: Tell) -> JsonObject:
    """Take in what changed now; what could not be taken in is told."""
    run = await app.jobs.run("knowledge-sync", watching(tell))
    for bad in app.sync.last.bad:
        tell(Notice(text=str(bad)))
    return {"counts": dict(run.counts), "seconds": round((run.ended_at - run.started_at).total_seconds(), 3)}


async def listed(app: Application, given: Nothing, tell: Tell) -> JsonObject:
    """Every article as it was last taken in, with its sections that newer tickets or messages contradict."""
    articles = [one for one in await app.store.shelf.shelved() if one.sections]
    stale: dict[str, list[JsonObject]] = {}
    for start in range(0, len(articles), _AT_ONCE):
        for turn, newer in await _contradicted(app, articles[start : start + _AT_ONCE]):
            stale.setdefault(turn.conversation.id, []).append(_section(turn, newer))
    return {
        "articles": [
            {
                "collection": one.collection,
                "file": one.path,
                "title": one.title,
                "sections": len(one.sections),
                "taken_in": one.at.isoformat(),
                "contradicted": stale.get(one.conversation.id, []),
            }
            for one in articles
        ]
    }


def _section(turn: Turn, against: Sequence[Dissent]) -> JsonObject:
    """Its heading and what is against it: tickets by name, and of what stands in none who said it when."""
    return {
        "heading": heading_of(turn),
        "tickets": [one.ticket for one in against if one.ticket],
        "messages": [{"speaker": one.speaker, "time": one.said_at.isoformat()} for one in against if not one.ticket],
    }


async def _contradicted(app: Application, articles: Sequence[Shelved]) -> list[tuple[Turn, tuple[Dissent, ...]]]:
    """As an agent sees it: the whole memory is compared."""
    now, keeper = app.clock(), Viewer(user="", agent=True)
    looking = Viewer(user="", collections=frozenset(one.collection for one in articles))
    ids = [turn_id(one.conversation, section) for one in articles for section in one.sections]
    sections = await app.store.reading.turns(ids, looking, now)
    against: Mapping[str, tuple[Dissent, ...]] = await app.contradictions.of(
        sections, Question(text="", viewer=keeper, now=now)
    )
    return [(turn, against[turn.id]) for turn in sections if turn.id in against]
