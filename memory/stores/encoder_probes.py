"""By what an encoder is known: three probe texts for its fingerprint, and neutral sentences for what it says about any
text of a language. Changing a text here changes stamps and scores of every index there is."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from memory.index_ports import Vector, Vectors

PROBES = (
    "VPNに接続できず、エラー809が表示されます。",
    "The printer on the third floor jams whenever it feeds from tray two.",
    "請求書の締め日 / invoice closing date: 2026-03-31",
)

#: Sentences that have nothing in common but their language; those of one language are translations of the other's, so
#: that what differs between the centres is the language alone.
NEUTRAL: Mapping[str, tuple[str, ...]] = {
    "en": (
        "The printer on the second floor does not print.",
        "I restarted the computer, but the screen stays black.",
        "My password has expired and I cannot sign in.",
        "Please send me the form by Friday.",
        "The meeting was moved to three o'clock.",
        "We replaced the cable and the connection is stable now.",
        "Who is responsible for the shared folder?",
        "The update is installed every Tuesday night.",
        "Thank you, it works again.",
        "I will look into it and get back to you.",
        "How do I order a new monitor?",
        "The invoice was paid twice by mistake.",
        "Our factory closes during the summer holidays.",
        "She started her new job in April.",
        "The train was late because of the snow.",
        "My son plays football on weekends.",
        "We cooked dinner together last night.",
        "This book tells the history of the city.",
        "The river flows through three countries.",
        "He painted the picture when he was young.",
        "What is your favourite music?",
        "The doctor said I should rest for a week.",
        "The phone battery lasts only two hours.",
        "You need permission from your manager.",
        "The file is too large to attach.",
        "Where can I find the old version?",
        "The error appears every time I open the mail.",
        "Please close the ticket.",
        "The server was stopped for maintenance.",
        "When does the rule take effect?",
        "The price went up by ten percent.",
        "I forgot my key at home.",
        "Do not share the code with anyone.",
        "The company was founded in the last century.",
        "A new law was passed by the parliament.",
        "The team won the final match.",
        "We are planning a trip to the mountains.",
        "The sound is missing in the video call.",
        "Let me think about the design once more.",
        "The button should be red and easy to press.",
        "How many people came to the party?",
        "The cause was a wrong setting.",
        "I lost the data that I entered yesterday.",
        "The delivery arrives tomorrow morning.",
        "Animals in the forest sleep during winter.",
        "The language has many dialects.",
        "Could you explain it again, slowly?",
        "It happened only on my laptop.",
    ),
    "ja": (
        "二階のプリンタで印刷できません。",
        "パソコンを再起動しましたが、画面は黒いままです。",
        "パスワードの期限が切れてサインインできません。",
        "金曜日までに申請書を送ってください。",
        "会議は三時に変更になりました。",
        "ケーブルを交換したら、接続が安定しました。",
        "共有フォルダの担当者は誰ですか。",
        "更新は毎週火曜の夜に適用されます。",
        "ありがとうございます、直りました。",
        "確認して折り返しご連絡します。",
        "新しいモニタはどうやって注文しますか。",
        "請求書が誤って二回支払われました。",
        "夏休みの間、工場は休業します。",
        "彼女は四月に新しい仕事を始めました。",
        "雪のため電車が遅れました。",
        "息子は週末にサッカーをしています。",
        "昨夜は一緒に夕食を作りました。",
        "この本は町の歴史を語っています。",
        "その川は三つの国を流れています。",
        "彼は若いころにその絵を描きました。",
        "好きな音楽は何ですか。",
        "医者に一週間休むように言われました。",
        "携帯の電池が二時間しかもちません。",
        "上司の許可が必要です。",
        "ファイルが大きすぎて添付できません。",
        "古い版はどこにありますか。",
        "メールを開くたびにエラーが出ます。",
        "チケットを閉じてください。",
        "保守のためサーバを停止しました。",
        "その規則はいつから有効ですか。",
        "値段が一割上がりました。",
        "家に鍵を忘れました。",
        "コードは誰にも教えないでください。",
        "その会社は前世紀に設立されました。",
        "新しい法律が国会で可決されました。",
        "チームは決勝戦に勝ちました。",
        "山へ旅行する計画を立てています。",
        "ビデオ通話で音が出ません。",
        "デザインについてもう一度考えさせてください。",
        "ボタンは赤くて押しやすいほうがいいです。",
        "パーティーには何人来ましたか。",
        "原因は設定の間違いでした。",
        "昨日入力したデータが消えました。",
        "荷物は明日の朝に届きます。",
        "森の動物は冬の間眠ります。",
        "その言語には多くの方言があります。",
        "もう一度ゆっくり説明していただけますか。",
        "私のノートパソコンでだけ起きました。",
    ),
}

#: Directions per probe text in a fingerprint.
_DIRECTIONS = 5


def fingerprint(vectors: Vectors) -> str:
    """Four hexadecimal digits that differ for other weights; one row per probe text.

    Made of the sides on which the vectors lie of a few fixed planes: rounded numbers would flip with the last bits of
    the arithmetic, which differ between processors and between runs of a server.
    """
    sides = "".join(
        "1" if float(row @ _plane(f"{place}/{direction}", len(row))) > 0 else "0"
        for place, row in enumerate(vectors)
        for direction in range(_DIRECTIONS)
    )
    return f"{int(sides, 2):04x}"


def _plane(name: str, size: int) -> Vector:
    """A fixed direction of +1 and -1, the same on every machine; shape (size,)."""
    drawn = np.frombuffer(hashlib.shake_256(name.encode()).digest(size), dtype=np.uint8)
    return np.where(drawn % 2, 1.0, -1.0).astype(np.float32)
