"""Payloads from the tests and samples of Slack's own kits: none is an error, and each is decided as its name says.

They are not part of this repository: HELPDESK_PAYLOADS names their folder.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from handlers.decision import ChannelPolicy, Kind
from handlers.slack.decision import decide
from handlers.slack.inbound import read_event
from handlers.slack.interactions import read_action
from handlers.slack.records import Inbound, Me
from tests.fakes.payloads import FOLDER, spoilt

if not FOLDER.is_dir():
    pytest.skip("slack payloads: not found; HELPDESK_PAYLOADS names their folder", allow_module_level=True)

ANSWER, REMEMBER, IGNORE, ACT = Kind.ANSWER, Kind.REMEMBER, Kind.IGNORE, Kind.ACT
#: A channel whose talk is kept, so that what is overheard differs from what is ignored.
POLICY = ChannelPolicy(remember=True)
#: The installed app in all these files; where they mention somebody it is not this user.
ME = Me(user="U0BOT", bot="B0BOT", app="A0BOT")

#: Complete payloads.
DECIDED = {
    "slack_python/mock_socket_mode_server_L14_events_api_event_callback_message.json": REMEMBER,
    "slack_python/mock_socket_mode_server_L14_slash_commands.json": ACT,
    "slack_python/mock_socket_mode_server_L15_events_api_event_callback_app_mention.json": ANSWER,
    "slack_python/mock_socket_mode_server_L16_interactive_shortcut.json": ACT,
    "slack_python/mock_socket_mode_server_L17_events_api_event_callback_message.json": REMEMBER,
    "slack_python/mock_socket_mode_server_L18_interactive_block_actions.json": ACT,
    "slack_python/test_app_L334_event_callback_app_mention.json": ANSWER,
    "slack_python/test_app_using_methods_in_class_L61_message_action.json": ACT,
    "slack_python/test_block_actions_L161_block_actions.json": ACT,
    "slack_python/test_error_handler_L54_block_actions.json": ACT,
    "slack_python/test_events_L167_event_callback_member_joined_channel.json": REMEMBER,
    "slack_python/test_events_L186_event_callback_member_left_channel.json": REMEMBER,
    "slack_python/test_events_L228_event_callback_member_joined_channel.json": REMEMBER,
    "slack_python/test_events_L247_event_callback_member_left_channel.json": REMEMBER,
    "slack_python/test_events_L315_event_callback_tokens_revoked.json": ACT,
    "slack_python/test_events_L503_event_callback_member_left_channel.json": REMEMBER,
    "slack_python/test_events_ignore_self_L91_event_callback_reaction_added.json": IGNORE,
    "slack_python/test_events_org_apps_L203_event_callback_message.json": REMEMBER,
    "slack_python/test_events_org_apps_L79_event_callback_team_access_granted.json": IGNORE,
    "slack_python/test_events_shared_channels_L212_event_callback_reaction_added.json": IGNORE,
    "slack_python/test_events_shared_channels_L290_event_callback_member_left_channel.json": REMEMBER,
    "slack_python/test_events_shared_channels_L433_event_callback_app_uninstalled.json": ACT,
    "slack_python/test_events_shared_channels_L458_event_callback_tokens_revoked.json": ACT,
    "slack_python/test_events_socket_mode_L146_event_callback_reaction_added.json": IGNORE,
    "slack_python/test_events_token_revocations_L143_event_callback_app_uninstalled.json": ACT,
    "slack_python/test_function_L267_event_callback_function_executed.json": IGNORE,
    # It tells no time.
    "slack_python/test_internals_L1198_event_callback_member_left_channel.json": IGNORE,
    "slack_python/test_internals_L747_event_callback_message_channel_join.json": IGNORE,
    "slack_python/test_internals_L892_event_callback_file_shared.json": IGNORE,
    "slack_python/test_internals_L946_event_callback_message_metadata_posted.json": IGNORE,
    "slack_python/test_message_L208_event_callback_message.json": REMEMBER,
    "slack_python/test_message_L294_event_callback_message.json": REMEMBER,
    "slack_python/test_message_L317_event_callback_message.json": REMEMBER,
    "slack_python/test_message_bot_L173_event_callback_message_bot_message.json": IGNORE,
    "slack_python/test_message_bot_L79_event_callback_message.json": REMEMBER,
    "slack_python/test_message_changed_L68_event_callback_message_message_changed.json": REMEMBER,
    "slack_python/test_message_file_share_L74_event_callback_message_file_share.json": REMEMBER,
    "slack_python/test_message_thread_broadcast_L74_event_callback_message_thread_broadcast.json": REMEMBER,
    "slack_python/test_messages_L14_events_api.json": IGNORE,
    "slack_python/test_unmatched_suggestions_L387_event_callback_function_executed.json": IGNORE,
    "slack_python/test_unmatched_suggestions_L77_event_callback_function_executed.json": IGNORE,
    "slack_python/test_request_L79_view_submission.json": ACT,
    "slack_python/test_workflow_steps_L259_view_submission.json": ACT,
    "slack_python/test_workflow_steps_L365_event_callback_workflow_step_execute.json": IGNORE,
    "slack_python/test_builtins_L72_event_callback_workflow_step_execute.json": IGNORE,
    "botbuilder_dotnet/MessageBody.json": ANSWER,
    # No event: an envelope of another type, a challenge that the web server answers, half a record.
    "botbuilder_dotnet/UnknownEvent.json": IGNORE,
    "botbuilder_dotnet/URLVerificationBody.json": IGNORE,
    "botbuilder_dotnet/SlackActivity.json": IGNORE,
}
#: Payloads that lack what the record needs: a time, a channel, a person, a name. None of them can be followed.
CUT_SHORT = (
    "slack_python/test_builtins_L155_event_callback_app_mention.json",
    "slack_python/test_builtins_L23_block_actions.json",
    "slack_python/test_internals_L1024_event_callback_app_mention.json",
    "slack_python/test_internals_L1111_event_callback_message_file_share.json",
    "slack_python/test_internals_L609_event_callback_message.json",
    "slack_python/test_internals_L718_event_callback_app_mention.json",
    "slack_python/test_internals_L861_event_callback_message_file_share.json",
    "slack_python/test_internals_L8_event_callback.json",
    "slack_python/test_internals_L982_event_callback_message.json",
    "slack_python/test_response_L24_.json",
    "slack_python/test_unmatched_suggestions_L152_view_submission.json",
    "slack_python/test_unmatched_suggestions_L20_block_actions.json",
    "slack_python/test_unmatched_suggestions_L61_event_callback_app_mention.json",
)
#: All fields of these are empty. The kinds are those of the same payloads with every field filled in.
TEMPLATES = {
    "slack_java/AppUninstalledPayload.json": ACT,
    "slack_java/AttachmentActionPayload.json": ACT,
    "slack_java/ChannelArchivePayload.json": IGNORE,
    "slack_java/ChannelRenamePayload.json": IGNORE,
    "slack_java/DialogSubmissionPayload.json": ACT,
    "slack_java/DialogSuggestionPayload.json": IGNORE,
    "slack_java/LinkSharedPayload.json": IGNORE,
    "slack_java/MemberJoinedChannelPayload.json": REMEMBER,
    "slack_java/MessageChannelLeavePayload.json": IGNORE,
    "slack_java/MessageChannelNamePayload.json": IGNORE,
    "slack_java/MessageChannelTopicPayload.json": IGNORE,
    "slack_java/MessageChannelUnarchivePayload.json": IGNORE,
    "slack_java/MessageEkmAccessDeniedPayload.json": IGNORE,
    "slack_java/MessageFileSharePayload.json": REMEMBER,
    "slack_java/MessageGroupTopicPayload.json": IGNORE,
    # This one has a bot id.
    "slack_java/MessagePayload.json": IGNORE,
    "slack_java/MessageThreadBroadcastPayload.json": REMEMBER,
    "slack_java/ReactionAddedPayload.json": IGNORE,
    "slack_java/ReactionRemovedPayload.json": IGNORE,
    "slack_java/ViewClosedPayload.json": ACT,
}
FILLED_IN = {"type": "event_callback", "ts": "1712345712.000200", "thread_ts": "1712345700.000100"}


def payload(name: str) -> Any:
    """A file's payload, out of its Socket Mode envelope where it is in one."""
    found = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found["payload"] if "envelope_id" in found else found


def read(body: dict[str, Any], me: Me = ME) -> Inbound:
    return read_event(body, me=me) if "event" in body or body.get("type") == "event_callback" else read_action(body)


def kind(body: dict[str, Any], me: Me = ME) -> Kind:
    return decide(read(body, me), POLICY, engaged=False).kind


def filled(node: Any, key: str = "") -> Any:
    """A template with something in each of its empty fields."""
    if isinstance(node, dict):
        return {name: filled(value, name) for name, value in node.items()}
    if isinstance(node, list):
        return [filled(one, key) for one in node]
    if node == "" or key == "ts":
        return FILLED_IN.get(key, f"X{key}")
    return node


def test_every_payload_of_slack_is_listed() -> None:
    there = {f"{path.parent.name}/{path.name}" for path in FOLDER.glob("slack_*/*.json")}
    listed = {*DECIDED, *CUT_SHORT, *TEMPLATES}
    assert there
    assert {name for name in listed if name.startswith("slack_")} == there


@pytest.mark.parametrize(("name", "expected"), DECIDED.items())
def test_a_payload_is_decided_as_its_kind_is(name: str, expected: Kind) -> None:
    assert kind(payload(name)) is expected


@pytest.mark.parametrize("name", [*CUT_SHORT, *TEMPLATES])
def test_a_payload_that_lacks_what_matters_is_ignored(name: str) -> None:
    assert kind(payload(name)) is IGNORE


@pytest.mark.parametrize(("name", "expected"), TEMPLATES.items())
def test_a_template_that_is_filled_in_is_decided_as_its_kind_is(name: str, expected: Kind) -> None:
    assert kind(filled(payload(name))) is expected


@pytest.mark.parametrize(
    ("name", "user"),
    [
        ("slack_python/mock_socket_mode_server_L14_events_api_event_callback_message.json", "W111"),
        ("slack_python/mock_socket_mode_server_L17_events_api_event_callback_message.json", "U111"),
        ("slack_python/test_events_org_apps_L203_event_callback_message.json", "W222"),
    ],
)
def test_a_message_that_mentions_the_bot_is_answered(name: str, user: str) -> None:
    assert kind(payload(name), Me(user=user)) is ANSWER


@pytest.mark.parametrize("name", [*DECIDED, *CUT_SHORT, *TEMPLATES])
def test_no_payload_is_an_error_with_any_of_its_fields_gone_or_of_another_type(name: str) -> None:
    chance = random.Random(name)
    for body in (payload(name), filled(payload(name))):
        for _ in range(20):
            broken = spoilt(body, chance)
            assert kind(broken if isinstance(broken, dict) else {}) in Kind
            read_action(broken if isinstance(broken, dict) else {})
