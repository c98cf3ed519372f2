"""Messages that ask nothing are told from questions, by rule."""

from __future__ import annotations

import pytest

from handlers.acts.asides import Aside, aside_in, is_courtesy, thanks_another


@pytest.mark.parametrize(
    "words",
    [
        "人間と話したい",
        "人と話したいです",
        "担当者につないで",
        "担当者に繋いでください。",
        "担当の方をお願いします",
        "オペレーターに代わってもらえますか？",
        "すみません、誰か呼んでください",
        "サポートの人に相談したいのですが",
        "talk to a human",
        "I want to talk to a real person",
        "Can I speak with someone, please?",
        "agent please",
        "Human!",
        "please connect me to an agent",
    ],
)
def test_the_wish_for_a_person_is_known(words: str) -> None:
    assert aside_in(words) is Aside.PERSON


@pytest.mark.parametrize(
    "words",
    [
        "thanks, that worked!",
        "Thank you so much :)",
        "OK, got it. Thanks!",
        "ありがとうございました",
        "どうもありがとうございます！",
        "了解です",
        "はい、了解しました。",
        "無事直りました、ありがとうございました🙏",
        "わかりました",
        "thanks emma!",
        "Emma, thanks a lot",
        "Thank you Emma Stone",
        "Thank you so much Emma, that worked",
        "thanks <@U0KEN>!",
        "no thanks",
        "OK 👍",
        "岡部さん、ありがとうございました",
        "Emmaさん、ありがとう",
        "佐藤 花子さんありがとうございます",
        "なるほど、山口さんありがとうございます",
        "@彩 ありがとうございます",
        "もう大丈夫です",
        "ありがとー！",
        "ありがとうございますー",
        "おｋ",
    ],
)
def test_thanks_are_known(words: str) -> None:
    assert aside_in(words) is Aside.THANKS


@pytest.mark.parametrize(
    "words",
    [
        "試してみます",
        "確認します",
        "了解です、やってみます。ありがとうございます",
        "やってみます！",
        "あとで確認します",
        "ルーターを再起動してみますね",
        "後ほど連絡します",
        "I'll try that",
        "I’ll try that tomorrow, thanks",
        "ok thanks, will try",
        "will do",
        "Let me check",
        "checking now",
        "I'll restart the router and see if it helps",
        "I'll let you know",
        "試しました",
        "I tried it",
    ],
)
def test_what_somebody_is_about_to_do_is_known(words: str) -> None:
    assert aside_in(words) is Aside.TRYING


@pytest.mark.parametrize(
    "words",
    [
        "自己解決しました",
        "すみません、自己解決しました。",
        "直りました",
        "さっきの質問は取り消します",
        "never mind, fixed it myself",
        "nvm",
        "fixed",
        "it's fixed now",
        "Problem solved!",
        "that worked",
    ],
)
def test_that_a_matter_is_settled_is_known(words: str) -> None:
    assert aside_in(words) is Aside.SETTLED


@pytest.mark.parametrize(
    "words",
    [
        "lol",
        "+1",
        "👍",
        "👍🏽!",
        "…",
        "...",
        "haha 😂",
        "草",
        "+1 👍",
        ":+1:",
        ":pray::skin-tone-2:",
        "no worries",
        "hmm",
        "どういたしまして",
    ],
)
def test_a_nod_is_known(words: str) -> None:
    assert aside_in(words) is Aside.NOD


@pytest.mark.parametrize(
    "words",
    [
        "hello",
        "Hi there!",
        "hi emma!",
        "Good morning",
        "こんにちは",
        "お疲れさまです。",
        "おはようございます、佐藤さん",
        "いつもお世話になっております",
    ],
)
def test_greetings_are_known(words: str) -> None:
    assert aside_in(words) is Aside.GREETING


@pytest.mark.parametrize(
    "words",
    [
        "",
        "👎",
        "?",
        "!?",
        "1",
        "VPNが切れます",
        "ありがとうございます。ところでVPNが切れます",
        "thanks, but it still does not work",
        "hello, my VPN is down",
        "it works?",
        "どうも動きません",
        "again",
        "はい",
        "担当者は誰ですか？",
        "VPNの担当者につないでもらったのはいつですか",
        "who is the agent for printers",
        "the user agent is blocked",
        "印刷できました？",
        "thanks for fixing the printer, now the scanner fails",
        "thanks, printer jammed",
        "thanks but no",
        "ok so how do I do that",
        "I'll try that but where is the menu",
        "I will check what the error is",
        "let me know the VPN address",
        "I'm trying to print and it fails",
        "found a bug in Teams",
        "found it in the wiki, but which page",
        "working hours",
        "fixed asset list",
        "emma is out, who else",
        "再起動してみますが直りません",
        "どうやって試してみますか",
        "確認しますか",
        "確認しましたが直りません",
        "エラー E-7731 が出ます。再起動してみます。",
        "解決しましたか",
        "山口さんは休みですか",
        "山口さんの内線",
        "佐藤です",
        "明日",
        "10:30:15",
        "ok " * 1000,
        "w" * 99 + "x",
        "どうも" * 30 + "x",
        "お疲れ様です" * 16 + "x",
        "てみます" * 24 + "x",
    ],
)
def test_everything_else_is_a_matter(words: str) -> None:
    assert aside_in(words) is None


@pytest.mark.parametrize(
    "words", ["thanks emma!", "やってみます", "fixed", "lol", "+1", "👍", "😭", ":cry:", "…", "!!"]
)
def test_among_others_nobody_needs_an_answer_to_a_courtesy(words: str) -> None:
    assert is_courtesy(words)


@pytest.mark.parametrize(
    "words", ["", "?", "!?", "👎", ":-1:", "no", "まだ直りません", "talk to a human", "VPN?", "担当者につないで"]
)
def test_all_else_may_need_one(words: str) -> None:
    assert not is_courtesy(words)


@pytest.mark.parametrize(
    "words",
    [
        "thanks emma!",
        "Emma, thanks a lot",
        "Thank you so much Emma, that worked",
        "thanks <@U0KEN>!",
        "@彩 ありがとうございます",
        "岡部さん、ありがとうございました",
        "佐藤 花子さんありがとうございます",
    ],
)
def test_thanks_that_name_somebody_are_for_that_person(words: str) -> None:
    assert thanks_another(words)


@pytest.mark.parametrize(
    "words",
    [
        "thanks!",
        "many thanks",
        "Thank you so much",
        "thanks again!",
        "great, thanks",
        "works, thanks!",
        "thanks helpdesk",
        "thanks, bot!",
        "Helpdesk thanks",
        "thanks everyone",
        "no thanks",
        "ありがとうございます",
        "ヘルプデスクさん、ありがとう",
        "皆さん、ありがとうございます",
        "ご苦労様、ありがとう",
        "hello emma",
        "thanks emma, but the VPN is down",
        "thanks emma?",
    ],
)
def test_all_other_thanks_may_be_for_the_bot(words: str) -> None:
    assert not thanks_another(words)
