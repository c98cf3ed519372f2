"""What is answered, remembered or left alone; and that two programs do not answer one another for ever."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.decision import ChannelPolicy, Decision, Kind, LoopBreaker, Reason
from handlers.slack.decision import decide
from handlers.slack.inbound import read_event
from handlers.slack.records import (
    Act,
    Acted,
    ChannelKind,
    Deleted,
    Edited,
    HomeOpened,
    Ignored,
    Inbound,
    Invited,
    Said,
    SlackFile,
    Uninstalled,
)
from memory.model import Conversation
from tests.fakes.slack_payloads import ME, OTHER, changed, event_body, inner, mention, message

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
ON_MENTION = ChannelPolicy()
KEEPING = ChannelPolicy(remember=True)
ALWAYS = ChannelPolicy(answer="always")
OFF = ChannelPolicy(answer="never")
OFF_KEEPING = ChannelPolicy(answer="never", remember=True)
BOTS = ChannelPolicy(allowed_bots=frozenset({"B9"}))


def conversation(thread: str = "1.0", channel: str = "C1") -> Conversation:
    return Conversation(platform="slack", workspace="T1", channel=channel, thread=thread)


def said(**more: Any) -> Said:
    plain = Said(
        conversation=conversation(),
        message="2.0",
        author="U1",
        text="VPNにつながりません",
        said_at=NOW,
        kind=ChannelKind.PUBLIC,
        mentioned=False,
        threaded=False,
        names_others=False,
    )
    return replace(plain, **more)


ROOT = said()
DIRECT = said(kind=ChannelKind.DIRECT)
MENTION = said(mentioned=True)
REPLY = said(threaded=True)
TO_OTHERS = said(threaded=True, names_others=True)
FILE = SlackFile(id="F1", name="a.png", mimetype="image/png", size=1, url_private=None)


@pytest.mark.parametrize(
    ("heard", "policy", "engaged", "kind", "reason"),
    [
        # Somebody calls it.
        (DIRECT, ON_MENTION, False, Kind.ANSWER, Reason.DIRECT),
        (replace(DIRECT, text=""), ON_MENTION, False, Kind.ANSWER, Reason.DIRECT),
        (replace(DIRECT, names_others=True), ON_MENTION, False, Kind.ANSWER, Reason.DIRECT),
        (MENTION, ON_MENTION, False, Kind.ANSWER, Reason.MENTION),
        (replace(MENTION, text=""), ON_MENTION, False, Kind.ANSWER, Reason.MENTION),
        (replace(MENTION, threaded=True), ON_MENTION, True, Kind.ANSWER, Reason.MENTION),
        (replace(MENTION, kind=ChannelKind.GROUP), ON_MENTION, False, Kind.ANSWER, Reason.MENTION),
        # It is part of the talk.
        (REPLY, ON_MENTION, True, Kind.ANSWER, Reason.ENGAGED),
        (replace(REPLY, text="", files=(FILE,)), ON_MENTION, True, Kind.ANSWER, Reason.ENGAGED),
        (TO_OTHERS, ON_MENTION, True, Kind.REMEMBER, Reason.OTHERS_ADDRESSED),
        (replace(REPLY, text=""), ON_MENTION, True, Kind.IGNORE, Reason.EMPTY),
        (ROOT, ON_MENTION, True, Kind.IGNORE, Reason.OVERHEARD),
        # It is not.
        (ROOT, ON_MENTION, False, Kind.IGNORE, Reason.OVERHEARD),
        (REPLY, ON_MENTION, False, Kind.IGNORE, Reason.OVERHEARD),
        (TO_OTHERS, ON_MENTION, False, Kind.IGNORE, Reason.OTHERS_ADDRESSED),
        (replace(ROOT, kind=ChannelKind.GROUP), ON_MENTION, False, Kind.IGNORE, Reason.OVERHEARD),
        (ROOT, KEEPING, False, Kind.REMEMBER, Reason.OVERHEARD),
        (TO_OTHERS, KEEPING, False, Kind.REMEMBER, Reason.OTHERS_ADDRESSED),
        (replace(ROOT, text=""), KEEPING, False, Kind.IGNORE, Reason.EMPTY),
        (replace(ROOT, text="", files=(FILE,)), KEEPING, False, Kind.REMEMBER, Reason.OVERHEARD),
        # The channel is the bot's.
        (ROOT, ALWAYS, False, Kind.ANSWER, Reason.ALWAYS),
        (REPLY, ALWAYS, False, Kind.ANSWER, Reason.ALWAYS),
        (replace(ROOT, names_others=True), ALWAYS, False, Kind.IGNORE, Reason.OTHERS_ADDRESSED),
        (replace(ROOT, text=""), ALWAYS, False, Kind.IGNORE, Reason.EMPTY),
        # It is switched off there.
        (MENTION, OFF, False, Kind.IGNORE, Reason.SWITCHED_OFF),
        (DIRECT, OFF, False, Kind.IGNORE, Reason.SWITCHED_OFF),
        (REPLY, OFF, True, Kind.IGNORE, Reason.SWITCHED_OFF),
        (MENTION, OFF_KEEPING, False, Kind.REMEMBER, Reason.SWITCHED_OFF),
        # A program speaks.
        (said(bot="B9", mentioned=True), ON_MENTION, False, Kind.IGNORE, Reason.BOT),
        (said(bot="B9", kind=ChannelKind.DIRECT), ON_MENTION, False, Kind.IGNORE, Reason.BOT),
        (said(bot="B9"), KEEPING, False, Kind.IGNORE, Reason.BOT),
        (said(bot="B9", threaded=True), ALWAYS, True, Kind.IGNORE, Reason.BOT),
        (said(bot="B9", mentioned=True), BOTS, False, Kind.ANSWER, Reason.MENTION),
        (said(bot="B8", mentioned=True), BOTS, False, Kind.IGNORE, Reason.BOT),
        (said(bot="B8", author="B9", mentioned=True), BOTS, False, Kind.ANSWER, Reason.MENTION),
        (said(bot="B9", threaded=True), BOTS, True, Kind.ANSWER, Reason.ENGAGED),
        (said(bot="B9"), BOTS, False, Kind.IGNORE, Reason.OVERHEARD),
        (replace(REPLY, text="ありがとうございました"), ON_MENTION, True, Kind.REMEMBER, Reason.COURTESY),
        (said(text="hello"), ALWAYS, False, Kind.REMEMBER, Reason.COURTESY),
        (said(text="thanks!", mentioned=True), ON_MENTION, False, Kind.ANSWER, Reason.MENTION),
        (said(text="thanks emma!", mentioned=True), ON_MENTION, False, Kind.REMEMBER, Reason.COURTESY),
        (said(text="thanks <@U0KEN>!", mentioned=True), ON_MENTION, True, Kind.REMEMBER, Reason.COURTESY),
        (said(text="thanks helpdesk", mentioned=True), ON_MENTION, False, Kind.ANSWER, Reason.MENTION),
        (said(text="了解です", kind=ChannelKind.DIRECT), ON_MENTION, False, Kind.ANSWER, Reason.DIRECT),
        (replace(REPLY, text="担当者につないで"), ON_MENTION, True, Kind.ANSWER, Reason.ENGAGED),
    ],
)
def test_what_is_done_with_a_message(
    heard: Said, policy: ChannelPolicy, engaged: bool, kind: Kind, reason: Reason
) -> None:
    assert decide(heard, policy, engaged=engaged) == Decision(kind=kind, reason=reason)


EDIT = Edited(conversation=conversation(), message="2.0", author="U1", text="b", said_at=NOW, previous="a")
DELETION = Deleted(conversation=conversation(), message="2.0", at=NOW)
UNINSTALLED = Uninstalled(workspace="T1", enterprise=None, reason="app_uninstalled")
CLICK = Acted(kind=Act.CLICKED, name="feedback", user="U1", workspace="T1")
HOME = HomeOpened(user="U1", workspace="T1", tab="home")
INVITED = Invited(workspace="T1", channel="C1")


@pytest.mark.parametrize("policy", [ON_MENTION, KEEPING, ALWAYS, OFF])
@pytest.mark.parametrize("engaged", [False, True])
@pytest.mark.parametrize(
    ("inbound", "kind", "reason"),
    [
        (EDIT, Kind.REMEMBER, Reason.EDITED),
        (DELETION, Kind.REMEMBER, Reason.DELETED),
        (HOME, Kind.ACT, Reason.HOME_OPENED),
        (INVITED, Kind.REMEMBER, Reason.INVITED),
        (UNINSTALLED, Kind.ACT, Reason.UNINSTALLED),
        (CLICK, Kind.ACT, Reason.ACTED),
        (Ignored(reason=Reason.NOTICE, detail="channel_join"), Kind.IGNORE, Reason.NOTICE),
        (Ignored(reason=Reason.OWN), Kind.IGNORE, Reason.OWN),
        (replace(EDIT, bot="B7"), Kind.IGNORE, Reason.BOT),
    ],
)
def test_everything_else_is_decided_alike_in_every_channel(
    inbound: Inbound, kind: Kind, reason: Reason, policy: ChannelPolicy, engaged: bool
) -> None:
    assert decide(inbound, policy, engaged=engaged) == Decision(kind=kind, reason=reason)


def test_the_edit_of_a_program_that_is_listed_is_followed() -> None:
    assert decide(replace(EDIT, bot="B9"), BOTS, engaged=False).kind is Kind.REMEMBER


# --- whole deliveries -----------------------------------------------------------------------------------------------


def decided(event: dict[str, Any], policy: ChannelPolicy = ON_MENTION, *, engaged: bool = False) -> Kind:
    return decide(read_event(event_body(event), me=ME), policy, engaged=engaged).kind


def test_each_delivery_of_a_message_is_decided_alike() -> None:
    """Told again after a time-out, or as a mention and as a message: whichever comes first is answered."""
    text = f"<@{ME.user}> VPN?"
    for event in (message(text), message(text), mention(text)):
        assert decided(event) is Kind.ANSWER
    told = [read_event(event_body(event), me=ME) for event in (message(text), mention(text))]
    assert len({(one.conversation, one.message) for one in told if isinstance(one, Said)}) == 1


@pytest.mark.parametrize("engaged", [False, True])
@pytest.mark.parametrize("policy", [ON_MENTION, KEEPING, ALWAYS])
def test_a_message_told_again_in_the_same_words_changes_nothing(policy: ChannelPolicy, engaged: bool) -> None:
    assert decided(changed(inner(), inner()), policy, engaged=engaged) is Kind.IGNORE
    unfolded = changed(inner(attachments=[{"text": "X", "from_url": "https://x.example"}]), inner())
    assert decided(unfolded, policy, engaged=engaged) is Kind.IGNORE


def test_a_reply_of_the_bot_that_reads_like_a_question_is_not_answered() -> None:
    """It names the very ticket that it listens for, in a thread that it is engaged in, in a channel of its own."""
    own = message(f"<@{ME.user}> INC-1007: https://desk.example/INC-1007", user=ME.user, bot_id=ME.bot, thread_ts="1.0")
    assert decided(own, ALWAYS, engaged=True) is Kind.IGNORE
    allowed = ChannelPolicy(answer="always", allowed_bots=frozenset({"B0BOT", "U0BOT"}))
    assert decided(own, allowed, engaged=True) is Kind.IGNORE


def test_no_edit_is_ever_answered() -> None:
    edited = {"user": "U0SATO", "ts": "1712345790.000300"}
    edit = changed(inner(f"<@{ME.user}> VPN?", edited=edited), inner("VPN"))
    for policy in (ON_MENTION, KEEPING, ALWAYS):
        assert decided(edit, policy, engaged=True) is Kind.REMEMBER
        assert decided(mention(edited=edited), policy, engaged=True) is Kind.IGNORE


def test_in_a_thread_that_the_bot_is_engaged_in_people_may_still_talk_to_one_another() -> None:
    assert decided(message("まだだめです", thread_ts="1.0"), engaged=True) is Kind.ANSWER
    assert decided(message(f"<@{OTHER}> 見てもらえますか", thread_ts="1.0"), engaged=True) is Kind.REMEMBER
    both = message(f"<@{OTHER}> <@{ME.user}> に聞いてみましょう", thread_ts="1.0")
    assert decided(both, engaged=True) is Kind.ANSWER


# --- loops ----------------------------------------------------------------------------------------------------------

PROGRAM = said(bot="B9", threaded=True)


def after(*minutes: float, thread: str = "1.0") -> LoopBreaker:
    loops = LoopBreaker()
    for each in minutes:
        loops = loops.after(conversation(thread), NOW + timedelta(minutes=each))
    return loops


@pytest.mark.parametrize(
    ("answered", "kind", "reason"),
    [
        ([], Kind.ANSWER, Reason.ENGAGED),
        ([-4, -3, -2, -1], Kind.ANSWER, Reason.ENGAGED),
        ([-5, -4, -3, -2, -1], Kind.IGNORE, Reason.LOOP),
        ([-30, -20, -4, -3, -2, -1], Kind.ANSWER, Reason.ENGAGED),
        ([-10, -4, -3, -2, -1], Kind.ANSWER, Reason.ENGAGED),
        ([-9.9, -4, -3, -2, -1], Kind.IGNORE, Reason.LOOP),
    ],
)
def test_a_program_gets_five_answers_in_ten_minutes(answered: list[float], kind: Kind, reason: Reason) -> None:
    found = decide(PROGRAM, BOTS, engaged=True, loops=after(*answered))
    assert found == Decision(kind=kind, reason=reason)


def test_a_loop_silences_the_bot_for_programs_in_that_thread_only() -> None:
    loops = after(-5, -4, -3, -2, -1)
    assert decide(said(bot="B9", mentioned=True), BOTS, engaged=True, loops=loops).reason is Reason.LOOP
    assert decide(REPLY, BOTS, engaged=True, loops=loops).kind is Kind.ANSWER
    elsewhere = replace(PROGRAM, conversation=conversation("9.0"))
    assert decide(elsewhere, BOTS, engaged=True, loops=loops).kind is Kind.ANSWER


def test_two_programs_that_answer_one_another_come_to_an_end_and_may_begin_again_later() -> None:
    loops, answers = LoopBreaker(), []
    for second in range(0, 1800, 3):
        heard = replace(PROGRAM, said_at=NOW + timedelta(seconds=second))
        if decide(heard, BOTS, engaged=True, loops=loops).kind is Kind.ANSWER:
            answers.append(second)
            loops = loops.after(heard.conversation, heard.said_at)
    assert answers == [start + step for start in (0, 600, 1200) for step in (0, 3, 6, 9, 12)]


def test_the_breaker_itself_never_changes() -> None:
    before = after(-2)
    before.after(conversation(), NOW)
    assert before == after(-2)


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 100)), max_size=40))
def test_what_the_breaker_keeps_is_bounded_and_the_oldest_goes_first(answered: list[tuple[str, int]]) -> None:
    loops = LoopBreaker(most=2, threads=3)
    for thread, minute in answered:
        loops = loops.after(conversation(thread), NOW + timedelta(minutes=minute))
    last_first = list(dict.fromkeys(thread for thread, _ in reversed(answered)))[:3]
    assert set(loops.answered) == {conversation(thread).id for thread in last_first}
    for thread in last_first:
        times = [NOW + timedelta(minutes=minute) for name, minute in answered if name == thread]
        kept = loops.answered[conversation(thread).id]
        assert 1 <= len(kept) <= 2
        assert kept == tuple(times[-len(kept) :])
