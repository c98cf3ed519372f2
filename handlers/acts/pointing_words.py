"""Words of messages that mean something by pointing at it, for `pointing`."""

from __future__ import annotations

#: What points at something.
POINTERS = frozenset("it its that this these those them they there here one he she him her".split())
#: Words that say nothing of their own: such as are asked about anything.
PLAIN = frozenset(
    (
        "and but so then ok okay also or well hi hello thanks please sorry exactly actually again still just really "
        "now how what where when who whom whose which why do does did done doing can could would should will shall "
        "must may might i we you me us my our your to the a an is are was were be been am s re ve ll t m d not no "
        "yes of in on at with for about from by if into up out off as have has had get got find found see look open "
        "click press go take took long much many often use used using work works working fix fixed solve mean means "
        "called know tell show explain make need want try change set turn start stop run put give send ask possible "
        "allowed right wrong first next before after else other way same sure any anything something somebody "
        "someone anybody anyone everybody everyone all too only even ever once let like say said happen happens "
        "happened myself yourself"
    ).split()
)
#: What is only meant by who points at it: "this error", "that page".
THINGS = frozenset(
    (
        "error message problem issue thing code step steps option page menu form link app site place button setting "
        "screen command file document part person team number answer"
    ).split()
)
#: The same in Japanese, where pieces of words are not parted; a thing there is always pointed at.
POINTERS_JA = (
    "それら これら それ これ あれ そこ ここ あそこ そちら こちら その この あの そう さっきの 先ほどの 今の 上の "
    "上記の 上記 同じ そのあと その後"
).split()
PLAIN_JA = (
    "じゃあ では で ちなみに あと なお すみません えっと また もし は が を に の へ と も って とは から まで や "
    "か ね よ な ん どこ どう どうやって どのように どうすれば どうしたら なぜ なんで どうして いつ 誰 だれ どなた "
    "何 なに なん どれ どの どちら いくら どのくらい どれくらい いくつ いつまで です でしょう ます ました ません "
    "ますか ですか のですか んですか でした ください 下さい あり ある いい よい 良い やり やる し する すれば たら "
    "れば すべき できる でき なる なり 見 見れ 見つけ 見つかり 直し 直せ 使い 使え 使う 開き 開け 開く 押し 押せ "
    "選び 選べ 設定 変更 確認 申請 連絡 依頼 入力 入れ 送り 送れ 聞け 聞き わかり 分かり わかる 分かる 知り 知って "
    "教えて 見せて 意味 方法 手順 場所 やり方 使い方 直し方 開き方 調べ方 対処法 対処 解決 原因 理由 エラー "
    "メッセージ 画面 件 こと もの 場合 ボタン メニュー ページ リンク フォーム 人 担当 担当者 期限 費用 料金 必要 "
    "具体的 詳しく もう少し もっと 次 ほか 他 て た る れ け せ い え ば ない なく たい ら り ど もらえ いただけ "
    "頂け くれ お願い ましょう んで ので けど 書いて 載って 置いて あって いる います いて なって 直り"
).split()
