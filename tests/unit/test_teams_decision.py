"""What the bot answers in Teams, what it keeps, and what an administrator may say of that."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from config.channels import AnswerOn, MemoryOf
from config.teams import TeamsChannelSettings, TeamsSettings
from handlers.decision import ChannelPolicy, Decision, Kind, Reason
from handlers.ports import Manners
from handlers.teams.decision import decide
from handlers.teams.inbound import read_activity
from handlers.teams.records import Inbound, Place, Site
from handlers.teams.rules import Rules
from memory.model import Visibility
from tests.fakes.teams_payloads import (
    CALL,
    CHANNEL,
    GROUP,
    ME,
    ROOT,
    TEAM,
    TENANT,
    activity,
    html,
    in_channel,
    in_group,
    mention,
    message,
    to_the_bot,
)

ON_MENTION = ChannelPolicy()
KEEPING = ChannelPolicy(remember=True)
ALWAYS = ChannelPolicy(answer="always")
OFF = ChannelPolicy(answer="never")
CALLED = {"entities": [mention()]}
PROGRAM = {"from": {"id": "28:another", "name": "Jira"}}
TO_OTHERS = {"entities": [mention("29:1okabe", "岡部", "<at>岡部</at>")]}
PICTURE = {"attachments": [{"contentType": "image/png", "contentUrl": "https://x.example/1"}]}


def updated(event: str, **more: Any) -> dict[str, Any]:
    body = message(**{**in_channel(), **more, "type": "messageUpdate"})
    return {**body, "channelData": {**body["channelData"], "eventType": event}}


@pytest.mark.parametrize(
    ("body", "policy", "kind", "reason"),
    [
        # Somebody calls it.
        (message(), ON_MENTION, Kind.ANSWER, Reason.DIRECT),
        (message("the VPN is down"), KEEPING, Kind.ANSWER, Reason.DIRECT),
        (message(""), ON_MENTION, Kind.ANSWER, Reason.DIRECT),
        (to_the_bot(), ON_MENTION, Kind.ANSWER, Reason.MENTION),
        (to_the_bot(f"the VPN is down {CALL}"), ON_MENTION, Kind.ANSWER, Reason.MENTION),
        (message(f"{CALL} VPN", **CALLED, **in_group()), ON_MENTION, Kind.ANSWER, Reason.MENTION),
        # Nothing but a mention is greeted.
        (to_the_bot(CALL), ON_MENTION, Kind.ANSWER, Reason.MENTION),
        (to_the_bot(f"{CALL}&nbsp;\n"), ON_MENTION, Kind.ANSWER, Reason.MENTION),
        # Thanks to somebody else by name want no answer, whoever is called besides; in a chat with it alone they do.
        (message(f"{CALL} thanks emma!", **CALLED, **in_group()), ON_MENTION, Kind.REMEMBER, Reason.COURTESY),
        (to_the_bot(f"{CALL} 岡部さん、ありがとうございます"), ON_MENTION, Kind.REMEMBER, Reason.COURTESY),
        (message(f"{CALL} thanks!", **CALLED, **in_group()), ON_MENTION, Kind.ANSWER, Reason.MENTION),
        (message("thanks emma!"), ON_MENTION, Kind.ANSWER, Reason.DIRECT),
        # Where the app hears everything, it still answers only who calls it, in its own threads too.
        (message(**in_group()), ON_MENTION, Kind.IGNORE, Reason.OVERHEARD),
        (message(**in_channel()), ON_MENTION, Kind.IGNORE, Reason.OVERHEARD),
        (message("ヘルプデスクさん、VPNです", **in_channel()), ON_MENTION, Kind.IGNORE, Reason.OVERHEARD),
        (message(f"{CALL} VPN", **in_channel()), ON_MENTION, Kind.IGNORE, Reason.OVERHEARD),
        (message(**in_channel()), KEEPING, Kind.REMEMBER, Reason.OVERHEARD),
        (message("", **in_channel()), KEEPING, Kind.IGNORE, Reason.EMPTY),
        (message("", **PICTURE, **in_channel()), KEEPING, Kind.REMEMBER, Reason.OVERHEARD),
        (message("<at>岡部</at> 見て", **TO_OTHERS, **in_channel()), KEEPING, Kind.REMEMBER, Reason.OTHERS_ADDRESSED),
        # The administrator wants it otherwise.
        (message(**in_channel()), ALWAYS, Kind.ANSWER, Reason.ALWAYS),
        (message("<at>岡部</at> 見て", **TO_OTHERS, **in_channel()), ALWAYS, Kind.IGNORE, Reason.OTHERS_ADDRESSED),
        (to_the_bot(), OFF, Kind.IGNORE, Reason.SWITCHED_OFF),
        (message(), OFF, Kind.IGNORE, Reason.SWITCHED_OFF),
        # Programs.
        (message(**PROGRAM), ON_MENTION, Kind.IGNORE, Reason.BOT),
        (to_the_bot(**PROGRAM), ALWAYS, Kind.IGNORE, Reason.BOT),
        (to_the_bot(**{"from": {"id": ME.id}}), ALWAYS, Kind.IGNORE, Reason.OWN),
        # What becomes of messages.
        (updated("editMessage", text=f"{CALL} VPN", **CALLED), ALWAYS, Kind.REMEMBER, Reason.EDITED),
        (updated("editMessage", **PROGRAM), ALWAYS, Kind.IGNORE, Reason.BOT),
        (updated("undeleteMessage", text=f"{CALL} VPN", **CALLED), ON_MENTION, Kind.REMEMBER, Reason.RESTORED),
        (updated("undeleteMessage"), KEEPING, Kind.REMEMBER, Reason.RESTORED),
        (updated("undeleteMessage"), ON_MENTION, Kind.IGNORE, Reason.OVERHEARD),
        (updated("undeleteMessage", **PROGRAM), KEEPING, Kind.IGNORE, Reason.BOT),
        (activity("messageDelete"), OFF, Kind.REMEMBER, Reason.DELETED),
        (activity("messageReaction", replyToId=ROOT), ALWAYS, Kind.IGNORE, Reason.REACTED),
        # What a handler has to do.
        (activity("installationUpdate", action="add"), OFF, Kind.ACT, Reason.INSTALLED),
        (activity("installationUpdate", action="remove"), OFF, Kind.ACT, Reason.UNINSTALLED),
        (message(None, value={"action": "ask_person"}), ON_MENTION, Kind.ACT, Reason.ACTED),
        # The rest.
        (activity("conversationUpdate", topicName="x"), ALWAYS, Kind.IGNORE, Reason.NOTICE),
        (activity("typing"), ALWAYS, Kind.IGNORE, Reason.OTHER_EVENT),
        ({}, ALWAYS, Kind.IGNORE, Reason.BROKEN),
    ],
)
def test_what_is_answered(body: dict[str, Any], policy: ChannelPolicy, kind: Kind, reason: Reason) -> None:
    assert decide(read_activity(body, ME), policy) == Decision(kind=kind, reason=reason)


def test_there_is_a_decision_for_every_record() -> None:
    bodies = [
        message(),
        updated("editMessage"),
        updated("undeleteMessage"),
        activity("messageDelete"),
        activity("messageReaction", replyToId=ROOT),
        activity("installationUpdate", action="add"),
        activity("installationUpdate", action="remove"),
        activity("conversationUpdate", membersRemoved=[{"id": "29:1"}]),
        message(None, value={"action": "x"}),
        {},
    ]
    told = [read_activity(body, ME) for body in bodies]
    assert {type(one) for one in told} == {*get_args(Inbound)}
    assert {decide(one, ON_MENTION).kind for one in told} == {*Kind}


def test_a_mention_in_html_alone_is_answered_as_one_in_the_text() -> None:
    body = to_the_bot("Test", attachments=[html("<p>Test</p>")])
    assert decide(read_activity(body, ME), ON_MENTION).reason is Reason.MENTION


# --- settings -------------------------------------------------------------------------------------------------------

PERSONAL_CHAT = Site(tenant=TENANT, chat="a:1", place=Place.PERSONAL)
GROUP_CHAT = Site(tenant=TENANT, chat=GROUP, place=Place.GROUP)
IN_CHANNEL = Site(tenant=TENANT, chat=CHANNEL, place=Place.CHANNEL, team=TEAM)
ELSEWHERE = Site(tenant=TENANT, chat="19:other", place=Place.CHANNEL, team="19:team2")
OF_TEAM = {TEAM: TeamsChannelSettings(language="en", answer=AnswerOn.ALWAYS)}


def test_without_settings_what_is_said_stays_where_it_was_said() -> None:
    rules = Rules(TeamsSettings)
    assert rules.policy(IN_CHANNEL) == ChannelPolicy()
    assert rules.manners(IN_CHANNEL) == Manners(confined=True)
    assert rules.visibility(IN_CHANNEL) is rules.visibility(GROUP_CHAT) is Visibility.CHANNEL
    assert rules.manners(PERSONAL_CHAT) == Manners(confined=False)
    assert rules.visibility(PERSONAL_CHAT) is Visibility.PRIVATE


def test_a_channel_is_over_its_team_and_a_team_over_the_default() -> None:
    settings = TeamsSettings(
        default=TeamsChannelSettings(language="ja", memory=MemoryOf.EVERYONE),
        teams=OF_TEAM,
        channels={CHANNEL: TeamsChannelSettings(answer=AnswerOn.MENTION, remember=True)},
    )
    rules = Rules(lambda: settings)
    assert rules.policy(IN_CHANNEL) == ChannelPolicy(answer="mention", remember=True)
    assert rules.manners(IN_CHANNEL) == Manners(confined=False, language="en")
    assert rules.manners(ELSEWHERE) == Manners(confined=False, language="ja")
    assert rules.policy(Site(tenant=TENANT, chat="19:b", place=Place.CHANNEL, team=TEAM)).answer == "always"


def test_only_a_channel_can_be_opened_to_everyone() -> None:
    rules = Rules(lambda: TeamsSettings(default=TeamsChannelSettings(memory=MemoryOf.EVERYONE)))
    seen = [rules.visibility(site) for site in (PERSONAL_CHAT, GROUP_CHAT, IN_CHANNEL)]
    assert seen == [Visibility.PRIVATE, Visibility.CHANNEL, Visibility.EVERYONE]


def test_where_it_is_switched_off_it_is_deaf_and_mute() -> None:
    rules = Rules(lambda: TeamsSettings(channels={CHANNEL: TeamsChannelSettings(enabled=False, remember=True)}))
    assert rules.policy(IN_CHANNEL) == ChannelPolicy(answer="never", remember=False)


def test_a_personal_chat_has_the_settings_of_no_channel() -> None:
    forged = Site(tenant=TENANT, chat=CHANNEL, place=Place.PERSONAL, team=TEAM)
    assert Rules(lambda: TeamsSettings(teams=OF_TEAM)).policy(forged) == ChannelPolicy()
