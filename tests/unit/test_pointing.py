"""What only points at something is told from what asks by itself, by rule."""

from __future__ import annotations

import pytest

from handlers.acts.pointing import calls, points


@pytest.mark.parametrize(
    "words",
    [
        "any idea?",
        "any ideas anyone?",
        "thoughts?",
        "help",
        "please help!",
        "can you help with this?",
        "Can you look into this please?",
        "could you have a look?",
        "do you know this?",
        "how do we fix it?",
        "how to fix this?",
        "what should we do?",
        "what can we do about this?",
        "what is this?",
        "ever seen this before?",
        "これ分かる？",
        "これわかりますか",
        "わかりますか？",
        "誰か分かる人いますか",
        "どうすればいいですか",
        "どうしたらいい？",
        "この件、どうしたらいいでしょうか",
        "これ、どう思います？",
        "これって何ですか",
        "助けて",
        "見てもらえますか",
        "教えてください",
        "お願いします",
        "心当たりありますか",
    ],
)
def test_a_call_says_nothing_of_what_it_is_about(words: str) -> None:
    assert calls(words)


@pytest.mark.parametrize(
    "words",
    [
        "and how do I do that?",
        "where is it?",
        "how do I change it?",
        "What does this error mean?",
        "who can do that?",
        "and where do I find that page?",
        "how long does it take?",
        "can I do that myself?",
        "does it work there?",
        "and on a Mac?",
        "what about on Windows?",
        "それはどこにありますか",
        "それはどうやってやりますか",
        "そのやり方を教えてください",
        "その画面はどこですか？",
        "これはいつまでですか",
        "それは誰に聞けばいいですか",
        "そこはどうやって開くんですか",
        "それで直りますか",
        "その手順の次は？",
        "Macの場合は？",
        "この場合はどうなりますか",
    ],
)
def test_a_question_may_point_at_what_stands_before(words: str) -> None:
    assert points(words)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "@",
        "that is wrong",
        "I did that on it",
        "それです",
        "How do I reset my password?",
        "VPN still not working after the reboot, what now?",
        "no sound in Teams",
        "where is the printer?",
        "what about the holiday schedule?",
        "who owns the payroll system?",
        "who is the owner of the andon system?",
        "can you help with this error: E-7731",
        "can you help me with my VPN?",
        "help with the scanner",
        "this is a test of the scanner",
        "it says E-7731",
        "what is error 5?",
        "how do I open a ticket?",
        "Where do I find it in SAP?",
        "試してみたけどエラー0x80が出ます",
        "QX-7713 って出てる",
        "VPNの設定はどこにありますか",
        "プリンタの使い方を教えてください",
        "その端末のパスワードを忘れました",
        "これはVPNの問題ですか",
        "ERR-4711とは何ですか",
        "会議室の予約方法",
        "どうやって印刷しますか",
        "担当者は誰ですか",
        "お昼は何にしますか",
        "any " * 1000,
        "それは" * 1000,
        "これは" * 13 + "x",
    ],
)
def test_what_names_a_thing_of_its_own_does_neither(words: str) -> None:
    assert not calls(words)
    assert not points(words)
