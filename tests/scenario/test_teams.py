"""The bot in Teams: the real app over a strict Teams of our own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from config.teams import TeamsChannelSettings
from handlers.wording_teams import JAPANESE
from memory.errors import PlatformRefused
from memory.model import Viewer
from tests.fakes.slack_acts import idle
from tests.fakes.teams import Fault
from tests.fakes.teams.server import AYA, BOT, BOT_NAME, GROUP, HELPDESK, KEN, group, in_channel, personal, place_of
from tests.fakes.teams_place import Place, opened


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        yield place


def words(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)


async def test_a_personal_message_is_answered_once_with_a_card_its_label_and_its_thumbs(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        await place.teams.say(AYA, where, "VPNが切れます")
        [answer] = await place.teams.answered(place_of(where))
        await place.replied()
    assert "太字" in words(answer.content)
    assert "VPNが切れます" in words(answer.content)
    assert answer.content["channelData"] == {"feedbackLoop": {"type": "default"}}
    assert answer.content["entities"][0]["additionalType"] == ["AIGeneratedContent"]
    assert len(place.teams.messages) == 1
    assert place.answers.questions[0].viewer == Viewer(user=AYA)


async def test_a_mention_in_a_channel_is_answered_in_its_thread(place: Place) -> None:
    async with place.running():
        asked = await place.teams.say(AYA, in_channel(), "VPNが切れます", mention=True)
        await place.teams.answered(f"{HELPDESK};messageid={asked}")
        await place.teams.say(KEN, in_channel(asked), "私もです", mention=True)
        await place.teams.answered(f"{HELPDESK};messageid={asked}", count=2)
    assert [question.text for question in place.answers.questions] == ["VPNが切れます", "私もです"]
    assert place.answers.questions[0].viewer == Viewer(user=AYA, channel=HELPDESK, confined=True)
    assert await place.kept(in_channel(asked)) == ["VPNが切れます", "私もです"]


async def test_what_does_not_mention_it_in_channels_and_groups_is_left_alone(place: Place) -> None:
    async with place.running():
        await place.teams.say(AYA, in_channel(), "お昼は何にしますか")
        await place.teams.say(AYA, group(), "お昼は何にしますか")
        await place.teams.say(AYA, group(), "VPNが切れます", mention=True)
        await place.teams.answered(GROUP)
    assert len(place.answers.questions) == 1
    assert await place.kept(group()) == ["VPNが切れます"]


async def test_a_message_told_again_and_again_is_answered_once_even_by_the_next_process(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        await place.teams.say(AYA, where, "VPNが切れます")
        again = place.teams.told[-1]
        statuses = await asyncio.gather(*(place.teams.tell(again) for _ in range(5)))
        await place.teams.answered(place_of(where))
        await place.replied()
    async with place.running():
        await place.teams.tell(again)
    assert [status for status, _ in statuses] == [200] * 5
    assert len(place.answers.questions) == 1
    assert len(place.teams.messages) == 1


async def test_what_a_client_sends_is_asked_as_its_author_wrote_it(place: Place) -> None:
    """Blanks that stay, the bot's own mention in the HTML alone, somebody else's, and a line that the text lacks."""
    bot, ken = {"id": BOT, "name": BOT_NAME}, {"id": f"29:{KEN}", "name": "岡部 健"}
    entities = [
        {"type": "mention", "mentioned": bot, "text": f"<at>{BOT_NAME}</at>"},
        {"type": "mention", "mentioned": ken, "text": "<at>岡部 健</at>"},
    ]
    named = '<span itemtype="http://schema.skype.com/Mention" itemscope itemid="{}">{}</span>'.format
    html = (
        f"<p>{named(0, BOT_NAME)}&nbsp;VPNが\u00a0切れます</p><p>{named(1, '岡部 健')}&nbsp;さんも &lt;QX-7713&gt;</p>"
    )
    rich = [{"contentType": "text/html", "content": html}]
    async with place.running():
        told = place.teams.activity(
            "message", AYA, in_channel(), text="VPNが切れます", entities=entities, attachments=rich
        )
        assert (await place.teams.tell(told))[0] == 200
        await place.teams.answered(f"{HELPDESK};messageid={told['id']}")
    [question] = place.answers.questions
    assert question.text.split("\n") == ["VPNが 切れます", "@岡部 健 さんも <QX-7713>"]


async def test_the_same_id_in_two_conversations_is_two_messages(place: Place) -> None:
    async with place.running():
        await place.teams.say(AYA, personal(AYA), "VPNが切れます", id="1796083200123")
        await place.teams.say(KEN, personal(KEN), "Wi-Fiが切れます", id="1796083200123")
        await place.teams.answered(place_of(personal(AYA)))
        await place.teams.answered(place_of(personal(KEN)))


async def test_teams_is_told_at_once_and_somebody_types_until_the_answer_comes(place: Place) -> None:
    place.answers.seconds = 60
    where = personal(AYA)
    async with place.running():
        async with asyncio.timeout(5):
            await place.teams.say(AYA, where, "VPNが切れます")
            await place.teams.until(lambda: place_of(where) in place.teams.typing)
        assert await place.owed() == 1
        for task in [task for task in asyncio.all_tasks() if task.get_name() == "lane"]:
            task.cancel()


async def test_fifty_at_once_get_one_reply_each(place: Place) -> None:
    async with place.running():
        await asyncio.gather(
            *(place.teams.say(AYA, in_channel(), f"質問{number}", mention=True) for number in range(50))
        )
        await place.teams.until(lambda: len(place.teams.messages) >= 50)
        await place.replied()
    assert len(place.teams.messages) == 50
    assert len({message.conversation for message in place.teams.messages}) == 50


async def test_a_message_that_a_dead_process_took_is_answered_by_the_next(place: Place) -> None:
    place.answers.seconds = 60
    where = personal(AYA)
    async with place.running():
        await place.teams.say(AYA, where, "VPNが切れます")
        await place.answers.asked.wait()
        cut_off = [task for task in asyncio.all_tasks() if task.get_name() == "lane"]
        for task in cut_off:
            task.cancel()
        await asyncio.wait(cut_off)
    place.answers.seconds = 0
    assert place.teams.messages == []
    async with place.running():
        await place.teams.answered(place_of(where))
        await place.replied()


async def test_a_reply_waits_as_long_as_teams_asks_for(place: Place) -> None:
    place.teams.coming = [Fault(status=429, retry_after="1"), Fault(status=429)]
    async with place.running():
        await place.teams.say(AYA, personal(AYA), "VPNが切れます")
        await place.teams.answered(place_of(personal(AYA)))
        await place.replied()
    assert [status for method, status in place.teams.calls if status != 201] == [429, 429]
    assert len(place.teams.messages) == 1


@pytest.mark.parametrize(
    ("fault", "there"),
    [(Fault(status=502), 0), (Fault(status=500), 0), (Fault(cut="after"), 1), (Fault(cut="before"), 0)],
)
async def test_an_answer_that_teams_did_not_confirm_is_not_sent_again_but_spoken_of_once(
    place: Place, fault: Fault, there: int
) -> None:
    where = personal(AYA)
    place.teams.coming = [fault]
    async with place.running():
        await place.teams.say(AYA, where, "VPNが切れます")
        await place.teams.until(lambda: not place.teams.coming)
        await place.answers.asked.wait()
    assert await place.owed() == 1
    async with place.running():
        await place.teams.answered(place_of(where), count=there + 1)
        await place.replied()
    async with place.running():
        pass
    assert [message.content.get("text") for message in place.teams.messages][there:] == [JAPANESE.unconfirmed]
    assert len(place.answers.questions) == 1


async def test_who_got_neither_the_answer_nor_the_word_about_it_hears_of_it_later_by_itself(place: Place) -> None:
    """The waits grow: a minute, five, and so on."""
    where = personal(AYA)
    place.teams.coming = [Fault(status=503)]
    async with place.running():
        await place.teams.say(AYA, where, "VPNが切れます")
        await place.teams.until(lambda: not place.teams.coming)
    started = datetime.now(UTC)
    for minutes, tried in [(0, True), (0.9, False), (1.1, True), (5.9, False), (6.2, True)]:
        place.teams.coming = [Fault(status=503)]
        later(place, started, minutes)
        async with place.running():
            await idle()
        assert place.teams.coming == ([] if tried else [Fault(status=503)])
        assert await place.owed() == 1
    place.teams.coming = []
    later(place, started, 32)
    async with place.running():
        await place.replied()
    assert [message.content["text"] for message in place.teams.messages] == [JAPANESE.unconfirmed]
    assert len(place.answers.questions) == 1


async def test_after_five_tries_nobody_is_told_any_more(place: Place) -> None:
    place.teams.coming = [Fault(status=503)]
    async with place.running():
        await place.teams.say(AYA, personal(AYA), "VPNが切れます")
        await place.teams.until(lambda: not place.teams.coming)
    started = datetime.now(UTC)
    for hours in range(6):
        assert await place.owed() == (hours < 5)
        place.teams.coming = [Fault(status=503)]
        later(place, started, 60 * 3 * hours)
        async with place.running():
            await idle()
    assert (place.teams.coming, place.teams.messages) == ([Fault(status=503)], [])


def later(place: Place, started: datetime, minutes: float) -> None:
    """It is so many minutes later."""
    place.app = replace(place.app, clock=lambda: started + timedelta(minutes=minutes))


@pytest.mark.parametrize("statuses", [[403], [404], [400, 400], [413, 404]], ids=str)
async def test_a_reply_that_teams_refuses_for_good_is_not_made_again_and_again(
    place: Place, statuses: list[int]
) -> None:
    place.teams.coming = [Fault(status=status) for status in statuses]
    async with place.running():
        await place.teams.say(AYA, personal(AYA), "VPNが切れます")
        await place.replied()
    assert (place.teams.coming, place.teams.messages) == ([], [])


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_no_words_go_where_an_answer_is_sent_on_to(place: Place, status: int) -> None:
    place.teams.coming = [Fault(status=status)]
    async with place.running():
        await place.teams.say(AYA, personal(AYA), "VPNが切れます")
        await place.replied()
    assert (place.teams.calls, place.teams.messages) == ([("POST", status)], [])


@pytest.mark.parametrize("status", [400, 413])
async def test_a_card_that_teams_does_not_take_comes_as_words_alone(place: Place, status: int) -> None:
    place.teams.coming = [Fault(status=status)]
    async with place.running():
        await place.teams.say(AYA, personal(AYA), "VPNが切れます")
        await place.replied()
    [answer] = place.teams.messages
    assert sorted(answer.content) == ["text", "textFormat", "type"]
    assert "太字" in answer.content["text"]
    assert "VPNが切れます" in answer.content["text"]
    assert (answer.content["textFormat"], "**" in answer.content["text"]) == ("plain", False)


async def test_a_reply_that_never_left_is_sent_when_teams_is_there_again(place: Place) -> None:
    """Nothing listens at the address: that it did not arrive is certain, so that it is sent again."""
    where = personal(AYA)
    place.teams.elsewhere = "http://127.0.0.1:9"
    async with place.running():
        await place.teams.say(AYA, where, "VPNが切れます")
        await place.answers.asked.wait()
    place.teams.elsewhere = ""
    async with place.running():
        # What it finds owed it takes to the old address first; a new one that is told meanwhile waits for the next try.
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "lane"))
        place.teams.told[-1]["serviceUrl"] = place.teams.service
        await place.teams.tell(place.teams.told[-1])
        await place.teams.answered(place_of(where))
        await place.replied()
    assert len(place.teams.messages) == 1


async def test_nobody_is_left_without_a_word_when_answering_fails(place: Place) -> None:
    place.answers.errors = [ZeroDivisionError("VPN")]
    async with place.running():
        await place.teams.say(AYA, personal(AYA), "VPNが切れます")
        [answer] = await place.teams.answered(place_of(personal(AYA)))
        await place.replied()
    assert "番号" in answer.content["text"]


async def test_a_token_that_teams_does_not_know_any_more_is_asked_for_anew(place: Place) -> None:
    async with place.running():
        place.teams.sign_ins += 1
        await place.teams.say(AYA, in_channel(), "VPNが切れます", mention=True)
        await place.teams.until(lambda: len(place.teams.messages) == 1)
        await place.replied()
    assert (201 in [status for _, status in place.teams.calls], len(place.teams.messages)) == (True, 1)


async def test_an_edit_and_a_deletion_reach_the_memory_and_a_message_that_came_back_is_kept_again(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        first = await place.teams.say(AYA, where, "VPNが切れます")
        second = await place.teams.say(AYA, where, "パスワードは secret です")
        await place.teams.answered(place_of(where), count=2)
        await place.replied()
        await _event(place, "messageUpdate", "editMessage", first, "VPNが毎日切れます")
        await _event(place, "messageDelete", "softDeleteMessage", second, None)
        assert await place.kept(where) == ["VPNが毎日切れます"]
        await _event(place, "messageUpdate", "undeleteMessage", second, "パスワードは変えました")
        assert await place.kept(where) == ["VPNが毎日切れます", "パスワードは変えました"]
        await _event(place, "messageUpdate", "editMessage", second, "パスワードは昨日変えました")
        assert await place.kept(where) == ["VPNが毎日切れます", "パスワードは昨日変えました"]
        await _event(place, "messageDelete", "softDeleteMessage", second, None)
        assert await place.kept(where) == ["VPNが毎日切れます"]
    assert len(place.teams.messages) == 2


async def test_a_message_that_arrives_after_its_edit_is_answered_as_it_was_edited(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        await _event(place, "messageUpdate", "editMessage", "1700000000001", "VPNが切れます")
        told = place.teams.activity("message", AYA, where, text="VPNが切れます。パスワードは secret です")
        assert (await place.teams.tell({**told, "id": "1700000000001"}))[0] == 200
        await place.teams.answered(place_of(where))
        await place.replied()
        assert await place.kept(where) == ["VPNが切れます"]
    assert [question.text for question in place.answers.questions] == ["VPNが切れます"]


async def _event(place: Place, kind: str, event: str, message: str, text: str | None) -> None:
    where = personal(AYA)
    data = {**where["channelData"], "eventType": event}
    told = place.teams.activity(kind, AYA, {**where, "channelData": data}, text=text or "", textFormat="plain")
    status, _ = await place.teams.tell({**told, "id": message})
    assert status == 200


async def test_a_reaction_is_no_message(place: Place) -> None:
    async with place.running():
        told = place.teams.activity(
            "messageReaction", AYA, personal(AYA), replyToId="1", reactionsAdded=[{"type": "like"}]
        )
        assert (await place.teams.tell(told))[0] == 200
    assert place.teams.messages == []


async def test_a_text_file_is_read_into_its_message_and_another_host_is_not_asked(place: Place) -> None:
    where = personal(AYA)
    place.teams.files["vpn.log"] = "証明書の期限切れ".encode()

    def attached(url: str) -> list[object]:
        return [
            {
                "contentType": "application/vnd.microsoft.teams.file.download.info",
                "name": "vpn.log",
                "content": {"downloadUrl": url, "fileType": "log"},
            }
        ]

    async with place.running():
        await place.teams.say(AYA, where, "これです", attachments=attached(f"{place.teams.address}/files/vpn.log"))
        await place.teams.answered(place_of(where))
        await place.teams.say(AYA, where, "これも", attachments=attached("https://evil.example/vpn.log"))
        answers = await place.teams.answered(place_of(where), count=2)
    assert place.answers.questions[0].text == "これです [file: vpn.log]\n[file: vpn.log]\n証明書の期限切れ"
    assert place.answers.questions[1].text == "これも [file: vpn.log]"
    assert "vpn.log は取得できませんでした" in words(answers[1].content)


@pytest.mark.parametrize("said", ["", "QX-77"])
async def test_what_is_said_of_files_is_in_the_language_of_the_answer(place: Place, said: str) -> None:
    """Also where the message itself has no words of any language."""
    where = personal(AYA)
    gone = {
        "contentType": "application/vnd.microsoft.teams.file.download.info",
        "name": "vpn.log",
        "content": {"downloadUrl": "https://evil.example/vpn.log", "fileType": "log"},
    }
    place.answers.language = "en"
    async with place.running():
        await place.teams.say(AYA, where, "The VPN is down since this morning")
        await place.teams.answered(place_of(where))
        await place.teams.say(AYA, where, said, attachments=[gone])
        answers = await place.teams.answered(place_of(where), count=2)
    assert "Attached, but I could not get it: vpn.log" in words(answers[1].content)
    assert "添付" not in words(answers[1].content)


async def test_a_channel_does_as_the_administrator_says(place: Place) -> None:
    place.settings = place.settings.model_copy(
        update={
            "default": TeamsChannelSettings(language="en"),
            "channels": {HELPDESK: TeamsChannelSettings(enabled=False), GROUP: TeamsChannelSettings(answer="always")},
        }
    )
    async with place.running():
        await place.teams.say(AYA, in_channel(), "VPNが切れます", mention=True)
        await place.teams.say(AYA, group(), "VPNが切れます")
        await place.teams.answered(GROUP)
        await place.replied()
    assert [message.conversation for message in place.teams.messages] == [GROUP]


async def test_model_text_pings_nobody_and_links_nowhere(place: Place) -> None:
    place.answers.body = "<at>ken</at> [click](https://evil.example/x)"
    async with place.running():
        await place.teams.say(AYA, personal(AYA), "VPNが切れます")
        [answer] = await place.teams.answered(place_of(personal(AYA)))
    assert "<at" not in words(answer.content)
    assert '"url": "https://evil.example' not in words(answer.content)


async def test_a_wrong_secret_is_named_in_plain_words(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"scope": "https://elsewhere.example"})
    with pytest.raises(PlatformRefused, match="app_password"):
        async with place.running():
            pass


async def test_where_nobody_can_sign_in_the_bot_runs_and_says_that_it_is_not_well(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"login_url": "http://127.0.0.1:9"})
    async with place.running():
        condition = place.app.health.ready()["teams"]
    assert not condition.ok
    assert "login_url" in condition.why
