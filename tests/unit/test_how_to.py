"""Which questions ask how something is done, and which only look like it."""

from __future__ import annotations

import pytest

from memory.model import Question, Viewer
from memory.recall.intent import read_intent
from memory.remember.extraction.happenings import goes_wrong
from memory.text.how_to import asks_how
from tests.fakes.turns import NOON

HOW = [
    "複合機の紙詰まりの直し方は？",
    "トナーの替え方を教えてください",
    "電源の入れ方がわかりません",
    "プロジェクターのつなぎ方",
    "ログの見方を教えてください",
    "エラーログの見方を教えてください",
    "パスワードの変え方は？",
    "VPNの使い方を知りたいです",
    "会議室の借り方を教えて",
    "受け取り方について教えてください",
    "議事録の書き方、分かる人いますか",
    "共有フォルダの開き方ってどこに書いてありますか",
    "どうやったら複合機で両面印刷できますか",
    "紙詰まりはどう直せばいいですか",
    "プリンターをどうつなげばいいでしょうか",
    "経費はどう申請したらいいですか",
    "名刺はどう頼んだらいいですか",
    "スキャナーはどう使いますか",
    "どう設定するのですか",
    "証明書の更新はどこからできますか",
    "予備の充電器はどこで借りられますか",
    "申請書はどこに出せばいいですか",
    "入館証を作り直すには何が必要ですか",
    "ネットワークにつなぐにはどうすればいいですか",
    "最初に何をすればいいですか",
    "使わないアカウントを消す方法は？",
    "VPNの申請手順を教えてください",
    "予約の仕方を教えてください",
    "ライセンスの買い方は？",
    "備品の頼み方はどうなっていますか",
    "Can you tell me how I renew my certificate?",
    "How do I unlock a locked account?",
    "How can I reset my badge?",
    "how to print on both sides",
    "Where do I report a lost phone?",
    "Where can I borrow a charger?",
    "Could you show me how we book a room?",
    "I am not sure how I should file expenses.",
    "What is the best way to share a file?",
    "What's the procedure for a new phone?",
    "What do I need to do to get a badge?",
    "How are you supposed to clean the scanner?",
    "Do you know how one changes the language?",
    "Please explain how I connect to the VPN",
]
NOT_HOW = [
    "夕方に届きますか",
    "先方は何と言っていますか",
    "両方とも壊れていますか",
    "考え方が変わったのはなぜですか",
    "考え方は変わりましたか",
    "新しい方のPCは誰が使っていますか",
    "速い方はどちらですか",
    "詳しい方はいますか",
    "明け方に止まったのはどのサーバーですか",
    "行方が分からない備品はありますか",
    "一方だけ落ちたのはなぜですか",
    "仕方がないので待ちます",
    "味方は誰ですか",
    "担当の方はどなたですか",
    "働き方改革の担当は誰ですか",
    "申請はどうなりましたか",
    "設定はどうなっていますか",
    "サーバーはどうなったら交換ですか",
    "どうして複合機が止まったのですか",
    "どうも動きが遅いです",
    "どう思いますか",
    "二つの版はどう違いますか",
    "すぐには直りませんか",
    "近くには何がありますか",
    "直るには何日かかりますか",
    "複合機の担当は誰ですか",
    "この方がいいですか",
    "見方が変わりました",
    "貴方の担当はどこですか",
    "地方の拠点はいくつありますか",
    "複合機はどこにありますか",
    "Who owns NamiLink?",
    "How long was the mail down?",
    "How many licences are left?",
    "How often does the job run?",
    "How did Okabe fix it?",
    "How was the outage settled?",
    "Why is the VPN down?",
    "Do you know how we lost the data?",
    "Where is the printer?",
    "Where was the outage?",
    "When was the badge reader replaced?",
    "What happened to the server?",
    "How much does a licence cost?",
    "How old is the scanner?",
]


@pytest.mark.parametrize("question", HOW)
def test_a_question_of_how_is_known_by_the_build_of_its_words(question: str) -> None:
    assert asks_how(question)
    assert read_intent(Question(text=question, viewer=Viewer(user="sato"), now=NOON)).how_to


@pytest.mark.parametrize("question", NOT_HOW)
def test_what_only_looks_like_it_is_no_question_of_how(question: str) -> None:
    assert not asks_how(question)
    assert not read_intent(Question(text=question, viewer=Viewer(user="sato"), now=NOON)).how_to


@pytest.mark.parametrize(
    "question",
    [
        "How do I unlock a locked account?",
        "Where do I report a lost phone?",
        "How do I replace a broken badge?",
        "エラーログの見方を教えてください",
        "使わないアカウントを消す方法は？",
        "Can you tell me how I renew a lost badge?",
        "ロックされたアカウントはどう解除すればいいですか",
        "落としたスマホはどこに届け出ればいいですか",
        "割れた画面の替え方を教えてください",
        "Could you explain how I report a missing laptop?",
        "古いデータを消すにはどうすればいいですか",
        "紙詰まりの直し方は？",
    ],
)
def test_who_asks_how_something_is_done_tells_no_trouble(question: str) -> None:
    assert not goes_wrong(question)


@pytest.mark.parametrize(
    "question",
    [
        "Why is the account locked?",
        "How can I get in? It says E-21",
        "VPNにつながりません。どうすればいいですか",
        "VPNがつながらないのですが、どうすればいいですか",
        "ログインできないんですがどうすればいいですか",
        "エラーが出てどうすればいいか分かりません",
        "The VPN is down, how do I connect?",
        "My account is locked and I do not know how to get in.",
        "My account is locked how do I unlock it?",
        "How do I log in when it says E-21?",
        "ログインできないときはどうすればいいですか",
        "どうしてメールが送れないのですか",
        "マニュアルの手順で進めるとエラーが出ます",
        "画面が固まったのでどう直せばいいか教えてください",
        "Why is the VPN down and how do I get in?",
        "VPNが切れるのですがどうすればいいですか",
        "送りたいのですが、送れません",
    ],
)
def test_trouble_that_is_told_beside_a_question_of_how_is_trouble(question: str) -> None:
    assert goes_wrong(question)
