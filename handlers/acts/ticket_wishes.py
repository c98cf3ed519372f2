"""Messages that want a ticket to be made, alone or with what it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from handlers.acts.asides import aside_in
from handlers.acts.folded import folded
from memory.text.openings import says_nothing_of_it

#: Longer messages tell a story in which a ticket may come up.
_LONGEST = 500
#: And so does a longer part of a message in Japanese.
_CLOSE = 60
_CLAUSE = re.compile(r"[。.!！?？;；\n]+\s*|[、,，]\s*|\s[-–]+\s+|\s*[—―]+\s*")
#: What a wish stands before as a heading.
_HEADING = re.compile(r"(?P<head>[^:：]{1,100})[:：]\s*(?=\S)")

_TICKET = "(?:(?:a|an|the|another|one|new|support|help ?desk|service|it) )*(?:ticket|support (?:request|case))"
_ASKING = (
    "(?:(?:please|hi|hello|hey|sorry|ok|then|so|can|could|would|will|you|i|we|d|like|to|want|need|just|lets?|s|me|us|maybe"
    "|rather|better|and|also|kindly) )*"
)
_MAKE = "(?:open|create|make|raise|file|log|submit|start|put in|get|write)(?: (?:up|me|us))?"
_ENDING = "(?: (?:for (?:me|us|this|that|it)|about (?:this|that|it)|on this|please|now|then|instead|thanks|thank you))*"
_ALONE = re.compile(
    rf"{_ASKING}{_MAKE} {_TICKET}{_ENDING}|{_ASKING}(?:need|want|like) {_TICKET}{_ENDING}"
    "|(?:(?:new|a) )?ticket please|please (?:a )?(?:new )?ticket|make (?:this|it) a ticket"
    "|(?:new )?ticket (?:request|wanted)"
)
_ABOUT = re.compile(
    rf"{_ASKING}{_MAKE} {_TICKET}(?: for me)? (?:for|about|on|regarding|because|as|since|that|to|with) .+"
)

_KINDLY = (
    "(?:ください|下さい|ほしいの?|欲しいの?|もら(?:えますか|えませんか|いたいの?)|いただ(?:けますか|けませんか|きたいの?)"
    "|頂(?:けますか|けませんか|きたいの?)|くれ(?:ますか|ませんか)?|お?願い(?:します|いたします|致します|できますか|したい)|です|ですが|んですが|よ|ね)*"
)
_MAKE_JA = (
    "(?:作|つく)(?:って|りたい(?:の|ん)?)|(?:作成|起票|発行|登録)(?:し(?:て|たい(?:の|ん)?)|を|願います|希望)?|切(?:って|りたい)|(?:開|ひら)いて"
    "|(?:起こ|おこ)して|(?:立|た)てて|(?:上|あ)げて|お願い(?:します|できますか)|(?:化|に)して"
)
_TICKET_JA = "(?:サポート|ヘルプデスクの?|問い合わせ)?(?:チケット|ticket|問い合わせ票)"
_ALONE_JA = re.compile(
    "(?>この件|これ|それ|この内容|この問題|では|じゃあ|すみませんが?|やっぱり|やはり|新しい|新規の?|で|の|は|を|について|に関して)*+"
    rf"(?:{_TICKET_JA}[をの]?(?:新規に?)?(?:{_MAKE_JA})|{_TICKET_JA}(?:の?(?:作成|起票|発行))?の?(?:ご?依頼|希望)(?:します)?"
    rf"|起票(?:して|をお願いします|したい(?:の|ん)?)){_KINDLY}"
)
_ABOUT_JA = re.compile(
    rf"(?!.*(?:どこ|どう|誰|だれ|何|いつ|なぜ|どの|どれ)).+?(?:の件)?(?:で|の|について(?:の)?|に関する|用の)"
    rf"{_TICKET_JA}を?(?:新規に?)?(?:{_MAKE_JA}){_KINDLY}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketWish:
    """Somebody wants a ticket; `told`: they say what it is about."""

    told: bool


def ticket_wish_in(words: str) -> TicketWish | None:
    """The wish in these words; None where they say anything else, or ask about tickets."""
    parts = [one for one in _CLAUSE.split(_unheaded(words)) if one] if len(words) <= _LONGEST else []
    clauses = [folded(one) for one in parts if _wishes(folded(one)) or not _is_polite(one)]
    if not clauses:
        return None
    if _wishes(clauses[0]) or _wishes(clauses[-1]):
        return TicketWish(told=not all(map(_wishes, clauses)))
    return TicketWish(told=True) if len(clauses) == 1 and _wishes_about(clauses[0]) else None


def _unheaded(words: str) -> str:
    """With the wish that is a heading ("open a ticket: …") in a line of its own; any other colon is left alone, as in
    what a page says."""
    found = _HEADING.match(words)
    last = [one for one in _CLAUSE.split(found["head"]) if one.strip()][-1:] if found else []
    return f"{found['head']}\n{words[found.end() :]}" if found and any(_wishes(folded(one)) for one in last) else words


def _wishes(clause: str) -> bool:
    close = clause.replace(" ", "")
    return bool(_ALONE.fullmatch(clause) or (len(close) <= _CLOSE and _ALONE_JA.fullmatch(close)))


def _wishes_about(clause: str) -> bool:
    close = clause.replace(" ", "")
    return bool(_ABOUT.fullmatch(clause) or (len(close) <= _CLOSE and _ABOUT_JA.fullmatch(close)))


def _is_polite(clause: str) -> bool:
    return not folded(clause) or says_nothing_of_it(clause) or aside_in(clause) is not None
