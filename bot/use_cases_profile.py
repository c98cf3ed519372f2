"""What is known of a person or a system, looked at by the person who keeps the data folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from bot.application import Application
from bot.moments import shown
from bot.telling import JsonObject
from memory.facts import ACCOUNT, STATE, Fact, matter
from memory.model import Question, Turn, Viewer
from memory.personal import Kept
from memory.recall.names import names_of
from memory.recall.profile import FACTS, Profiles
from memory.remember.profiles import Profile, Valued, profile_of, telling
from memory.tickets import Ticket, TicketFilter

#: Facts in which somebody is what is told of something else, the newest.
_NAMING = 100
#: Tickets that are listed of those that somebody has, and of those that somebody asked for.
TICKETS = 20
#: Messages that are looked at for a name, those that fit it best, and of those that have it are shown.
_LOOKED_AT, _MENTIONS = 100, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What goes by `names`, the first being what it is called: `profile` of what is told of it, `elsewhere` what is
    told of other things with it, the newest tickets that it holds and asked for (up to one more than `TICKETS`), how
    much it wrote, and the messages in which it is named, the best of which are shown."""

    names: tuple[str, ...]
    profile: Profile
    elsewhere: tuple[Profile, ...]
    held: tuple[Ticket, ...]
    asked: tuple[Ticket, ...]
    kept: Kept
    mentions: tuple[Turn, ...]

    @property
    def is_nothing(self) -> bool:
        """Whether the name occurs nowhere."""
        told = self.profile.attributes or self.elsewhere
        return not (told or self.held or self.asked or self.kept.messages or self.mentions)


async def profile_called(app: Application, name: str, viewer: Viewer, now: datetime) -> Profile | None:
    """The profile, as it is now, of what the viewer knows by this name; None where that is nothing."""
    return await Profiles(reading=app.store.facts, facts=app.recall.facts).called(name, viewer, now)


async def known_by(app: Application, name: str, viewer: Viewer, now: datetime) -> Known:
    """Everything that goes by this name, for a support agent."""
    names = await names_of(app.store.facts, name, viewer, now)
    found = await _fitting(app, names, viewer, now)
    mentions = _mentions(found, names)
    about, naming = await _facts(app, names, mentions, viewer, now)
    line = await app.recall.facts.line([fact.group for fact in (*about, *naming)], viewer, now)
    people = _people(found, names)
    return Known(
        names=names,
        profile=profile_of(line, *names, at=now),
        elsewhere=telling(line, {fact.id for fact in naming}, at=now),
        held=await _tickets(app, [TicketFilter(assignee=one) for one in people], viewer),
        asked=await _tickets(app, [TicketFilter(requester=one) for one in people], viewer),
        kept=await _kept(app, people, viewer, now),
        mentions=tuple(mentions),
    )


async def facts_by_name(app: Application, name: str, viewer: Viewer, now: datetime) -> list[Fact]:
    """What is told of what goes by this name, and of other things with it, with the changes of the tickets that it
    holds."""
    names = await names_of(app.store.facts, name, viewer, now)
    about, naming = await _facts(app, names, _mentions(await _fitting(app, names, viewer, now), names), viewer, now)
    had = await app.store.facts.naming(names, viewer, now, _NAMING)
    return list({fact.id: fact for fact in (*about, *naming, *had)}.values())


async def _facts(
    app: Application, names: Sequence[str], mentions: Sequence[Turn], viewer: Viewer, now: datetime
) -> tuple[list[Fact], list[Fact]]:
    """What is told of it, and in what is told of others it occurs; the states of tickets are listed with them."""
    facts, folded = app.store.facts, [matter(name) for name in names]
    about = await facts.about(folded, viewer, now, FACTS)
    said = await facts.of_turns([turn.id for turn in mentions], viewer, now)
    near = [fact for fact in said if _has(f"{fact.subject} {fact.value}", names)]
    naming = [*await facts.naming(names, viewer, now, _NAMING), *near]
    return about, [
        fact
        for fact in naming
        if fact.predicate != ACCOUNT and fact.made_by != STATE and matter(fact.subject) not in folded
    ]


async def _fitting(app: Application, names: Sequence[str], viewer: Viewer, now: datetime) -> list[Turn]:
    """The messages that fit these names best; what is not in the index is not found."""
    best = [
        ranked.turn_id
        for name in names
        for ranked in (await app.recall.rank(Question(text=name, viewer=viewer, now=now))).turns[:_LOOKED_AT]
    ]
    return await app.store.reading.turns(_once(best), viewer, now)


def _mentions(found: Iterable[Turn], names: Sequence[str]) -> list[Turn]:
    """The messages that have one of these names in them; what the bot said is an echo."""
    return [turn for turn in found if not turn.derived and _has(f"{turn.title or ''} {turn.text}", names)]


def _people(found: Iterable[Turn], names: Sequence[str]) -> list[str]:
    """The names, and the ids of those whom colleagues know by one of them, as far as their messages were found."""
    folded = {matter(name) for name in names}
    return _once([*names, *(turn.author for turn in found if not turn.derived and matter(turn.said_by) in folded)])


def _has(text: str, names: Iterable[str]) -> bool:
    """Whether one of the names stands in the text: till 2 does not stand in till 21."""
    folded = matter(text)
    return any(re.search(rf"(?<![a-z0-9]){re.escape(matter(name))}(?![a-z0-9])", folded) for name in names)


async def _tickets(app: Application, which: Iterable[TicketFilter], viewer: Viewer) -> tuple[Ticket, ...]:
    found = [one for each in which for one in await app.store.tickets.listed(viewer, each, None, TICKETS + 1)]
    return tuple(sorted(found, key=lambda ticket: ticket.changed_at, reverse=True)[: TICKETS + 1])


async def _kept(app: Application, people: Iterable[str], viewer: Viewer, now: datetime) -> Kept:
    """How much of these people's words is kept, as the viewer may see it."""
    found = [await app.store.personal.kept(replace(viewer, user=one), now) for one in people]
    return Kept(
        messages=sum(one.messages for one in found),
        first_at=min((one.first_at for one in found if one.first_at), default=None),
        last_at=max((one.last_at for one in found if one.last_at), default=None),
    )


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def sources(known: Known) -> list[str]:
    """The turns that say so, and those in which it is named."""
    values = [
        one
        for profile in (known.profile, *known.elsewhere)
        for attribute in profile.attributes
        for one in (*attribute.current, *attribute.history)
    ]
    said = [turn for one in values for turn in one.turn_ids]
    return _once([*said, *(turn.id for turn in known.mentions[:_MENTIONS])])


def known_object(known: Known, turns: Mapping[str, Turn], zone: tzinfo) -> JsonObject:
    """What is known as data, its times in `zone`; turns, given by id, go by the names that people use."""
    return {
        "profile": profile_object(known.profile, turns, zone),
        "also_called": list(known.names[1:]),
        "elsewhere": [profile_object(one, turns, zone) for one in known.elsewhere],
        "more_mentions": max(len(known.mentions) - _MENTIONS, 0),
        "held": _listed(known.held),
        "asked": _listed(known.asked),
        "wrote": {
            "messages": known.kept.messages,
            "first_at": known.kept.first_at and shown(known.kept.first_at, zone),
            "last_at": known.kept.last_at and shown(known.kept.last_at, zone),
        },
    }


def _listed(tickets: Sequence[Ticket]) -> JsonObject:
    return {
        "tickets": [{"ticket": one.name, "title": one.title, "state": one.state.value} for one in tickets[:TICKETS]],
        "more": len(tickets) > TICKETS,
    }


def profile_object(profile: Profile, turns: Mapping[str, Turn], zone: tzinfo) -> JsonObject:
    """A profile as data, its times in `zone`; turns, given by id, go by the names that people use."""
    return {
        "subject": profile.subject,
        "attributes": [
            {
                "predicate": attribute.predicate,
                "current": [_valued(one, turns, zone) for one in attribute.current],
                "history": [_valued(one, turns, zone) for one in attribute.history],
            }
            for attribute in profile.attributes
        ],
    }


def _valued(one: Valued, turns: Mapping[str, Turn], zone: tzinfo) -> JsonObject:
    return {
        "value": one.value,
        "valid_from": shown(one.valid_from, zone),
        "valid_to": None if one.valid_to is None else shown(one.valid_to, zone),
        "precision": one.precision,
        "confidence": one.confidence,
        "facts": list(one.facts),
        "said_in": [turns[turn].ref for turn in one.turn_ids if turn in turns],
    }
