"""A walk through Slack in a real browser, against the real bot in a process of its own: what people do and see."""

from __future__ import annotations

import pytest
from playwright.async_api import FilePayload, expect

from tests.fakes.slack import Slack
from tests.fakes.tryout.museum import EMMA, GALLERY, ITDESK, LUCAS, OKABE, SATO, SUPPORT, TANAKA
from tests.walk.walker import Walker

pytestmark = pytest.mark.asyncio(loop_scope="module")


def direct(user: str) -> str:
    """The app's messages with this person."""
    return f"D{user[1:]}"


async def test_a_japanese_question_about_last_week_is_answered_from_the_askers_own_ticket(walker: Walker) -> None:
    await walker.sit_down(SATO, direct(SATO))
    await walker.write("先週VPN接続できなくて問い合わせた者ですが、また同じ症状です")
    await expect(walker.answers).to_contain_text(["INC-1067"])
    await expect(walker.answers).to_contain_text(["『証明書を再登録』を選んで"])
    await expect(walker.answers).to_contain_text(["岡部: 「"])
    await walker.press("役に立った", "#thread")
    await expect(walker.answers.last).to_contain_text("ありがとうございます。ご意見を記録しました。")
    await walker.shot("slack-direct-ja")


async def test_an_english_question_is_answered_in_english(walker: Walker) -> None:
    await walker.sit_down(LUCAS, direct(LUCAS))
    await walker.write("VPN is green but X: is missing again. What did I have to change last time?")
    await expect(walker.answers).to_contain_text(["Shiomi-Full"])
    await expect(walker.answers).to_contain_text(["岡部: “Lite is only for mail"])
    await walker.press("Not helpful", "#thread")
    await expect(walker.answers.last).to_contain_text("Sorry that this did not help.")
    await walker.press("Ask a person", "#thread article:last-child")
    await expect(walker.answers.last).to_contain_text("I told the support team.")
    await walker.shot("slack-direct-en")


async def test_a_mention_is_answered_in_its_thread_which_goes_on_without_one_and_reaches_a_person(
    walker: Walker,
) -> None:
    await walker.sit_down(TANAKA, ITDESK)
    await walker.write("@helpdesk レジの端末に QX-7713 と出ます。前はどう直しましたか？")
    await expect(walker.answers).to_contain_text(["INC-1006"])
    await walker.reply("サイネージの担当って今どなたですか？")
    await expect(walker.answers).to_have_count(2)
    await expect(walker.answers.last).to_contain_text("INC-1047")
    await walker.shot("slack-thread")
    await walker.press("担当者に相談する", "#thread")
    await expect(walker.answers.last).to_contain_text("担当者に伝えました。返事をお待ちください。")

    await walker.sit_down(OKABE, SUPPORT)
    note = walker.messages.filter(has_text="田中 さんが担当者に相談したいそうです。")
    await expect(note).to_contain_text("質問: サイネージの担当って今どなたですか？")
    await note.get_by_role("link").click()
    await expect(walker.page.locator("#thread-messages article").first).to_contain_text("QX-7713")


async def test_people_who_talk_among_themselves_are_left_alone(walker: Walker) -> None:
    await walker.sit_down(TANAKA, GALLERY)
    await walker.write("お昼に行きます")
    await walker.write("@helpdesk VPNの証明書はどう直しますか？")
    await expect(walker.answers).to_have_count(1)
    await expect(walker.messages.filter(has_text="お昼に行きます")).to_have_count(1)
    await expect(walker.page.locator("#messages .replies")).to_have_count(1)


async def test_the_command_shows_ones_own_tickets_to_oneself(walker: Walker) -> None:
    await walker.sit_down(LUCAS, GALLERY)
    await walker.write("/helpdesk my tickets")
    await expect(walker.only_mine.last).to_contain_text("VPN is connected but I can't open the drive")
    await walker.shot("slack-my-tickets")
    await walker.sit_down(SATO, GALLERY)
    await walker.write("/helpdesk チケット")
    await expect(walker.only_mine.last).to_contain_text("在宅でVPNに接続できない（NL-208）")
    await expect(walker.only_mine).to_have_count(1)
    await expect(walker.only_mine.last).not_to_contain_text("VPN is connected")


async def test_what_is_remembered_is_shown_and_forgotten_once_it_is_confirmed(walker: Walker) -> None:
    await walker.sit_down(EMMA, direct(EMMA))
    await walker.write("/helpdesk what do you remember?")
    await expect(walker.only_mine.last).to_contain_text("Messages of yours that I remember: 3 (")
    await walker.write("/helpdesk forget me")
    await expect(walker.only_mine.last).to_contain_text("Delete what you wrote? This cannot be undone.")
    await walker.shot("slack-forget")
    await walker.press("Cancel")
    await expect(walker.page.get_by_text("Nothing was deleted.")).to_have_count(1)
    await walker.write("/helpdesk forget me")
    await expect(walker.page.get_by_text("Delete what you wrote?")).to_have_count(1)
    await walker.press("Delete", "article:has-text('Delete what you wrote?')")
    await expect(walker.page.get_by_text("Deleted. Number of messages: 3.")).to_have_count(1)
    await walker.write("/helpdesk memory")
    await expect(walker.page.get_by_text("I remember no message that you wrote.")).to_have_count(1)


async def test_the_home_shows_requests_and_what_can_be_asked(walker: Walker) -> None:
    await walker.sit_down(SATO, ITDESK)
    await walker.write("@helpdesk VPNの証明書はどう直しますか？")
    await expect(walker.answers).to_have_count(1)
    await walker.press("担当者に相談する", "#thread")
    await expect(walker.answers.last).to_contain_text("担当者に伝えました。返事をお待ちください。")
    await walker.page.click("#open-home")
    await expect(walker.home).to_contain_text("あなたの依頼")
    await expect(walker.home).to_contain_text("質問の例")
    await expect(walker.home.get_by_role("link").first).to_contain_text("VPNの証明書はどう直しますか？")
    await walker.shot("slack-home")


async def test_a_messages_menu_remembers_its_thread_and_makes_a_ticket_of_it(walker: Walker) -> None:
    await walker.sit_down(TANAKA, GALLERY)
    await walker.write("第2展示室の照明がちらつきます")
    message = walker.messages.filter(has_text="第2展示室の照明がちらつきます")
    await walker.call("Remember", message)
    await expect(
        walker.page.get_by_text(
            "このスレッドのメッセージ1件を覚えました。検索できるようになりしだい（通常は1分以内）、回答に使います。"
        )
    ).to_have_count(1)
    await walker.call("Make ticket", message)
    await expect(walker.form).to_contain_text("チケットを作る")
    await walker.form.locator("input").fill("照明の点検")
    await walker.form.locator("textarea").fill("開館前にお願いします")
    await walker.shot("slack-make-ticket")
    await walker.press("送る", "#modal")
    await expect(walker.form).not_to_be_visible()

    await walker.call("Reply", message)
    await expect(walker.answers).to_contain_text(["担当者に伝えました。返事をお待ちください。"])

    await walker.sit_down(OKABE, SUPPORT)
    note = walker.messages.filter(has_text="照明の点検")
    await expect(note).to_contain_text("開館前にお願いします")
    await walker.shot("slack-support")


async def test_a_file_is_attached_in_a_thread_as_the_bytes_that_it_is(walker: Walker, slack: Slack) -> None:
    content = "エラー QX-9001 が出ました".encode("shift_jis")
    await walker.sit_down(TANAKA, GALLERY)
    await walker.write("展示ケースの鍵が回りません")
    message = walker.messages.filter(has_text="展示ケースの鍵が回りません")
    await walker.call("Reply", message)
    file: FilePayload = {"name": "lock.txt", "mimeType": "text/plain", "buffer": content}
    await walker.page.set_input_files("#thread-compose-file", file)
    await walker.reply("ログです")
    await expect(walker.page.locator("#thread-messages .file")).to_contain_text(["lock.txt"])
    assert content in slack.world.contents.values()
