"""What is known of a person or a system, looked at by the person who keeps the data folder."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo

from bot.application import Application
from bot.moments import shown
from bot.telling import JsonObject
from memory.model import Turn, Viewer
from memory.recall.profile import Profiles
from memory.remember.profiles import Profile, Valued


async def profile_called(app: Application, name: str, viewer: Viewer, now: datetime) -> Profile | None:
    """The profile, as it is now, of what the viewer knows by this name; None where that is nothing."""
    return await Profiles(reading=app.store.facts, facts=app.recall.facts).called(name, viewer, now)


def sources(profile: Profile) -> list[str]:
    """The turns that say so."""
    values = [one for attribute in profile.attributes for one in (*attribute.current, *attribute.history)]
    return list(dict.fromkeys(turn for one in values for turn in one.turn_ids))


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
