"""An article: one Markdown file, and the turns that its sections become."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from urllib.parse import quote

from memory.knowledge.front_matter import believable, split
from memory.knowledge.sections import ABOVE, Section, last_anchor, sections_of
from memory.model import Conversation, Role, Turn, Visibility

PLATFORM = "knowledge"
#: Sections of one article follow each other in the order of the file.
_NEXT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """What a file says. `path` is that below the folder, with slashes; `title` the one that it gives itself, its first
    heading or its name."""

    collection: str
    path: str
    title: str
    author: str
    updated: datetime
    sections: tuple[Section, ...]

    @property
    def conversation(self) -> Conversation:
        return place_of(self.collection, self.path)


def place_of(collection: str, path: str) -> Conversation:
    """Where the sections of an article are remembered."""
    return Conversation(platform=PLATFORM, workspace=collection, channel=collection, thread=path)


def article_of(text: str, *, collection: str, path: str, changed: datetime, zone: tzinfo, now: datetime) -> Article:
    """The article that this file is; `changed` is when, where the text does not say so. Raises Unreadable."""
    head = split(text, zone)
    sections = [section for section in sections_of(head.markdown) if section.text.strip()]
    first = next((section.headings[0] for section in sections if section.headings), None)
    return Article(
        collection=collection,
        path=path,
        title=head.title or first or path.rpartition("/")[2].rpartition(".")[0],
        author=head.author or collection,
        updated=believable(head.updated or changed, now),
        sections=tuple(sections),
    )


def turns_of(article: Article, *, edition: int, gone: Collection[str]) -> list[Turn]:
    """A turn for each section. Every edition of an article is one of each of its sections, so that words that come back
    are new ones. `gone` are messages that were taken back and come no more: their sections get other names."""
    return [
        Turn(
            conversation=article.conversation,
            ticket=None,
            message=_named(section.slug, gone),
            author=article.author,
            role=Role.AGENT,
            text=section.text.strip(),
            said_at=article.updated + place * _NEXT,
            visibility=Visibility.COLLECTION,
            requester=article.collection,
            title=_title(article, section),
            status=f"edition {edition}",
        )
        for place, section in enumerate(article.sections)
    ]


def heading_of(turn: Turn) -> str:
    """The heading under which a section stands."""
    return (turn.title or turn.conversation.thread).rpartition(ABOVE)[2]


def address_of(turn: Turn, article: Sequence[Turn], base_url: str) -> str:
    """Where people read this section of the article, whose sections are given in order, on a site made of the folder at
    `base_url`. What stands above the first heading is at the beginning of the page."""
    until = [one.text for one in article if one.said_at <= turn.said_at]
    address, heading = f"{base_url.rstrip('/')}/{quote(turn.conversation.thread)}", last_anchor("\n\n".join(until))
    return address if heading is None else f"{address}#{quote(heading)}"


def _named(slug: str, gone: Collection[str]) -> str:
    name, times = slug, 1
    while name in gone:
        times += 1
        name = f"{slug}@{times}"
    return name


def _title(article: Article, section: Section) -> str:
    """The headings above a section, the article's title first."""
    below = section.headings[1:] if section.headings[:1] == (article.title,) else section.headings
    return ABOVE.join((article.title.replace(ABOVE.strip(), ">"), *below))
