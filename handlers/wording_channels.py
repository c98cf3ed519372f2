"""How explanations of an answer call the channels of a score."""

from __future__ import annotations

from collections.abc import Mapping

CHANNELS_JA: Mapping[str, str] = {
    "words_turn": "発言の言葉",
    "words_window": "前後1件の言葉",
    "words_wide": "前後3件の言葉",
    "words_episode": "やり取り全体の言葉",
    "words_fact": "事実の言葉",
    "meaning_turn": "発言の意味",
    "meaning_window": "前後1件の意味",
    "meaning_episode": "やり取り全体の意味",
    "exact": "コードや番号の一致",
    "speaker": "名前の一致",
    "period": "時期の一致",
    "own": "ご本人の依頼",
    "asks": "質問だけの文",
    "graph": "関連する発言",
    "spread": "同じやり取りの重なり",
    "resolved": "解決の記録",
}

CHANNELS_EN: Mapping[str, str] = {
    "words_turn": "words of the turn",
    "words_window": "words around",
    "words_wide": "words farther around",
    "words_episode": "words of the episode",
    "words_fact": "words of a fact",
    "meaning_turn": "meaning of the turn",
    "meaning_window": "meaning around",
    "meaning_episode": "meaning of the episode",
    "exact": "exact code or id",
    "speaker": "name",
    "period": "time",
    "own": "own request",
    "asks": "only asking",
    "graph": "related turns",
    "spread": "more of one conversation",
    "resolved": "a recorded resolution",
}
