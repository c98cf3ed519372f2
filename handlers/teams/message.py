"""One message to Teams: what an activity holds besides where it goes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from handlers.characters import cleaned
from handlers.markup.cutting import cut_at
from handlers.teams.mention import Mention
from handlers.teams.render_runs import Element, as_sent, inert, words_of
from handlers.wordings import SHIPPED, Wording

#: Teams has taken 28 kB, 40 kB and 100 kB over the years. Less than 20 kB is always safe, of which 1.5 kB are left for
#: the ids and addresses that the message gets on its way.
MOST_BYTES = 18_500
_CARD = "application/vnd.microsoft.card.adaptive"
_SCHEMA = "http://adaptivecards.io/schemas/adaptive-card.json"
_SUMMARY = 200
_PLAIN = 5_000
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsMessage:
    """A message as the fields of an activity, plain JSON of at most 18,500 bytes; conversation, sender and receiver are
    whoever sends it to fill in."""

    content: Mapping[str, object]


def plain_message(text: str) -> TeamsMessage:
    """Words of ours that Teams does not parse: an error, a refusal, a greeting. Cut at 5,000 characters. Clients may
    show a line end as a space, so that each line has to be a sentence."""
    said = inert(cleaned(text)).strip()
    if len(said) > _PLAIN:
        said = said[: cut_at(said, _PLAIN)].rstrip() + "…"
    return TeamsMessage(content={"type": "message", "textFormat": "plain", "text": said})


def in_plain_words(message: TeamsMessage) -> TeamsMessage:
    """The words of a message that is a card, without it: no buttons, no labels, cut at 5,000 characters."""
    lines = "".join(words_of(message.content.get("attachments"))).splitlines()
    return plain_message("\n".join(line for line in lines if line.strip()))


def card_message(
    body: Sequence[Element],
    *,
    language: str,
    allowed_links: Iterable[str] = (),
    mention: Mention | None = None,
    actions: Sequence[Element] = (),
    wording: Wording = SHIPPED,
) -> TeamsMessage:
    """A message that is one card; its last line is `mention`, and `actions` are below it. ValueError where it is more
    than a message holds."""
    card = {
        "type": "AdaptiveCard",
        "$schema": _SCHEMA,
        "version": "1.5",
        "fallbackText": wording.teams(language).unshown,
        "lang": language,
        "msteams": {"width": "Full", **({"entities": [mention.entity]} if mention else {})},
        "body": [*body, *([mention.element] if mention else [])],
        **({"actions": [*actions]} if actions else {}),
    }
    attachment = {"contentType": _CARD, "content": card}
    content = {"type": "message", "summary": _summary(body, allowed_links), "attachments": [attachment]}
    if as_sent(content) > MOST_BYTES:
        raise ValueError(f"a card of {as_sent(content):,} bytes is more than Teams is sure to take; split it")
    return TeamsMessage(content=content)


def _summary(body: Sequence[Element], allowed_links: Iterable[str]) -> str:
    """The first words for a notification. Clients make links of what looks like one there, so that a URL that may not
    be one is only mentioned."""
    allowed = frozenset(allowed_links)
    words = " ".join("".join(words_of(body)).split())
    known = _ADDRESS.sub(lambda match: match.group() if match.group() in allowed else "(URL)", words[: 4 * _SUMMARY])
    return inert(known if len(known) <= _SUMMARY else known[: cut_at(known, _SUMMARY - 1)].rstrip() + "…") or "…"
