"""The words and pages of what one can do in Slack: equal in both languages, inside Slack's limits, named once."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from slack_sdk.web.async_client import AsyncWebClient

from handlers.acts.asides import Aside, aside_in
from handlers.acts.own import Own, WouldGo
from handlers.acts.wishes import Wish, wish_in
from handlers.handover import Handed, Wanted
from handlers.messages import plainly
from handlers.slack.acts.answer_end import answer_end, opinion_in
from handlers.slack.acts.commands import help_page
from handlers.slack.acts.home_page import home_page, prompts
from handlers.slack.acts.names import MAKE_TICKET, REMEMBER_THREAD
from handlers.slack.acts.own_pages import Reader, forget_question, memory_page, requests_page
from handlers.slack.acts.pieces import message
from handlers.slack.acts.resolution_form import NotePlace, place_in, resolution_form, resolution_in
from handlers.slack.acts.ticket_form import Spot, filled_in, spot_in, ticket_form
from handlers.slack.acts.wanted_note import wanted_note
from handlers.slack.hosts import is_slacks
from handlers.slack.installations import Installation
from handlers.slack.records import Me
from handlers.slack.render import SlackMessage
from handlers.tickets.records import Away
from handlers.wording_acts import ENGLISH, JAPANESE, ActWords
from handlers.wordings import SHIPPED
from memory.model import Conversation, Viewer, Visibility
from memory.personal import Kept, Request
from memory.remember.profiles import Attribute, Profile, Valued
from memory.text.language import LanguageCode
from memory.tickets import State, Ticket
from tests.fakes.slack.blocks import of_message
from tests.fakes.slack.views import check_view
from tests.fakes.small_desk import turn

ROOT = Path(__file__).parents[2]
NOON = datetime(2026, 9, 10, 3, 0, tzinfo=UTC)
LONG = "長い<!here>&😀 *x* " * 1000
BOTH = pytest.mark.parametrize("words", [JAPANESE, ENGLISH], ids=["ja", "en"])


def _named_places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def reader(words: ActWords) -> Reader:
    client = AsyncWebClient(token="xoxb-1")
    here = Installation(workspace="T1", client=client, me=Me(user="U0BOT"), home="https://example.slack.com/")
    language = "ja" if words is JAPANESE else "en"
    tickets = SHIPPED.tickets(language)
    return Reader(user="U0AYA", language=language, words=words, tickets=tickets, zone=UTC, here=here)


def request(title: str, number: int, *, workspace: str = "T1") -> Request:
    where = Conversation(platform="slack", workspace=workspace, channel="C1", thread=f"1789000000.{number:06d}")
    return Request(
        conversation=where,
        message=where.thread,
        ticket=None,
        title=title,
        status=None,
        open=True,
        opened_at=NOON,
        changed_at=NOON,
    )


def full() -> Own:
    """Of everything more than is shown, and all of it long."""
    value = Valued(
        value=LONG, valid_from=NOON, valid_to=None, precision="day", confidence=1.0, facts=("f",), turn_ids=("t",)
    )
    attributes = tuple(Attribute(predicate=f"p{n}", current=(value,), history=()) for n in range(40))
    return Own(
        requests=[request(LONG, n) for n in range(50)],
        kept=Kept(messages=10**9, first_at=NOON, last_at=NOON),
        profile=Profile(subject=LONG, attributes=attributes),
    )


def taken(said: SlackMessage) -> None:
    """Slack takes the message: `of_message` raises where it would not."""
    assert of_message([dict(block) for block in said.blocks])
    assert 0 < len(said.text.encode()) <= 3000
    assert "<!here>" not in said.text


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [field.name for field in fields(ActWords)])
def test_both_languages_say_the_same_things(name: str) -> None:
    japanese, english = getattr(JAPANESE, name), getattr(ENGLISH, name)
    assert japanese
    assert english
    if isinstance(japanese, str):
        assert _named_places(japanese) == _named_places(english)
    else:
        assert len(japanese) == len(english)


def test_lines_about_forgetting_name_the_same_numbers() -> None:
    pairs = zip(
        (*JAPANESE.forget_goes, *JAPANESE.forget_stays), (*ENGLISH.forget_goes, *ENGLISH.forget_stays), strict=True
    )
    assert all(_named_places(one) == _named_places(other) for one, other in pairs)


def test_any_other_language_is_spoken_to_in_japanese() -> None:
    assert SHIPPED.acts("en") is ENGLISH
    assert SHIPPED.acts("fr") is JAPANESE


@BOTH
def test_every_word_of_the_help_does_what_it_says(words: ActWords) -> None:
    wishes = [wish_in(word) for word, _ in words.commands]
    assert wishes == [Wish.TICKETS, Wish.MEMORY, Wish.FORGET, Wish.HELP]
    [wanted] = re.findall("[「“]([^」”{]+)[」”]", words.help_person)
    assert aside_in(wanted) is Aside.PERSON


@BOTH
def test_the_help_says_how_to_ask_and_to_reach_a_person_what_can_be_written_and_who_sees_what(words: ActWords) -> None:
    said = message(help_page("/helpdesk", words)).text
    person = words.help_person.format(button=words.ask_person)
    for wanted in (words.help_ask, *words.examples[:2], person, words.help_remembered, *words.help_seen):
        assert wanted in said
    assert all(f"/helpdesk {word}: {does}" in said for word, does in words.commands)


@pytest.mark.parametrize(
    ("typed", "wish"),
    [
        ("", None),
        ("help", Wish.HELP),
        ("please forget my password", None),
        ("What do you remember about me?", Wish.MEMORY),
        ("記憶？", Wish.MEMORY),
        ("Forget\u00a0me!", Wish.FORGET),
        ("忘れて。", Wish.FORGET),
        ("ＭＹ　ＴＩＣＫＥＴＳ", Wish.TICKETS),
        ("ﾁｹｯﾄ", Wish.TICKETS),
        ("!" * 100_000, None),
        ("私のことを忘れて", Wish.FORGET),
        ("私のデータを削除してください", Wish.FORGET),
        ("forgetme", Wish.FORGET),
        ("Please forget me.", Wish.FORGET),
        ("パスワードを忘れて困っています", None),
        ("チケット一覧", Wish.TICKETS),
        ("私のチケット", Wish.TICKETS),
        ("私のチケットを見せてもらえますか？", Wish.TICKETS),
        ("Could you show me my open tickets please?", Wish.TICKETS),
        ("show my tickets please", Wish.TICKETS),
        ("コンサートのチケット", None),
        ("私について何を覚えていますか", Wish.MEMORY),
        ("私のこと 覚えてる？", Wish.MEMORY),
        ("what do you know about me?", Wish.MEMORY),
        ("what do you know about VPN?", None),
        ("使い方を教えてください", Wish.HELP),
    ],
)
def test_a_wish_is_understood_however_it_is_typed(typed: str, wish: Wish | None) -> None:
    assert wish_in(typed) is wish


# --- pages ------------------------------------------------------------------------------------------------------------


@BOTH
def test_every_message_is_one_that_slack_takes_however_much_there_is(words: ActWords) -> None:
    ours = reader(words)
    for blocks in (
        requests_page(full(), ours),
        memory_page(full(), ours),
        forget_question(WouldGo(messages=10**9, requests=10**9), ours),
        help_page("/helpdesk", words),
    ):
        taken(message(blocks))


@BOTH
def test_the_page_and_the_form_are_views_that_slack_takes(words: ActWords) -> None:
    empty = Own(requests=[], kept=Kept(messages=0), profile=None)
    for own in (full(), empty):
        assert check_view(home_page(own, reader(words), notice=words.not_forgotten), "home")
    assert check_view(ticket_form(Spot(channel="C1", thread="1.2", message="1.3"), words), "modal")


@BOTH
def test_suggestions_are_short_and_not_too_many(words: ActWords) -> None:
    suggested = prompts(words)
    assert 0 < len(suggested) <= 4
    assert all(len(prompt["title"]) <= 75 and prompt["message"] for prompt in suggested)


def test_a_request_of_another_workspace_has_no_link() -> None:
    own = Own(requests=[request("here", 1), request("there", 2, workspace="T2")], kept=Kept(messages=0), profile=None)
    shown = list(_elements(requests_page(own, reader(ENGLISH))))
    assert [(element["type"], element["text"]) for element in shown[1:]] == [
        ("link", "2026-09-10 here (open)"),
        ("text", "2026-09-10 there (open)"),
    ]


def _elements(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict) and node.get("type") in ("text", "link"):
        yield node
    elif isinstance(node, dict):
        for value in node.values():
            yield from _elements(value)
    elif isinstance(node, list):
        for one in node:
            yield from _elements(one)


def ticket(name: str) -> Ticket:
    return Ticket(
        name=name,
        ours=True,
        conversation=Conversation(platform="slack", workspace="T1", channel="C1", thread="1789000000.000100"),
        opened_by="t",
        requester="U0AYA",
        visibility=Visibility.PRIVATE,
        title=LONG,
        category=None,
        status="open",
        state=State.OPEN,
        assignee=LONG,
        opened_at=NOON,
        changed_at=NOON,
        changes=1,
    )


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("seen", [True, False])
def test_a_note_to_the_support_team_is_taken_and_says_only_what_it_may(language: LanguageCode, seen: bool) -> None:
    where = Conversation(platform="slack", workspace="T1", channel="C1", thread="1789000000.000100")
    asked = turn("給与が違います") if seen else None
    for title in ("", LONG):
        wanted = Wanted(
            conversation=where,
            message=where.thread,
            viewer=Viewer(user="U0AYA"),
            language="ja",
            title=title,
            note=LONG,
            link="https://example.slack.com/archives/C1/p1789000000000100",
        )
        handed = Handed(ticket=ticket("HD-41"), away=Away(back=NOON, stand_in=LONG))
        note = wanted_note(wanted, handed, "彩", asked, language=language)
        taken(note)
        assert ("給与が違います" in str(note.blocks)) is seen
        assert note.text.startswith("HD-41: ")


# --- buttons and forms ------------------------------------------------------------------------------------------------


def test_only_an_answer_has_something_under_it() -> None:
    greeting = plainly("Hello", "en")
    assert answer_end("t", greeting) == []
    assert answer_end("t", plainly("It failed", "en", reference="1a2b3c4d")) == []


@pytest.mark.parametrize(
    ("value", "opinion"),
    [("+abc", ("abc", True)), ("-abc", ("abc", False)), ("abc", None), ("", None), ("+", ("", True))],
)
def test_an_opinion_is_read_off_a_button(value: str, opinion: tuple[str, bool] | None) -> None:
    assert opinion_in(value) == opinion


@pytest.mark.parametrize(
    "metadata",
    ["", "{", "[]", "null", '{"channel": "C1"}', '{"channel": "C1", "thread": "1.2", "message": "<x>"}'],
)
def test_a_form_that_is_about_nothing_is_about_nothing(metadata: str) -> None:
    assert spot_in(metadata) is None


def test_a_form_knows_its_message_and_takes_no_more_than_it_asks_for() -> None:
    spot = Spot(channel="C1", thread="1.2", message="1.3")
    assert spot_in(str(ticket_form(spot, ENGLISH)["private_metadata"])) == spot
    assert filled_in({}) == ("", "")
    subject, note = filled_in({"helpdesk_subject": f"  {LONG}", "helpdesk_note": LONG})
    assert (len(subject), len(note)) == (150, 2000)


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("fix", ["", LONG])
def test_the_form_of_a_resolution_is_taken_and_knows_its_note(language: str, fix: str) -> None:
    place = NotePlace(channel="C1", ts="1.2")
    form = resolution_form(place, fix, SHIPPED.tickets(language), SHIPPED.acts(language))
    check_view(dict(form), "modal")
    assert place_in(str(form["private_metadata"])) == place
    given = resolution_in({"helpdesk_cause": "  old  ", "helpdesk_fix": LONG})
    assert (given.cause, len(given.fix)) == ("old", 2000)


@pytest.mark.parametrize("metadata", ["", "{", "[]", "null", '{"channel": "C1"}', '{"channel": "C1", "ts": "<x>"}'])
def test_a_resolution_without_a_note_is_about_nothing(metadata: str) -> None:
    assert place_in(metadata) is None


@pytest.mark.parametrize(
    ("url", "ours"),
    [
        ("https://hooks.slack.com/actions/T1/1/x", True),
        ("https://slack.com/x", True),
        ("http://hooks.slack.com/actions/T1/1/x", False),
        ("https://hooks.slack.com.evil.example/x", False),
        ("https://evilslack.com/x", False),
        ("http://127.0.0.1/x", False),
        ("hooks.slack.com/x", False),
        ("", False),
    ],
)
def test_words_for_one_person_go_to_slack_and_nowhere_else(url: str, ours: bool) -> None:
    assert is_slacks(url, AsyncWebClient(token="xoxb-1")) is ours


# --- the manifest -----------------------------------------------------------------------------------------------------


def test_the_manifest_offers_what_the_bot_hears() -> None:
    manifest = YAML(typ="safe").load(ROOT / "slack/manifest.yaml")
    features, settings = manifest["features"], manifest["settings"]
    assert [(each["type"], each["callback_id"]) for each in features["shortcuts"]] == [
        ("message", REMEMBER_THREAD),
        ("message", MAKE_TICKET),
    ]
    [command] = features["slash_commands"]
    assert (command["command"], command["should_escape"]) == ("/helpdesk", False)
    assert features["app_home"]["home_tab_enabled"]
    assert settings["interactivity"]["is_enabled"]
    assert {"app_home_opened", "app_uninstalled", "tokens_revoked"} <= {*settings["event_subscriptions"]["bot_events"]}
    assert "commands" in manifest["oauth_config"]["scopes"]["bot"]


def test_a_request_whose_message_is_gone_leads_nowhere() -> None:
    asked = request("VPN", 1)
    assert reader(ENGLISH).link(asked) is not None
    assert reader(ENGLISH).link(replace(asked, message=None)) is None


@BOTH
def test_a_request_without_a_title_has_words_in_its_place(words: ActWords) -> None:
    nameless = replace(full().requests[0], title="HD-5", ticket="HD-5")
    said = message(requests_page(Own(requests=[nameless], kept=Kept(messages=0), profile=None), reader(words))).text
    assert f"HD-5 {words.untitled}" in said
    assert "HD-5 HD-5" not in said


@pytest.mark.parametrize(
    ("predicate", "japanese", "english"),
    [
        ("did", "2026-09-10 証明書を更新した", "2026-09-10 証明書を更新した"),
        ("location", "場所: 証明書を更新した（2026-09-10から）", "location: 証明書を更新した (since 2026-09-10)"),
        ("favourite port", "favourite port: 証明書を更新した（", "favourite port: 証明書を更新した ("),
    ],
)
def test_what_is_on_record_is_named_in_words_and_a_deed_by_its_day(predicate: str, japanese: str, english: str) -> None:
    value = replace(full().profile.attributes[0].current[0], value="証明書を更新した")  # type: ignore[union-attr]
    known = Profile(subject="彩", attributes=(Attribute(predicate=predicate, current=(value,), history=()),))
    for words, line in ((JAPANESE, japanese), (ENGLISH, english)):
        said = message(memory_page(Own(requests=[], kept=Kept(messages=1), profile=known), reader(words))).text
        assert line in said
        assert "did" not in said
