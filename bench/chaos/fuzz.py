"""Payloads and configurations that nobody meant to send.

    python -m bench.chaos.fuzz [--payloads 100000] [--configs 10000] [--seed 1] [--json]

Payloads of Slack and Teams are changed at random places (fields lost, moved, doubled, of other types, with words of any
kind) and read, and it is decided what to do with them; the example configuration is damaged line by line and loaded.
Reading a payload never raises; loading a configuration gives settings or ConfigProblems. Anything else is counted, and
shown with the number by which it comes again.
"""

from __future__ import annotations

import copy
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import click

from config.loader import load_settings
from config.problems import ConfigProblems
from handlers.decision import ChannelPolicy
from handlers.slack import decision as slack_decision
from handlers.slack.inbound import channel_told, installed_in, read_event
from handlers.slack.interactions import read_action
from handlers.teams import decision as teams_decision
from handlers.teams.inbound import read_activity
from tests.fakes import slack_payloads, teams_payloads

Payload: TypeAlias = dict[str, Any]
Reader: TypeAlias = Callable[[Payload], object]

_POLICY = ChannelPolicy(answer="always", remember=True)
_EXAMPLE = Path(__file__).resolve().parents[2] / "config" / "example.yaml"
_ENVIRONMENT: Mapping[str, str] = {
    "MODEL_URL": "http://127.0.0.1:1/v1",
    "MODEL_SMALL": "s",
    "MODEL_LARGE": "l",
    "POSTGRES_PASSWORD": "p",
    "QDRANT_API_KEY": "q",
}
#: What no platform should send, and some do.
_ODD: Sequence[Any] = (
    None, True, False, 0, -1, 1e308, float("nan"), float("inf"), 10**30, "", " ", "0", "null", [], {}, [[]], [None],
    {"": {}}, "\ud800", "\x00", "\u202e", "＠<@U0BOT>", "<!channel>", "<@>", "<at></at>", "a" * 5_000, "🙂" * 500,
    "1712345712.000200", "9999999999999999.9", "-1.5", "2026-13-45T99:99:99Z", "0001-01-01T00:00:00+14:00",
    "19:x;messageid=", ";messageid=1", "https://evil.example/", "&nbsp;" * 50, "<" * 2_000, "[" * 200,
)  # fmt: skip
_LINES: Sequence[str] = (
    "\t- x", "a: b: c", "- ", "? ", "&a *a", "<<: *x", "!!python/object:os.system x", "%YAML 9.9", "---", "...", "x: [",
    'x: "', "x: {", "slack: null", "slack: []", "recall: 1", "jobs: {flush: {every_seconds: 1e400}}", "\ufeff",
    "bot: {name: ${NAME", "bot: {name: ${}}", "1: 2", "null: null", "store: {url: '::::'}", "y: 2026-99-99", "\u2028",
    "retention: {days: 0x7fffffffffffffff}", "bot: {time_zone: Mars/Olympus}", "glossary: [{name: ''}]", "x: \x07",
    "? [a, b] : c",
)  # fmt: skip


def slack_bodies() -> list[Payload]:
    """One of each kind that Slack sends."""
    said, inner = slack_payloads.message(), slack_payloads.inner
    click_on = {"type": "button", "action_id": "helpful", "value": "x", "block_id": "b"}
    around = {"user": {"id": "U0SATO"}, "team": {"id": "T0DESK"}, "channel": {"id": "C0HELP"}, "trigger_id": "1.2"}
    return [
        slack_payloads.event_body(said),
        slack_payloads.event_body(slack_payloads.mention()),
        slack_payloads.event_body(slack_payloads.changed(inner("after"), inner("before"))),
        slack_payloads.event_body({"type": "member_left_channel", "user": "U0SATO", "channel": "C0HELP"}),
        slack_payloads.event_body({"type": "app_home_opened", "user": "U0SATO", "tab": "home"}),
        slack_payloads.event_body({"type": "tokens_revoked", "tokens": {"bot": ["U0BOT"]}}),
        {"type": "block_actions", "actions": [click_on], "message": said, **around},
        {"type": "view_submission", "view": {"callback_id": "c", "state": {"values": {"b": {"a": {}}}}}, **around},
        {"type": "message_action", "callback_id": "c", "message": said, **around},
        {"command": "/helpdesk", "text": "forget me", "user_id": "U0SATO", "team_id": "T0DESK", "channel_id": "C0HELP"},
    ]


def teams_bodies() -> list[Payload]:
    """One of each kind that Teams sends."""
    activity, message = teams_payloads.activity, teams_payloads.message
    action = {"action": {"type": "Action.Execute", "verb": "v", "data": {"action": "a"}}, "trigger": "manual"}
    html = [teams_payloads.html(f"<p>{teams_payloads.called()} words</p>")]
    return [
        message(),
        teams_payloads.to_the_bot(),
        message(attachments=html, **teams_payloads.in_group()),
        message(None, value={"action": "x", "turn": "T1"}),
        activity("messageUpdate", text="x", channelData={"eventType": "editMessage", "tenant": {"id": "3fa1-tenant"}}),
        activity("messageDelete"),
        activity("messageReaction", replyToId="1", reactionsAdded=[{"type": "like"}]),
        activity("installationUpdate", action="add"),
        activity("conversationUpdate", membersRemoved=[{"id": "29:1"}]),
        activity("invoke", name="adaptiveCard/action", value=action),
        activity("invoke", name="message/submitAction", value={"actionName": "feedback", "actionValue": {}}),
    ]


def read_slack(body: Payload) -> None:
    """All that is made of a body before anything is kept."""
    installed_in(body)
    channel_told(body)
    for told in (read_event(body, me=slack_payloads.ME), read_action(body)):
        slack_decision.decide(told, _POLICY, engaged=True)


def read_teams(body: Payload) -> None:
    """The same of an activity."""
    teams_decision.decide(read_activity(body, teams_payloads.ME), _POLICY)


def changed(body: Payload, drawn: random.Random) -> Payload:
    """The body with one to four of its places changed."""
    new = copy.deepcopy(body)
    for _ in range(drawn.randint(1, 4)):
        places = list(_places(new))
        holder, key = drawn.choice(places)
        _change(holder, key, places, drawn)
    return new


def _change(holder: Any, key: Any, places: Sequence[tuple[Any, Any]], drawn: random.Random) -> None:
    kind = drawn.random()
    if kind < 0.2 and isinstance(holder, dict):
        del holder[key]
    elif kind < 0.35:
        other, name = drawn.choice(places)
        holder[key] = copy.deepcopy(other[name])
    elif kind < 0.45:
        holder[key] = [holder[key]] * drawn.randint(1, 3)
    else:
        holder[key] = copy.deepcopy(drawn.choice(_ODD))


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    names = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for name in names:
        yield node, name
        yield from _places(node[name])


def damaged(text: str, drawn: random.Random) -> str:
    """A file with one to four of its lines changed."""
    lines = text.splitlines()
    for _ in range(drawn.randint(1, 4)):
        at = drawn.randrange(len(lines))
        match drawn.randrange(6):
            case 0:
                lines[at : at + drawn.randint(1, 8)] = []
            case 1:
                lines.insert(at, drawn.choice(_LINES))
            case 2:
                lines[at] = " " * drawn.randint(1, 5) + lines[at]
            case 3:
                lines[at] = lines[at][: drawn.randrange(len(lines[at]) + 1)]
            case 4:
                lines[at] = f"{lines[at].partition(':')[0]}: {json.dumps(drawn.choice(_ODD), default=str)[:300]}"
            case _:
                lines.insert(at, lines[drawn.randrange(len(lines))])
        lines = lines or [""]
    return "\n".join(lines)


def payloads(count: int, seed: int) -> list[str]:
    """What went wrong with so many payloads."""
    roots: list[tuple[Payload, Reader]] = [(body, read_slack) for body in slack_bodies()]
    roots += [(body, read_teams) for body in teams_bodies()]
    wrong = []
    for number in range(count):
        drawn = random.Random(f"{seed} payload {number}")
        body, read = drawn.choice(roots)
        try:
            read(changed(body, drawn))
        except Exception as error:
            wrong.append(f"payload {number}: {type(error).__name__}: {error}")
    return wrong


def configs(count: int, seed: int) -> list[str]:
    """What went wrong with so many configurations."""
    text, wrong = _EXAMPLE.read_text(encoding="utf-8"), []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "desk.yaml"
        for number in range(count):
            written = damaged(text, random.Random(f"{seed} config {number}"))
            file.write_text(written, encoding="utf-8", errors="surrogatepass")
            try:
                load_settings(file, _ENVIRONMENT)
            except ConfigProblems:
                continue
            except Exception as error:
                wrong.append(f"config {number}: {type(error).__name__}: {error}")
    return wrong


@click.command(help=__doc__)
@click.option("--payloads", "payload_count", default=100_000, type=click.IntRange(0))
@click.option("--configs", "config_count", default=10_000, type=click.IntRange(0))
@click.option("--seed", default=1)
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def main(payload_count: int, config_count: int, seed: int, as_json: bool) -> None:
    wrong = [*payloads(payload_count, seed), *configs(config_count, seed)]
    found = {"payloads": payload_count, "configs": config_count, "unhandled": len(wrong), "first": wrong[:10]}
    click.echo(json.dumps(found) if as_json else json.dumps(found, indent=1, ensure_ascii=False))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
