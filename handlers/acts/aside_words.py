"""The phrases of which messages consist that ask nothing, folded: pieces of patterns for `asides`."""

from __future__ import annotations

THANKS = (
    "(?:many )?thanks|thank ?(?:you|u)|thx|tysm|ty|cheers|(?:much )?appreciated|(?:i )?appreciate (?:it|that)"
    "|no (?:thanks|thank you)|got it|understood|all good|that s (?:it|great|perfect|helpful|all)|noted|roger(?: that)?"
    "|makes sense|good to know|ok|okay|great|perfect|cool|sounds good|awesome|excellent|brilliant|amazing|nice|lovely"
    "|(?:ありがとう?|有難う|有り難う)(?:ございます|ございました)?+|サンキュ|おk|おけ|りょ|あざっ?す|どうもです|助かりました|助かります|感謝(?:します|いたします|です)"
    "|了解(?:です|しました|いたしました|致しました)?|承知(?:です|しました|いたしました|致しました)|かしこまりました"
    "|(?:わか|分か|判)りました|なるほど(?:です)?|大丈夫です|okです|参考になりました|勉強になりました"
)
GREETINGS = (
    "hello|hi|hey|good (?:morning|afternoon|evening)|こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして"
    "|初めまして"
    "|(?:お疲れ|おつかれ)(?:様|さま)(?:です|でした)?+|(?:いつも|大変)?お世話に(?:なっております|なります|なっています)|もしもし"
)
_DONE = "fixed|solved|resolved|sorted|figured|found|working"
_HAVE = "(?:(?:i|we) )?(?:(?:ve|have) )?(?:(?:just|already) )?"
_THE_MATTER = "(?:it|this|that|everything|(?:the|my) (?:problem|issue))"
_AT_LAST = "(?:もう|無事に?|自分で|なんとか|何とか|おかげさまで|おかげで)*"
#: It is over: nobody need do anything about it any more.
SETTLED = (
    "(?:that|it|this)(?: has| all)? (?:work(?:ed|s)|help(?:ed|s)|did it|did the trick|fixed it|solved it)"
    "|works (?:now|again)|worked|never ?mind|nvm"
    "|(?:please )?(?:ignore|disregard) (?:this|that|it|my (?:last )?(?:message|question))"
    rf"|{_HAVE}(?:{_DONE})(?: (?:it|that|this))?(?: out)?(?: (?:by )?(?:myself|ourselves|on my own)| already| now)?"
    rf"|{_THE_MATTER}(?: (?:s|is|has been|was))?(?: now| all)? (?:{_DONE}|ok|okay|fine|gone)(?: (?:now|again))?"
    "|(?:problem|issue) (?:solved|resolved|fixed|gone)|all (?:fixed|sorted|set)|(?:no longer|not) needed"
    rf"|{_AT_LAST}(?:自己)?(?:解決|復旧)(?:しました|いたしました|できました|済みです|済み|です)"
    rf"|{_AT_LAST}(?:(?:直|治|なお)(?:りました|せました)|(?:うまく|上手く)いきました|できました|見つかりました|つながりました)"
    "|(?:さっきの|先ほどの|今の|この|その)(?:件|質問)は?(?:もう)?(?:結構です|無視してください|取り消します)"
)
#: Somebody is about to do something; with what they do only at the end of a clause.
TRYING = (
    "(?:(?:i|we) )?(?:ll |will )(?:do(?: (?:so|that|it))?|report back|get back to you|let you know|keep you posted)"
    "|(?:i m |i am )?(?:trying|checking|testing|rebooting|restarting)(?: (?:it|that|this|again))?|brb"
    "|(?:後で|あとで|後ほど|のちほど|今度|明日|今日|今から|これから|早速|さっそく|もう一度|再度|ちょっと|まず|とりあえず)*"
    "(?:(?:試|ため)し|確認(?:し|いたし|致し|しており|してき)|やり|再起動し|検討し|チェックし|見てき|調べ|対応し|実施し"
    "|(?:連絡|報告|返信)(?:し|いたし|致し))ます|(?:少々)?お待ちください|待ちます"
    "|done|(?:(?:i|we) )?(?:have )?(?:did|tried|checked|rebooted|restarted)(?: (?:it|that|this))?"
    "|(?:試し|試してみ|やってみ|やり|確認し|再起動し)ました"
)
_OTHERWISE = "but|how|what|why|when|where|who|which|not|can|t|cannot|could|does|doesn|did|didn|is|isn|if|or|should"
TRYING_SOMETHING = (
    "(?:(?:i|we) (?:ll|will|shall)|will|ll|let me|lemme|i m going to|i am going to|gonna)"
    "(?: (?:just|now|first|go|then|also))*"
    " (?:try|check|test|reboot|restart|reset|reinstall|update|look|have a (?:look|go)|take a look|give|ask|clear)"
    rf"(?: (?!(?:{_OTHERWISE})\b)[a-z]+){{0,5}}"
    "(?: (?:and )?(?:see )?if (?:it|that|this) (?:works|helps|worked|helped))?"
    "|.{0,24}てみ(?:ます|よう(?:と思います)?)(?:ね|よ)?"
)
#: Polite, and neither thanks nor news.
NODS = (
    "no worries|no problem|np|(?:you re |your )?welcome|my bad|hm+|(?:give me )?(?:a|one) (?:sec|second|minute|moment)"
    "|hold on|ack|lgtm|すごい(?:です)?+|さすが(?:です)?+|(?:嬉|うれ)しいです|(?:そう)?ですね|どういたしまして|いえいえ"
    "|お騒がせしました|失礼しました|(?:私の)?勘違いでした"
)
BESIDE = (
    "a lot|so much|very much|again|now|later|today|tomorrow|then|too|anyway|sorry|and"
    "|for (?:(?:all )?(?:your|the) )?(?:quick )?(?:help|answer|reply|time|support|info)|that|there|everyone|everybody"
    "|all|team|guys"
    "|have a (?:nice|good|great) (?:day|weekend|one)|yes|yep|yeah|well|oh|ah|wow|yay|lol|haha"
    "|どうも(?!です)|本当に|ほんとうに|とても|大変|無事に?|はい|おかげさまで|おかげで|すみません|皆さん|では|それでは|じゃあ|また"
    "|もう|いつも|ご(?:回答|返信|対応|連絡|教示)"
    "|よろしくお願い(?:します|いたします|致します)|です(?!ね)|ね|よ"
)
#: Of a message that thanks: words that are no name.
NO_NAME = (
    "but|still|not|no|nope|failed|fails|broken|down|error|stuck|help|urgent|same|however|what|how|why|when|where|who|never"
    "|please|can|could|i|we|my|it|is|this|the|a|for"
)
#: Of a message that thanks, folded: who is the bot itself or no one person, and words where a name could stand.
NO_OTHER = (
    "(?:(?:help ?desk|support|it|tech|service|desk)(?: (?:bot|team|desk))?|(?:dear |little )?bot|robot|assistant|ai"
    "|channel|here|both|folks|people|colleagues?|mate|friends?|buddy|pal|man|dude|bro|dear|sir|madam|legend|hero"
    "|many|much|big|super|heaps|loads|tons|kindly|indeed|works|helped|helpful|phew|hooray|bye|goodbye|regards"
    "|good|fine|right|alright|sure|sweet|gotcha|correct|fantastic|wonderful|superb|beautiful)"
    r"|(?:\S+ )?(?:(?:ヘルプ ?デスク|サポート|ボット|ロボット|ai|bot|helpdesk)(?:ボット|チーム)?"
    "|情シス|担当者?|皆々?|苦労|馳走|世話|客)(?:さん|さま|様|くん|君|ちゃん)"
)
