"""What a report says, in Japanese and English. Names in braces are filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWords:
    """The words of one language. `colon` stands between a name and what it is, `none` for what cannot be said."""

    title: str
    period: str
    colon: str
    comma: str
    bracketed: str
    none: str
    nothing_yet: str
    milliseconds: str
    seconds: str

    questions: str
    questions_detail: str
    alone: str
    alone_detail: str
    helpful: str
    helpful_detail: str
    time: str
    time_detail: str
    cost: str
    cost_detail: str
    saving: str
    saving_detail: str

    each_day: str
    each_days: str
    short_bar: str
    answered: str
    abstained: str
    bar: str
    highest: str

    topics: str
    topics_detail: str
    topic: str
    episodes: str

    gaps: str
    gaps_detail: str
    gap: str
    last: str
    times: str
    further: str
    unread: str
    settled: str

    tokens: str
    tokens_detail: str
    role: str
    roles: Mapping[str, str]
    prompt: str
    cached: str
    completion: str

    stages: str
    stages_detail: str
    stage: str
    stage_names: Mapping[str, str]
    median: str
    p95: str

    footnote: str


JAPANESE = ReportWords(
    title="ヘルプデスクの記録",
    period="{days}（{count}日間）",
    colon="：",
    comma="、",
    bracketed="（{detail}）",
    none="–",
    nothing_yet="まだ何もありません。",
    milliseconds="{number}ミリ秒",
    seconds="{number}秒",
    questions="質問",
    questions_detail="回答{answered}件、未回答{abstained}件",
    alone="人の手を借りずに回答",
    alone_detail="質問の{share}",
    helpful="役に立ったという声",
    helpful_detail="{all}件の評価のうち{helpful}件",
    time="回答までの時間",
    time_detail="中央値。95%は{p95}以内",
    cost="費用",
    cost_detail="毎回すべて読ませた場合は{full}。設定した単価による",
    saving="節約したトークン",
    saving_detail="毎回すべて読ませた場合と比べて",
    each_day="1日ごとの質問",
    each_days="{days}日ごとの質問",
    short_bar="左端の棒だけは{days}日分です。",
    answered="回答した",
    abstained="未回答",
    bar="{day}から：回答{answered}件、未回答{abstained}件",
    highest="上の線は{count}件",
    topics="よく出た話題",
    topics_detail="この期間のやり取りの要点に、多く出てきた言葉です。",
    topic="話題",
    episodes="やり取り",
    gaps="答えられなかった質問",
    gaps_detail="過去の記録に答えの根拠が見つからず、その後も答えが出ていない質問です。手順書や案内を足す手がかりになります。",
    gap="質問",
    last="最後に聞かれた日",
    times="回数",
    further="ほかに{count}件あります（新しいものから{shown}種類だけを載せています）。",
    unread="{count}件は、件数だけ数えています（個人的に聞かれたか、限られた人だけが読めるか、言葉が残っていない質問です）。",
    settled="{count}件は、その後に答えが出たため載せていません。",
    tokens="モデルごとのトークン",
    tokens_detail="帯は、読んだトークンと書いたトークンの合計です。濃い部分はキャッシュから読んだ分です。",
    role="役割",
    roles={"assistant": "アシスタント（読む）", "master": "マスター（答える）"},
    prompt="読んだ",
    cached="うちキャッシュ",
    completion="書いた",
    stages="段階ごとの時間",
    stages_detail="濃い帯は中央値、薄い帯は95%が収まる時間です。",
    stage="段階",
    stage_names={
        "buffer": "会話の続きを読む",
        "route": "探す",
        "read": "記録を取り出す",
        "consult": "読み込む",
        "facts": "今も正しいか確かめる",
        "articles": "知識ベースを調べる",
        "answer": "答えを書く",
    },
    median="中央値",
    p95="95%",
    footnote="誰でも読める言葉だけを載せています。個人的な質問は数にだけ入っています。",
)

ENGLISH = ReportWords(
    title="Helpdesk report",
    period="{days} ({count} days)",
    colon=": ",
    comma=", ",
    bracketed=" ({detail})",
    none="–",
    nothing_yet="Nothing yet.",
    milliseconds="{number} ms",
    seconds="{number} s",
    questions="Questions",
    questions_detail="{answered} answered, {abstained} unanswered",
    alone="Answered without a person",
    alone_detail="{share} of the questions",
    helpful="Called helpful",
    helpful_detail="{helpful} of {all} votes",
    time="Time to answer",
    time_detail="median; 95% within {p95}",
    cost="Cost",
    cost_detail="by the configured prices; {full} if a model read everything each time",
    saving="Tokens saved",
    saving_detail="against reading everything each time",
    each_day="Questions a day",
    each_days="Questions per {days} days",
    short_bar="The first bar is shorter: {days} of these days.",
    answered="answered",
    abstained="unanswered",
    bar="from {day}: {answered} answered, {abstained} unanswered",
    highest="the line at the top: {count}",
    topics="Top topics",
    topics_detail="Words that came up most in the notes on what was said in this period.",
    topic="Topic",
    episodes="Conversations",
    gaps="Knowledge gaps",
    gaps_detail="Questions that nothing on record could answer, then or since. Each may be worth a guide or a notice.",
    gap="Question",
    last="Last asked",
    times="Times",
    further="And {count} more; only the newest {shown} different ones are shown.",
    unread="{count} questions are only counted: they were asked privately, only some people may read them, or their "
    "words are not kept.",
    settled="Answered since, and so not listed: {count}.",
    tokens="Tokens by role",
    tokens_detail="The bar is what was read and written; its dark part was read from a cache.",
    role="Role",
    roles={"assistant": "Assistants (reading)", "master": "Master (answering)"},
    prompt="Read",
    cached="of it cached",
    completion="Written",
    stages="Time by stage",
    stages_detail="The dark bar is the median, the light one holds 95% of the questions.",
    stage="Stage",
    stage_names={
        "buffer": "Read the conversation",
        "route": "Search",
        "read": "Fetch records",
        "consult": "Study them",
        "facts": "Check what still holds",
        "articles": "Look up articles",
        "answer": "Write the answer",
    },
    median="Median",
    p95="95%",
    footnote="Only words that everybody may read are shown. Private questions are counted and not shown.",
)
