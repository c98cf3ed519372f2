"""What Teams sends becomes a record of what happened, or is ignored for a reason; nothing it sends is an error."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.decision import Reason
from handlers.teams.address import Address, address_of, filed, parted
from handlers.teams.inbound import read_activity
from handlers.teams.records import (
    Act,
    Acted,
    Deleted,
    Edited,
    Ignored,
    Inbound,
    Installed,
    Me,
    Moved,
    Place,
    Reacted,
    Restored,
    Said,
    Site,
    TeamsFile,
    Uninstalled,
)
from memory.model import DIRECT, Conversation
from tests.fakes.teams_payloads import (
    BOT_NAME,
    CALL,
    CHANNEL,
    GROUP,
    ME,
    MESSAGE,
    OTHER_ID,
    PERSON,
    PERSON_ID,
    PERSONAL,
    ROOT,
    SERVICE,
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

SAID_AT = datetime(2026, 12, 1, 0, 0, 0, 123456, tzinfo=UTC)
ALONE = Site(tenant=TENANT, chat=PERSONAL, place=Place.PERSONAL, service=SERVICE)
IN_CHANNEL = Site(tenant=TENANT, chat=CHANNEL, place=Place.CHANNEL, team=TEAM, service=SERVICE)
OF_BOT = {"id": ME.id, "name": BOT_NAME}


def read(body: dict[str, Any]) -> Inbound:
    return read_activity(body, ME)


def said(body: dict[str, Any]) -> Said:
    found = read(body)
    assert isinstance(found, Said)
    return found


def ignored(body: dict[str, Any]) -> tuple[Reason, str]:
    found = read(body)
    assert isinstance(found, Ignored)
    return found.reason, found.detail


def conversation(channel: str, thread: str) -> Conversation:
    return Conversation(platform="teams", workspace=TENANT, channel=channel, thread=thread)


# --- what people write ----------------------------------------------------------------------------------------------


def test_a_message_in_a_personal_chat() -> None:
    assert said(message()) == Said(
        conversation=conversation(DIRECT, PERSONAL),
        message=MESSAGE,
        author=PERSON,
        name="佐藤",
        text="VPNにつながりません",
        said_at=SAID_AT,
        site=ALONE,
        mentioned=False,
        names_others=False,
        locale="ja-JP",
    )


def test_a_message_in_a_channels_thread() -> None:
    found = said(to_the_bot(f"{CALL}&nbsp;the VPN is down", replyToId=ROOT))
    assert (found.conversation, found.site) == (conversation(CHANNEL, ROOT), IN_CHANNEL)
    assert (found.text, found.mentioned, found.threaded, found.direct) == ("the VPN is down", True, True, False)
    assert found.reply_to == ROOT


@pytest.mark.parametrize("thread", [MESSAGE, None])
def test_the_first_message_belongs_to_the_thread_that_it_begins(thread: str | None) -> None:
    found = said(to_the_bot(**in_channel(thread)))
    assert (found.conversation, found.threaded) == (conversation(CHANNEL, MESSAGE), False)


def test_a_group_chat_is_one_conversation() -> None:
    first, second = (said(message(id=id, **in_group())) for id in ("1", "2"))
    assert first.conversation == second.conversation == conversation(GROUP, GROUP)
    assert (first.site.place, first.direct, first.threaded) == (Place.GROUP, False, False)


def of(id: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "tenantId": TENANT, **more}


@pytest.mark.parametrize(
    ("around", "data", "place"),
    [
        (of(PERSONAL, conversationType="personal"), {}, Place.PERSONAL),
        (of("personal-chat-id", conversationType="personal"), {}, Place.PERSONAL),
        (of(PERSONAL), {}, Place.PERSONAL),
        (of(GROUP, conversationType="groupChat"), {}, Place.GROUP),
        (of(GROUP, isGroup=True), {}, Place.GROUP),
        (of(CHANNEL, conversationType="channel"), {}, Place.CHANNEL),
        (of(CHANNEL, isGroup=True), {"channel": {"id": CHANNEL}}, Place.CHANNEL),
        (of(CHANNEL), {"team": {"id": TEAM}}, Place.CHANNEL),
        (of(f"{CHANNEL};messageid=1"), {}, Place.CHANNEL),
        # Where two things are told, it is the one that more people read.
        (of(PERSONAL, conversationType="personal", isGroup=True), {}, Place.GROUP),
        (of(PERSONAL, conversationType="personal"), {"team": {"id": TEAM}}, Place.CHANNEL),
        (of(f"{PERSONAL};messageid=1", conversationType="personal"), {}, Place.CHANNEL),
        (of("anything"), {}, Place.GROUP),
        (of(PERSONAL, conversationType="of a new type"), {}, Place.GROUP),
        (of(PERSONAL, conversationType=5), {"team": "x", "tenant": []}, Place.PERSONAL),
    ],
)
def test_a_chat_is_personal_only_where_everything_says_so(
    around: dict[str, Any], data: dict[str, Any], place: Place
) -> None:
    assert said(message(conversation=around, channelData=data)).site.place is place


@pytest.mark.parametrize(
    ("around", "data"),
    [
        (TENANT, TENANT),
        (TENANT, None),
        (None, TENANT),
    ],
)
def test_the_tenant_is_told_in_either_place(around: str | None, data: str | None) -> None:
    where = {"id": PERSONAL, "conversationType": "personal", "tenantId": around}
    assert said(message(conversation=where, channelData={"tenant": {"id": data}})).conversation.workspace == TENANT


def test_a_message_of_two_tenants_or_of_none_is_not_taken() -> None:
    assert ignored(message(channelData={"tenant": {"id": "another"}})) == (Reason.BROKEN, "message")
    assert ignored(message(conversation={"id": PERSONAL}, channelData={})) == (Reason.BROKEN, "message")


@pytest.mark.parametrize("id", [DIRECT, f"{DIRECT};messageid=1", "", "a;b", ";messageid=1", "a;messageid=", 5, "a b"])
def test_no_conversation_can_pass_for_another(id: Any) -> None:
    assert ignored(message(conversation=of(id, conversationType="channel")))[0] is Reason.BROKEN


@pytest.mark.parametrize(
    ("more", "offset"),
    [
        ({}, 9),
        ({"localTimestamp": "2026-11-30T16:00:00-08:00"}, -8),
        ({"localTimestamp": None, "localTimezone": "Asia/Tokyo"}, 9),
        ({"localTimestamp": None, "entities": [{"type": "clientInfo", "timezone": "America/Los_Angeles"}]}, -8),
        ({"localTimestamp": None}, 0),
        ({"localTimestamp": "yesterday", "localTimezone": "Tokyo Standard Time"}, 0),
        ({"localTimestamp": None, "localTimezone": "../../etc/passwd"}, 0),
        ({"localTimestamp": None, "localTimezone": "America"}, 0),
    ],
)
def test_the_time_is_that_of_the_message_on_the_authors_clock(more: dict[str, Any], offset: int) -> None:
    found = said(message(**more)).said_at
    assert found == SAID_AT
    assert found.utcoffset() == timedelta(hours=offset)


@pytest.mark.parametrize(
    "at", ["2026-12-01T09:00:00", "2026-13-01T09:00:00Z", "0001-01-01T00:00:00+23:00", "20261201T090000Z", "", 5, None]
)
def test_a_message_without_a_time_is_not_taken(at: Any) -> None:
    assert ignored(message(timestamp=at)) == (Reason.BROKEN, "message")


def test_an_author_goes_by_the_id_in_the_organisation_or_else_by_that_in_teams() -> None:
    assert said(message(**{"from": {"id": PERSON_ID}})).author == PERSON_ID
    assert said(message(**{"from": {"id": PERSON_ID, "aadObjectId": ["x"], "name": 5}})).name == ""
    assert ignored(message(**{"from": {"name": "佐藤"}})) == (Reason.BROKEN, "message")


@pytest.mark.parametrize(
    ("sender", "bot"),
    [
        ({"id": "28:another", "name": "Jira"}, "28:another"),
        ({"id": "29:x", "role": "bot"}, "29:x"),
        ({"id": "29:x", "role": "skill"}, "29:x"),
        ({"id": "29:x", "role": "user"}, None),
    ],
)
def test_another_program_is_told_from_people(sender: dict[str, str], bot: str | None) -> None:
    assert said(message(**{"from": sender})).bot == bot


@pytest.mark.parametrize("kind", ["message", "messageUpdate"])
def test_what_the_bot_said_is_its_own(kind: str) -> None:
    own = activity(kind, text="x", channelData={"eventType": "editMessage"}, **{"from": OF_BOT})
    assert ignored(own)[0] is Reason.OWN
    assert ignored({**own, "from": {"id": "app0desk"}})[0] is Reason.OWN


def test_files_are_those_that_somebody_attached() -> None:
    sent = {
        "contentType": "application/vnd.microsoft.teams.file.download.info",
        "name": "手順.txt",
        "content": {"downloadUrl": "https://files.example/1", "uniqueId": "1", "fileType": "txt"},
        "contentUrl": "https://share.example/1",
    }
    image = {"contentType": "image/*", "contentUrl": f"{SERVICE}v3/attachments/1/views/original"}
    card = {"contentType": "application/vnd.microsoft.card.adaptive", "content": {}, "contentUrl": "https://x.example"}
    attached = [sent, image, card, html("<p>x</p>"), {"contentType": "image/png"}, {"contentUrl": 5}, "x"]
    assert said(message("x", attachments=attached)).files == (
        TeamsFile(
            name="手順.txt", mimetype="", download_url="https://files.example/1", content_url="https://share.example/1"
        ),
        TeamsFile(name="image", mimetype="image/*", content_url=f"{SERVICE}v3/attachments/1/views/original"),
    )


# --- what becomes of messages ---------------------------------------------------------------------------------------


def test_an_edit_has_the_new_words() -> None:
    body = activity("messageUpdate", text=f"{CALL} 直りました", entities=[mention()], **in_channel())
    body["channelData"]["eventType"] = "editMessage"
    assert read(body) == Edited(
        conversation=conversation(CHANNEL, ROOT), message=MESSAGE, author=PERSON, text="直りました", at=SAID_AT
    )


def test_a_deletion_and_its_opposite() -> None:
    gone = activity("messageDelete", channelData={"eventType": "softDeleteMessage", "tenant": {"id": TENANT}})
    assert read(gone) == Deleted(conversation=conversation(DIRECT, PERSONAL), message=MESSAGE, at=SAID_AT)
    data = {"eventType": "undeleteMessage", "tenant": {"id": TENANT}}
    back = read({**message(), "type": "messageUpdate", "channelData": data})
    assert isinstance(back, Restored)
    assert back.said == said(message())


@pytest.mark.parametrize("kind", ["messageUpdate", "messageDelete", "messageReaction"])
def test_what_lacks_what_matters_is_not_followed(kind: str) -> None:
    data = {"eventType": "editMessage", "tenant": {"id": TENANT}}
    assert ignored(activity(kind, id=None, channelData=data))[0] is Reason.BROKEN


def test_an_update_of_another_kind_is_none() -> None:
    assert ignored(activity("messageUpdate", text="x")) == (Reason.OTHER_EVENT, "")


def test_reactions_go_with_their_message() -> None:
    body = activity(
        "messageReaction", replyToId=ROOT, reactionsAdded=[{"type": "like"}, {"type": 5}, "x"], reactionsRemoved="x"
    )
    assert read(body) == Reacted(site=ALONE, user=PERSON, message=ROOT, added=("like",), removed=())


# --- where the bot is -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("add", Installed(site=ALONE, by=PERSON, updated=False, locale="ja-JP")),
        ("add-upgrade", Installed(site=ALONE, by=PERSON, updated=True, locale="ja-JP")),
        ("remove", Uninstalled(site=ALONE)),
        ("remove-upgrade", Uninstalled(site=ALONE)),
        ("more", Ignored(reason=Reason.OTHER_EVENT, detail="more")),
        (None, Ignored(reason=Reason.OTHER_EVENT)),
    ],
)
def test_an_installation(action: str | None, expected: Inbound) -> None:
    assert read(activity("installationUpdate", action=action)) == expected


def test_the_bot_comes_and_goes_with_others() -> None:
    both = [{"id": PERSON_ID}, {"id": ME.id}]
    around = in_channel(None)
    assert read(activity("conversationUpdate", membersAdded=both, **around)) == Installed(
        site=IN_CHANNEL, by=PERSON, updated=False, locale="ja-JP"
    )
    assert read(activity("conversationUpdate", membersRemoved=both, **around)) == Uninstalled(site=IN_CHANNEL)


def test_people_come_and_go_by_each_id_that_they_have() -> None:
    around = in_channel(None)
    told = [{"id": OTHER_ID, "aadObjectId": PERSON}, {"id": PERSON_ID}, {"name": "without an id"}]
    moved = Moved(site=IN_CHANNEL, members=(PERSON, OTHER_ID, PERSON_ID), gone=True, at=SAID_AT)
    assert read(activity("conversationUpdate", membersRemoved=told, **around)) == moved
    assert read(activity("conversationUpdate", membersAdded=told, **around)) == replace(moved, gone=False)


def test_what_else_changes_in_a_conversation_is_a_notice() -> None:
    around = in_channel(None)
    around["channelData"]["eventType"] = "teamMemberAdded"
    for nobody in ([], [{"name": "without an id"}], "all"):
        told = activity("conversationUpdate", membersAdded=nobody, **around)
        assert ignored(told) == (Reason.NOTICE, "teamMemberAdded")
    without_time = activity("conversationUpdate", membersAdded=[{"id": OTHER_ID}], **around) | {"timestamp": "soon"}
    assert ignored(without_time)[0] is Reason.NOTICE


@pytest.mark.parametrize("kind", ["typing", "event", "endOfConversation", "of a new type"])
def test_other_activities_are_ignored_by_their_names(kind: str) -> None:
    assert ignored(activity(kind)) == (Reason.OTHER_EVENT, kind)


def test_other_platforms_are_not_teams() -> None:
    assert ignored(message(channelId="webchat")) == (Reason.OTHER_PLATFORM, "message")
    assert ignored(message(channelId=None)) == (Reason.OTHER_PLATFORM, "message")
    assert said(message(channelId="msTeams")).message == MESSAGE


# --- what people do with cards --------------------------------------------------------------------------------------


def acted(body: dict[str, Any]) -> Acted:
    found = read(body)
    assert isinstance(found, Acted)
    return found


def test_a_button_that_submits() -> None:
    value = {"action": "ask_person", "note": "急ぎ", "number": 5, "msteams": {"type": "messageBack"}}
    body = message(None, value=value, replyToId="1796083100000", **in_channel())
    assert acted(body) == Acted(
        kind=Act.SUBMITTED,
        name="ask_person",
        user=PERSON,
        conversation=conversation(CHANNEL, ROOT),
        site=IN_CHANNEL,
        message="1796083100000",
        called="佐藤",
        inputs={"note": "急ぎ"},
        locale="ja-JP",
        delivery=str(body["id"]),
    )


def test_words_beside_a_value_are_a_message_unless_the_value_says_what_it_is_for() -> None:
    assert said(message("VPN", value={"x": "1"})).text == "VPN"
    assert acted(message("Ask a person", value={"action": "ask_person"})).name == "ask_person"
    assert ignored(message(None, value={"x": "1"})) == (Reason.BROKEN, "submitted")
    assert said(message("VPN", value="x")).text == "VPN"


@pytest.mark.parametrize(("trigger", "kind"), [("manual", Act.EXECUTED), ("automatic", Act.REFRESHED)])
def test_a_button_that_executes_and_a_card_that_is_only_shown(trigger: str, kind: Act) -> None:
    action = {"type": "Action.Execute", "verb": "forget_me", "data": {"sure": "はい\x07"}}
    body = activity("invoke", name="adaptiveCard/action", value={"action": action, "trigger": trigger}, replyToId=ROOT)
    found = acted(body)
    assert (found.kind, found.name, found.message, found.inputs) == (kind, "forget_me", ROOT, {"sure": "はい"})


@pytest.mark.parametrize(
    ("feedback", "inputs"),
    [
        ('{"feedbackText":"役に立ちました"}', {"reaction": "like", "text": "役に立ちました"}),
        ({"feedbackText": "thanks"}, {"reaction": "like", "text": "thanks"}),
        ('{"feedbackText":""}', {"reaction": "like"}),
        ("{", {"reaction": "like"}),
        ("[" * 10_000, {"reaction": "like"}),
        ("5", {"reaction": "like"}),
        (None, {"reaction": "like"}),
    ],
)
def test_what_people_think_of_an_answer(feedback: Any, inputs: dict[str, str]) -> None:
    value = {"actionName": "feedback", "actionValue": {"reaction": "like", "feedback": feedback}}
    found = acted(activity("invoke", name="message/submitAction", value=value, replyToId=ROOT))
    assert (found.kind, found.name, found.message, found.inputs) == (Act.FEEDBACK, "feedback", ROOT, inputs)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("adaptiveCard/action", {}, (Reason.BROKEN, "executed")),
        ("adaptiveCard/action", {"action": {"verb": 5}}, (Reason.BROKEN, "executed")),
        ("message/submitAction", {"actionName": "another"}, (Reason.OTHER_EVENT, "message/submitAction")),
        ("composeExtension/query", {"x": 1}, (Reason.OTHER_EVENT, "composeExtension/query")),
        (None, None, (Reason.OTHER_EVENT, "invoke")),
    ],
)
def test_other_invocations_are_ignored(name: str | None, value: Any, expected: tuple[Reason, str]) -> None:
    assert ignored(activity("invoke", name=name, value=value)) == expected


# --- addresses ------------------------------------------------------------------------------------------------------


ids = st.text(st.characters(codec="ascii", categories=["L", "N"]) | st.sampled_from(":@._-"), min_size=1).filter(
    lambda id: id != DIRECT
)


@given(place=st.sampled_from(Place), chat=ids, thread=st.none() | ids)
def test_an_address_is_found_again(place: Place, chat: str, thread: str | None) -> None:
    told = chat if thread is None else f"{chat};messageid={thread}"
    assert parted(told) == (chat, thread)
    there = filed(TENANT, place, chat, thread)
    alone = thread is None or thread == chat or place is Place.PERSONAL
    assert address_of(there) == Address(tenant=TENANT, conversation=chat if alone else told)
    assert address_of(there).chat == chat
    assert (there.channel == DIRECT) is (place is Place.PERSONAL)


def test_the_bot_is_known_with_and_without_what_ids_of_bots_begin_with() -> None:
    for me in (Me(id="28:App"), Me(id="app")):
        assert me.is_known_as("28:app")
        assert me.is_known_as("APP")
        assert not me.is_known_as("29:app")
        assert not me.is_known_as(None)


# --- whatever comes -------------------------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
WHOLE = [
    to_the_bot(attachments=[html("<p>x</p>")]),
    activity("messageUpdate", text="x", channelData={"eventType": "editMessage", "tenant": {"id": TENANT}}),
    activity("messageReaction", reactionsAdded=[{"type": "like"}], replyToId=ROOT),
    activity("installationUpdate", action="add"),
    activity("conversationUpdate", membersAdded=[{"id": ME.id}]),
    activity("invoke", name="adaptiveCard/action", value={"action": {"verb": "x", "data": {"a": "b"}}}),
    activity("invoke", name="message/submitAction", value={"actionName": "feedback", "actionValue": {"feedback": "{"}}),
    message(None, value={"action": "x"}),
]


def paths(node: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [above, *(path for key, value in inner for path in paths(value, (*above, key)))]


@pytest.mark.parametrize("body", WHOLE, ids=lambda body: str(body.get("name") or body["type"]))
@given(data=st.data())
def test_a_field_of_any_other_type_is_no_error(body: dict[str, Any], data: st.DataObject) -> None:
    spoilt = json.loads(json.dumps(body))
    *above, last = data.draw(st.sampled_from([path for path in paths(body) if path]))
    node = spoilt
    for key in above:
        node = node[key]
    node[last] = data.draw(json_values)
    assert isinstance(read_activity(spoilt, ME), Inbound)


@given(st.dictionaries(st.text(max_size=5), json_values))
def test_nothing_that_is_an_object_is_an_error(body: dict[str, Any]) -> None:
    assert isinstance(read_activity(body, ME), Ignored)
