"""An answer as Teams messages: Markdown, as a model writes it, to cards that hold whatever was written."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from handlers.characters import readable
from handlers.markup.body import body_of
from handlers.markup.paging import Sheet, ending, paged
from handlers.markup.parts import Kind, Part, Span
from handlers.markup.sources import Source, source_parts
from handlers.teams.message import TeamsMessage, card_message
from handlers.teams.pieces import buttons, elements, small
from handlers.teams.render_elements import elements_of, leads
from handlers.teams.render_entities import Claim, entities
from handlers.teams.render_runs import Element, as_sent, words_of
from handlers.wording_actions import Actions
from handlers.wordings import SHIPPED, Wording

#: What the elements of one card may take, of the 18,500 bytes of a message.
_CARD = 16_900
_FEEDBACK: Mapping[str, object] = {"feedbackLoop": {"type": "default"}}
_SHEET = Sheet(fits=lambda page: as_sent([*page]) <= _CARD, leads=leads)


def rendered(
    body: str,
    *,
    language: str,
    sources: Sequence[Source] = (),
    claims: Sequence[Claim] = (),
    notes: Sequence[str] = (),
    allowed_links: Collection[str] = (),
    actions: Sequence[Element] = (),
    by_model: bool = False,
    wording: Wording = SHIPPED,
) -> tuple[TeamsMessage, ...]:
    """One to five messages: the body, then sources, small print and the buttons of `actions`. What does not fit is cut
    off the body's end, and a note says so.

    URLs that are not in `allowed_links` to the letter are no links. `by_model`: a model wrote the body, which Teams
    then says; quotes are nobody's but their authors'. `language` is "ja" or "en".

    ValueError: neither body nor sources say anything, or `actions` alone are more than a message holds.
    """
    allowed = frozenset(allowed_links)
    read, cited = body_of(body, allowed), source_parts(sources)
    if not (read.parts or cited):
        raise ValueError("an answer needs a body or sources")
    [cut] = elements(Part(kind=Kind.PARAGRAPH, spans=(_cut_note(wording.around(language)),)))
    below = [*_separate(elements(cited)), *(small(note) for note in notes if readable(note))]
    end = ending(below, last=[buttons(*actions, language=language)] if actions else [], cut=cut, sheet=_SHEET)
    pages = paged(chain(elements_of(read.parts), [cut] if read.unread else []), end=end, cut=cut, sheet=_SHEET)
    messages = [card_message(page, language=language, allowed_links=allowed, wording=wording).content for page in pages]
    return tuple(
        TeamsMessage(content={**message, "entities": entities(message, _words(page), claims, by_model=by_model)})
        for message, page in zip(messages, pages, strict=True)
    )


def with_thumbs(messages: Sequence[TeamsMessage]) -> tuple[TeamsMessage, ...]:
    """The messages of an answer, with Teams' own buttons for feedback under the last."""
    *before, last = messages
    return *before, TeamsMessage(content={**last.content, "channelData": _FEEDBACK})


def _cut_note(said: Actions) -> Span:
    return Span(text=said.cut, styles=frozenset(("italic",)))


def _separate(below: Sequence[Element]) -> list[Element]:
    """A line between the answer and what it stands on."""
    return [{**element, "separator": True} if place == 0 else element for place, element in enumerate(below)]


def _words(page: Sequence[Element]) -> str:
    return "".join(words_of(page))
