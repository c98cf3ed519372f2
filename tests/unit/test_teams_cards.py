"""The bot's own cards in Teams: what they say in both languages, and that nothing remembered can look like theirs."""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handlers.acts.own import WouldGo
from handlers.teams.cards import Reader, forget_card, help_card, memory_card, requests_card, welcome_card
from handlers.teams.message import TeamsMessage, card_message
from handlers.teams.pieces import elements, paragraph
from handlers.teams.records import Place
from handlers.wording_teams import ENGLISH, JAPANESE, TeamsWords
from handlers.wordings import SHIPPED
from memory.model import DIRECT, Conversation
from memory.personal import Kept, Request
from memory.remember.profiles import Attribute, Profile, Valued
from tests.fakes.teams_cards import faults

JST = timezone(timedelta(hours=9))
LINK = "https://teams.microsoft.com/l/message/19:abc/1700000000000"
START = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)


def request(title: str = "VPN", status: str | None = None, *, is_open: bool = True) -> Request:
    conversation = Conversation(platform="teams", workspace="t", channel=DIRECT, thread="a")
    return Request(
        conversation=conversation,
        message="1",
        ticket=None,
        title=title,
        status=status,
        open=is_open,
        opened_at=START,
        changed_at=START,
    )


def profile(value: str, count: int = 1, *, subject: str = "佐藤") -> Profile:
    one = Valued(
        value=value, valid_from=START, valid_to=None, precision="day", confidence=1.0, facts=("f",), turn_ids=("t",)
    )
    return Profile(subject=subject, attributes=(Attribute(predicate="owner", current=(one,) * count, history=()),))


def reader(language: str = "ja", link: str | None = LINK) -> Reader:
    return Reader(language=language, zone=JST, link=lambda _: link)


KEPT = Kept(messages=12, first_at=START - timedelta(days=30), last_at=START)


def body(message: TeamsMessage) -> list[Any]:
    attachments: Any = message.content["attachments"]
    found = attachments[0]["content"]["body"]
    assert isinstance(found, list)
    return found


def lines(message: TeamsMessage) -> list[str]:
    """What the card says, element by element; buttons in brackets."""
    return [_line(element) for element in body(message)]


def _line(element: Mapping[str, Any]) -> str:
    if element["type"] == "ActionSet":
        return " ".join(f"[{action['title']}]" for action in element["actions"])
    return str(element["text"]) if "text" in element else "".join(run["text"] for run in element["inlines"])


def actions(message: TeamsMessage) -> list[tuple[str, str]]:
    """The names that the buttons bring back, with their values."""
    return [
        (action["data"]["action"], action["data"]["value"])
        for element in body(message)
        for action in element.get("actions", [])
    ]


def test_the_welcome_says_what_the_bot_does_and_how_to_ask() -> None:
    japanese = lines(welcome_card("ja", Place.PERSONAL))
    assert japanese[0] == "ヘルプデスクです"
    assert "チャネルやグループチャットでは、私をメンションしてください。" in japanese
    assert japanese[-1] == "[自分の依頼を見る] [覚えていることを見る]"
    english = lines(welcome_card("en", Place.PERSONAL))
    assert english[0] == "This is the helpdesk"
    assert "In channels and group chats, mention me." in english
    assert english[-1] == "[Show my requests] [Show what you remember]"
    assert actions(welcome_card("en", Place.PERSONAL)) == [("helpdesk_tickets", ""), ("helpdesk_memory", "")]


@pytest.mark.parametrize("card", [welcome_card, help_card])
@pytest.mark.parametrize("place", [Place.CHANNEL, Place.GROUP])
def test_where_others_read_along_no_button_is_for_what_is_ones_own(card: Any, place: Place) -> None:
    assert actions(card("en", place)) == []
    assert lines(card("en", place)) == lines(card("en", Place.PERSONAL))[:-1]


@pytest.mark.parametrize("language", ["ja", "en"])
def test_help_says_how_to_ask_and_to_reach_a_person_what_can_be_sent_and_who_sees_what(language: str) -> None:
    words, said = SHIPPED.acts(language), lines(help_card(language, Place.PERSONAL))
    assert said[0] == words.help
    assert f"• {words.examples[0]}" in said
    assert words.help_person.format(button=words.ask_person) in said
    assert [f"• {word}: {does}" for word, does in words.commands] == said[said.index(words.help_words) + 1 :][:4]
    assert [f"• {line}" for line in (words.help_remembered, *words.help_seen)] == said[-5:-1]


def test_requests_are_listed_with_the_readers_date_their_state_and_their_link() -> None:
    own = [request("VPN が*つながらない*"), request("プリンター", "確認待ち"), request("マウス", is_open=False)]
    message = requests_card(own, reader())
    assert lines(message) == [
        "あなたの依頼",
        "• 2026-11-23 VPN が*つながらない*（対応中）",
        "• 2026-11-23 プリンター（確認待ち）",
        "• 2026-11-23 マウス（解決済み）",
    ]
    assert body(message)[1]["inlines"][1]["selectAction"] == {"type": "Action.OpenUrl", "url": LINK}
    english = lines(requests_card(own, reader("en")))
    assert english[1:] == [
        "• 2026-11-23 VPN が*つながらない* (open)",
        "• 2026-11-23 プリンター (open)",
        "• 2026-11-23 マウス (settled)",
    ]


@pytest.mark.parametrize(
    ("status", "japanese", "english"),
    [
        ("waiting", "担当者が対応中", "waiting"),
        ("Waiting for customer reply", "ご本人の返事待ち", "Waiting for customer reply"),
        ("closed", "終了", "closed"),
        ("業者待ち", "業者待ち", "with support"),
    ],
)
def test_a_status_of_another_tool_is_told_in_the_readers_language(status: str, japanese: str, english: str) -> None:
    own = [request("マウス", status)]
    assert lines(requests_card(own, reader()))[1] == f"• 2026-11-23 マウス（{japanese}）"
    assert lines(requests_card(own, reader("en")))[1] == f"• 2026-11-23 マウス ({english})"


def test_of_many_requests_ten_are_listed_and_it_says_so() -> None:
    said = lines(requests_card([request(f"件{number}") for number in range(11)], reader()))
    assert len(said) == 12
    assert said[-1] == "（ほかにもあります。新しいものから10件を表示しています）"
    assert len(lines(requests_card([request()] * 10, reader()))) == 11


def test_without_requests_the_card_says_that_there_are_none() -> None:
    assert lines(requests_card([], reader("en"))) == ["Your requests", "I remember no request of yours."]


def test_what_is_remembered_is_counted_and_can_be_forgotten() -> None:
    message = memory_card(KEPT, [request()], profile("会議室プリンター"), reader())
    assert lines(message) == [
        "覚えていること",
        "あなたが書いたメッセージを12件覚えています（2026-10-24から2026-11-23まで）。",
        "最近の依頼",
        "• 2026-11-23 VPN（対応中）",
        "佐藤 さんについて記録されていること",
        "• 担当: 会議室プリンター（2026-11-23から）",
        "[私のことを忘れて]",
    ]
    assert actions(message) == [("helpdesk_forget", "")]


def test_where_nothing_is_remembered_there_is_nothing_to_forget() -> None:
    message = memory_card(Kept(messages=0), [], Profile(subject="x"), reader("en"))
    assert lines(message) == ["What I remember", "I remember no message that you wrote."]


def test_before_anything_is_deleted_it_is_said_what_goes_and_what_stays() -> None:
    japanese = forget_card(WouldGo(messages=12), "user-1", "ja")
    said = lines(japanese)
    assert said[0] == "あなたが書いたことを消しますか？ 元に戻すことはできません。"
    assert [line.partition(":")[0] for line in said[1:-1]] == ["• 消えるもの"] * 2 + ["• 残るもの"] * 2
    assert "（12件）" in said[1]
    assert "Teams の中のメッセージ" in said[4]
    assert said[-1] == "[消す] [やめる]"
    assert actions(japanese) == [("helpdesk_forget_yes", "user-1"), ("helpdesk_forget_no", "user-1")]
    assert [action.get("style") for action in body(japanese)[-1]["actions"]] == ["destructive", None]
    english = lines(forget_card(WouldGo(messages=12), "user-1", "en"))
    assert "Slack" not in " ".join([*said, *english])
    assert english[-1] == "[Delete] [Cancel]"


def test_a_notification_begins_with_what_the_card_is() -> None:
    assert str(forget_card(WouldGo(messages=1), "u", "en").content["summary"]).startswith("Delete what you wrote?")


def test_the_longest_that_can_be_remembered_has_room_on_one_card() -> None:
    link = "https://teams.microsoft.com/l/message/" + "x" * 900
    own = [request("題" * 200, "態" * 200)] * 20
    known = profile("値" * 500, 40, subject="名" * 100)
    for message in (requests_card(own, reader(link=link)), memory_card(KEPT, own, known, reader(link=link))):
        assert faults(message.content, [link]) == []


def test_a_card_that_holds_too_much_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="split it"):
        card_message(elements(*[paragraph("語" * 1_000)] * 7), language="ja")


@given(st.text(), st.text(), st.sampled_from([LINK, "javascript:alert(1)", "https://a.example/" + "x" * 2_000, None]))
@settings(max_examples=100, deadline=None)
def test_nothing_remembered_becomes_markup_or_a_line_of_ours(words: str, name: str, link: str | None) -> None:
    forged = f"{words} <at>x</at> [a](https://evil.example) **b**\n• x\n{{{{DATE(2017)}}}}"
    who = reader(link=link)
    known = profile(forged, subject=name or "x")
    for message in (requests_card([request(forged, name)], who), memory_card(KEPT, [request(forged)], known, who)):
        assert faults(message.content, [LINK]) == []
        assert all("\n" not in line for line in lines(message))
    assert len(lines(requests_card([request(forged, name)], who))) == 2


@pytest.mark.parametrize("card", [welcome_card, help_card])
@pytest.mark.parametrize("language", ["ja", "en"])
def test_our_own_cards_are_what_teams_takes(card: Any, language: str) -> None:
    for place in Place:
        assert faults(card(language, place).content) == []
    assert faults(forget_card(WouldGo(messages=3), "29:" + "x" * 100, language).content) == []


def _named_places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("name", [field.name for field in fields(TeamsWords)])
def test_both_languages_say_the_same_things(name: str) -> None:
    japanese, english = getattr(JAPANESE, name), getattr(ENGLISH, name)
    assert japanese
    assert english
    assert type(japanese) is type(english)
    if isinstance(japanese, str):
        assert _named_places(japanese) == _named_places(english)
    else:
        assert len(japanese) == len(english)
    assert SHIPPED.teams("ja") is JAPANESE
    assert SHIPPED.teams("en") is ENGLISH
