"""What a question asks for, read off its words by rule."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.model import Question
from memory.recall.own_request import own_request
from memory.text.dates import TimeRange, time_range
from memory.text.entities import exact_entities, normalise
from memory.text.how_to import is_about_doing
from memory.text.statements import stated_share

#: It asks when, in what order, or how long: answered from several dated turns.
_ABOUT_TIME = re.compile(
    r"いつ|何(?:日|月|時|年|曜日|回)|期間|どのくらい|どれくらい|最初|最後|順|その後|前後|当時|時点"
    r"|\bwhen\b|\bhow (?:long|often|many (?:days|weeks|months|times))\b"
    r"|\b(?:first|last|before|after|since|until|during)\b"
)
#: It joins several things.
_JOINS = re.compile(
    r"(?:それぞれ|両方|どちら|比べ|違い|共通|すべて|全部|一覧|何件|誰と誰)"
    r"|\b(?:both|each|compare|difference|in common|all the|list|which of|how many)\b"
)
#: It wants several things, which were said at several times: what kinds, how many, "what books has she read".
_SEVERAL = re.compile(
    r"いくつ(?!か)|何(?:件|回|台|種類|人|個)|どんな(?:もの|種類)|すべて|全部|全て|一覧|それぞれ|両方|共通"
    r"|\bhow many\b|\bboth\b|\bin common\b|\b(?:type|kind|sort)s? of\b|\bin (?:what|which) ways\b"
    r"|^(?:what are|(?:what|where|who) (?:\w+ )?(?:has|have))\b"
    # A noun in the plural, before or after which stands at most two words more.
    r"|^(?:what|which) (?:(?!is|was|does|has|as)[a-z'-]+ ){0,2}"
    r"(?!(?:is|was|does|has|this|its|always|his)\b)[a-z-]+(?<!s)s "
    r"(?:has|have|does|do|did|are|were|can|will|would|is|was|that|with|about|to|in|for)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """`codes` are exact entities with a dash, as error codes, tickets and hosts have; `period` is when the thing asked
    about happened, None when not said; `own` tells that the asker means a request of theirs; `about_time` and `joins`
    that more than one place has to be read; `several` that the answer is a list; `asks` that it is a question by its
    form, and not words to be found again; `how_to` that it asks how something is done. `topic` is what a request of
    theirs was about, empty where the words only point at it; None where none is meant; `open` that their open requests
    are asked for."""

    codes: tuple[str, ...] = ()
    period: TimeRange | None = None
    own: bool = False
    about_time: bool = False
    joins: bool = False
    several: bool = False
    asks: bool = False
    how_to: bool = False
    topic: str | None = None
    open: bool = False


def read_intent(question: Question) -> Intent:
    """The intent of a question, counted from its own clock and zone."""
    folded = normalise(question.text)
    own = own_request(question.text, question.now)
    return Intent(
        codes=tuple(entity for entity in exact_entities(question.text) if "-" in entity),
        period=own.period if own else time_range(question.text, question.now),
        own=own is not None,
        about_time=_ABOUT_TIME.search(folded) is not None,
        joins=_JOINS.search(folded) is not None,
        several=_SEVERAL.search(folded.strip()) is not None,
        asks=stated_share(question.text) < 1,
        how_to=is_about_doing(question.text),
        topic=own.topic if own else None,
        open=own is not None and own.open,
    )


def means_own(question: Question) -> bool:
    """Whether it is about a request that its asker made at a time that it names, or has open. "Who owns this again?" is
    not."""
    own = own_request(question.text, question.now)
    return own is not None and (own.open or own.period is not None)
