"""Which words mean a request of the asker's own, and which only sound like it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory.recall.own_request import own_request
from tests.fakes.turns import NOON


@pytest.mark.parametrize(
    "text",
    [
        "先週の件、再発しました",
        "先週のやつ、またです",
        "先週と同じです",
        "先週と全く同じです",
        "先週と一緒です",
        "先週と同じ問題です",
        "先週の件です",
        "先週の件ですが",
        "先週の件、またお願いします",
        "一昨日の件どうなりました？",
        "昨日の件どうなった？",
        "昨日の件、どうなってますか",
        "昨日の件はいかがでしょうか",
        "昨日の件の進捗を教えてください",
        "昨日の件、その後どうでしょう",
        "昨日の件まだですか？",
        "昨日お願いした件、どうなっていますか",
        "昨日お願いしたやつまだ？",
        "昨日頼んだ件、終わりましたか",
        "先週お伺いした件ですが、再び発生しております",
        "一昨日お送りした件の進捗はいかがでしょうか",
        "昨日のあれ、どうなった？",
        "昨日のアレ直った？",
        "先週のアレまた出た",
        "昨日の続きですが",
        "昨日のチケット、進んでますか",
        "昨日の問合せの結果を教えてください",
        "お世話になっております。昨日ご依頼した件、いかがでしょうか",
        "お疲れ様です、月曜に申請した件まだでしょうか",
        "9月10日の件、再発したみたいです",
        "先週の不具合が再発しています",
        "先週のトラブル、また起きました",
        "先週のと同じやつです",
        "先週言った件、解決しましたか？",
        "3日前の問題がまだ直りません",
        "先週問合せた件、まだ直ってないです",
        "昨日と同じ症状です",
        "same problem as last week",
        "the same problem as last week",
        "smae problem as last week",
        "same as last week",
        "same as yesterday",
        "its the same as last week",
        "same thing as yesterday pls",
        "same issue again as on monday",
        "last week's one again",
        "last weeks one again",
        "last week's problem is back",
        "last week's issue again",
        "yesterday's issue - any update?",
        "yesterday's thing, fixed yet?",
        "the thing from yesterday, any news?",
        "any news about the thing from yesterday",
        "any update on my request from yesterday?",
        "any news on yesterday's ticket?",
        "what happened with the thing from yesterday?",
        "how is the request I sent yesterday going?",
        "Hi, is there any progress on the issue I reported last week?",
        "what about the one from last week",
        "the one I sent yesterday, any news?",
        "Could you please tell me the status of the request I submitted yesterday?",
        "the ticket I opened on Monday, any updates?",
        "still the same problem as yesterday",
        "having the same issue as last week",
        "we have the same error as two weeks ago",
        "is yesterday's problem solved?",
        "it's the same probelm as last week",
        "same problem agian, like last week",
    ],
)
def test_who_says_no_more_than_when_something_came_up_means_a_request_of_theirs_of_then(text: str) -> None:
    own = own_request(text, NOON)
    assert own is not None
    assert own.topic == ""
    assert own.period is not None
    assert own.period.start <= NOON


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("昨日のVPNの件どうなりました？", "VPN"),
        ("先週のプリンターの件、再発しました", "プリンター"),
        ("先週VPNで出たのと同じエラーです", "VPN"),
        ("any news on the VPN issue from yesterday?", "VPN"),
        ("the VPN request I submitted yesterday - any news?", "VPN"),
        ("is the monitor request from last week done?", "monitor"),
        ("Same printer problem as last week", "printer"),
    ],
)
def test_what_a_request_of_a_named_time_was_about_is_looked_for(text: str, topic: str) -> None:
    own = own_request(text, NOON)
    assert own is not None
    assert own.period is not None
    assert topic in own.topic


@pytest.mark.parametrize(
    "text",
    [
        "Who changed the router last week?",
        "先週の障害の原因は何でしたか",
        "先週リリースされた版は？",
        "What was the outage last week?",
        "What happened last week?",
        "What was the problem last week?",
        "What was the issue yesterday?",
        "When was the last outage?",
        "Which version was released last week?",
        "What did Jon say last week?",
        "Who was on call yesterday?",
        "Is the menu the same as last week?",
        "Are the opening hours the same as last week?",
        "Will it be the same next week?",
        "Tanaka's ticket from yesterday, any news?",
        "Any news on Tanaka's ticket from yesterday?",
        "Any update on his request from last week?",
        "Who fixed the printer yesterday?",
        "Was the network down yesterday?",
        "How many tickets were there last week?",
        "How many requests came in yesterday?",
        "What is the status of the mail server today?",
        "What are the news for today?",
        "What did the vendor replace last month?",
        "Was the issue fixed by the vendor last week?",
        "Is there one room free today?",
        "Which things were replaced last week?",
        "What changed since last week?",
        "昨日は何がありましたか",
        "昨日はどうなりましたか",
        "昨日の状況は？",
        "昨日の進捗は？",
        "昨日の問い合わせは何件ありましたか",
        "先週の件数を教えて",
        "先週の障害は誰が直しましたか",
        "先週再発した障害の原因は？",
        "先週の再発防止策は何ですか",
        "定休日は先週と同じですか",
        "来週も同じですか",
        "昨日と同じ会議室を使えますか",
        "田中さんが先週頼んだ件はどうなりました",
        "田中さんの昨日の件どうなりました",
        "田中さんが先週申請したモニターは届きましたか",
        "誰が先週申請しましたか",
        "昨日の停電の原因は？",
        "先週のメンテナンスはいつ終わりましたか",
        "先週配布されたPCの型番は？",
        "昨日の会議は何時からでしたか",
        "今日の当番は誰ですか",
        "先週の会議で決まったことは？",
        "月曜に交換した部品は何ですか",
        "先週の一覧を見せて",
        "プリンターは先週どうなりましたか",
        "昨日の売上はいかがですか",
        "昨日届いたものは何ですか",
        "先月の工事はまだ続いていますか",
        "今日これから来るお客様にゲストWi-Fiを出したいです。まだ間に合いますか？どこから申請しますか",
        "今日の申請はまだ間に合いますか",
    ],
)
def test_a_question_about_a_time_is_none_about_a_request_of_ones_own(text: str) -> None:
    assert own_request(text, NOON) is None


@pytest.mark.parametrize(
    "text", ["yesterday's one", "last week's one again", "last weeks one again", "the one from last week"]
)
def test_the_time_of_a_request_is_understood_however_it_stands_beside_it(text: str) -> None:
    own = own_request(text, NOON)
    assert own is not None
    assert own.period is not None
    assert own.period.end - own.period.start == timedelta(days=1 if "yesterday" in text else 7)
