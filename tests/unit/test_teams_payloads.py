"""Payloads from the tests and documents of Teams' own kits: none is an error, and each is decided as its name says.

They are not part of this repository: HELPDESK_PAYLOADS names their folder.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest

from handlers.decision import ChannelPolicy, Kind, Reason
from handlers.teams.decision import decide
from handlers.teams.inbound import read_activity
from handlers.teams.records import Inbound, Me, Said
from handlers.teams.text import words_of
from tests.fakes.payloads import FOLDER, spoilt
from tests.fakes.teams_payloads import activity, message

if not FOLDER.is_dir():
    pytest.skip("teams payloads: not found; HELPDESK_PAYLOADS names their folder", allow_module_level=True)

ANSWER, REMEMBER, IGNORE, ACT = Kind.ANSWER, Kind.REMEMBER, Kind.IGNORE, Kind.ACT
POLICY = ChannelPolicy(remember=True)

#: Complete activities.
DECIDED = {
    "teams_botbuilder/SampleActivityAtMention.json": (ANSWER, Reason.MENTION),
    "teams_botbuilder/SampleActivityChannelRenamed.json": (IGNORE, Reason.NOTICE),
    "teams_botbuilder/SampleActivityComposeExtension.json": (IGNORE, Reason.OTHER_EVENT),
    "teams_botbuilder/SampleActivityInvoke.json": (IGNORE, Reason.OTHER_EVENT),
    "teams_botbuilder/SampleActivityMembersAdded.json": (REMEMBER, Reason.MOVED),
    "teams_botbuilder/SampleActivityMessageWithAADObjectId.json": (ANSWER, Reason.DIRECT),
    "teams_botbuilder/SampleActivitySigninAuthStateVerification.json": (IGNORE, Reason.OTHER_EVENT),
    "teams_botbuilder/SampleActivityTeamRenamed.json": (IGNORE, Reason.NOTICE),
    "teams_docs/botevents_4_conversationUpdate_channelCreated.json": (IGNORE, Reason.NOTICE),
    "teams_docs/bots-conversations_1_message_.json": (ANSWER, Reason.DIRECT),
    "teams_docs/bots-notifications_8_messageReaction_.json": (IGNORE, Reason.REACTED),
    "teams_docs/botsconversation_1_message_.json": (ANSWER, Reason.DIRECT),
    "teams_docs/conversation-messages_1_message_.json": (ANSWER, Reason.DIRECT),
    "teams_docs/create-task-module_8_invoke_.json": (IGNORE, Reason.OTHER_EVENT),
    "teams_docs/meeting-apps-apis_8_event_.json": (IGNORE, Reason.OTHER_EVENT),
    "teams_docs/subscribe-to-conversation-events_11_conversationUpdate_teamArchived.json": (IGNORE, Reason.NOTICE),
    "teams_docs/subscribe-to-conversation-events_12_conversationUpdate_teamUnarchived.json": (IGNORE, Reason.NOTICE),
    "teams_docs/subscribe-to-conversation-events_13_messageReaction_.json": (IGNORE, Reason.REACTED),
    "teams_docs/subscribe-to-conversation-events_14_messageReaction_.json": (IGNORE, Reason.REACTED),
    "teams_docs/subscribe-to-conversation-events_5_conversationUpdate_teamMemberAdded.json": (ACT, Reason.INSTALLED),
    "teams_docs/subscribe-to-conversation-events_7_conversationUpdate_teamMemberRemoved.json": (REMEMBER, Reason.MOVED),
    "teams_docs/subscribe-to-conversation-events_9_conversationUpdate_teamDeleted.json": (IGNORE, Reason.NOTICE),
    # "<tenant id>" and the like, where an id should be.
    "teams_docs/build-apps-for-anonymous-user_1_conversationUpdate_.json": (IGNORE, Reason.BROKEN),
    "teams_docs/subscribe-to-conversation-events_6_conversationUpdate_.json": (IGNORE, Reason.BROKEN),
    # A webhook's and a bot's own answers.
    "teams_docs/add-outgoing-webhook_1_message_.json": (IGNORE, Reason.OTHER_PLATFORM),
    "teams_docs/conversation-messages_2_message_.json": (IGNORE, Reason.OTHER_PLATFORM),
}
#: Only what a test of the kits needed; what they are when the rest of an activity in a personal chat is around them.
FRAMED = {
    "deep_dive_assertions_L188_message.json": ANSWER,
    "test_agent_client_L108_message.json": ANSWER,
    "test_agent_client_L109_message.json": ANSWER,
    "test_agent_client_L110_message.json": ANSWER,
    "test_agent_client_L214_event_test-event.json": IGNORE,
    "test_agent_client_L244_message.json": ANSWER,
    "test_agent_client_L264_message.json": ANSWER,
    "test_agent_client_L280_message.json": ANSWER,
    "test_agent_client_L283_event_custom-event.json": IGNORE,
    "test_agent_client_L378_message.json": ANSWER,
    "test_agent_client_L417_invoke_test-invoke.json": IGNORE,
    "test_agent_client_L97_message.json": ANSWER,
    "test_aiohttp_cloud_adapter_L132_message.json": ANSWER,
    "test_exchange_L260_message.json": ANSWER,
    "test_exchange_L294_invoke_testInvoke.json": IGNORE,
    "test_expect_replies_L15_message.json": ANSWER,
    "test_integration_L200_message.json": ANSWER,
    "test_integration_L222_invoke_action-test.json": IGNORE,
    "test_integration_L295_message.json": ANSWER,
    "test_integration_L298_message.json": ANSWER,
    "test_integration_L409_message.json": ANSWER,
    "test_integration_L439_message.json": ANSWER,
    "test_integration_L608_message.json": ANSWER,
    "test_integration_L610_message.json": ANSWER,
    "test_integration_L723_message.json": ANSWER,
    "test_integration_L773_message.json": ANSWER,
    "test_pred_L106_message.json": ANSWER,
    "test_teams_activity_handler_L1043_invoke_composeExtension-setting.json": IGNORE,
    "test_teams_activity_handler_L1103_invoke_task-fetch.json": IGNORE,
    "test_teams_activity_handler_L1258_event_application-vnd.microsoft.readReceipt.json": IGNORE,
    "test_teams_activity_handler_L1276_event_application-vnd.microsoft.meetingStart.json": IGNORE,
    "test_teams_activity_handler_L1311_messageUpdate_editMessage.json": REMEMBER,
    "test_teams_activity_handler_L1379_messageDelete_softDeleteMessage.json": REMEMBER,
    "test_teams_activity_handler_L1429_event_application-vnd.microsoft.meetingParticipantJoin.json": IGNORE,
    "test_teams_activity_handler_L466_conversationUpdate_channelRestored.json": IGNORE,
    "test_teams_activity_handler_L510_conversationUpdate_teamArchived.json": IGNORE,
    "test_teams_activity_handler_L576_conversationUpdate_teamRenamed.json": IGNORE,
    "test_teams_activity_handler_L642_conversationUpdate_teamMemberAdded.json": REMEMBER,
    "test_teams_activity_handler_L680_conversationUpdate_teamMemberAdded.json": ACT,
    "test_teams_activity_handler_L757_invoke_fileConsent-invoke.json": IGNORE,
    "test_teams_activity_handler_L990_invoke_composeExtension-fetchTask.json": IGNORE,
    "test_transcript_L266_message.json": ANSWER,
    "test_transcript_L295_message.json": ANSWER,
    "test_transcript_L331_message.json": ANSWER,
    "test_user_profile_dialog_L260_message.json": ANSWER,
    "test_user_profile_dialog_L279_message.json": ANSWER,
    "test_user_profile_dialog_L300_message.json": ANSWER,
}
#: Answers of Teams, cards and tasks: no activities.
OTHERS = (
    "teams_botbuilder/SampleResponseGetTeamsConversationMembers.json",
    "teams_botbuilder/SampleResponseTeamsGetConversationMember.json",
    "teams_botbuilder/SampleTaskModuleAdaptiveCardPayload.json",
    "teams_botbuilder/SampleTaskModuleCustomFormPayload.json",
    "teams_docs/cards-reference_5_application-vnd-microsoft-card-thumbnail_.json",
    "teams_docs/cards-reference_6_x_.json",
    "teams_docs/composeextensions_2_x_.json",
    "teams_docs/composeextensions_3_x_.json",
    "teams_docs/create-extensions_2_x_.json",
    "teams_docs/meeting-apps-apis_3_x_.json",
    "teams_docs/meeting-apps-apis_5_x_.json",
    "teams_docs/respond-to-task-module-submit_1_x_.json",
)
ALL = [*DECIDED, *(f"teams_converted/{name}" for name in FRAMED), *OTHERS]
NO_JSON = sorted(FOLDER.glob("teams_docs_malformed/*.txt"))
OF_OTHER_KITS = sorted(FOLDER.glob("botbuilder_dotnet/*.json"))


def payload(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def bodies(found: Any) -> list[dict[str, Any]]:
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, dict)]


def read(body: dict[str, Any]) -> Inbound:
    """The bot is whoever it was sent to."""
    recipient = body.get("recipient")
    id = recipient.get("id") if isinstance(recipient, dict) else None
    return read_activity(body, Me(id=id if isinstance(id, str) else "28:app"))


def framed(frame: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The frame with what is given put over it, object by object."""
    found = dict(frame)
    for key, value in given.items():
        inner = found.get(key)
        found[key] = framed(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return found


def test_every_payload_of_teams_is_listed() -> None:
    there = {f"{path.parent.name}/{path.name}" for path in FOLDER.glob("teams_*/*.json")}
    assert there
    assert {*ALL} == there
    assert NO_JSON
    assert OF_OTHER_KITS


@pytest.mark.parametrize(("name", "expected"), DECIDED.items())
def test_a_payload_is_decided_as_its_kind_is(name: str, expected: tuple[Kind, Reason]) -> None:
    decision = decide(read(payload(name)), POLICY)
    assert (decision.kind, decision.reason) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("teams_botbuilder/SampleActivityAtMention.json", "Test Message"),
        ("teams_botbuilder/SampleActivityMessageWithAADObjectId.json", "hi"),
        ("teams_docs/bots-conversations_1_message_.json", "Hello Teams TestBot"),
        ("teams_docs/conversation-messages_1_message_.json", "Hello Teams TestBot. Sending bold-italic rich text."),
    ],
)
def test_the_words_of_a_message_are_what_its_author_wrote(name: str, text: str) -> None:
    found = read(payload(name))
    assert isinstance(found, Said)
    assert found.text == text


@pytest.mark.parametrize(("name", "expected"), FRAMED.items())
def test_a_payload_that_was_cut_short_is_ignored_and_whole_it_is_decided_as_its_kind_is(
    name: str, expected: Kind
) -> None:
    body = payload(f"teams_converted/{name}")
    assert decide(read(body), POLICY).kind is IGNORE
    around = message(None) if body["type"] == "message" else activity(body["type"])
    whole = framed(around, body) | {"channelId": "msteams"}
    assert decide(read(whole), POLICY).kind is expected


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_activity_is_ignored(name: str) -> None:
    for body in bodies(payload(name)):
        assert decide(read(body), POLICY).kind is IGNORE


@pytest.mark.parametrize("path", OF_OTHER_KITS, ids=lambda path: path.name)
def test_what_other_platforms_send_is_ignored(path: Any) -> None:
    for body in bodies(json.loads(path.read_text(encoding="utf-8"))):
        assert decide(read(body), POLICY).kind is IGNORE


@pytest.mark.parametrize("path", NO_JSON, ids=lambda path: path.name)
def test_what_is_no_json_is_no_activity_and_as_a_message_no_error(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="line"):
        json.loads(text)
    attached = [{"contentType": "text/html", "content": text}]
    assert words_of(message(text, attachments=attached), Me(id="28:app")).text


@pytest.mark.parametrize("name", ALL)
def test_no_payload_is_an_error_with_any_of_its_fields_gone_or_of_another_type(name: str) -> None:
    chance = random.Random(name)
    for body in bodies(payload(name)):
        for whole in (body, framed(message(), body) | {"channelId": "msteams"}):
            for _ in range(20):
                broken = spoilt(whole, chance)
                assert decide(read(broken if isinstance(broken, dict) else {}), POLICY).kind in Kind
