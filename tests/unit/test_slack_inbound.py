"""What Slack sends becomes a record of what happened, or is ignored for a reason; nothing it sends is an error."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handlers.decision import Reason
from handlers.slack.inbound import channel_told, read_event
from handlers.slack.interactions import read_action
from handlers.slack.records import (
    Act,
    Acted,
    ChannelKind,
    ChannelTold,
    Deleted,
    Edited,
    HomeOpened,
    Ignored,
    Inbound,
    Invited,
    Me,
    Said,
    SlackFile,
    Uninstalled,
)
from memory.membership import Move
from memory.model import Conversation
from tests.fakes.slack_payloads import (
    CHANNEL,
    LATER,
    ME,
    OTHER,
    PERSON,
    TEAM,
    TS,
    changed,
    click,
    command,
    deleted,
    event_body,
    inner,
    mention,
    message,
    rich_text,
)

SAID_AT = datetime(2024, 4, 5, 19, 35, 12, 200, tzinfo=UTC)


def read(event: dict[str, Any], **more: Any) -> Inbound:
    return read_event(event_body(event, **more), me=ME)


def said(event: dict[str, Any], **more: Any) -> Said:
    found = read(event, **more)
    assert isinstance(found, Said)
    return found


def ignored(found: Inbound) -> tuple[Reason, str]:
    assert isinstance(found, Ignored)
    return found.reason, found.detail


def thread(ts: str = TS, channel: str = CHANNEL) -> Conversation:
    return Conversation(platform="slack", workspace=TEAM, channel=channel, thread=ts)


# --- what people write ----------------------------------------------------------------------------------------------


def test_a_message_in_a_channel() -> None:
    assert said(message("VPNにつながりません")) == Said(
        conversation=thread(),
        message=TS,
        author=PERSON,
        text="VPNにつながりません",
        said_at=SAID_AT,
        kind=ChannelKind.PUBLIC,
        mentioned=False,
        threaded=False,
        names_others=False,
        event="Ev0001",
    )


@pytest.mark.parametrize(
    ("channel", "type_", "kind"),
    [
        ("D1", "im", ChannelKind.DIRECT),
        ("D1", None, ChannelKind.DIRECT),
        ("G1", "mpim", ChannelKind.GROUP),
        ("C1", "mpim", ChannelKind.GROUP),
        ("C1", "group", ChannelKind.PRIVATE),
        ("C1", "channel", ChannelKind.PUBLIC),
        ("C1", None, ChannelKind.UNKNOWN),
        ("G1", "of a new type", ChannelKind.UNKNOWN),
    ],
)
def test_who_can_read_along_is_told_by_the_channel_type(channel: str, type_: str | None, kind: ChannelKind) -> None:
    found = said(message(channel=channel, channel_type=type_))
    assert found.kind is kind
    assert found.direct is (kind is ChannelKind.DIRECT)


def test_a_reply_belongs_to_its_thread_and_the_first_message_to_the_thread_that_it_may_become() -> None:
    reply = said(message(ts=LATER, thread_ts=TS))
    assert (reply.conversation, reply.message, reply.threaded) == (thread(), LATER, True)
    root = said(message(thread_ts=TS))
    assert (root.conversation, root.message, root.threaded) == (thread(), TS, False)


def test_the_two_events_of_one_mention_are_the_same_message() -> None:
    text = f"<@{ME.user}>\u3000VPNにつながりません"
    first, second = said(message(text)), said(mention(text), event_id="Ev0002")
    for found in (first, second):
        assert found.mentioned
        assert found.text == "VPNにつながりません"
    assert (first.conversation, first.message, first.author) == (second.conversation, second.message, second.author)
    assert (first.event, second.event) == ("Ev0001", "Ev0002")


def test_a_mention_of_nothing_else_is_still_one() -> None:
    found = said(message(f"<@{ME.user}>"))
    assert (found.mentioned, found.text) == (True, "")


def test_somebody_else_is_addressed_only_where_the_bot_is_not() -> None:
    assert said(message(f"<@{OTHER}> please look")).names_others
    assert said(message(f"<@{OTHER}> please look")).text == f"<@{OTHER}> please look"
    assert not said(message(f"<@{OTHER}> please ask <@{ME.user}>")).names_others
    assert not said(mention(f"<@{OTHER}> please look")).names_others


@pytest.mark.parametrize("subtype", ["file_share", "me_message", "thread_broadcast"])
def test_these_subtypes_are_written_by_people(subtype: str) -> None:
    found = said(message(subtype=subtype))
    assert (found.author, found.bot) == (PERSON, None)


@pytest.mark.parametrize(
    "subtype",
    [
        "channel_join",
        "channel_leave",
        "channel_topic",
        "channel_name",
        "group_topic",
        "message_replied",
        "ekm_access_denied",
        "assistant_app_thread",
        "huddle_thread",
        "tombstone",
        "something_new",
    ],
)
def test_what_slack_writes_itself_is_ignored_by_name(subtype: str) -> None:
    assert ignored(read(message(subtype=subtype))) == (Reason.NOTICE, subtype)


def test_hidden_messages_are_ignored() -> None:
    assert ignored(read(message(hidden=True))) == (Reason.HIDDEN, "")


def test_the_words_of_a_message_of_blocks_are_theirs() -> None:
    blocks = rich_text({"type": "user", "user_id": ME.user}, {"type": "text", "text": " VPN < 5 Mbps"})
    found = said(message("", blocks=blocks))
    assert (found.text, found.mentioned) == ("VPN < 5 Mbps", True)


def test_the_files_of_a_message_with_those_that_are_gone_left_out() -> None:
    files = [
        {
            "id": "F1",
            "name": "error.png",
            "mimetype": "image/png",
            "size": 92582,
            "url_private": "https://files.slack.com/F1/error.png",
        },
        {"id": "F2", "title": "log", "size": "many", "url_private": 5},
        {"id": "F3", "mode": "tombstone"},
        {"id": "F4", "mode": "hidden_by_limit"},
        {"name": "no id"},
        "no file",
    ]
    url = "https://files.slack.com/F1/error.png"
    assert said(message(subtype="file_share", files=files)).files == (
        SlackFile(id="F1", name="error.png", mimetype="image/png", size=92582, url_private=url),
        SlackFile(id="F2", name="log", mimetype="", size=0, url_private=None),
    )


def test_entities_and_spaces_that_cannot_be_broken_do_not_reach_whoever_reads_the_words() -> None:
    assert said(message("cat a &lt; b &gt; c &amp;&amp; ls\u00a0-l")).text == "cat a < b > c && ls -l"
    found = read_action(command("my\u00a0tickets &lt;open&gt;"))
    assert isinstance(found, Acted)
    assert found.value == "my tickets <open>"


def test_a_huge_text_is_read_whole() -> None:
    text = "VPNが切れます。" * 50_000
    assert said(message(text)).text == text


# --- programs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "own",
    [
        {"user": ME.user},
        {"user": ME.user, "bot_id": ME.bot, "text": "See https://desk.example/INC-1007 (INC-1007)"},
        {"user": None, "bot_id": ME.bot, "subtype": "bot_message"},
        {"user": "U0ELSEWHERE", "bot_id": "B0ELSEWHERE", "app_id": ME.app},
        {"user": "U0ELSEWHERE", "bot_id": "B0ELSEWHERE", "bot_profile": {"app_id": ME.app}},
    ],
)
def test_the_bot_does_not_hear_itself(own: dict[str, Any]) -> None:
    assert ignored(read(message(**own))) == (Reason.OWN, "")
    assert ignored(read(message(**own, channel="D1", channel_type="im"))) == (Reason.OWN, "")
    assert ignored(read(mention(**{"text": f"<@{ME.user}> hi", **own}))) == (Reason.OWN, "")
    edit = changed(inner(**{**own, "text": "new"}), inner(**{**own, "text": "old"}))
    assert ignored(read(edit)) == (Reason.OWN, "")


def test_a_bot_that_does_not_know_its_ids_yet_takes_nobody_for_itself() -> None:
    found = read_event(event_body(message()), me=Me(user="U0BOT"))
    assert isinstance(found, Said)


@pytest.mark.parametrize(
    ("written", "author", "bot"),
    [
        ({"user": "U9", "bot_id": "B9"}, "U9", "B9"),
        ({"user": None, "bot_id": "B9", "subtype": "bot_message", "username": "alerts"}, "B9", "B9"),
        ({"user": None, "bot_id": "B9"}, "B9", "B9"),
        ({"user": "U9", "bot_profile": {"id": "B9", "app_id": "A9"}}, "U9", "B9"),
        ({"user": None, "subtype": "bot_message", "app_id": "A9"}, "A9", "A9"),
        ({"user": "U9", "subtype": "bot_message"}, "U9", "U9"),
        ({"user": "USLACKBOT"}, "USLACKBOT", "USLACKBOT"),
        ({"user": "U9", "app_id": "A9"}, "U9", None),
    ],
)
def test_whether_a_program_wrote_it(written: dict[str, Any], author: str, bot: str | None) -> None:
    found = said(message(**written))
    assert (found.author, found.bot) == (author, bot)


def test_an_alert_by_webhook_is_read_from_its_attachments() -> None:
    alert = {"title": "db1", "text": "disk &gt; 90%", "fallback": "db1"}
    found = said(message("", user=None, bot_id="B9", subtype="bot_message", attachments=[alert]))
    assert (found.author, found.text) == ("B9", "db1\ndisk > 90%")


# --- workspaces -----------------------------------------------------------------------------------------------------


def authorized(team: str | None, enterprise: str | None) -> list[dict[str, Any]]:
    return [{"team_id": team, "enterprise_id": enterprise, "user_id": ME.user, "is_bot": True}]


@pytest.mark.parametrize(
    ("body", "workspace", "enterprise"),
    [
        pytest.param({}, TEAM, None, id="one workspace"),
        pytest.param(
            {"team_id": "T2", "authorizations": authorized("T1", "E1")}, "T1", "E1", id="where it is installed"
        ),
        pytest.param(
            {"team_id": "T2", "enterprise_id": "E2", "authorizations": authorized("T1", None)},
            "T1",
            None,
            id="the enterprise of the other side is not ours",
        ),
        pytest.param(
            {"team_id": "T1", "enterprise_id": "E1", "authorizations": authorized(None, "E1")},
            "T1",
            "E1",
            id="org-wide",
        ),
        pytest.param(
            {"team_id": "T2", "authorizations": [], "context_team_id": "T1", "context_enterprise_id": "E1"},
            "T1",
            "E1",
            id="the context",
        ),
        pytest.param({"team_id": "T1", "authorizations": None}, "T1", None, id="an old envelope"),
        pytest.param({"team_id": None, "authorizations": []}, TEAM, None, id="only in the event"),
    ],
)
def test_the_workspace_is_that_of_the_installation(
    body: dict[str, Any], workspace: str, enterprise: str | None
) -> None:
    found = said(message(), **body)
    assert (found.conversation.workspace, found.enterprise) == (workspace, enterprise)


@pytest.mark.parametrize("kind", ["message", "app_mention", "reaction_added", "of a new kind"])
def test_every_event_tells_of_its_channel(kind: str) -> None:
    event = {"type": kind, "channel": "C1", "channel_type": "group", "subtype": "channel_convert_to_private"}
    body = {"type": "event_callback", "event": event, "is_ext_shared_channel": True}
    assert channel_told(body) == ChannelTold(channel="C1", kind=ChannelKind.PRIVATE, shared=True)
    assert channel_told({"type": "event_callback", "event": {"type": kind, "channel": {"id": "C1"}}}) is None


# --- edits ----------------------------------------------------------------------------------------------------------


def test_an_edit_tells_both_words() -> None:
    edit = changed(inner("VPN is slow", edited={"user": PERSON, "ts": LATER}), inner("VPM is slow"))
    assert read(edit) == Edited(
        conversation=thread(),
        message=TS,
        author=PERSON,
        text="VPN is slow",
        said_at=SAID_AT,
        previous="VPM is slow",
        event="Ev0001",
    )


def test_an_edit_in_a_thread_stays_in_it() -> None:
    found = read(changed(inner("b", ts=LATER, thread_ts=TS), inner("a", ts=LATER, thread_ts=TS)))
    assert isinstance(found, Edited)
    assert (found.conversation, found.message) == (thread(), LATER)


def test_the_time_and_the_author_of_a_message_are_found_in_what_it_was_before() -> None:
    found = read(changed(inner("b", ts=None, user=None), inner("a", ts=LATER, thread_ts=TS)))
    assert isinstance(found, Edited)
    assert (found.conversation, found.message, found.author) == (thread(), LATER, PERSON)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        pytest.param(inner(), inner(), id="the language was found"),
        pytest.param(
            inner("see <https://x.example>", attachments=[{"from_url": "https://x.example", "text": "X"}]),
            inner("see <https://x.example>"),
            id="a link was unfolded",
        ),
        pytest.param(inner(reply_count=1, thread_ts=TS), inner(), id="a reply came"),
        pytest.param(inner(edited={"user": PERSON, "ts": LATER}), inner(), id="edited back and forth"),
        pytest.param(inner("a &amp; b"), inner("", blocks=rich_text({"type": "text", "text": "a & b"})), id="blocks"),
        pytest.param(inner("a"), None, id="not edited, and what it was is not told"),
        pytest.param(inner(f"<@{ME.user}> a"), inner("a"), id="the bot was mentioned too"),
    ],
)
def test_a_message_told_again_in_the_same_words_is_ignored(new: dict[str, Any], old: dict[str, Any] | None) -> None:
    assert ignored(read(changed(new, old))) == (Reason.SAME_WORDS, "")


def test_an_edit_whose_former_words_are_not_told_is_one() -> None:
    found = read(changed(inner("b", edited={"user": PERSON, "ts": LATER}), None))
    assert isinstance(found, Edited)
    assert (found.text, found.previous) == ("b", None)


def test_the_edit_of_a_program_says_so() -> None:
    found = read(changed(inner("b", user=None, bot_id="B9"), inner("a", user=None, bot_id="B9")))
    assert isinstance(found, Edited)
    assert (found.author, found.bot) == ("B9", "B9")


def test_a_mention_told_again_with_an_edit_is_ignored() -> None:
    assert ignored(read(mention(edited={"user": PERSON, "ts": LATER}))) == (Reason.MENTION_EDITED, "")


def test_a_notice_that_changes_is_a_notice() -> None:
    edit = changed(inner("b", subtype="channel_topic"), inner("a", subtype="channel_topic"))
    assert ignored(read(edit)) == (Reason.NOTICE, "channel_topic")


# --- deletions ------------------------------------------------------------------------------------------------------

AT = datetime(2024, 4, 5, 19, 36, 30, 300, tzinfo=UTC)


@pytest.mark.parametrize(
    ("event", "conversation", "gone"),
    [
        pytest.param(deleted(inner()), thread(), TS, id="a message"),
        pytest.param(deleted(None), thread(), TS, id="what it was is not told"),
        pytest.param(deleted(inner(ts=LATER, thread_ts=TS), deleted_ts=LATER), thread(), LATER, id="a reply"),
        pytest.param(deleted(inner(user=ME.user, bot_id=ME.bot)), thread(), TS, id="one of the bot's own"),
        pytest.param(
            changed(
                inner("This message was deleted.", user="USLACKBOT", subtype="tombstone", thread_ts=TS, hidden=True),
                inner(thread_ts=TS),
            ),
            thread(),
            TS,
            id="one whose replies remain",
        ),
        pytest.param(
            deleted(inner("This message was deleted.", user="USLACKBOT", subtype="tombstone", thread_ts=TS)),
            thread(),
            TS,
            id="what was left of it",
        ),
        pytest.param(
            deleted(None, channel="D1", channel_type="im"), thread(channel="D1"), TS, id="in a direct message"
        ),
    ],
)
def test_a_deleted_message_is_known_by_its_id_alone(
    event: dict[str, Any], conversation: Conversation, gone: str
) -> None:
    assert "text" not in event
    assert read(event) == Deleted(conversation=conversation, message=gone, at=AT, event="Ev0001")


# --- other events ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tab", ["home", "messages"])
def test_the_app_is_opened(tab: str) -> None:
    event = {"type": "app_home_opened", "user": PERSON, "channel": "D1", "tab": tab, "event_ts": TS}
    assert read(event) == HomeOpened(user=PERSON, workspace=TEAM, tab=tab, channel="D1")


@pytest.mark.parametrize(("type_", "gone"), [("member_joined_channel", False), ("member_left_channel", True)])
def test_people_come_into_a_channel_and_leave_it(type_: str, gone: bool) -> None:
    event = {"type": type_, "user": PERSON, "channel": CHANNEL, "channel_type": "G", "team": TEAM, "event_ts": TS}
    moved = Move(platform="slack", channel=CHANNEL, member=PERSON, gone=gone, at=TOLD + timedelta(microseconds=200))
    assert read(event) == moved
    assert read({**event, "event_ts": "soon"}) == replace(moved, at=TOLD)
    own = read({**event, "user": ME.user})
    assert ignored(own)[0] is Reason.OWN if gone else own == Invited(workspace=TEAM, channel=CHANNEL)
    for lost in ("user", "channel"):
        assert ignored(read({**event, lost: None}))[0] is Reason.BROKEN


#: The `event_time` of the envelope.
TOLD = datetime(2024, 4, 5, 19, 35, 12, tzinfo=UTC)


@pytest.mark.parametrize("time", [None, "1712345712", True, -1, 10**11, 1712345712.5])
def test_a_removal_without_a_readable_time_is_still_a_removal(time: object) -> None:
    gone = read({"type": "app_uninstalled"}, event_time=time)
    assert gone == Uninstalled(workspace=TEAM, enterprise=None, reason="app_uninstalled")


def test_a_workspace_or_an_enterprise_takes_the_app_away() -> None:
    gone = read({"type": "app_uninstalled"}, authorizations=[])
    assert gone == Uninstalled(workspace=TEAM, enterprise=None, reason="app_uninstalled", at=TOLD)
    whole = read({"type": "app_uninstalled"}, authorizations=[], team_id=None, enterprise_id="E1")
    assert whole == Uninstalled(workspace=None, enterprise="E1", reason="app_uninstalled", at=TOLD)


def test_revoked_tokens_matter_where_the_bots_are_among_them() -> None:
    both = read({"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": ["U0BOT"]}})
    assert both == Uninstalled(workspace=TEAM, enterprise=None, reason="tokens_revoked", at=TOLD)
    assert ignored(read({"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": []}}))[0] is Reason.OTHER_EVENT
    assert ignored(read({"type": "tokens_revoked"}))[0] is Reason.OTHER_EVENT


@pytest.mark.parametrize("author", [{"item_user": OTHER}, {}], ids=["by a person", "by a webhook"])
@pytest.mark.parametrize("type_", ["reaction_added", "reaction_removed"])
def test_a_reaction_is_ignored_whoever_wrote_what_it_is_to(type_: str, author: dict[str, str]) -> None:
    item = {"type": "message", "channel": CHANNEL, "ts": TS}
    event = {"type": type_, "user": PERSON, "item": item, "reaction": "eyes", "event_ts": TS, **author}
    assert ignored(read(event)) == (Reason.OTHER_EVENT, type_)


@pytest.mark.parametrize(
    "broken",
    [
        {"channel": None},
        {"channel": {"id": CHANNEL}},
        {"channel": ""},
        {"channel": "C\x1f1"},
        {"ts": None},
        {"ts": 1712345712.0002},
        {"ts": "yesterday"},
        {"ts": "١٧١٢٣٤٥٧١٢.٠٠٠٢٠٠"},
        {"ts": "999999999999.0"},
        {"user": None},
        {"user": ["U1"]},
    ],
)
def test_a_message_without_a_place_a_time_or_an_author_is_ignored(broken: dict[str, Any]) -> None:
    assert ignored(read(message(**broken))) == (Reason.BROKEN, "")


@pytest.mark.parametrize(
    "body", [{}, {"type": "event_callback"}, {"type": "event_callback", "event": []}, {"event": {"type": "message"}}]
)
def test_what_is_no_event_is_ignored(body: dict[str, Any]) -> None:
    assert ignored(read_event(body, me=ME)) == (Reason.BROKEN, "")


# --- interactions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "language"), [("ja helpdesk_x", "ja"), ("en helpdesk_x", "en"), ("fr x", None), ("en4Qx", None), ("", None)]
)
def test_a_row_of_buttons_may_say_in_which_language_it_is(row: str, language: str | None) -> None:
    found = read_action(click({"type": "button", "action_id": "helpdesk_x", "block_id": row}))
    assert isinstance(found, Acted)
    assert found.language == language


def test_a_click_on_a_button_below_a_reply() -> None:
    found = read_action(click({"type": "button", "action_id": "escalate", "block_id": "b", "value": "ref-1"}))
    assert found == Acted(
        kind=Act.CLICKED,
        name="escalate",
        user=PERSON,
        workspace=TEAM,
        channel=CHANNEL,
        thread=TS,
        message=LATER,
        value="ref-1",
        trigger_id="12.34.ab",
        response_url="https://hooks.slack.com/actions/T0DESK/1/x",
    )


@pytest.mark.parametrize(
    ("action", "value"),
    [
        ({"type": "feedback_buttons", "value": "good"}, "good"),
        ({"type": "static_select", "selected_option": {"text": {"text": "A"}, "value": "a"}}, "a"),
        ({"type": "users_select", "selected_user": OTHER}, OTHER),
        ({"type": "datepicker", "selected_date": "2026-12-01"}, "2026-12-01"),
        ({"type": "button"}, None),
    ],
)
def test_what_was_chosen_is_the_value(action: dict[str, Any], value: str | None) -> None:
    found = read_action(click({"action_id": "feedback", **action}))
    assert isinstance(found, Acted)
    assert (found.name, found.value) == ("feedback", value)


def test_a_click_in_an_ephemeral_reply_or_a_view_has_no_message_of_its_own() -> None:
    container = {"type": "message", "message_ts": LATER, "channel_id": CHANNEL, "is_ephemeral": True}
    ephemeral = read_action(click({"action_id": "show"}, message=None, channel=None, container=container))
    assert isinstance(ephemeral, Acted)
    assert (ephemeral.channel, ephemeral.thread, ephemeral.message) == (CHANNEL, LATER, LATER)
    home = read_action(
        click({"action_id": "ask"}, message=None, channel=None, container={"type": "view", "view_id": "V1"})
    )
    assert isinstance(home, Acted)
    assert (home.channel, home.thread, home.message) == (None, None, None)


def test_the_older_kind_of_button() -> None:
    body = {
        "type": "interactive_message",
        "actions": [{"name": "vote", "type": "select", "selected_options": [{"value": "yes"}]}],
        "callback_id": "poll",
        "team": {"id": TEAM},
        "channel": {"id": CHANNEL},
        "user": {"id": PERSON},
        "message_ts": LATER,
        "original_message": {"ts": LATER, "thread_ts": TS},
    }
    found = read_action(body)
    assert isinstance(found, Acted)
    assert (found.kind, found.name, found.value, found.thread, found.message) == (
        Act.CLICKED,
        "poll",
        "yes",
        TS,
        LATER,
    )


def test_a_view_is_submitted_with_what_was_filled_in() -> None:
    values = {
        "b1": {"title": {"type": "plain_text_input", "value": "VPN"}},
        "b2": {"who": {"type": "users_select", "selected_user": OTHER}, "empty": {"value": None}},
    }
    view = {"callback_id": "new_ticket", "private_metadata": "C0HELP/1", "state": {"values": values}, "team_id": TEAM}
    body = {"type": "view_submission", "team": None, "user": {"id": "W1"}, "view": view, "enterprise": {"id": "E1"}}
    found = read_action(body)
    assert found == Acted(
        kind=Act.SUBMITTED,
        name="new_ticket",
        user="W1",
        workspace=TEAM,
        enterprise="E1",
        value="C0HELP/1",
        inputs={"title": "VPN", "who": OTHER},
    )
    closed = read_action({**body, "type": "view_closed"})
    assert isinstance(closed, Acted)
    assert closed.kind is Act.CLOSED


@pytest.mark.parametrize(
    ("around", "workspace"),
    [
        ({"view": {"callback_id": "v", "app_installed_team_id": "T1", "team_id": "T2"}, "team": {"id": "T3"}}, "T1"),
        ({"view": {"callback_id": "v", "team_id": "T2"}, "team": {"id": "T3"}}, "T3"),
        ({"view": {"callback_id": "v", "team_id": "T2"}, "team": None}, "T4"),
    ],
)
def test_a_view_belongs_to_the_workspace_where_the_app_is_installed(around: dict[str, Any], workspace: str) -> None:
    found = read_action({"type": "view_submission", "user": {"id": PERSON, "team_id": "T4"}, **around})
    assert isinstance(found, Acted)
    assert found.workspace == workspace


def test_a_dialog_is_submitted() -> None:
    body = {
        "type": "dialog_submission",
        "callback_id": "old",
        "state": "s",
        "submission": {"title": "VPN", "note": None},
        "team": {"id": TEAM, "enterprise_id": "E1"},
        "user": {"id": PERSON},
        "channel": {"id": CHANNEL},
    }
    found = read_action(body)
    assert isinstance(found, Acted)
    assert (found.kind, found.name, found.value, found.inputs) == (Act.SUBMITTED, "old", "s", {"title": "VPN"})
    assert found.enterprise == "E1"


def test_a_shortcut_of_a_message_names_it_and_its_thread() -> None:
    body = {
        "type": "message_action",
        "callback_id": "remember",
        "trigger_id": "1.2",
        "team": {"id": TEAM},
        "user": {"id": PERSON},
        "channel": {"id": CHANNEL},
        "message_ts": LATER,
        "message": {"type": "message", "ts": LATER, "thread_ts": TS, "user": OTHER, "text": "…"},
    }
    found = read_action(body)
    assert isinstance(found, Acted)
    assert (found.kind, found.name, found.thread, found.message) == (Act.MESSAGE_SHORTCUT, "remember", TS, LATER)
    everywhere = read_action({**body, "type": "shortcut", "channel": None, "message": None, "message_ts": None})
    assert isinstance(everywhere, Acted)
    assert (everywhere.kind, everywhere.channel, everywhere.message) == (Act.SHORTCUT, None, None)


def test_a_slash_command() -> None:
    assert read_action(command("what do you remember about me")) == Acted(
        kind=Act.COMMAND,
        name="/helpdesk",
        user=PERSON,
        workspace=TEAM,
        channel=CHANNEL,
        value="what do you remember about me",
        trigger_id="12.34.ab",
        response_url="https://hooks.slack.com/commands/T0DESK/1/x",
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"type": "block_suggestion", "action_id": "a", "user": {"id": PERSON}, "team": {"id": TEAM}}, "other_event"),
        ({"type": "dialog_suggestion"}, "other_event"),
        ({"type": "block_actions"}, "broken"),
        (click({"action_id": "a"}, user={"name": "no id"}), "broken"),
        (click({"action_id": "a"}, team=None, user={"id": PERSON}), "broken"),
        (command(user_id=5), "broken"),
        ({"command": 5}, "broken"),
        ({}, "broken"),
    ],
)
def test_an_interaction_that_nobody_can_follow_is_ignored(body: dict[str, Any], reason: str) -> None:
    assert ignored(read_action(body))[0] == reason


# --- whatever comes -------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([TS, CHANNEL, "im"]),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=8), inside, max_size=3),
    max_leaves=8,
)
EXAMPLES: list[dict[str, Any]] = [
    event_body(message(blocks=rich_text({"type": "text", "text": "a"}, {"type": "user", "user_id": ME.user}))),
    event_body(message("", attachments=[{"text": "a", "fields": [{"title": "t"}]}], files=[{"id": "F1", "size": 1}])),
    event_body(mention(thread_ts=TS)),
    event_body(changed(inner("b"), inner("a"))),
    event_body(deleted(inner())),
    event_body({"type": "app_home_opened", "user": PERSON, "tab": "home"}),
    event_body({"type": "member_left_channel", "user": PERSON, "channel": CHANNEL, "event_ts": TS}),
    event_body({"type": "tokens_revoked", "tokens": {"bot": ["U1"]}}),
    click({"action_id": "a", "selected_option": {"value": "v"}}),
    {
        "type": "view_submission",
        "user": {"id": "U1"},
        "view": {"callback_id": "c", "team_id": TEAM, "state": {"values": {"b": {"a": {"value": "v"}}}}},
    },
    command(),
]


def broken(example: Any, data: st.DataObject) -> Any:
    """The example with fields taken out, or replaced by whatever else."""
    if not isinstance(example, (dict, list)) or data.draw(st.integers(0, 9)) == 0:
        return data.draw(JSON)
    if isinstance(example, list):
        return [broken(one, data) if data.draw(st.integers(0, 3)) == 0 else one for one in example]
    kept = {key: value for key, value in example.items() if data.draw(st.integers(0, 7))}
    return {key: broken(value, data) if data.draw(st.integers(0, 3)) == 0 else value for key, value in kept.items()}


def check(body: dict[str, Any]) -> None:
    event, action = read_event(body, me=ME), read_action(body)
    assert not isinstance(event, Acted)
    assert isinstance(action, Acted | Ignored)
    if isinstance(event, Said | Edited):
        assert event.said_at.tzinfo is not None
        assert event.author
        event.text.encode()


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
@settings(max_examples=25)
@given(data=st.data())
def test_no_payload_is_an_error_however_broken(example: dict[str, Any], data: st.DataObject) -> None:
    found = broken(example, data)
    check(found if isinstance(found, dict) else {"event": found})


@given(st.dictionaries(st.sampled_from(["type", "event", "actions", "view", "user", "team_id", "command"]), JSON))
def test_no_json_is_an_error(body: dict[str, Any]) -> None:
    check(body)
    check(event_body(body))


@pytest.mark.parametrize("key", ["blocks", "attachments", "files", "elements", "message"])
def test_what_is_nested_deeply_is_no_error(key: str) -> None:
    deep: Any = json.loads(f'{{"type": "rich_text", "{key}": [' * 400 + "]}" * 400)
    check(event_body(message("", blocks=[deep], attachments=[deep], files=[deep])))
    check(event_body(changed(deep, deep)))
