"""By what an encoder is known: three probe texts for its fingerprint, and questions and passages that have nothing to
do with each other. Changing a text here changes stamps and thresholds of every index there is."""

from __future__ import annotations

import hashlib

import numpy as np

from memory.ports import Vector, Vectors

PROBES = (
    "VPNに接続できず、エラー809が表示されます。",
    "The printer on the third floor jams whenever it feeds from tray two.",
    "請求書の締め日 / invoice closing date: 2026-03-31",
)

#: No question here is answered by any passage below, nor is it about the same thing.
UNRELATED_QUESTIONS = (
    "VPNがつながらないときはどうすればいいですか",
    "先週のプリンターの紙詰まりは誰が直しましたか",
    "会議室の予約が二重になってしまいました",
    "ノートパソコンのバッテリーがすぐ切れるのですが",
    "経費精算の締め切りはいつでしたか",
    "新しい社員のアカウントを作ってほしい",
    "How do I reset my password?",
    "Who approved the new database licence?",
    "The projector shows no picture, what should I try?",
    "When did we move the mail server?",
    "My headset is not recognised in calls",
    "Which version of the accounting software do we run?",
)

UNRELATED_PASSAGES = (
    "昨日の夕飯は鮭の塩焼きと味噌汁にしました。",
    "山の紅葉は十一月の初めが見頃だそうです。",
    "猫がソファーの下から出てこなくなった。",
    "この小説の主人公は灯台守の娘である。",
    "朝の電車は雪のため三十分遅れて到着した。",
    "庭のトマトが赤くなったので収穫した。",
    "She planted tulips along the garden wall in October.",
    "The recipe calls for two eggs and a pinch of salt.",
    "The goalkeeper saved a penalty in the last minute.",
    "A storm kept the fishing boats in the harbour all weekend.",
    "He learned to play the violin when he was six.",
    "The museum shows paintings from the nineteenth century.",
)

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
