"""Acts of Slack as they are kept until they are done, and back."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from handlers.slack.records import PLATFORM, Act, Acted
from handlers.spoken import client_language
from memory.acts import TakenAct
from memory.model import derived_id

_KIND, _NAME, _VALUE = "kind", "name", "value"
#: What else is kept as it is: ids and addresses.
_PLACE = ("enterprise", "channel", "thread", "message", "language", "trigger_id", "response_url")
#: Acts whose value is what somebody typed; of the others it is what the bot wrote on the button or the form.
_TYPED = (Act.COMMAND, Act.WROTE)
#: What was filled in is kept under its own name behind this one.
_INPUT = "input "


def kept(acted: Acted, at: datetime) -> TakenAct:
    """The act as it is kept, taken in at this time."""
    fields = {_KIND: acted.kind.value, _NAME: acted.name}
    fields |= {name: value for name in _PLACE if (value := getattr(acted, name))}
    words = {f"{_INPUT}{name}": text for name, text in acted.inputs.items()}
    if acted.value is not None:
        (words if acted.kind in _TYPED else fields)[_VALUE] = acted.value
    return TakenAct(
        id=_id(acted),
        platform=PLATFORM,
        workspace=acted.workspace,
        person=acted.user,
        at=at,
        fields=fields,
        words=words,
    )


def acted_again(act: TakenAct) -> Acted | None:
    """The act as it was, but for the secrets in it; None for one that this version does not know."""
    fields = act.fields
    if fields.get(_KIND) not in [*Act]:
        return None
    kind = Act(fields[_KIND])
    inputs = {name.removeprefix(_INPUT): text for name, text in act.words.items() if name.startswith(_INPUT)}
    return Acted(
        kind=kind,
        name=fields[_NAME],
        user=act.person,
        at=act.at,
        workspace=act.workspace,
        value=(act.words if kind in _TYPED else fields).get(_VALUE),
        inputs=inputs,
        enterprise=fields.get("enterprise"),
        channel=fields.get("channel"),
        thread=fields.get("thread"),
        message=fields.get("message"),
        language=client_language(fields.get("language")),
        trigger_id=fields.get("trigger_id"),
        response_url=fields.get("response_url"),
    )


def _id(acted: Acted) -> str:
    """The same each time that Slack delivers it: what is written goes by its message, all else by what Slack gives to
    one act alone."""
    once = acted.message if acted.kind is Act.WROTE else acted.trigger_id or acted.response_url
    place = (acted.workspace, acted.user, acted.channel or "", once or uuid4().hex)
    return derived_id("act", PLATFORM, acted.kind.value, acted.name, *place)
