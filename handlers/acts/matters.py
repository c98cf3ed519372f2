"""What is a matter: words that ask or tell something on which a person could work."""

from __future__ import annotations

import re

from handlers.acts.asides import aside_in
from handlers.acts.folded import folded, pictured
from handlers.acts.ticket_wishes import ticket_wish_in
from handlers.acts.unhelped import is_unhelped
from handlers.acts.wishes import wish_in
from handlers.characters import wordless
from memory.text.openings import only_opens

#: Longer messages ask more than who answers.
_LONGEST = 60
_WHO = re.compile(
    "(?:(?:hi|hello|hey|and|so|but|sorry|excuse me|wait) )*"
    "(?:(?:who|what)(?: the \\w+)? (?:are|r) (?:you|u)|what (?:is|s) (?:this bot|your name)"
    "|are (?:you|u) (?:an? )?(?:real |actual |live )?"
    "(?:bot|human(?: being)?|person|robot|ai|machine|computer|real|chatbot)"
    "|(?:tell me|can you tell me) who you are|introduce yourself)(?: please| really| exactly| anyway| then)*"
)
_WHO_JA = re.compile(
    "(?:こんにちは|すみません|ところで|で|えっと)*(?:あなた|貴方|きみ|君|あんた|お前|おまえ|そちら|こちら|このボット)(?:は|って|の名前は)?"
    "(?:いったい|一体)?(?:誰|だれ|どなた|何者|何|なに|なん|人間|人|ボット|ロボット|機械|ai)(?:なの|なん)?(?:です|でしょう)?か?"
    "|自己紹介(?:を?して)?(?:ください|下さい)?"
)


def is_matter(words: str) -> bool:
    """Whether they do more than thank, greet, say that something did not help, ask who answers, wish for a person, a
    ticket or what the bot does for everybody."""
    if wordless(pictured(words)) or only_opens(words) or asks_who(words):
        return False
    if aside_in(words) or is_unhelped(words) or wish_in(words):
        return False
    wish = ticket_wish_in(words)
    return wish is None or wish.told


def asks_who(words: str) -> bool:
    """Whether they ask who or what it is that answers, and nothing else."""
    said = folded(words) if len(words) <= _LONGEST else ""
    return bool(_WHO.fullmatch(said) or _WHO_JA.fullmatch(said.replace(" ", "")))
