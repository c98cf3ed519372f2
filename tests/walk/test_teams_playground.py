"""A walk through the Agents Playground, Microsoft's own client like Teams, in a real browser with the real bot beside
it: what people do and see."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.fakes.tryout.museum_teams import BOT, BOT_NAME, ME, TENANT, person
from tests.walk.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="module")

expect.set_options(timeout=20_000)
_ID = f"29:{ME}"
_HERE = {"conversationType": "personal", "id": f"a:1{ME}", "tenantId": TENANT}


async def test_who_opens_the_chat_is_welcomed_once_though_it_is_told_twice(visitor: Visitor) -> None:
    """In the language of the client, which is English here."""
    await visitor.sit_down()
    await expect(visitor.cards).to_have_count(1)
    await expect(visitor.cards.first).to_contain_text("This is the helpdesk")
    await visitor.shot("teams-welcome")


async def test_a_japanese_question_is_answered_with_a_card_that_names_its_sources_and_takes_a_thumb(
    visitor: Visitor,
) -> None:
    await visitor.sit_down()
    await visitor.write("先週VPN接続できなくて問い合わせた者ですが、また同じ症状です")
    await expect(visitor.cards.last).to_contain_text("INC-1067 岡部: 「")
    await expect(visitor.cards.last).to_contain_text("『証明書を再登録』を選んで")
    await visitor.shot("teams-personal-ja")
    await visitor.press("担当者に相談する")
    await expect(visitor.log).to_contain_text("担当者に伝えました。返事をお待ちください。")
    await visitor.press("Like")
    await visitor.press("Submit")
    await expect(visitor.log).to_contain_text(re.compile("invoke 200.*invoke 200", re.DOTALL))
    await visitor.until_thumbs({"helpful": 1, "unhelpful": 0})


async def test_the_support_team_reads_a_private_question_only_where_its_author_wants_that_and_resolves_it_on_a_form(
    visitor: Visitor,
) -> None:
    """Sato sees the channel of the support team and is no support agent."""
    await visitor.sit_down()
    await visitor.write("受付のプリンターが動きません")
    await visitor.press("担当者に相談する")
    await expect(visitor.cards.last).to_contain_text("ここまでに書かれた内容は見えません。")
    await visitor.shot("teams-told")
    await visitor.go_to("General")
    await expect(visitor.cards.last).to_contain_text("私との個人チャットでの質問なので、内容は表示しません。")
    await visitor.go_to("Personal Chat")
    await visitor.press("質問の内容も見せる")
    await expect(visitor.log).to_contain_text("質問の内容を担当者に見せました。")
    await visitor.go_to("General")
    await expect(visitor.cards.last).to_contain_text("ご本人の希望で表示しています）: 受付のプリンターが動きません")
    await visitor.press("解決にする")
    await expect(visitor.log).to_contain_text("原因（なくても構いません）")
    await visitor.shot("teams-note")
    await visitor.press("送る")
    await expect(visitor.log).to_contain_text("対応を書いてください。")
    await visitor.fill("対応", "電源を入れ直した")
    await visitor.press("送る")
    await expect(visitor.log).to_contain_text("Only support agents can do that.")


async def test_an_english_question_is_answered_in_english(visitor: Visitor) -> None:
    await visitor.sit_down()
    await visitor.write("VPN is green but X: is missing again. What had to be changed last time?")
    await expect(visitor.cards.last).to_contain_text("These are")
    await expect(visitor.cards.last.get_by_role("button", name="Ask a person")).to_be_visible()
    await visitor.shot("teams-personal-en")


async def test_ones_own_requests_are_a_button_away(visitor: Visitor) -> None:
    await visitor.sit_down()
    await visitor.write("help")
    await expect(visitor.cards.last).to_contain_text("How to use the helpdesk")
    await visitor.press("Show my requests")
    await expect(visitor.cards.last).to_contain_text("在宅でVPNに接続できない（NL-208）")
    await visitor.shot("teams-requests")


async def test_a_mention_in_a_channel_is_answered_in_its_thread(visitor: Visitor) -> None:
    await visitor.sit_down()
    await visitor.go_to("it-desk")
    await visitor.post_to(BOT_NAME, "サイネージの担当って今どなたですか？")
    answer = visitor.thread("サイネージの担当って今どなたですか？").locator(visitor.cards)
    await expect(answer).to_have_count(1)
    await expect(answer).to_contain_text("INC-1047 Nadia: 「")
    await expect(answer).to_contain_text("岡部さんに替わりました")
    await visitor.shot("teams-channel")


async def test_an_edit_is_no_new_question(visitor: Visitor) -> None:
    await visitor.sit_down()
    before = await visitor.cards.count()
    edited = {
        "type": "messageUpdate",
        "id": "1",
        "channelId": "msteams",
        "timestamp": "2026-11-30T00:00:00.000Z",
        "from": {"id": _ID, "aadObjectId": person(ME), "name": "佐藤"},
        "recipient": {"id": BOT, "name": BOT_NAME},
        "conversation": _HERE,
        "channelData": {"tenant": {"id": TENANT}, "eventType": "editMessage"},
        "text": "VPNはもう直りました",
    }
    await visitor.headless.activity(edited)
    await expect(visitor.log).to_contain_text("messageUpdate 200")
    await expect(visitor.cards).to_have_count(before)
