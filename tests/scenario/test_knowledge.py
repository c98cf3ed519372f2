"""The knowledge base, from files to answers that cite them, while files change and tickets come in."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from bot.arguments import Nothing
from bot.telling import Notice, Told
from bot.use_cases_knowledge import listed, sync
from handlers.answers import answer_object
from handlers.replies import answer_text
from handlers.wording_report import ENGLISH, JAPANESE
from memory.answers import AnswerKind
from memory.model import Role, Turn, Viewer
from tests.fakes.knowledge import Library, library
from tests.fakes.remembering import HOUSES
from tests.fakes.turns import NOON, turn

VPN_JA = """\
---
title: VPNの使い方
author: okabe
updated: 2026-10-01
---
# VPNの使い方

社外からは NamiLink で社内につなぎます。

## 証明書を再登録する手順

NamiLink の設定から証明書を削除し、再登録を選びます。

## 窓口

VPNの担当は岡部です。
"""
WIFI_EN = """\
# Guest Wi-Fi

## How to register a guest

Open the reception portal, choose Guest and enter the name of the visitor.

## Owner

The owner of the guest Wi-Fi is Kaneko.
"""


@pytest.fixture(params=HOUSES)
async def desk(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Library]:
    async with library(request.param, tmp_path) as opened:
        yield opened


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[Library]:
    async with library(HOUSES[0], tmp_path) as opened:
        yield opened


def told(number: int, text: str, *, days: float = -10, ticket: str = "INC-7", status: str | None = None) -> Turn:
    """What support says to everybody."""
    return turn(
        number,
        text,
        thread=ticket,
        ticket=ticket,
        author="okabe",
        role=Role.AGENT,
        said_at=NOON + timedelta(days=days),
        status=status,
    )


async def test_a_question_of_how_is_answered_with_file_and_heading_in_either_language(desk: Library) -> None:
    desk.write("it/net/vpn.md", VPN_JA)
    desk.write("it/wifi.md", WIFI_EN)
    assert await desk.sync() == {"articles": 2, "changed": 2, "sections": 5, "removed": 0, "refused": 0}

    japanese = await desk.ask("証明書を再登録する手順を教えてください")
    assert japanese.kind is AnswerKind.QUOTES
    assert japanese.stages.keys() == JAPANESE.stage_names.keys() == ENGLISH.stage_names.keys()
    line = "2026-10-01 net/vpn.md › 証明書を再登録する手順: 「NamiLink の設定から証明書を削除し、再登録を選びます。」"
    assert line in answer_text(japanese, zone=timezone(timedelta(hours=9)))

    english = await desk.ask("How do I register a guest?")
    assert "wifi.md › How to register a guest: “Open the reception portal" in answer_text(english, zone=UTC)
    [guest] = [one for one in english.cited if one.passage and one.passage.heading == "How to register a guest"]
    assert guest.passage is not None
    assert guest.passage.link == "https://wiki.example/it/wifi.md#how-to-register-a-guest"


async def test_a_secret_in_a_heading_is_kept_nowhere(desk: Library) -> None:
    desk.write("it/keys.md", "# 鍵\n\n## パスワード: hunter2xyz\n\n受付で受け取る手順です。\n")
    await desk.sync()

    [cited] = await desk.cited("鍵を受付で受け取る手順を教えてください")
    assert cited.passage is not None
    assert cited.passage.heading.startswith("パスワード: [password-")
    shelved = await desk.memory.app.store.shelf.shelved()
    viewer = Viewer(user="sato", collections=frozenset(("it",)))
    turns = await desk.memory.app.store.reading.turns(cited.turn_ids, viewer, desk.memory.watch.now)
    assert turns
    assert "hunter2xyz" not in f"{shelved}{turns}{cited}"


async def test_articles_and_tickets_stand_beside_each_other_and_say_what_they_are(desk: Library) -> None:
    desk.write("it/wifi.md", WIFI_EN)
    await desk.sync()
    await desk.memory.remember(
        turn(1, "I cannot register a guest at the portal.", ticket="INC-7", thread="INC-7"),
        told(2, "To register a guest, clear the browser's cache first, then open the portal.", status="resolved"),
    )
    answer = await desk.ask("How do I register a guest?")
    citations = answer_object(answer, "")["citations"]
    assert isinstance(citations, list)
    assert {one["kind"] for one in citations} == {"ticket", "article"}
    [article] = [one for one in citations if one.get("heading") == "How to register a guest"]
    assert (article["file"], article["contradicted_by"]) == ("wifi.md", [])
    assert article["permalink"] == "https://wiki.example/it/wifi.md#how-to-register-a-guest"
    assert "INC-7" in [one.get("ticket") for one in citations]


@pytest.mark.parametrize("question", ["Who is the owner of the guest Wi-Fi?", "ゲストWi-Fiの担当は誰ですか"])
async def test_a_ticket_of_ones_own_that_does_not_answer_hides_no_article(small: Library, question: str) -> None:
    small.write("it/wifi.md", WIFI_EN)
    small.write("it/ja.md", "# ゲストWi-Fi\n\nゲストWi-Fiの担当は金子です。\n")
    await small.sync()
    await small.memory.remember(
        turn(1, "The toner of my printer is empty. プリンターのトナーがありません。", ticket="INC-2", thread="INC-2"),
    )
    assert any(one.passage for one in await small.cited(question))


@pytest.mark.parametrize(
    "question", ["When could a guest not be registered?", "先週ゲストを登録できなかった件はどうなりましたか"]
)
async def test_what_happened_is_not_looked_up_in_articles(small: Library, question: str) -> None:
    small.write("it/wifi.md", WIFI_EN)
    small.write("it/ja.md", "# ゲスト\n\nゲストを登録できないときは受付に電話します。\n")
    await small.sync()
    await small.memory.remember(
        told(1, "Since Monday a guest could not be registered at the portal. ゲストを登録できなかった件は直りました。")
    )
    assert all(one.passage is None for one in (await small.ask(question)).evidence)


async def test_only_what_changed_is_embedded_again(desk: Library) -> None:
    for number in range(20):
        desk.write(
            f"it/{number}.md", f"# Article {number}\n\nWords of number {number}.\n\n## More\n\nOther {number}.\n"
        )
    await desk.sync()
    desk.encoder.embedded.clear()
    assert (await desk.sync())["changed"] == 0
    assert desk.encoder.embedded == []
    desk.write("it/7.md", "# Article 7\n\nWords of number 7.\n\n## More\n\nQuite another.\n")
    assert await desk.sync() == {"articles": 20, "changed": 1, "sections": 2, "removed": 0, "refused": 0}
    assert desk.encoder.embedded
    assert all("Article 7" in text or "Quite another" in text or "number 7" in text for text in desk.encoder.embedded)


async def test_an_edited_section_is_cited_in_its_new_words_and_in_no_others(desk: Library) -> None:
    desk.write("it/wifi.md", WIFI_EN)
    await desk.sync()
    desk.write("it/wifi.md", WIFI_EN.replace("choose Guest", "choose Visitor"))
    await desk.sync()
    quotes = [one.quote for one in await desk.cited("How do I register a guest?")]
    assert any("choose Visitor" in quote for quote in quotes)
    assert not any("choose Guest" in quote for quote in quotes)


async def test_words_that_come_back_are_cited_again(desk: Library) -> None:
    """Neither an old edition nor a section that was taken back stands in the way."""
    without = WIFI_EN.partition("## How to register")[0] + "Words.\n"
    for text in (WIFI_EN, WIFI_EN.replace("choose Guest", "choose Visitor"), WIFI_EN, without, WIFI_EN):
        desk.write("it/wifi.md", text)
        await desk.sync()
    quotes = [one.quote for one in await desk.cited("How do I register a guest?")]
    assert any("choose Guest" in quote for quote in quotes)


async def test_a_section_that_is_removed_is_gone_and_the_rest_is_found(desk: Library) -> None:
    desk.write("it/net/vpn.md", VPN_JA)
    await desk.sync()
    head, _, rest = VPN_JA.partition("## 証明書を再登録する手順")
    desk.write("it/net/vpn.md", head + "## 窓口" + rest.partition("## 窓口")[2])
    await desk.sync()
    evidence = (await desk.ask("証明書を再登録する手順を教えてください")).evidence
    assert not any("再登録" in one.quote for one in evidence)
    assert any("岡部" in one.quote for one in await desk.cited("VPNの窓口への連絡方法を教えてください"))


async def test_sections_of_many_articles_leave_together(small: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where as many others, that did not change, lie between them."""
    for number in range(40):
        small.write(f"it/{number:02}.md", WIFI_EN)
    await small.sync()
    mailbox = small.memory.app.store.mailbox
    withdraw, together = mailbox.withdraw, list[int]()

    async def counted(*turns: str) -> list[str]:
        together.append(len(turns))
        return await withdraw(*turns)

    monkeypatch.setattr(mailbox, "withdraw", counted)
    for number in (0, 20, 39):
        small.write(f"it/{number:02}.md", WIFI_EN.split("## Owner")[0])
    assert (await small.sync())["changed"] == 3
    assert together == [3]
    for number in range(40):
        (small.folder / f"it/{number:02}.md").unlink()
    assert (await small.sync())["removed"] == 40
    # Sixteen articles at once, of two sections each but for the three.
    assert together[1:] == [31, 31, 15]
    assert not await small.cited("How do I register a guest?")


async def test_a_file_that_is_removed_is_gone(desk: Library) -> None:
    file = desk.write("it/wifi.md", WIFI_EN)
    await desk.sync()
    file.unlink()
    assert await desk.sync() == {"articles": 0, "changed": 0, "sections": 0, "removed": 1, "refused": 0}
    assert (await desk.ask("How do I register a guest?")).kind is AnswerKind.ABSTAINED
    assert (await desk.memory.stored())["turn"] == 0


async def test_a_folder_that_cannot_be_read_takes_nothing_away(small: Library) -> None:
    small.write("it/wifi.md", WIFI_EN)
    await small.sync()
    os.rename(small.folder / "it", small.folder / "elsewhere")
    heard: list[Told] = []
    done = await sync(small.memory.app, Nothing(), heard.append)
    assert done["counts"]["refused"] == 1
    [notice] = [one.text for one in heard if isinstance(one, Notice)]
    assert notice == f"it: The folder {small.folder / 'it'} cannot be read (No such file or directory)."
    assert await small.cited("How do I register a guest?")


async def test_a_file_that_says_nothing_is_counted_as_no_article(small: Library) -> None:
    small.write("it/wifi.md", WIFI_EN)
    small.write("it/later.md", "\n")
    for _ in ("read for the first time", "unchanged"):
        assert (await small.sync())["articles"] == 1
    assert len((await listed(small.memory.app, Nothing(), lambda _: None))["articles"]) == 1


async def test_one_bad_file_is_told_and_the_others_are_taken_in(small: Library) -> None:
    small.write("it/wifi.md", WIFI_EN)
    small.write("it/bad.md", "---\ntitle: [a\n---\nwords\n")
    heard: list[Told] = []
    done = await sync(small.memory.app, Nothing(), heard.append)
    assert done["counts"] == {"articles": 1, "changed": 1, "sections": 2, "removed": 0, "refused": 1}
    notices = [one.text for one in heard if isinstance(one, Notice)]
    assert notices == ["it: bad.md, line 3: the front matter is not valid YAML"]


@pytest.mark.parametrize(
    ("question", "file", "article", "news", "heading", "said"),
    [
        (
            "VPNの担当への連絡はどうすればいいですか",
            "it/vpn.md",
            VPN_JA,
            "VPNの担当は鈴木に交代しました。",
            "窓口",
            "（新しいチケットでは別の内容です: INC-9）",
        ),
        (
            "How do I reach the owner of the guest Wi-Fi?",
            "it/wifi.md",
            WIFI_EN.replace("# Guest Wi-Fi", "---\nupdated: 2026-10-01\n---\n# Guest Wi-Fi", 1),
            "The owner of the guest Wi-Fi is now Suzuki.",
            "Owner",
            " (newer tickets say otherwise: INC-9)",
        ),
    ],
    ids=["ja", "en"],
)
async def test_an_article_that_newer_tickets_contradict_says_so(
    desk: Library, question: str, file: str, article: str, news: str, heading: str, said: str
) -> None:
    desk.write(file, article)
    await desk.sync()
    await desk.memory.remember(told(1, news, ticket="INC-9"))
    answer = await desk.ask(question)
    assert said in answer_text(answer, zone=UTC)
    found = await listed(desk.memory.app, Nothing(), lambda _: None)
    [one] = found["articles"]
    assert one["contradicted"] == [{"heading": heading, "tickets": ["INC-9"], "messages": []}]


@pytest.mark.parametrize(
    ("question", "article", "news", "heading", "said"),
    [
        (
            "VPNの担当への連絡はどうすればいいですか",
            VPN_JA,
            "VPNの担当は鈴木に交代しました。",
            "窓口",
            "（その後、別の内容の発言があります: 2026年11月10日のokabeの発言）",
        ),
        (
            "How do I reach the owner of the guest Wi-Fi?",
            WIFI_EN.replace("# Guest Wi-Fi", "---\nupdated: 2026-10-01\n---\n# Guest Wi-Fi", 1),
            "The owner of the guest Wi-Fi is now Suzuki.",
            "Owner",
            " (newer messages say otherwise: okabe on 10 November 2026)",
        ),
    ],
    ids=["ja", "en"],
)
async def test_what_was_said_against_an_article_outside_of_tickets_is_known_by_who_said_it_and_when(
    small: Library, question: str, article: str, news: str, heading: str, said: str
) -> None:
    small.write("it/article.md", article)
    await small.sync()
    await small.memory.remember(replace(told(1, news, ticket="1796029634.718720"), ticket=None))

    answer = await small.ask(question)
    text = answer_text(answer, zone=UTC)
    assert said in text
    assert "1796029634" not in text
    [cited] = [one for one in answer.cited if one.passage and one.passage.heading == heading]
    citations = answer_object(replace(answer, cited=(cited,)), text)["citations"]
    assert isinstance(citations, list)
    message = {"speaker": "okabe", "time": told(1, news).said_at.isoformat()}
    assert (citations[0]["contradicted_by"], citations[0]["contradicted_in"]) == ([], [message])
    [one] = (await listed(small.memory.app, Nothing(), lambda _: None))["articles"]
    assert one["contradicted"] == [{"heading": heading, "tickets": [], "messages": [message]}]


async def test_an_older_ticket_does_not_contradict_an_article(small: Library) -> None:
    await small.memory.remember(told(1, "The owner of the guest Wi-Fi is Suzuki.", ticket="INC-9", days=-90))
    small.write("it/wifi.md", WIFI_EN)
    await small.sync()
    assert all(
        one.passage.contradicted_by == () for one in await small.cited("How do I register a guest?") if one.passage
    )
    [one] = (await listed(small.memory.app, Nothing(), lambda _: None))["articles"]
    assert one["contradicted"] == []


async def test_an_article_states_no_facts_and_is_linked_with_nothing(desk: Library) -> None:
    desk.write("it/wifi.md", WIFI_EN)
    await desk.sync()
    await desk.memory.remember(told(1, "The owner of the guest Wi-Fi is Suzuki.", ticket="INC-9"))
    await desk.memory.app.jobs.run("consolidate")
    found = await desk.memory.app.store.facts.about(
        ["guest wi-fi"], Viewer(user="okabe", agent=True), desk.memory.watch.now, 10
    )
    assert [fact.value for fact in found] == ["Suzuki"]
    counts = await desk.memory.app.store.fact_writing.counts()
    assert (counts["facts"], counts["links"]) == (1, 0)


async def test_articles_for_agents_are_for_agents_in_direct_messages(desk: Library) -> None:
    desk.write("internal/admin.md", "# Reset\n\nHow to reset a badge: use the master code.\n")
    await desk.sync()
    question = "How do I reset a badge?"
    assert [one.quote for one in await desk.cited(question, user="okabe")] == [
        "How to reset a badge: use the master code."
    ]
    for user, channel in (("sato", "dm"), ("okabe", "it-help"), ("sato", "it-help")):
        assert (await desk.ask(question, user=user, channel=channel)).evidence == ()


async def test_only_the_collections_of_a_place_are_used(small: Library) -> None:
    small.write("it/wifi.md", WIFI_EN)
    await small.sync()
    question = small.memory.question("How do I register a guest?")
    assert (await small.memory.app.recall.answer(question)).evidence == ()
    other = replace(question, collections=frozenset({"internal"}))
    assert (await small.memory.app.recall.answer(other)).evidence == ()
    it = replace(question, collections=frozenset({"it"}))
    assert (await small.memory.app.recall.answer(it)).evidence


async def test_articles_are_not_among_what_people_said(desk: Library) -> None:
    """Not in a search of the memory, not among somebody's own words, and an agent sees them in no ticket."""
    desk.write("it/wifi.md", WIFI_EN.replace("# Guest", "---\nauthor: okabe\n---\n# Guest", 1))
    await desk.sync()
    agent = Viewer(user="okabe", agent=True)
    store, now = desk.memory.app.store, desk.memory.watch.now
    assert (await desk.memory.app.recall.rank(desk.memory.question("register guest", "okabe", agent=True))).turns == ()
    assert await store.reading.named("wifi.md", agent, now) == []
    assert (await store.personal.kept(agent, now)).messages == 0


async def test_articles_do_not_grow_too_old(desk: Library) -> None:
    desk.write("it/wifi.md", WIFI_EN, changed=NOON - timedelta(days=3000))
    await desk.sync()
    await desk.memory.remember(told(1, "An old word.", days=-300))
    await desk.memory.app.jobs.run("retention")
    assert (await desk.memory.stored())["turns"] == 2
    assert await desk.cited("How do I register a guest?")


async def test_an_article_that_was_left_halfway_is_taken_in_again(desk: Library) -> None:
    """As a process leaves it that dies after it has noted what it is about to do."""
    desk.write("it/wifi.md", WIFI_EN)
    await desk.sync()
    [before] = await desk.memory.app.store.shelf.shelved()
    await desk.memory.app.store.shelf.shelve([replace(before, digest="", gone=(before.sections[0],))])
    assert (await desk.sync())["changed"] == 1
    [after] = await desk.memory.app.store.shelf.shelved()
    assert after.sections == (f"{before.sections[0]}@2", before.sections[1])
    assert await desk.cited("How do I register a guest?")


async def test_articles_are_found_after_a_reindex(desk: Library) -> None:
    desk.write("it/wifi.md", WIFI_EN)
    await desk.sync()
    await desk.memory.app.jobs.run("reindex")
    assert await desk.cited("How do I register a guest?")


# --- editions ---------------------------------------------------------------------------------------------------------

#: What the article says now: one section is other than before, one as it was, and one is new.
VPN_JA_NOW = """\
---
title: VPNの使い方
author: okabe
updated: 2026-11-10
---
# VPNの使い方

社外からは NamiLink で社内につなぎます。

## 証明書を再登録する手順

ポータルの「証明書」から再発行を選びます。

## 窓口

VPNの担当は岡部です。

## 海外から使う手順

海外からは事前に申請します。
"""
HOW = "証明書を再登録する手順を教えてください"


async def asked_of(desk: Library, text: str, as_of: datetime | None) -> str:
    answer = await desk.memory.app.desk.ask(text, user="sato", channel="dm", now=desk.memory.watch.now, as_of=as_of)
    return answer_text(answer, zone=timezone(timedelta(hours=9)))


async def changed(desk: Library) -> None:
    """The article of October, and that of November."""
    desk.write("it/net/vpn.md", VPN_JA)
    await desk.sync()
    desk.write("it/net/vpn.md", VPN_JA_NOW)
    await desk.sync()


async def test_a_question_for_a_past_day_gets_the_edition_of_then_and_is_told_so(desk: Library) -> None:
    await changed(desk)
    then = await asked_of(desk, HOW, datetime(2026, 11, 1, tzinfo=UTC))
    assert (
        "2026-10-01 net/vpn.md › 証明書を再登録する手順: 「NamiLink の設定から証明書を削除し、再登録を選びます。」"
        "（2026年10月1日の版。その後、記事は変わっています）"
    ) in then
    assert "ポータル" not in then
    now = await asked_of(desk, HOW, None)
    assert "2026-11-10 net/vpn.md › 証明書を再登録する手順: 「ポータルの『証明書』から再発行を選びます。」" in now
    assert "の版。" not in now


async def test_the_same_where_the_words_name_the_day(small: Library) -> None:
    await changed(small)
    then = await asked_of(small, "先月の時点で、証明書を再登録する手順を教えてください", None)
    assert "NamiLink の設定から" in then
    assert "（2026年10月1日の版。その後、記事は変わっています）" in then


async def test_an_english_answer_says_so_in_english(small: Library) -> None:
    old = f"---\nupdated: 2026-09-01\n---\n{WIFI_EN}"
    small.write("it/wifi.md", old)
    await small.sync()
    small.write("it/wifi.md", old.replace("2026-09-01", "2026-11-01").replace("choose Guest", "choose Visitor"))
    await small.sync()
    then = await asked_of(small, "How do I register a guest?", datetime(2026, 10, 1, tzinfo=UTC))
    assert "choose Guest" in then
    assert "(the edition of 1 September 2026; the article has changed since)" in then


async def test_a_section_that_did_not_change_since_needs_no_word(small: Library) -> None:
    await changed(small)
    then = await asked_of(small, "VPNの窓口の担当は誰ですか", datetime(2026, 11, 1, tzinfo=UTC))
    assert "VPNの担当は岡部です。" in then
    assert "の版。" not in then


async def test_before_its_first_edition_an_article_says_nothing(small: Library) -> None:
    await changed(small)
    assert "NamiLink" not in await asked_of(small, HOW, datetime(2026, 9, 1, tzinfo=UTC))
    abroad = await asked_of(small, "海外から使う手順を教えてください", datetime(2026, 11, 1, tzinfo=UTC))
    assert "事前に申請" not in abroad


async def test_an_earlier_edition_is_for_those_who_may_use_the_collection(small: Library) -> None:
    small.write("internal/keys.md", "---\nupdated: 2026-09-01\n---\n# 鍵\n\n## 鍵を借りる手順\n\n受付で借ります。\n")
    await small.sync()
    small.write("internal/keys.md", "---\nupdated: 2026-11-01\n---\n# 鍵\n\n## 鍵を借りる手順\n\n守衛室で借ります。\n")
    await small.sync()
    then = datetime(2026, 10, 1, tzinfo=UTC)
    assert "受付" not in await asked_of(small, "鍵を借りる手順を教えてください", then)
    agents = await small.memory.app.desk.ask(
        "鍵を借りる手順を教えてください", user="okabe", channel="dm", now=small.memory.watch.now, as_of=then
    )
    assert "受付で借ります。" in answer_text(agents, zone=UTC)
