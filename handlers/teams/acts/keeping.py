"""Acts of Teams as they are kept until they are done, and back."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from handlers.teams.names import ASKED, CAUSE, FIX, LEARNED, SYMPTOM
from handlers.teams.records import PLATFORM, Act, Acted, Site
from memory.acts import TakenAct
from memory.model import Conversation, derived_id

_KIND, _NAME, _CHANNEL, _THREAD = "kind", "name", "channel", "thread"
_OPTIONAL = ("message", "called", "locale", "delivery")
#: Of what comes with a card no deed reads more than this, so that nothing else that anybody wrote is kept: what the bot
#: or Teams put there, and what was filled in.
_READ, _FILLED = ("value", "reaction"), (ASKED, CAUSE, FIX, SYMPTOM, LEARNED)
_INPUT = "input "


def kept(acted: Acted, at: datetime) -> TakenAct:
    """The act as it is kept, taken in at this time. Where its site is has been noted elsewhere."""
    where = acted.conversation
    fields = {_KIND: acted.kind.value, _NAME: acted.name, _CHANNEL: where.channel, _THREAD: where.thread}
    fields |= {name: value for name in _OPTIONAL if (value := getattr(acted, name))}
    fields |= {f"{_INPUT}{name}": value for name in _READ if (value := acted.inputs.get(name))}
    return TakenAct(
        id=derived_id("act", PLATFORM, where.id, acted.user, acted.name, acted.delivery or uuid4().hex),
        platform=PLATFORM,
        workspace=where.workspace,
        person=acted.user,
        at=at,
        fields=fields,
        words={f"{_INPUT}{name}": value for name in _FILLED if (value := acted.inputs.get(name))},
    )


def conversation_of(act: TakenAct) -> Conversation:
    """Where a kept act was done."""
    channel, thread = act.fields[_CHANNEL], act.fields[_THREAD]
    return Conversation(platform=PLATFORM, workspace=act.workspace, channel=channel, thread=thread)


def acted_again(act: TakenAct, site: Site) -> Acted | None:
    """The act as it was, as far as any deed reads it and but for the secrets in it; None for one that this version does
    not know."""
    fields, said = act.fields, {**act.fields, **act.words}
    if fields.get(_KIND) not in [*Act]:
        return None
    return Acted(
        kind=Act(fields[_KIND]),
        name=fields[_NAME],
        user=act.person,
        at=act.at,
        conversation=conversation_of(act),
        site=site,
        message=fields.get("message"),
        called=fields.get("called", ""),
        inputs={name: value for name in (*_READ, *_FILLED) if (value := said.get(f"{_INPUT}{name}"))},
        locale=fields.get("locale"),
        delivery=fields.get("delivery"),
    )
