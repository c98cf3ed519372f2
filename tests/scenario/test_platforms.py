"""What holds for people on every chat platform: each scenario is written once and runs unchanged on each of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory.feedback import Tally
from memory.model import DIRECT
from memory.tickets import State
from tests.fakes.platforms import Message, Person, Place
from tests.fakes.platforms_slack import in_slack
from tests.fakes.platforms_teams import in_teams

AYA, KEN, BOB = Person.AYA, Person.KEN, Person.BOB
PLATFORMS = {"slack": in_slack, "teams": in_teams}
#: A person with a question in that person's language.
ASKERS = [(AYA, "VPNが毎朝切れます"), (BOB, "The VPN drops every morning")]
in_both_languages = pytest.mark.parametrize(("person", "question"), ASKERS, ids=["ja", "en"])


@pytest.fixture(params=PLATFORMS)
async def place(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    async with PLATFORMS[request.param](tmp_path) as place:
        yield place


# --- asking -----------------------------------------------------------------------------------------------------------


@in_both_languages
async def test_a_private_question_is_answered_where_it_was_asked(place: Place, person: Person, question: str) -> None:
    async with place.running():
        asked = await place.ask_privately(person, question)
        [answer] = await place.answered(asked)
        more = await place.follow_up(asked, person, f"{question} (2)")
        [second] = await place.answered(more)
    assert f"太字で答えます: {question}" in answer
    assert f"太字で答えます: {question} (2)" in second
    assert place.answering.questions[0].viewer.channel == DIRECT


@in_both_languages
async def test_a_mention_in_a_channel_is_answered_in_its_thread(place: Place, person: Person, question: str) -> None:
    async with place.running():
        elsewhere = await place.say_in_channel(KEN, "おはようございます")
        asked = await place.ask_in_channel(person, question)
        [answer] = await place.answered(asked)
        assert place.answers(elsewhere) == []
    assert f"太字で答えます: {question}" in answer


@in_both_languages
async def test_a_message_is_answered_once_however_often_it_is_delivered_and_after_a_restart(
    place: Place, person: Person, question: str
) -> None:
    async with place.running():
        private = await place.ask_privately(person, question)
        open_to_all = await place.ask_in_channel(person, question)
        for asked in (private, open_to_all):
            await place.deliver_again(asked, times=3)
            await place.answered(asked)
            await place.deliver_again(asked, times=1)
    async with place.running():
        for asked in (private, open_to_all):
            await place.deliver_again(asked, times=2)
        await place.settled()
    assert len(place.answers(open_to_all)) == 1
    assert len(place.answers(private)) == 1
    assert len(place.answering.questions) == 2


@pytest.mark.parametrize(
    ("person", "question", "told"),
    [
        (AYA, "VPNが毎朝切れます", "お一人につき1分に2件まで"),
        (BOB, "The VPN drops every morning", "up to 2 a minute from one person"),
    ],
    ids=["ja", "en"],
)
async def test_who_writes_too_fast_is_told_once_where_it_was_too_much(
    place: Place, person: Person, question: str, told: str
) -> None:
    place.limit_messages(2)
    async with place.running():
        asked = [await place.ask_in_channel(person, f"{question} ({number})") for number in range(2)]
        for one in asked:
            await place.answered(one)
        too_many = await place.ask_in_channel(person, question)
        [refusal] = await place.answered(too_many)
        await place.deliver_again(too_many, times=2)
        silent = await place.ask_in_channel(person, question)
        await place.settled()
        assert told in refusal
        assert place.answers(too_many) == [refusal]
        assert place.answers(silent) == []
    assert len(place.answering.questions) == 2


async def test_whoever_pastes_a_secret_is_told_once_and_it_is_not_kept(place: Place) -> None:
    async with place.running():
        asked = await place.ask_in_channel(BOB, "My password is hunter2 and the VPN does not take it")
        await place.deliver_again(asked, times=2)
        [answer] = await place.answered(asked)
    assert answer.count("パスワードと思われるもの") == 1
    assert "hunter2" not in answer
    assert "hunter2" not in place.answering.questions[0].text


@pytest.mark.parametrize(
    ("person", "words", "memory", "one", "asked", "done", "gone"),
    [
        (
            AYA,
            ("VPNが毎朝切れます", "パスワード：hunter2です。入れません"),
            "記憶",
            "1件覚えています",
            "元に戻すことはできません",
            "そのメッセージを忘れました。",
            "そのメッセージは、もう覚えていません。",
        ),
        (
            BOB,
            ("The VPN drops every morning", "My password is hunter2 and the VPN does not take it"),
            "memory",
            "Messages of yours that I remember: 1 ",
            "This cannot be undone",
            "I have forgotten that message.",
            "I no longer remember that message.",
        ),
    ],
    ids=["ja", "en"],
)
async def test_whoever_pasted_a_secret_has_that_one_message_forgotten_and_nobody_else_can(
    place: Place, person: Person, words: tuple[str, str], memory: str, one: str, asked: str, done: str, gone: str
) -> None:
    async with place.running():
        await place.answered(await place.ask_in_channel(person, words[0]))
        pasted = await place.ask_in_channel(person, words[1])
        await place.answered(pasted)
        assert "別の方のため" in await place.forget_pasted(pasted, KEN)
        assert asked in await place.forget_pasted(pasted, person)
        assert "別の方のため" in await place.confirm_pasted(pasted, KEN)
    async with place.running():
        assert (await place.confirm_pasted(pasted, person)).startswith(done)
        assert (await place.confirm_pasted(pasted, person)).startswith(gone)
        assert one in await place.wish(person, memory)


async def test_the_answer_to_a_message_that_was_forgotten_keeps_its_words_and_loses_its_buttons(place: Place) -> None:
    async with place.running():
        pasted = await place.ask_in_channel(BOB, "My password is hunter2 and the VPN does not take it")
        await place.answered(pasted)
        before = place.has_buttons(pasted)
        await place.forget_pasted(pasted, BOB)
        await place.confirm_pasted(pasted, BOB)
        await place.settled()
    assert before
    assert not place.has_buttons(pasted)
    answer = place.answers(pasted)[0]
    assert "and the VPN does not take it" in answer
    assert "証明書です" in answer, "what it stands on stays, too"


async def test_an_answer_to_a_message_without_a_secret_has_no_button_that_forgets_it(place: Place) -> None:
    async with place.running():
        asked = await place.ask_in_channel(BOB, "The VPN drops every morning")
        await place.answered(asked)
        assert place.offers_to_forget(asked) is False
        pasted = await place.ask_in_channel(BOB, "My password is hunter2 and the VPN does not take it")
        await place.answered(pasted)
        assert place.offers_to_forget(pasted) is True


async def test_a_message_that_a_dead_process_took_is_answered_by_the_next(place: Place) -> None:
    place.answering.seconds = 60
    async with place.running():
        asked = await place.ask_in_channel(AYA, "VPNが切れます")
        await place.answering.asked.wait()
        await place.cut_off()
    assert place.answers(asked) == []
    place.answering.seconds = 0
    async with place.running():
        assert len(await place.answered(asked)) == 1


async def test_what_colleagues_say_to_each_other_is_left_alone(place: Place) -> None:
    async with place.running():
        said = await place.say_in_channel(KEN, "お昼は何にしますか")
        await place.settled()
        asked = await place.ask_in_channel(AYA, "VPNが切れます")
        await place.answered(asked)
    assert place.answers(said) == []
    assert [question.text for question in place.answering.questions] == ["VPNが切れます"]


async def test_whoever_pastes_a_secret_among_colleagues_is_told_nothing_in_front_of_them(place: Place) -> None:
    async with place.running():
        said = await place.say_in_channel(KEN, "the password of db-2 is hunter2, by the way")
        await place.settled()
        await place.answered(await place.ask_in_channel(AYA, "VPNが切れます"))
    assert place.answers(said) == []
    assert [question.text for question in place.answering.questions] == ["VPNが切れます"]


async def test_three_quick_messages_of_two_people_are_answered_in_order_in_their_thread(place: Place) -> None:
    place.answering.seconds = 0.1
    async with place.running():
        first = await place.ask_in_channel(AYA, "one")
        await place.follow_up(first, KEN, "two")
        await place.follow_up(first, AYA, "three")
        answers = await place.answered(first, count=3)
    said = [re.findall("答えます: (one|two|three)", answer) for answer in answers]
    assert said == [["one"], ["two"], ["three"]]


@pytest.mark.parametrize(
    ("person", "question", "sentences"),
    [
        (AYA, "VPNが切れます", ("お答えする途中で問題が起きました", "もう一度お尋ねください", "管理者に番号")),
        (BOB, "The VPN drops", ("something went wrong", "ask again", "give your administrator the number")),
    ],
    ids=["ja", "en"],
)
async def test_an_answer_that_fails_is_told_in_plain_words_with_a_reference(
    place: Place, person: Person, question: str, sentences: tuple[str, ...]
) -> None:
    place.answering.errors = [ZeroDivisionError("secret")]
    async with place.running():
        asked = await place.ask_privately(person, question)
        [answer] = await place.answered(asked)
    assert [sentence for sentence in sentences if sentence not in answer] == []
    assert re.search(r"\b[0-9a-f]{8}\b", answer)
    assert not re.search("secret|ZeroDivision|Traceback", answer)


async def test_a_platform_that_asks_to_wait_is_waited_for(place: Place) -> None:
    place.refuse_for_a_second()
    async with place.running():
        asked = await place.ask_in_channel(AYA, "VPNが切れます")
        assert len(await place.answered(asked)) == 1
    assert place.refusals() == 1


# --- what answers look like -------------------------------------------------------------------------------------------

SENTENCE = "証明書を入れ直してから、もう一度つないでみてください。"


def long_answer() -> tuple[str, list[str]]:
    """Markdown of 20,000 characters or a little more: headings, lists, bold; and its words, without the marks."""
    marked, plain, length = [], [], 0
    for number in range(1_000):
        if length >= 20_000:
            break
        words = f"第{number:03d}項 {SENTENCE * 3}"
        marked.append({0: f"## {words}", 1: f"- {words}", 2: f"**{words}**"}.get(number % 5, words))
        plain.append(words)
        length += len(marked[-1]) + 2
    return "\n\n".join(marked), plain


async def test_a_japanese_answer_of_twenty_thousand_characters_arrives_whole_and_in_order(place: Place) -> None:
    place.answering.body, expected = long_answer()
    assert len(place.answering.body) >= 20_000
    async with place.running():
        asked = await place.ask_in_channel(AYA, "VPNが切れます")
        answers = await place.answered(asked)
    assert re.findall(f"第\\d{{3}}項 (?:{SENTENCE}){{3}}", "".join(answers)) == expected
    assert not re.search(r"\*\*|## ", "".join(answers))


@pytest.mark.parametrize(
    "injected",
    [
        "<!channel> <!here> @here",
        "<@U0KEN> <at>岡部 健</at> <at>ken</at>",
        "[here](https://evil.example/x) https://evil.example/y <https://evil.example/z|here>",
        "**<!channel>** `<at>ken</at>` [a](javascript:alert(1))",
    ],
)
async def test_what_a_model_writes_calls_nobody_and_leads_nowhere(place: Place, injected: str) -> None:
    place.answering.body = f"前 {injected} 後"
    async with place.running():
        private = await place.ask_privately(AYA, "VPNが切れます")
        open_to_all = await place.ask_in_channel(KEN, injected)
        for asked in (private, open_to_all):
            [answer] = await place.answered(asked)
            assert "前" in answer
            assert "後" in answer
            assert place.live(asked) == []


# --- what is remembered -----------------------------------------------------------------------------------------------


async def test_what_was_said_privately_is_quoted_to_its_author_in_private_and_to_nobody_else(place: Place) -> None:
    place.answer_from_memory()
    async with place.running():
        told = await place.ask_privately(AYA, "給与システムでエラー QX-7713 が出ます")
        await place.answered(told)
        await place.remember()
        own = await place.ask_privately(AYA, "QX-7713 が出たのは何のシステムでしたか")
        other = await place.ask_privately(KEN, "QX-7713 が出たのは何のシステムでしたか")
        english = await place.ask_privately(BOB, "Which system was it that showed QX-7713?")
        open_to_all = await place.ask_in_channel(AYA, "QX-7713 が出たのは何のシステムでしたか")
        assert "給与システム" in "".join(await place.answered(own))
        for asked in (other, english, open_to_all):
            assert "給与" not in "".join(await place.answered(asked))


async def test_what_was_said_in_a_channel_is_quoted_there_with_a_link_to_it(place: Place) -> None:
    place.answer_from_memory()
    async with place.running():
        told = await place.ask_in_channel(AYA, "会議室のプリンターでエラー QX-7713 が出ます")
        await place.answered(told)
        await place.remember()
        asked = await place.ask_in_channel(KEN, "QX-7713 は何でしたか")
        assert "会議室のプリンター" in "".join(await place.answered(asked))
        assert place.live(asked) != []


async def test_an_edit_is_no_new_question_and_answers_stand_on_the_new_words(place: Place) -> None:
    place.answer_from_memory()
    async with place.running():
        told = await place.ask_in_channel(AYA, "会議室のプリンターでエラー QX-7713 が出ます")
        await place.answered(told)
        await place.remember()
        await place.edit(told, "受付のスキャナーでエラー QX-7713 が出ます")
        assert len(place.answers(told)) == 1
        await place.remember()
        asked = await place.ask_in_channel(KEN, "QX-7713 は何でしたか")
        [answer] = await place.answered(asked)
    assert "受付のスキャナー" in answer
    assert "会議室" not in answer


async def test_what_was_deleted_is_in_no_answer_any_more(place: Place) -> None:
    place.answer_from_memory()
    async with place.running():
        told = await place.ask_in_channel(AYA, "会議室のプリンターでエラー QX-7713 が出ます")
        await place.answered(told)
        await place.remember()
        before = await place.ask_in_channel(KEN, "QX-7713 は何でしたか")
        assert "会議室のプリンター" in "".join(await place.answered(before))
        await place.delete(told)
        after = await place.ask_in_channel(KEN, "QX-7713 は何でしたか")
        assert "会議室" not in "".join(await place.answered(after))


# --- acts -------------------------------------------------------------------------------------------------------------


async def test_what_each_person_thinks_of_an_answer_counts_once_and_another_click_changes_it(place: Place) -> None:
    async with place.running():
        asked = await place.ask_in_channel(AYA, "VPNが切れます")
        await place.answered(asked)
        for person in (AYA, AYA, KEN):
            await place.judge(asked, person, helpful=True)
        assert await place.tally() == Tally(helpful=2)
        await place.judge(asked, KEN, helpful=False)
        assert await place.tally() == Tally(helpful=1, unhelpful=1)
    assert len(place.answers(asked)) == 1


@pytest.mark.parametrize(
    ("person", "question", "follow_ups"),
    [
        (
            AYA,
            "VPNが毎朝切れます",
            {
                "了解です、やってみます。": "うまくいかないときは",
                "自己解決しました": "解決してよかったです",
                "山口さん、ありがとうございました": "どういたしまして",
                "👍": "はい。",
            },
        ),
        (
            BOB,
            "The VPN drops every morning",
            {
                "ok thanks, will try": "If it does not work",
                "never mind, fixed it myself": "Glad that it is settled",
                "thanks emma!": "You are welcome",
                "+1": "All right.",
            },
        ),
    ],
    ids=["ja", "en"],
)
async def test_what_asks_nothing_gets_a_fitting_word_in_private_and_no_search(
    place: Place, person: Person, question: str, follow_ups: dict[str, str]
) -> None:
    async with place.running():
        asked = await place.ask_privately(person, question)
        await place.answered(asked)
        for said, word in follow_ups.items():
            [reply] = await place.answered(await place.follow_up(asked, person, said))
            assert word in reply
    assert [one.text for one in place.answering.questions] == [question]


@pytest.mark.parametrize(
    ("person", "question", "follow_up", "again", "own"),
    [
        (
            AYA,
            "VPNの証明書はどう更新しますか",
            "それはどこにありますか",
            "Macの場合は？",
            "プリンタの使い方を教えてください",
        ),
        (BOB, "How is the VPN certificate renewed?", "and where do I find that?", "and on a Mac?", "Who owns payroll?"),
    ],
    ids=["ja", "en"],
)
async def test_a_question_that_points_is_asked_with_the_one_before_it_and_another_by_itself(
    place: Place, person: Person, question: str, follow_up: str, again: str, own: str
) -> None:
    async with place.running():
        asked = await place.ask_privately(person, question)
        await place.answered(asked)
        for said in (follow_up, again, own):
            await place.answered(await place.follow_up(asked, person, said))
    asked_for = [one.text for one in place.answering.questions]
    assert asked_for == [question, f"{question}\n{follow_up}", f"{question}\n{again}", own]


@pytest.mark.parametrize(
    ("person", "root", "reply", "call", "more"),
    [
        (
            AYA,
            "レジの端末 till 2 がピーピー鳴ってます",
            "QX-7713 って出てる",
            "これ分かる？",
            "それはどうやって直しますか",
        ),
        (BOB, "The till 2 beeps all the time", "It says QX-7713", "any idea?", "and how do I do that?"),
        (BOB, "The till 2 beeps all the time", "It says QX-7713", "can you help with this?", "where is it?"),
        (BOB, "The till 2 beeps all the time", "It says QX-7713", "how do we fix it?", "where is it?"),
    ],
    ids=["ja", "en", "en help", "en how"],
)
async def test_who_calls_into_a_thread_with_pointing_words_asks_what_stands_above(
    place: Place, person: Person, root: str, reply: str, call: str, more: str
) -> None:
    place.hear_all()
    async with place.running():
        began = await place.say_in_channel(person, root)
        await place.reply_among(began, KEN, reply)
        await place.settled()
        await place.answered(await place.call(began, person, call))
        await place.answered(await place.call(began, person, more))
    asked_for = [one.text for one in place.answering.questions]
    assert asked_for == [f"{root}\n{reply}", f"{root}\n{reply}\n{more}"]


@pytest.mark.parametrize("private", [True, False], ids=["privately", "in a channel"])
@pytest.mark.parametrize(
    ("person", "question", "denial", "sorry", "wish"),
    [
        (AYA, "給与明細が開けません", "試しましたが、ダメでした。", "お役に立てず申し訳ありません", "チケット"),
        (BOB, "My payslip is blank", "Thanks, but that didn't help", "Sorry that this did not help", "my tickets"),
    ],
    ids=["ja", "en"],
)
async def test_who_says_that_an_answer_did_not_help_is_offered_a_person_as_by_its_button(
    place: Place, person: Person, question: str, denial: str, sorry: str, wish: str, private: bool
) -> None:
    async with place.running():
        asked = await (place.ask_privately if private else place.ask_in_channel)(person, question)
        await place.answered(asked)
        thumbs = [place.has_thumbs(asked)]
        said = await place.follow_up(asked, person, denial)
        await place.deliver_again(said, times=2)
        [reply] = await place.answered(said)
        thumbs.append(place.has_thumbs(said))
        again = await place.follow_up(asked, person, denial)
        [second] = await place.answered(again)
        await place.ask_a_person(again, person)
        third = await place.follow_up(asked, person, denial)
        [handed] = await place.answered(third)
        requests = await place.wish(person, wish)
    assert sorry in handed
    assert "HD-1" in handed, "nobody is offered what the support team has already"
    assert thumbs == [True, False], "what is no answer cannot be helpful"
    assert sorry in reply
    assert sorry in second
    assert await place.tally() == Tally(unhelpful=1)
    assert [one.text for one in place.answering.questions] == [question]
    assert question in requests


@pytest.mark.parametrize("private", [True, False], ids=["privately", "in a channel"])
@pytest.mark.parametrize(
    ("person", "question", "wish", "said", "list_them"),
    [
        (AYA, "給与明細が開けません", "チケットを起票してください", "チケットを作成して担当者に伝えます", "チケット"),
        (AYA, "給与明細が開けません", "担当者につないで", "担当者に相談するには", "チケット"),
        (BOB, "My payslip is blank", "open a ticket", "that makes a ticket", "my tickets"),
        (BOB, "My payslip is blank", "talk to a human", "To talk to a person", "my tickets"),
    ],
    ids=["ja ticket", "ja person", "en ticket", "en person"],
)
async def test_who_wants_a_ticket_or_a_person_gets_the_button_for_what_was_asked_before(
    place: Place, person: Person, question: str, wish: str, said: str, list_them: str, private: bool
) -> None:
    async with place.running():
        asked = await (place.ask_privately if private else place.ask_in_channel)(person, question)
        await place.answered(asked)
        wanted = await place.follow_up(asked, person, wish)
        [reply] = await place.answered(wanted)
        await place.ask_a_person(wanted, person)
        requests = await place.wish(person, list_them)
    assert said in reply
    assert question in requests
    assert [one.text for one in place.answering.questions] == [question]
    assert len(place.support()) == 1


@pytest.mark.parametrize(
    ("person", "alone", "told", "of_what", "said", "title", "list_them"),
    [
        (
            AYA,
            "チケットを作って",
            "チケットを作ってください。モニターがちらつきます。",
            "何についてのチケットですか",
            "チケットを作成して担当者に伝えます",
            "モニターがちらつきます。",
            "チケット",
        ),
        (
            BOB,
            "open a ticket",
            "I'd like to open a ticket, my monitor flickers",
            "What is the ticket about?",
            "that makes a ticket",
            "my monitor flickers",
            "my tickets",
        ),
    ],
    ids=["ja", "en"],
)
async def test_a_ticket_is_made_of_what_is_told_with_the_wish_for_it(
    place: Place, person: Person, alone: str, told: str, of_what: str, said: str, title: str, list_them: str
) -> None:
    async with place.running():
        [asked_back] = await place.answered(await place.ask_privately(person, alone))
        wanted = await place.ask_privately(person, told)
        [reply] = await place.answered(wanted)
        await place.ask_a_person(wanted, person)
        requests = await place.wish(person, list_them)
    assert of_what in asked_back
    assert said in reply
    assert f"HD-1 {title}" in requests
    assert place.answering.questions == []


@pytest.mark.parametrize(
    ("person", "question", "more"),
    [
        (AYA, "VPNが毎朝切れます", "まだ直りません。今度はエラー E-7731 と出ます"),
        (BOB, "The VPN drops every morning", "VPN still not working after the reboot, what now?"),
    ],
    ids=["ja", "en"],
)
async def test_what_did_not_help_with_news_is_a_question(
    place: Place, person: Person, question: str, more: str
) -> None:
    async with place.running():
        asked = await place.ask_privately(person, question)
        await place.answered(asked)
        await place.answered(await place.follow_up(asked, person, more))
    assert [one.text for one in place.answering.questions] == [question, more]
    assert await place.tally() == Tally()


@pytest.mark.parametrize(
    ("person", "question", "told"),
    [
        (AYA, "給与明細が開けません", "HD-1: 担当者に伝えました。"),
        (BOB, "My payslip is blank", "HD-1: I told the support team."),
    ],
    ids=["ja", "en"],
)
async def test_who_asks_for_a_person_is_told_so_and_the_support_team_once(
    place: Place, person: Person, question: str, told: str
) -> None:
    async with place.running():
        asked = await place.ask_privately(person, question)
        await place.answered(asked)
        await asyncio.gather(*(place.ask_a_person(asked, person) for _ in range(2)))
        [_, notice, *_] = await place.answered(asked, count=2)
    async with place.running():
        await place.ask_a_person(asked, person)
    assert notice.startswith(told)
    [note] = place.support()
    assert question not in note


async def test_the_support_team_is_told_who_of_a_channel_asks_for_a_person(place: Place) -> None:
    async with place.running():
        asked = await place.ask_in_channel(AYA, "VPNが切れます")
        await place.answered(asked)
        await place.ask_a_person(asked, KEN)
        await place.answered(asked, count=2)
    [note] = place.support()
    assert "健" in note


@pytest.mark.parametrize(
    ("person", "question", "nothing", "told", "standing", "solution", "resolved", "next_person", "again"),
    [
        (
            AYA,
            "エラー QX-7713 が出て複合機でスキャンできません。",
            "お答えの根拠になる記録は見つかりませんでした",
            "HD-1: 担当者に伝えました。",
            ("HD-1: 受付済み（担当: なし）", "HD-1: 担当者が対応中（担当: ", "HD-1: 解決済み（担当: "),
            ("給紙ローラーの汚れ", "給紙ローラーを掃除して再起動する"),
            "HD-1 は解決しました。",
            BOB,
            "エラー QX-7713 はどうやって直しましたか？",
        ),
        (
            BOB,
            "The scanner shows error QX-7713 and does not scan.",
            "Still open: I could not find that in past tickets",
            "HD-1: I told the support team.",
            ("HD-1: open (owner: nobody)", "HD-1: with support (owner: ", "HD-1: resolved (owner: "),
            ("a dirty feed roller", "clean the feed roller and restart the scanner"),
            "HD-1 is resolved.",
            AYA,
            "How was error QX-7713 fixed?",
        ),
    ],
    ids=["ja", "en"],
)
async def test_what_a_person_found_out_about_a_request_answers_the_next_one_who_asks(
    place: Place,
    person: Person,
    question: str,
    nothing: str,
    told: str,
    standing: tuple[str, str, str],
    solution: tuple[str, str],
    resolved: str,
    next_person: Person,
    again: str,
) -> None:
    """The life of a ticket: nobody knows, a person takes over and resolves it, and the next employee is told how."""
    cause, fix = solution
    place.answer_from_memory(agents=[KEN])
    async with place.running():
        asked = await place.ask_in_channel(person, question)
        [abstained] = await place.answered(asked)
        await place.ask_a_person(asked, person)
        notes = [place.support()[0]]
        await place.take(KEN)
        notes.append(place.support()[0])
        await place.follow_up(asked, person, question)
        await place.settled()
        await place.resolve(KEN, cause, fix)
        notes.append(place.support()[0])
        heard = await place.answered(asked, count=4)
        await place.remember()
        later = await place.ask_in_channel(next_person, again)
        [answer] = await place.answered(later)
    assert [found in note for found, note in zip(standing, notes, strict=True)] == [True, True, True]
    # While a person has it the bot answers nothing: there is no second word of its own on the same question.
    assert [nothing in said for said in heard].count(True) == 1
    assert nothing in abstained
    assert heard[1].startswith(told)
    assert "健" in heard[2]
    assert [said in heard[-1] for said in (resolved, cause, fix)] == [True, True, True]
    assert fix in answer
    assert "HD-1" in answer


@pytest.mark.parametrize(
    ("person", "question", "symptom", "learned", "next_person", "vaguely", "again"),
    [
        (
            AYA,
            "給与明細でエラー QX-7713 が出ます。",
            "給与明細でエラー QX-7713",
            "権限を付け直すと直る",
            BOB,
            "給与明細が読めないときはどうしますか？",
            "エラー QX-7713 はどうやって直しましたか？",
        ),
        (
            BOB,
            "My payslip shows error QX-7713.",
            "Payslips show error QX-7713",
            "grant the permission again",
            AYA,
            "What do I do when a payslip cannot be read?",
            "How was error QX-7713 fixed?",
        ),
    ],
    ids=["ja", "en"],
)
async def test_of_a_private_request_everybody_is_told_what_an_agent_approved_and_nothing_before(
    place: Place,
    person: Person,
    question: str,
    symptom: str,
    learned: str,
    next_person: Person,
    vaguely: str,
    again: str,
) -> None:
    place.answer_from_memory(agents=[KEN])
    async with place.running():
        asked = await place.ask_privately(person, question)
        await place.answered(asked)
        await place.ask_a_person(asked, person)
        await place.take(KEN)
        await place.resolve(KEN, "", f"{learned} (Aya Sato, 4711)")
        await place.remember()
        before = await place.ask_privately(next_person, vaguely)
        [unknown] = await place.answered(before)
        await place.approve(KEN, symptom, learned)
        await place.settled()
        after = await place.ask_privately(next_person, again)
        [answer] = await place.answered(after)
    assert learned not in unknown
    assert learned in answer
    assert "HD-1" in answer
    assert "4711" not in unknown + answer


@pytest.mark.parametrize(
    ("person", "question", "wish", "title"),
    [
        (AYA, "VPNが毎朝切れます", "チケット", "あなたの依頼"),
        (BOB, "The VPN drops every morning", "my tickets", "Your requests"),
    ],
    ids=["ja", "en"],
)
async def test_a_person_is_shown_their_own_requests_and_nobody_elses(
    place: Place, person: Person, question: str, wish: str, title: str
) -> None:
    async with place.running():
        for who, text in ((person, question), (KEN, "マウスが壊れました")):
            asked = await place.ask_privately(who, text)
            await place.answered(asked)
            before = await place.wish(who, wish)
            await place.ask_a_person(asked, who)
        shown = await place.wish(person, wish)
    assert text not in before  # what was answered is nobody's task
    assert title in shown
    assert question in shown
    assert "マウス" not in shown


@pytest.mark.parametrize(
    ("person", "question", "wish", "counted"),
    [
        (AYA, "VPNが毎朝切れます", "記憶", "あなたが書いたメッセージを1件覚えています"),
        (BOB, "The VPN drops every morning", "memory", "Messages of yours that I remember: 1"),
    ],
    ids=["ja", "en"],
)
async def test_a_person_is_shown_how_much_of_theirs_is_remembered(
    place: Place, person: Person, question: str, wish: str, counted: str
) -> None:
    async with place.running():
        for who in (person, KEN):
            await place.answered(await place.ask_privately(who, question))
        assert counted in await place.wish(person, wish)


@pytest.mark.parametrize(
    ("person", "question", "wishes", "done", "nothing"),
    [
        (
            AYA,
            "VPNが毎朝切れます",
            ("忘れて", "記憶"),
            "消しました（メッセージ1件）。",
            "あなたが書いたメッセージは覚えていません。",
        ),
        (
            BOB,
            "The VPN drops every morning",
            ("forget me", "memory"),
            "Deleted. Number of messages: 1.",
            "I remember no message that you wrote.",
        ),
    ],
    ids=["ja", "en"],
)
async def test_who_confirms_it_is_forgotten_and_nobody_else_can_confirm_it(
    place: Place, person: Person, question: str, wishes: tuple[str, str], done: str, nothing: str
) -> None:
    forget, memory = wishes
    async with place.running():
        for who in (person, KEN):
            await place.answered(await place.ask_privately(who, question))
        await place.wish(person, forget)
        assert await place.confirm_forgetting(person, KEN) == "これは別の方のためのボタンです。"
        assert await place.confirm_forgetting(person, person) == done
        assert nothing in await place.wish(person, memory)
        assert "1件覚えています" in await place.wish(KEN, "記憶")


# --- between who asked and the support team ---------------------------------------------------------------------------

#: Who asks for a person, what the agent writes and what comes back, with what stands over the agent's words.
TALKS = [
    (AYA, "給与明細が開けません", "再起動してみてください", "まだ開けません", "健（サポート担当）:"),
    (BOB, "My payslip is blank", "Please restart it", "Still blank", "健 (support):"),
]
in_a_talk = pytest.mark.parametrize(("person", "question", "advice", "reply", "by"), TALKS, ids=["ja", "en"])


async def with_a_person(place: Place, person: Person, question: str, *, private: bool = True) -> Message:
    """Somebody asks for a person, and Ken has the ticket: the message that was asked."""
    asked = await (place.ask_privately if private else place.ask_in_channel)(person, question)
    await place.answered(asked)
    await place.ask_a_person(asked, person)
    await place.take(KEN)
    return asked


async def test_what_is_said_to_a_person_and_by_one_has_no_limit(place: Place) -> None:
    place.limit_messages(1, KEN)
    async with place.running():
        asked = await with_a_person(place, AYA, "給与明細が開けません")
        said = [f"まだ開けません {number}" for number in range(4)]
        for words in said:
            await place.follow_up(asked, AYA, words)
        advice = [f"再起動してみてください {number}" for number in range(4)]
        for words in advice:
            await place.say_to_team(KEN, words)
        await place.settled()
    assert len(copies(place.team_thread(), *said)) == 4
    assert len(copies(place.answers(asked), *advice)) == 4


def copies(seen: list[str], *words: str) -> list[str]:
    """What stands there of these words, in the order in which it does."""
    return [one for one in seen if any(each in one for each in words)]


@in_a_talk
@pytest.mark.parametrize("private", [True, False], ids=["privately", "in a channel"])
async def test_words_go_both_ways_in_order_and_once_with_who_said_them(
    place: Place, person: Person, question: str, advice: str, reply: str, by: str, private: bool
) -> None:
    place.with_agents(KEN)
    async with place.running():
        asked = await with_a_person(place, person, question, private=private)
        first = await place.say_to_team(KEN, advice)
        answer = await place.follow_up(asked, person, reply)
        await place.settled()
        second = await place.say_to_team(KEN, f"{advice} (2)")
        for message in (first, answer, second):
            await place.deliver_again(message, times=2)
        await place.settled()
    async with place.running():
        await place.settled()
    [one, two] = copies(place.answers(asked), advice)
    assert one.endswith(f"{by}{advice}")
    assert two.endswith(f"{by}{advice} (2)")
    [back] = copies(place.team_thread(), reply)
    assert back.endswith(f":{reply}")
    assert len(place.answering.questions) == 1


@in_a_talk
async def test_of_private_words_only_what_is_written_after_a_person_took_over_reaches_the_team(
    place: Place, person: Person, question: str, advice: str, reply: str, by: str
) -> None:
    place.with_agents(KEN)
    async with place.running():
        asked = await with_a_person(place, person, question)
        await place.follow_up(asked, person, reply)
        await place.settled()
    assert question not in "".join(place.support() + place.team_thread())
    assert len(copies(place.team_thread(), reply)) == 1


@pytest.mark.parametrize("mark", ["// ", "／／"])
@in_a_talk
async def test_what_begins_with_two_strokes_stays_in_the_team(
    place: Place, person: Person, question: str, advice: str, reply: str, by: str, mark: str
) -> None:
    place.with_agents(KEN)
    async with place.running():
        asked = await with_a_person(place, person, question)
        await place.say_to_team(KEN, f"{mark}{advice}")
        assert copies(place.answers(asked), advice) == []
        told = await place.say_to_team(KEN, advice)
        assert len(copies(place.answers(asked), advice)) == 1
        await place.edit(told, f"{mark}{advice}")
    assert copies(place.answers(asked), advice) == []


async def test_whoever_is_no_agent_passes_nothing_on(place: Place) -> None:
    place.with_agents(KEN)
    async with place.running():
        asked = await with_a_person(place, AYA, "給与明細が開けません")
        await place.say_to_team(BOB, "Try this")
    assert copies(place.answers(asked), "Try this") == []


@in_a_talk
async def test_edits_and_deletions_of_what_was_passed_on_follow_on_both_sides(
    place: Place, person: Person, question: str, advice: str, reply: str, by: str
) -> None:
    place.with_agents(KEN)
    async with place.running():
        asked = await with_a_person(place, person, question)
        agents = await place.say_to_team(KEN, advice)
        persons = await place.follow_up(asked, person, reply)
        await place.settled()
        await place.edit(agents, f"{advice} (2)")
        await place.edit(persons, f"{reply} (2)")
        [one] = copies(place.answers(asked), advice)
        [other] = copies(place.team_thread(), reply)
        assert one.endswith(f"{by}{advice} (2)")
        assert other.endswith(f":{reply} (2)")
        await place.delete(agents)
        await place.delete(persons)
    assert copies(place.answers(asked), advice) == []
    assert copies(place.team_thread(), reply) == []


@in_a_talk
async def test_who_hands_the_ticket_back_is_no_more_heard_and_the_bot_answers_again(
    place: Place, person: Person, question: str, advice: str, reply: str, by: str
) -> None:
    place.with_agents(KEN)
    async with place.running():
        asked = await with_a_person(place, person, question)
        await place.hand_back(KEN)
        await place.say_to_team(KEN, advice)
        before = len(place.answers(asked))
        again = await place.follow_up(asked, person, reply)
        await place.answered(again)
    assert copies(place.answers(asked), advice) == []
    assert len(place.answers(asked)) == before + 1
    assert [question.text for question in place.answering.questions][-1] == reply
    assert copies(place.team_thread(), reply) == []


@pytest.mark.parametrize(
    ("person", "question", "wanted", "reply", "asks", "waits"),
    [
        (
            AYA,
            "給与明細が開けません",
            "どの端末ですか？",
            "会社のノートPCです",
            "健（サポート担当）からの質問です。",
            "HD-1: ご本人の返事待ち（担当: ",
        ),
        (
            BOB,
            "My payslip is blank",
            "On which device?",
            "On my laptop",
            "健 (support) asks.",
            "HD-1: waiting for the requester (owner: ",
        ),
    ],
    ids=["ja", "en"],
)
async def test_who_is_asked_by_an_agent_is_waited_for_until_they_answer(
    place: Place, person: Person, question: str, wanted: str, reply: str, asks: str, waits: str
) -> None:
    """Nobody had taken it: who asks has it from then on."""
    place.with_agents(KEN)
    async with place.running():
        asked = await place.ask_privately(person, question)
        await place.answered(asked)
        await place.ask_a_person(asked, person)
        await place.ask_user(KEN, wanted)
        [said] = copies(place.answers(asked), wanted)
        assert asks in said
        assert waits in place.support()[0]
        assert await place.state("HD-1") is State.WAITING_FOR_USER
        await place.follow_up(asked, person, reply)
        await place.settled()
    assert await place.state("HD-1") is State.WAITING_FOR_SUPPORT
    assert waits not in place.support()[0]
    assert len(copies(place.team_thread(), reply)) == 1
    assert len(place.answering.questions) == 1


@pytest.mark.parametrize(
    ("person", "question", "user", "team"),
    [
        (AYA, "給与明細が開けません", "HD-1 は、あなたの返事を待っています。", "HD-1 は対応を待っています（担当: "),
        (BOB, "My payslip is blank", "HD-1 waits for your answer.", "HD-1 waits for support (owner: "),
    ],
    ids=["ja", "en"],
)
async def test_whoever_has_a_ticket_waiting_for_them_is_reminded_once(
    place: Place, person: Person, question: str, user: str, team: str
) -> None:
    place.with_agents(KEN)
    async with place.running():
        asked = await with_a_person(place, person, question)
    await place.days_go_by(7)
    for _ in range(2):
        async with place.running():
            await place.settled()
    assert len(copies(place.team_thread(), team)) == 1
    assert copies(place.answers(asked), user) == []
    async with place.running():
        await place.ask_user(KEN, "?")
    await place.days_go_by(7)
    for _ in range(2):
        async with place.running():
            await place.settled()
    assert len(copies(place.answers(asked), user)) == 1
    assert len(copies(place.team_thread(), team)) == 1


# --- trouble that several report --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "over_it", "note", "subscribed", "before", "over"),
    [
        (
            "プリンタがエラー QX-7713 で止まり、印刷できません。",
            "いま、ほかの人からも同じような問い合わせが来ています（HD-1: 同じような問い合わせ）。",
            "2人から同じような問い合わせが来ています（HD-1: 同じような問い合わせ）。",
            "HD-1 が終わったら、ここでお知らせします。",
            "もう登録してあります。HD-1 が終わったら、ここでお知らせします。",
            "HD-1: 同じような問い合わせ は終わりました。まだ困っている場合は、もう一度質問してください。",
        ),
        (
            "The printer stops with error QX-7713 and prints nothing.",
            "Others ask about the same just now (HD-1: similar questions).",
            "2 people ask about the same (HD-1: similar questions).",
            "You will be told here when HD-1 is over.",
            "You are on the list already, and will be told here when HD-1 is over.",
            "HD-1: similar questions is over. If you still have trouble, please ask again.",
        ),
    ],
    ids=["ja", "en"],
)
async def test_who_reports_what_others_do_is_told_so_and_hears_once_when_an_agent_says_that_it_is_over(
    place: Place, text: str, over_it: str, note: str, subscribed: str, before: str, over: str
) -> None:
    """Both asked the bot alone: of what they wrote the note has not a word."""
    place.notice_incidents(2, KEN)
    async with place.running():
        await place.answered(await place.ask_privately(AYA, text))
        asked = await place.ask_privately(BOB, text)
        [answer] = await place.answered(asked)
        assert over_it in answer
        assert await place.subscribe(asked, BOB) == subscribed
        assert await place.subscribe(asked, BOB) == before
    for _ in range(2):
        async with place.running():
            await place.settled()
    [told] = place.support()
    assert note in told
    assert "QX-7713" not in told
    async with place.running():
        await place.end_incident(BOB)
    async with place.running():
        assert copies(place.answers(asked), over) == []
        await place.end_incident(KEN)
    for _ in range(2):
        async with place.running():
            await place.settled()
    assert copies(place.answers(asked), over) == [over]
