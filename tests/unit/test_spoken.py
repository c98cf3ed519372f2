"""The language of an answer to words that show none, such as an error code: that around them, the nearest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from handlers.ports import PLAIN, Manners
from handlers.spoken import Spoken
from memory.errors import StoreUnavailable
from memory.model import DIRECT, Conversation, Role, Turn, Viewer, Visibility
from memory.stores.in_memory_words import InMemoryStore
from memory.text.language import LanguageCode
from tests.fakes.turns import turn
from tests.fakes.words import Watch

HERE = Conversation(platform="slack", workspace="T1", channel="C1", thread="1")
JAPANESE, ENGLISH = "VPNがつながりません", "My VPN is down"
CODE = "QX-7713?"


def said(number: int, text: str, *, author: str = "aya", where: Conversation = HERE) -> Turn:
    """In a channel, or privately; `number` minutes after noon."""
    place = Visibility.PRIVATE if where.channel == DIRECT else Visibility.CHANNEL
    made = turn(number, text, minutes=number, author=author, requester=author, visibility=place, ticket=None)
    return replace(made, conversation=where)


def alone(thread: str) -> Conversation:
    return replace(HERE, channel=DIRECT, thread=thread)


async def language(
    asked: Turn, before: Sequence[Turn] = (), manners: Manners = PLAIN, default: LanguageCode = "en"
) -> LanguageCode:
    """The language in which `asked` is answered after all that was said before."""
    store = InMemoryStore(clock=Watch())
    await store.writing.record([*before, asked])
    spoken = Spoken(reading=store.reading, personal=store.personal, default=default)
    viewer = Viewer(user=asked.author, channel=asked.conversation.channel)
    return await spoken.of(asked, viewer, manners)


@pytest.mark.parametrize("words", [CODE, "🙏", "https://status.example/QX-7713", "```QX-7713\nat 0x77```", "10.0.4.17"])
async def test_a_thread_goes_on_in_its_language(words: str) -> None:
    asked = said(3, words)
    assert await language(asked, [said(1, ENGLISH), said(2, JAPANESE, author="ken")]) == "ja"
    assert await language(asked, [said(1, JAPANESE), said(2, ENGLISH, author="bob")], default="ja") == "en"


async def test_words_that_show_a_language_are_answered_in_it_whatever_is_around_them() -> None:
    around = Manners(language="en", locale="en")
    assert await language(said(3, f"{CODE} は何ですか"), [said(1, ENGLISH)], around) == "ja"


async def test_what_the_bot_said_there_shows_the_language_too() -> None:
    answer = replace(said(2, JAPANESE), role=Role.BOT, author="Helpdesk", derived=True)
    assert await language(said(3, CODE), [said(1, "QX-7712?"), answer]) == "ja"


async def test_without_a_thread_it_is_that_of_the_channel_then_of_the_person_then_of_their_client() -> None:
    earlier = said(1, JAPANESE, where=alone("D1:1"))
    asked = said(3, CODE)
    assert await language(asked, [earlier], Manners(language="en", locale="en"), default="ja") == "en"
    assert await language(asked, [earlier], Manners(locale="en")) == "ja"
    assert await language(asked, [], Manners(locale="ja")) == "ja"
    assert await language(asked, [], default="ja") == "ja"
    assert await language(asked, [], default="en") == "en"


async def test_what_somebody_asked_last_counts_and_what_others_asked_does_not() -> None:
    before = [
        said(1, ENGLISH, where=alone("D1:1")),
        said(2, JAPANESE, where=alone("D1:2")),
        said(3, "QX-1", where=alone("D1:3")),
        said(4, ENGLISH, author="bob", where=alone("D2:4")),
    ]
    assert await language(said(5, CODE, where=alone("D1:5")), before) == "ja"


async def test_the_name_of_a_file_is_no_language() -> None:
    assert await language(said(3, "[file: error report.txt]"), [said(1, JAPANESE)]) == "ja"


class Gone:
    async def newest(self, viewer: Viewer, until: object, limit: int) -> list[Turn]:
        raise StoreUnavailable


async def test_where_nothing_can_be_read_the_setting_decides() -> None:
    store = InMemoryStore(clock=Watch())
    spoken = Spoken(reading=store.reading, personal=Gone(), default="en")  # type: ignore[arg-type]
    assert await spoken.of(said(1, CODE), Viewer(user="aya"), Manners(locale="ja")) == "ja"
    assert await spoken.of(said(1, CODE), Viewer(user="aya"), PLAIN) == "en"
