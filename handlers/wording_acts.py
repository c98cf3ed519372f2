"""What is said when people click, call a command or open the bot's own page, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ActWords:
    """The words of one language; names in braces are filled in. `examples` are questions to ask; `commands` are what
    can stand after the command, each with what it does."""

    helpful: str
    unhelpful: str
    thanks: str
    sorry: str

    ask_person: str
    told: str
    told_privately: str
    show_words: str
    words_shown: str
    told_already: str
    nobody_told: str
    contact: str
    contact_named: str
    wanted: str
    wanted_ticket: str
    wanted_link: str
    wanted_words: str
    wanted_hidden: str
    wanted_direct: str
    wanted_reach: str
    wanted_agreed: str

    help: str
    help_ask: str
    help_not_asked: str
    help_person: str
    help_words: str
    help_memory: str
    help_remembered: str
    help_seen: tuple[str, ...]
    commands: tuple[tuple[str, str], ...]

    requests: str
    requests_none: str
    requests_more: str
    request: str
    untitled: str
    open: str
    settled: str

    memory: str
    kept: str
    kept_none: str
    recent: str
    known: str
    known_line: str
    known_deed: str

    forget: str
    forget_question: str
    forget_goes: tuple[str, ...]
    forget_stays: tuple[str, ...]
    forget_yes: str
    forget_no: str
    forgetting: str
    forgotten: str
    forgotten_none: str
    forgotten_held: str
    forget_unfinished: str
    not_forgotten: str

    thread_remembered: str
    thread_empty: str
    thread_cut: str
    thread_closed: str
    not_seen: str

    form_title: str
    form_subject: str
    form_note: str
    form_hint: str
    form_send: str
    form_close: str
    form_late: str

    home_examples: str
    examples: tuple[str, ...]
    prompts: str

    switched_off: str
    gone: str
    not_yours: str
    busy: str
    failed: str
    reference: str


JAPANESE = ActWords(
    helpful="役に立った",
    unhelpful="役に立たなかった",
    thanks="ありがとうございます。ご意見を記録しました。",
    sorry="お役に立てず申し訳ありません。ご意見を記録しました。担当者に相談することもできます。",
    ask_person="担当者に相談する",
    told="担当者に伝えました。返事をお待ちください。",
    told_privately="担当者に伝わるのはお名前だけです。ここまでに書かれた内容は見えません。",
    show_words="質問の内容も見せる",
    words_shown="質問の内容を担当者に見せました。",
    told_already="この件は、すでに担当者に伝えてあります。返事をお待ちください。",
    nobody_told="ここから担当者を呼ぶことはできません。{contact}",
    contact="サポート担当者に直接ご連絡ください。",
    contact_named="連絡先: {contact}",
    wanted="{name} さんが担当者に相談したいそうです。",
    wanted_ticket="{name} さんからの依頼です。",
    wanted_link="やり取りを開く",
    wanted_words="質問: {words}",
    wanted_hidden="質問の内容は、このチャンネルには表示できません。ご本人に聞いてください。",
    wanted_direct="私とのダイレクトメッセージでの質問なので、内容は表示しません。",
    wanted_reach="ご本人の連絡先:",
    wanted_agreed="質問（ご本人の希望で表示しています）: {words}",
    help="ヘルプデスクの使い方",
    help_not_asked="コマンドの後の質問にはお答えしていません。質問は、ふつうのメッセージとして、私あてにお書きください（チャンネルではメンションして）。",
    help_ask="お困りのことをそのままお書きください。過去のチケットを調べ、元になった発言を添えてお答えします。見つからなければそうお伝えします。たとえば:",
    help_person="人に相談したいときは、「担当者につないで」と書くか、回答の下の「{button}」を押してください。",
    help_words="次の言葉だけを書くと、質問としてではなく、次のようにお答えします。",
    help_memory="何を覚え、誰に見せるか",
    help_remembered="私あてに書かれたことと、私が加わったスレッドを覚えます。管理者の設定で、ほかの発言も覚える場所があります。"
    "パスワードなどは、保存する前に取り除きます。",
    help_seen=(
        "私と二人だけのやり取りは、サポート担当者のほかには、ご本人にしか見せません。",
        "誰でも読める場所に書かれたことは、ほかの方への回答に引用することがあります。",
        "参加者の限られた場所に書かれたことは、その中と、そのやり取りに加わった方への回答にだけ引用します。",
    ),
    commands=(
        ("チケット", "自分の依頼の一覧"),
        ("記憶", "あなたについて覚えていること"),
        ("忘れて", "あなたが書いたことを消す"),
        ("help", "この説明"),
    ),
    requests="あなたの依頼",
    requests_none="いま覚えている依頼はありません。",
    requests_more="（ほかにもあります。新しいものから{count}件を表示しています）",
    request="{day} {title}（{status}）",
    untitled="（件名なし）",
    open="対応中",
    settled="解決済み",
    memory="覚えていること",
    kept="あなたが書いたメッセージを{count}件覚えています（{first}から{last}まで）。",
    kept_none="あなたが書いたメッセージは覚えていません。",
    recent="最近の依頼",
    known="{name} さんについて記録されていること",
    known_line="{predicate}: {value}（{since}から）",
    known_deed="{day} {value}",
    forget="私のことを忘れて",
    forget_question="あなたが書いたことを消しますか？ 元に戻すことはできません。",
    forget_goes=(
        "消えるもの: あなたが書いたメッセージ（{count}件）と、それに対する私の回答",
        "消えるもの: そこから作られた要約と事実、私の回答へのご意見",
    ),
    forget_stays=(
        "残るもの: ほかの方が書いたこと（あなたについて書かれたものも含みます）",
        "残るもの: Slack の中のメッセージ。必要なら Slack で削除してください。",
    ),
    forget_yes="消す",
    forget_no="やめる",
    forgetting="消しています。終わったらここでお知らせします。数分たっても出ない場合は、もう一度お伝えください。",
    forgotten="消しました（メッセージ{count}件）。",
    forgotten_none="消すものはありませんでした。",
    forgotten_held="一部は、法的な理由で、誰の目にも触れない形で保管されます。",
    forget_unfinished="時間がかかっているため、途中で止めました。もう一度実行すると、残りを消します。",
    not_forgotten="何も消していません。",
    thread_remembered="このスレッドのメッセージ{count}件を覚えました。検索できるようになりしだい（通常は1分以内）、回答に使います。",
    thread_empty="このスレッドには、覚えられるメッセージがありませんでした。",
    thread_cut="長いスレッドのため、最初の{count}件までを読みました。",
    thread_closed="このチャンネルを読めません。先に私をチャンネルに招待してください（/invite）。",
    not_seen="このチャンネルの参加者ではないため、実行できません。",
    form_title="チケットを作る",
    form_subject="件名",
    form_note="補足（なくても構いません）",
    form_hint="件名と補足は、サポート担当者のチャンネルに表示されます。進行中の依頼があれば、それに加わります。",
    form_send="送る",
    form_close="やめる",
    form_late="画面を開くのが間に合いませんでした。お手数ですが、もう一度お試しください。",
    home_examples="質問の例",
    examples=(
        "先週VPNがつながらなかった件、どうやって直しましたか？",
        "会議室のプリンターの担当は今どなたですか？",
        "ノートPCを新しくしたいときは、どう申し込みますか？",
    ),
    prompts="たとえば、こう聞けます",
    switched_off="ここではヘルプデスクを使えません。{contact}",
    gone="この質問は、もう覚えていないか、あなたには表示できません。もう一度お尋ねください。",
    not_yours="これは別の方のためのボタンです。",
    busy="ただいま混み合っています。1分ほどおいて、もう一度お試しください。",
    failed="申し訳ありません。うまくいきませんでした。もう一度お試しください。",
    reference="続くときは、管理者に番号 {reference} をお伝えください。",
)

ENGLISH = ActWords(
    helpful="Helpful",
    unhelpful="Not helpful",
    thanks="Thank you. I made a note of it.",
    sorry="Sorry that this did not help. I made a note of it. You can ask a person instead.",
    ask_person="Ask a person",
    told="I told the support team. Please wait for their reply.",
    told_privately="They see your name, but not what you wrote here so far.",
    show_words="Show them my question",
    words_shown="I showed your question to the support team.",
    told_already="The support team has been told about this already. Please wait for their reply.",
    nobody_told="I cannot call a person from here. {contact}",
    contact="Please contact a support agent directly.",
    contact_named="Contact: {contact}",
    wanted="{name} would like to talk to a person.",
    wanted_ticket="A request from {name}.",
    wanted_link="Open the conversation",
    wanted_words="Question: {words}",
    wanted_hidden="What was asked may not be shown in this channel. Please ask them.",
    wanted_direct="They asked me in a direct message, so I do not show what was asked.",
    wanted_reach="Write to them:",
    wanted_agreed="Question (shown because they want it): {words}",
    help="How to use the helpdesk",
    help_not_asked="A question after the command is not answered. Write it as a plain message, to me or mentioning me.",
    help_ask="Write what you need in your own words. I look through past tickets and answer with the messages that the "
    "answer stands on. Where I find nothing, I say so. For example:",
    help_person="To talk to a person, write “talk to a human”, or click “{button}” below an answer.",
    help_words="These words alone are not taken as a question, but bring:",
    help_memory="What I remember, and who sees it",
    help_remembered="I remember what is written to me, and the threads that I was called into; in some places more, if "
    "your administrator wants that. Passwords and the like are taken out before anything is kept.",
    help_seen=(
        "What only you and I write to each other is shown to nobody but you and support agents.",
        "What is written where everybody can read it may be quoted to others.",
        "What is written where only some can read it is quoted only there, and to those who took part in it.",
    ),
    commands=(
        ("my tickets", "your requests"),
        ("memory", "what I remember about you"),
        ("forget me", "delete what you wrote"),
        ("help", "this explanation"),
    ),
    requests="Your requests",
    requests_none="I remember no request of yours.",
    requests_more="(There are more. These are the newest {count}.)",
    request="{day} {title} ({status})",
    untitled="(no subject)",
    open="open",
    settled="settled",
    memory="What I remember",
    kept="Messages of yours that I remember: {count} (from {first} to {last}).",
    kept_none="I remember no message that you wrote.",
    recent="Recent requests",
    known="What is on record about {name}",
    known_line="{predicate}: {value} (since {since})",
    known_deed="{day} {value}",
    forget="Forget me",
    forget_question="Delete what you wrote? This cannot be undone.",
    forget_goes=(
        "This goes: the messages that you wrote ({count}), and my replies to them",
        "This goes: summaries and facts made from them, and what you said of my answers",
    ),
    forget_stays=(
        "This stays: what other people wrote, about you as well",
        "This stays: the messages in Slack itself. Delete them there if you wish.",
    ),
    forget_yes="Delete",
    forget_no="Cancel",
    forgetting="Deleting. I say here when it is done; if that does not come within minutes, please ask again.",
    forgotten="Deleted. Number of messages: {count}.",
    forgotten_none="There was nothing to delete.",
    forgotten_held="For legal reasons a part is kept, where nobody who uses me can see it.",
    forget_unfinished="This took too long, so I stopped half-way. Do it again to delete the rest.",
    not_forgotten="Nothing was deleted.",
    thread_remembered="I keep this thread (messages: {count}) and use it once it can be searched, usually in a minute.",
    thread_empty="There was no message in this thread that I can remember.",
    thread_cut="The thread is long; I read the first {count} messages.",
    thread_closed="I cannot read this channel. Please invite me first (/invite).",
    not_seen="You are not in this channel, so I cannot do that.",
    form_title="Make a ticket",
    form_subject="Subject",
    form_note="Note (may be left empty)",
    form_hint="Subject and note are shown in the support team's channel. They are added to a ticket that is under way.",
    form_send="Send",
    form_close="Cancel",
    form_late="The form did not open in time. Please try again.",
    home_examples="What you can ask",
    examples=(
        "My VPN did not connect last week. How was it fixed?",
        "Who looks after the meeting room printer now?",
        "How do I ask for a new laptop?",
    ),
    prompts="You can ask, for example",
    switched_off="The helpdesk is switched off here. {contact}",
    gone="I no longer remember that question, or you may not see it. Please ask again.",
    not_yours="This button is for somebody else.",
    busy="A lot is going on just now. Please try again in a minute.",
    failed="Sorry, that did not work. Please try again.",
    reference="If this goes on, please give your administrator the number {reference}.",
)
