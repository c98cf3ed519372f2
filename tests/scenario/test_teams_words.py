"""What is written to the bot in Teams besides questions: nothing at all, and commands in either language."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from handlers.teams.names import TICKETS
from handlers.wording import ENGLISH, JAPANESE, Phrases
from handlers.wording_acts import ENGLISH as ENGLISH_ACTS
from handlers.wording_acts import JAPANESE as JAPANESE_ACTS
from handlers.wording_teams import ENGLISH as ENGLISH_TEAMS
from handlers.wording_teams import JAPANESE as JAPANESE_TEAMS
from tests.fakes.teams.server import AYA, BOB, BOT, BOT_NAME, CALL, Json, group, in_channel, personal, place_of
from tests.fakes.teams_place import Place, opened


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        yield place


@pytest.mark.parametrize("where", [personal(AYA), group()], ids=["personal", "group"])
async def test_a_mention_without_words_is_asked_what_is_wanted_once_and_is_nobodys_request(
    place: Place, where: Json
) -> None:
    async with place.running():
        await place.teams.say(AYA, where, "", mention=True)
        await place.teams.tell(place.teams.told[-1])
        await place.teams.answered(place_of(where))
        assert await place.kept(where) == []
    [answer] = place.teams.messages
    assert answer.content["text"] in (JAPANESE.wordless, ENGLISH.wordless)
    assert place.answers.questions == []


@pytest.mark.parametrize(
    ("client", "said"),
    [
        ("en-GB", ENGLISH.wordless),
        ("en-US", ENGLISH.wordless),
        ("ja-JP", JAPANESE.wordless),
        # The desk's own language.
        ("fr-FR", JAPANESE.wordless),
        (None, JAPANESE.wordless),
        (["en-GB"], JAPANESE.wordless),
    ],
    ids=str,
)
async def test_who_calls_the_bot_and_says_nothing_is_asked_in_the_clients_language(
    place: Place, client: object, said: str
) -> None:
    async with place.running():
        thread = await place.teams.say(AYA, in_channel(), "", mention=True, locale=client)
        [answer] = await place.teams.answered(place_of(in_channel(thread)))
    assert answer.content["text"] == said


@pytest.mark.parametrize(("client", "taken"), [("en-GB", ENGLISH_TEAMS.taken), ("fr-FR", JAPANESE_TEAMS.taken)])
async def test_who_clicks_is_thanked_in_the_clients_language(place: Place, client: str, taken: str) -> None:
    action = {"type": "Action.Execute", "verb": TICKETS, "data": {"action": TICKETS}}
    value = {"action": action, "trigger": "manual"}
    told = place.teams.activity("invoke", AYA, personal(AYA), name="adaptiveCard/action", value=value, locale=client)
    async with place.running():
        _, shown = await place.teams.tell({**told, "serviceUrl": place.teams.service})
    assert shown["value"] == taken


@pytest.mark.parametrize(("client", "spoken"), [("en-GB", ENGLISH), ("ja-JP", JAPANESE), ("fr-FR", JAPANESE)])
async def test_what_shows_no_language_is_answered_in_the_clients(place: Place, client: str, spoken: Phrases) -> None:
    place.answers.abstains = True
    where = personal(AYA)
    async with place.running():
        await place.teams.say(AYA, where, "0x80070005", locale=client)
        [answer] = await place.teams.answered(place_of(where))
    assert spoken.abstained.splitlines()[0] in json.dumps(answer.content, ensure_ascii=False)


async def test_a_message_that_says_nothing_is_asked_what_is_wanted(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        await place.teams.say(AYA, where, "")
        [answer] = await place.teams.answered(place_of(where))
        assert await place.kept(where) == []
    assert answer.content["text"] in (JAPANESE.wordless, ENGLISH.wordless)


@pytest.mark.parametrize(
    ("word", "client", "title"),
    [
        ("ヘルプ", "en-US", JAPANESE_ACTS.help),
        ("ヘルプ", "ja-JP", JAPANESE_ACTS.help),
        ("help", "en-US", ENGLISH_ACTS.help),
        ("help", "ja-JP", JAPANESE_ACTS.help),
    ],
)
async def test_a_command_in_japanese_is_answered_in_japanese_and_any_other_in_the_clients_language(
    place: Place, word: str, client: str, title: str
) -> None:
    where = personal(AYA)
    async with place.running():
        await place.teams.say(AYA, where, word, locale=client)
        [answer] = await place.teams.answered(place_of(where))
    assert title in json.dumps(answer.content, ensure_ascii=False)


async def test_what_stands_in_angle_brackets_is_heard_and_kept(place: Place) -> None:
    """Teams leaves it out of the text, and has it in the HTML beside it."""
    where = personal(AYA)
    rich = [{"contentType": "text/html", "content": "<p>ssh &lt;host&gt; で切れます</p>"}]
    async with place.running():
        await place.teams.say(AYA, where, "ssh  で切れます", attachments=rich)
        await place.teams.answered(place_of(where))
        assert await place.kept(where) == ["ssh <host> で切れます"]
    assert [question.text for question in place.answers.questions] == ["ssh <host> で切れます"]


async def test_of_those_who_are_mentioned_only_the_bot_goes(place: Place) -> None:
    alice = {"type": "mention", "mentioned": {"id": f"29:{BOB}", "name": "Alice"}, "text": "<at>Alice</at>"}
    own = {"type": "mention", "mentioned": {"id": BOT, "name": BOT_NAME}, "text": CALL}
    told = place.teams.activity(
        "message", AYA, group(), text=f"{CALL} help me and <at>Alice</at>", textFormat="plain", entities=[own, alice]
    )
    async with place.running():
        await place.teams.tell(told)
        await place.teams.answered(place_of(group()))
        assert await place.kept(group()) == ["help me and @Alice"]
