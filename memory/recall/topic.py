"""What a question about an earlier request is about, beside the words that only say that there was one, and when."""

from __future__ import annotations

import re
from datetime import datetime

from memory.text.dates import mentions

#: Who asks speaks of having asked, or of its being back.
_FRAMES = re.compile(
    r"(?:について|の件で|の件|のことで|を|に|で|は)?(?:お?問い?合わ?せ|ご?(?:相談|質問|連絡))(?:を)?"
    r"(?:(?:させて(?:いただ|頂)い?|いたし|し)?(?:た|ました|て(?:い|お)(?:る|た|ります|ました))|の(?=件))(?:ん|の)?(?:者|件|内容)?"
    r"|私(?:が|から)(?:聞い|尋ね|頼ん)[ただ](?:件|こと)?|(?:前回|以前|この前|先日|例の)(?:の|に|は|と)?"
    r"|(?:と)?(?:同じ|同様の|似た)(?:ような)?(?:症状|現象|問題|状態|状況|トラブル|エラー|件|こと|もの)?"
    r"|また(?!は)|再び|再度|再発|もう一度|(?:起き|出|発生し)(?:て(?:い|しまい)?|始め)?(?:る|た|ます|ました)(?=$|[\s。、！!])"
    r"|その後|どう(?:なりました|なった|なって(?:い?る|い?ます))"
    r"|\b(?:what |when )?(?:did|have|had) (?:i|we) (?:ask|report|write|written|contact|raise|open|call)(?:e?d)?\b"
    r"|\b(?:i|we)(?:'ve|’ve| have| had)?(?: already)? (?:asked|reported|wrote|written|contacted|raised|opened|called)\b"
    r"(?: (?:to )?(?:you|support|the (?:desk|helpdesk)|it support|a (?:ticket|request)))?(?: (?:about|for|on|with))?"
    r"|\b(?:and |but )?(?:now )?(?:it|this|that)(?:'s|’s| is| has| was)?(?: now)? "
    r"(?:happen(?:s|ed|ing)|(?:come |came )?back|start(?:s|ed|ing)|(?:doing|done|did) it)(?: again)?"
    r"|\b(?:the )?same (?:(?:old |exact |very )?(?:problem|thing|issue|error|symptom|trouble|question|one)s?\b"
    r"(?: (?:is|has|as|came|comes|come|happened|again|back))*|(?=\w+ (?:problem|issue|error|trouble)s?\b))"
    r"|\b(?:last time|once more|again|(?:about )?my earlier (?:ticket|request|question)|any (?:news|updates?))\b",
    re.IGNORECASE,
)
#: What is left beside them says nothing by itself.
_FILLERS = re.compile(
    r"でした|です|ました|ます|した|から|けれども?|けど|これ|それ|この|その|件|こと|もの|[のがをにはでともやよねかなだ]"
    r"|\b(?:a|an|the|and|but|now|is|it|i|we|my|me|you|of|to|as|with|about|from|had|have|has|was|in|on|back|this|that"
    r"|before|what|when|happened|please|hi|hello)\b",
    re.IGNORECASE,
)


def topic_of(text: str, now: datetime) -> str:
    """The text without these words and without the times that it names; empty where nothing is left that could be
    looked for: 「先週問い合わせた件ですが、また同じ症状です」 says whose and when, and not what."""
    said = " ".join(_FRAMES.sub(" ", without_times(text, now)).split())
    return said if any(map(str.isalnum, _FILLERS.sub(" ", said))) else ""


def without_times(text: str, now: datetime) -> str:
    """The text with a space in the place of each time that it names."""
    parts, begins = list[str](), 0
    for start, end in sorted(mention.span for mention in mentions(text, now)):
        parts.append(text[begins:start])
        begins = max(begins, end)
    return " ".join([*parts, text[begins:]])
