"""Everything the bot says, in Japanese and English: one table of sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from handlers.wording_channels import CHANNELS_EN, CHANNELS_JA
from memory.answers import Degraded
from memory.text.language import LanguageCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """The sentences of one language; names in braces are filled in. `nested` is what quotation marks become inside a
    quote, `weekdays` begin on Monday."""

    language: LanguageCode
    quotation: tuple[str, str]
    nested: Mapping[int, int]
    weekdays: tuple[str, ...]
    months: tuple[str, ...]
    moment: str

    nameless: str
    sources: str
    quotes: str
    quotes_of_articles: str
    quotes_of_articles_alone: str
    quotes_of_articles_and_talk: str
    quotes_of_here: str
    quotes_of_talk: str
    ended: str
    contradicted: str
    #: The same of what was said outside of tickets.
    contradicted_in: str
    said_on: str
    edition: str
    bracketed: str
    quotes_without_model: str
    more: str
    own_words: str
    here: str
    abstained: str
    #: The same where articles were searched, too.
    abstained_of_articles: str
    #: In its place while not everything can be searched; below both stands what to do when it is urgent.
    unsearched: str
    urgent: str
    urgent_named: str
    degraded: Mapping[Degraded, str]

    empty: str
    too_long: str
    unreadable: str
    wordless: str
    nobody: str
    corrected: str
    wrong: str
    welcome_back: str
    trying: str
    settled: str
    nodded: str
    greeting: str
    introduced: str
    person: str
    ticket: str
    ticket_of_what: str
    otherwise: str
    not_kept: str
    store_gone: str
    search_gone: str
    model_gone: str
    busy: str
    failed: str
    reference: str

    welcome: str
    goodbye: str
    thinking: str
    help: str
    who: str
    unknown_command: str

    explanation: str
    no_episode: str
    pathways: Mapping[str, str]
    channels: Mapping[str, str]
    read: str
    fact: str
    fact_until: str
    tokens: str
    milliseconds: str
    #: For whoever runs commands: an abstention while messages wait.
    pending: str
    #: The same while that is being changed.
    indexing: str


JAPANESE = Phrases(
    language="ja",
    quotation=("「", "」"),
    nested=str.maketrans("「」", "『』"),
    weekdays=("月", "火", "水", "木", "金", "土", "日"),
    months=tuple(str(month) for month in range(1, 13)),
    moment="{year}年{month}月{day}日({weekday}) {time}",
    nameless="（名前不明）",
    sources="出典:",
    ended="{day}まで",
    contradicted="新しいチケットでは別の内容です: {tickets}",
    contradicted_in="その後、別の内容の発言があります: {messages}",
    said_on="{day}の{speaker}の発言",
    edition="{day}の版。その後、記事は変わっています",
    bracketed="（{notes}）",
    quotes="過去のチケットから、関係のありそうな発言をそのまま引用します。",
    quotes_of_articles="ナレッジの記事や過去のチケットから、関係のありそうな箇所をそのまま引用します。",
    quotes_of_articles_alone="ナレッジの記事から、関係のありそうな箇所をそのまま引用します。",
    quotes_of_articles_and_talk="ナレッジの記事や過去のやりとりから、関係のありそうな箇所をそのまま引用します。",
    quotes_of_here="このやりとりの中から、関係のありそうな発言をそのまま引用します。",
    quotes_of_talk="過去のやりとりから、関係のありそうな発言をそのまま引用します。",
    quotes_without_model="いま言語モデルから使える答えが得られないため、文章でのお答えができません。",
    more="（ほかに{count}件あります）",
    own_words="（以前の私の回答）",
    here="（このやりとりでの発言）",
    abstained="確認中: 過去のチケットの中に、お答えの根拠になる記録は見つかりませんでした。推測ではお答えしません。\n"
    "症状、エラーコード、いつからかなどを書き足していただければ、もう一度探します。",
    abstained_of_articles="確認中: 過去のチケットにもナレッジの記事にも、お答えの根拠になるものは見つかりませんでした。"
    "推測ではお答えしません。\n"
    "症状、エラーコード、いつからかなどを書き足していただければ、もう一度探します。",
    unsearched="確認中: いまは過去のチケットをすべては探せないため、"
    "お答えの根拠になる記録があるかどうか、まだ分かりません。推測ではお答えしません。\n"
    "しばらくしてから、もう一度お尋ねください。",
    urgent="お急ぎのときは、サポート担当者に直接ご連絡ください。",
    urgent_named="お急ぎのときの連絡先: {contact}",
    degraded={
        Degraded.MODEL: "言語モデルから使える答えが得られなかったため、過去の発言をそのまま使いました。",
        Degraded.MEANING: "意味での検索がいま使えないため、言葉の一致だけで探しました。"
        "言い回しの違うチケットは見落としているかもしれません。",
        Degraded.INDEX: "検索の索引がいま使えないため、過去のチケットを見落としているかもしれません。",
        Degraded.REBUILDING: "検索の索引を作り直している途中です（{percent}%まで完了）。"
        "まだ見つけられないチケットがあります。",
        Degraded.ASSISTANTS: "一部のチケットは読み終わらなかったため、抜けがあるかもしれません。",
        Degraded.BUDGET: "言語モデルの今日の利用枠を使い切ったため、文章でのお答えができません。"
        "{renewed} からまたお答えできます。",
        Degraded.OWN_BUDGET: "お一人あたりの言語モデルの今日の利用枠を使い切ったため、文章でのお答えができません。"
        "{renewed} からまたお答えできます。",
    },
    empty="メッセージが空でした。お困りのことを一文か二文で書いてください。",
    too_long="メッセージが長すぎて受け取れませんでした（{length:,}文字、上限は{limit:,}文字）。保存もしていません。"
    "要点と、関係のある数行だけを送ってください。",
    unreadable="読める文字が入っていませんでした。お手数ですが、文字で書き直してください。",
    wordless="メッセージを受け取りました。どうされましたか？ お困りのことを一文か二文で教えてください。",
    nobody="どなたの質問か分かりません。利用者のIDを指定してください。",
    corrected="ありがとうございます。{sentence}と覚えました。違うときは「違います。」に続けて、もう一度書いてください。",
    wrong="前の答えが違うことを記録しましたが、正しい内容はまだわかりません。「〇〇の担当は、今は△△です。」のように一文で書いてください。",
    welcome_back="どういたしまして。ほかにもお困りのことがあれば、いつでも書いてください。",
    trying="わかりました。うまくいかないときは、どうなったかをここに書いてください。",
    settled="承知しました。解決してよかったです。ほかにもお困りのことがあれば、いつでも書いてください。",
    nodded="はい。ほかにもお困りのことがあれば、いつでも書いてください。",
    greeting="こんにちは。お困りのことを、一文か二文で書いてください。",
    introduced="ヘルプデスクのボットです。過去のチケットなどの記録からお答えし、必要なら担当者に取り次ぎます。",
    person="担当者に相談するには、下の「{button}」を押してください。",
    ticket="下の「{button}」を押すと、チケットを作成して担当者に伝えます。",
    ticket_of_what="何についてのチケットですか？ 一文か二文で書いてください。その返事の下のボタンで作成できます。",
    otherwise="ボタンを使えないときは: {contact}",
    not_kept="申し訳ありません。メッセージを保存できませんでした。このメッセージは残っていません。"
    "数分おいて、もう一度送ってください。",
    store_gone="メッセージは保存しましたが、いま過去のチケットを読めません。数分おいて、もう一度お尋ねください。",
    search_gone="メッセージは保存しましたが、いま検索が使えません。数分おいて、もう一度お尋ねください。",
    model_gone="メッセージは保存しましたが、いま言語モデルにつながりません。数分おいて、もう一度お尋ねください。",
    busy="ただいま混み合っています。メッセージは保存しました。1分ほどおいて、もう一度お尋ねください。",
    failed="申し訳ありません。メッセージは保存しましたが、お答えする途中で問題が起きました。もう一度お尋ねください。",
    reference="続くときは、管理者に番号 {reference} をお伝えください。",
    welcome="ヘルプデスクです。お困りのことを書いてください。使い方は /help、終わるときは /quit です。",
    goodbye="ご利用ありがとうございました。",
    thinking="過去のチケットを調べています…",
    help="1行が1つのメッセージになります。お困りのことを、ふだんの言葉で書いてください。\n"
    "  /help  この説明\n  /who   いまの利用者\n"
    "  /forget  秘密の情報が書かれていたメッセージを私の記憶から消す\n  /quit  終わる（Ctrl-D、Ctrl-C でも終わります）",
    who="{user} さんとして話しています。",
    unknown_command="{command} というコマンドはありません。/help で使い方が出ます。",
    explanation="調べ方（方式: {mode}、根拠 {evidence}件、引用 {cited}件）",
    no_episode="読むべきチケットはありませんでした。",
    pathways={"global": "要約", "semantic": "意味", "symbolic": "言葉", "associative": "連想"},
    channels=CHANNELS_JA,
    fact="事実: {text}（{since}から{until}）",
    fact_until="{day}まで",
    read="{ticket}  点数 {score}（{channels}）  経路: {pathways}",
    tokens="トークン: アシスタント {assistant:,}、マスター {master:,}（うちキャッシュ {cached:,}）",
    milliseconds="時間 (ms): {stages}",
    pending="まだ検索できないメッセージが{count}件あります。`helpdesk jobs run flush` で検索できるようになります。",
    indexing="検索できるようにしている途中のメッセージが{count}件あります。少し待って、もう一度お尋ねください。",
)

ENGLISH = Phrases(
    language="en",
    quotation=("“", "”"),
    nested=str.maketrans("“”", "‘’"),
    weekdays=("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    months=("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    moment="{weekday} {day} {month} {year}, {time}",
    nameless="(name unknown)",
    sources="Sources:",
    ended="until {day}",
    contradicted="newer tickets say otherwise: {tickets}",
    contradicted_in="newer messages say otherwise: {messages}",
    said_on="{speaker} on {day}",
    edition="the edition of {day}; the article has changed since",
    bracketed=" ({notes})",
    quotes="These are quotes from past tickets that seem to fit:",
    quotes_of_articles="These are quotes from articles and past tickets that seem to fit:",
    quotes_of_articles_alone="These are quotes from articles that seem to fit:",
    quotes_of_articles_and_talk="These are quotes from articles and past conversations that seem to fit:",
    quotes_of_here="These are quotes from earlier in this conversation that seem to fit:",
    quotes_of_talk="These are quotes from past conversations that seem to fit:",
    quotes_without_model="The language model gives no usable answer just now, so I cannot put one into words.",
    more="(and {count} more)",
    own_words=" (my own earlier answer)",
    here=" (earlier in this conversation)",
    abstained="Still open: I could not find that in past tickets. Nothing I remember supports an answer, and I will "
    "not guess.\nIf you add details (what you see, an error code, since when), I will search again.",
    abstained_of_articles="Still open: I could not find that in past tickets or in articles. Nothing there supports an "
    "answer, and I will not guess.\n"
    "If you add details (what you see, an error code, since when), I will search again.",
    unsearched="Still open: not all past tickets can be searched just now, so I do not know yet whether one of them "
    "answers this. I will not guess.\nPlease ask again in a while.",
    urgent="If it is urgent, please contact a support agent directly.",
    urgent_named="If it is urgent: {contact}",
    degraded={
        Degraded.MODEL: "The language model gave no answer that can be used, so these are past messages as they are.",
        Degraded.MEANING: "Search by meaning is not available just now; I searched by words only and may have missed "
        "tickets that put it differently.",
        Degraded.INDEX: "The search index is not available just now; I may have missed past tickets.",
        Degraded.REBUILDING: "The search index is being rebuilt ({percent}% done); "
        "some past tickets cannot be found yet.",
        Degraded.ASSISTANTS: "Some tickets could not be read; something may be missing.",
        Degraded.BUDGET: "Today's budget for the language model is spent, so I cannot put an answer into words. "
        "I can again from {renewed} on.",
        Degraded.OWN_BUDGET: "Your share of today's budget for the language model is spent, so I cannot put an answer "
        "into words. I can again from {renewed} on.",
    },
    empty="That message was empty. Please write what you need in a sentence or two.",
    too_long="That message is too long to take in ({length:,} characters, the limit is {limit:,}), and was not kept. "
    "Please send the main point and only the lines that matter.",
    unreadable="That message had no readable characters. Please write it again as text.",
    wordless="I got your message. What can I do for you? Please tell me in a sentence or two what you need.",
    nobody="I do not know who is asking. Please give the id of the user.",
    corrected="Thank you. I will remember: {sentence} If that is not right, write “that is wrong” and say it again.",
    wrong="I noted that the answer was wrong, but I do not know yet what is right. Please write it in one sentence, as "
    "in “The owner of X is now Y.”",
    welcome_back="You are welcome. Write to me whenever there is something else.",
    trying="All right. If it does not work, tell me here what happens.",
    settled="Glad that it is settled. Write to me whenever there is something else.",
    nodded="All right. Write to me whenever there is something else.",
    greeting="Hello. Please tell me in a sentence or two what you need.",
    introduced="I am the helpdesk's bot. I answer from what is remembered of past tickets, and bring you to a person.",
    person="To talk to a person, click “{button}” below.",
    ticket="Click “{button}” below: that makes a ticket and tells the support team.",
    ticket_of_what="What is the ticket about? Please write it in a sentence or two; a button below my reply makes the "
    "ticket.",
    otherwise="If you cannot use the button: {contact}",
    not_kept="Sorry, I could not save your message: it was NOT kept. Please send it again in a few minutes.",
    store_gone="Your message was kept, but I cannot read past tickets just now. Please ask again in a few minutes.",
    search_gone="Your message was kept, but search is not available just now. Please ask again in a few minutes.",
    model_gone="Your message was kept, but the language model cannot be reached. Please ask again in a few minutes.",
    busy="A lot is going on just now. Your message was kept; please ask again in a minute.",
    failed="Sorry, your message was kept, but something went wrong while I was answering. Please ask again.",
    reference="If this goes on, please give your administrator the number {reference}.",
    welcome="This is the helpdesk. Tell me what you need. /help explains, /quit ends.",
    goodbye="Thank you, and goodbye.",
    thinking="Looking through past tickets…",
    help="Each line is one message. Write what you need in your own words.\n"
    "  /help  this explanation\n  /who   who you are here\n"
    "  /forget  have me forget the message that had secret information in it\n  /quit  end (Ctrl-D and Ctrl-C do too)",
    who="You are talking as {user}.",
    unknown_command="There is no command {command}. /help explains.",
    explanation="How this was found (mode: {mode}, {evidence} pieces of evidence, {cited} cited)",
    no_episode="No ticket was worth reading.",
    pathways={"global": "summary", "semantic": "meaning", "symbolic": "words", "associative": "association"},
    channels=CHANNELS_EN,
    fact="fact: {text} (since {since}{until})",
    fact_until=" until {day}",
    read="{ticket}  score {score} ({channels})  let in by: {pathways}",
    tokens="Tokens: assistants {assistant:,}, master {master:,} (of these cached {cached:,})",
    milliseconds="Time (ms): {stages}",
    pending="Messages that cannot be searched yet: {count}. `helpdesk jobs run flush` makes them searchable.",
    indexing="Messages that are being made searchable right now: {count}. Please ask again in a moment.",
)
