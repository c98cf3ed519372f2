"""What somebody wants of the bot itself, in words: those of a command, or of a message that is nothing else."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from memory.recall.open_requests import asks_for_open


class Wish(StrEnum):
    """What somebody wants."""

    HELP = "help"
    TICKETS = "tickets"
    MEMORY = "memory"
    FORGET = "forget"


_WORDS = {
    "help": Wish.HELP,
    "ヘルプ": Wish.HELP,
    "使い方": Wish.HELP,
    "my tickets": Wish.TICKETS,
    "tickets": Wish.TICKETS,
    "ticket": Wish.TICKETS,
    "チケット": Wish.TICKETS,
    "自分のチケット": Wish.TICKETS,
    "マイチケット": Wish.TICKETS,
    "memory": Wish.MEMORY,
    "what do you remember about me": Wish.MEMORY,
    "what do you remember": Wish.MEMORY,
    "記憶": Wish.MEMORY,
    "私について覚えていること": Wish.MEMORY,
    "forget me": Wish.FORGET,
    "forget": Wish.FORGET,
    "忘れて": Wish.FORGET,
    "忘れてください": Wish.FORGET,
    "私を忘れて": Wish.FORGET,
}
_END = re.compile(r"[\s?!.。]+$")
_ME = "(?:私|わたし|僕|自分)"
_KINDLY = "(?:ください|下さい|ほしいです|ほしい|(?:もらえ|くれ|いただけ|頂け)ま(?:すか|せんか))?"
_ASKING = "(?:(?:please|can you|could you|will you) )*"
#: The same in whole sentences, Japanese without the spaces between words.
_SENTENCES = {
    Wish.FORGET: (
        rf"{_ME}(?:のこと|の事)?[をは]?(?:全部|すべて|全て)?忘れて{_KINDLY}|忘れて{_KINDLY}"
        rf"|{_ME}の(?:こと|情報|データ|記録|発言|メッセージ)[をは]?(?:全部|すべて|全て)?(?:消して|削除して|消去して){_KINDLY}",
        rf"{_ASKING}(?:forget ?me|forget (?:about|everything about) me|delete (?:all )?my (?:data|messages))"
        "(?: please)?",
    ),
    Wish.TICKETS: (
        rf"(?:{_ME}の)?チケットの?(?:一覧|リスト)?[をは]?(?:(?:見せて|表示して|教えて){_KINDLY}|見たいです|見たい)?"
        rf"|{_ME}の(?:依頼|お?問い合わせ)の?(?:一覧|リスト)?[をは]?"
        rf"(?:(?:見せて|表示して|教えて){_KINDLY}|見たいです|見たい)?",
        rf"{_ASKING}(?:show |list |see |view )?(?:me )?(?:all )?my (?:open )?(?:tickets?|requests)"
        "(?: please)?|list tickets",
    ),
    Wish.MEMORY: (
        rf"{_ME}(?:について|に関して|のこと)[をは]?(?:何を|なにを|何か|どんなことを)?(?:覚えて|記憶して|知って)(?:い?ますか|い?る[のか]?)"
        rf"|{_ME}について覚えていること(?:[はを](?:何ですか|教えて{_KINDLY}|見せて{_KINDLY})?)?"
        rf"|{_ME}の記憶(?:を(?:見せて|表示して|教えて){_KINDLY})?|記憶を(?:見せて|表示して|教えて){_KINDLY}",
        rf"{_ASKING}(?:tell me |show me )?what (?:do you|you) (?:remember|know|have|store) (?:about|of|on) me",
    ),
    Wish.HELP: (rf"使い方[をは]?(?:教えて{_KINDLY})?|何ができますか", "what can you do|how does this work"),
}
_MEANT = {wish: (re.compile(japanese), re.compile(english)) for wish, (japanese, english) in _SENTENCES.items()}
#: Longer words wish for something else.
_LONGEST = 80


def wish_in(words: str) -> Wish | None:
    """The wish in these words, however wide, large or spaced they are; None where they are anything else."""
    if len(words) > _LONGEST:
        return None
    folded = _END.sub("", " ".join(unicodedata.normalize("NFKC", words).casefold().split()))
    said = _WORDS.get(folded) or next((wish for wish in _MEANT if _means(wish, folded)), None)
    return said or (Wish.TICKETS if asks_for_open(words) else None)


def _means(wish: Wish, folded: str) -> bool:
    japanese, english = _MEANT[wish]
    return bool(english.fullmatch(folded) or japanese.fullmatch(folded.replace(" ", "")))
