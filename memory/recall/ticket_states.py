"""What a question asks of a ticket itself: who has it, how it stands, and how it came to be so. Its own record tells
that, exactly, also before any flush has taken it up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from unicodedata import normalize

from memory.answers import Evidence, Stood
from memory.model import Question, Turn
from memory.recall.buffer import live_episode
from memory.recall.evidence import quote_turn, united
from memory.recall.intent import Intent
from memory.recall.moment import Moment, moment_of
from memory.recall.voices import Verdict
from memory.text.statuses import state_of
from memory.tickets import Ticket, TicketReading

#: Longer questions ask for more than that.
_LONGEST = 80
#: How long before its end the last moment of a day is.
_INSTANT = timedelta(seconds=1)
#: Tickets that one question asks about, and changes of one that are told: the newest.
_TICKETS, _CHANGES = 3, 12
_DONE = r"(?:closed|resolved|solved|done|settled|finished|open|opened|reopened|taken|assigned|handed back|in progress)"
_WHEN = (
    r"(?: (?:(?:right )?now|currently|first|today|yesterday|yet|already|again|then|so far|originally|at first"
    r"|(?:on|at|in|as of|by|before|after|last|this|during) .{1,40})){0,3}"
)
_ENGLISH = re.compile(
    r"(?:(?:on|at|in|as of) [^,]{1,30}, )?(?:and |so |please |can you tell me |tell me |do you know )?(?:"
    r"who(?:'s| is| was| were| all)? (?:(?:currently|now|still|the|its|on) )*"
    r"(?:has had|has been|has|had|have|owns|owned|took|takes|handles|handled|handling|working on|works on|worked on"
    r"|responsible for|in charge of|assigned to|(?:owner|assignee|owners|assignees) (?:of|for)|on) @"
    r"|who(?:m)? (?:is|was|has) @ (?:been )?(?:assigned to|with)"
    r"|(?:what(?:'s| is| was| are)? )?(?:the )?(?:current )?(?:status|state|progress|history|owners?|assignees?)"
    r"(?: history)? (?:of|for|on) @"
    r"|what (?:status|state) (?:is|was|has|had) @(?: in)?"
    r"|(?:show (?:me )?)?(?:the )?history of @"
    r"|@ (?:status|state|owner|assignee|history)"
    rf"|(?:is|was|has|had) @ (?:been |still |already |now |ever )*{_DONE}"
    rf"|when (?:is|was|has) @ (?:been |first |last )*{_DONE}"
    r"|what(?:'s| is) (?:happening|going on|up) with @"
    r"|how(?:'s| is) @ (?:going|doing|coming along)|how (?:does|did) @ stand|where (?:does|did) @ stand"
    rf"){_WHEN}",
)
_JAPANESE = re.compile(
    r".{0,16}@\s?(?:(?:の|は|って|を|が|に|で|、|今|いま|現在|最新|最初|いつ|もう|まだ|すでに|既に|これまで|歴代)"
    r"|[0-9/:年月日時分昨先週頃点 ])*"
    r"(?:担当|(?:誰|だれ|どなた)が(?:持って|見て|対応|担当|受け持)|状態|状況|ステータス|進捗|履歴|経緯|どうなっ"
    r"|(?:解決|終了|クローズ|完了|再開)(?:し|済|さ)|対応中|閉じ|閉まっ|終わっ).*"
)
#: They ask for what helped or what it was about, or for something to be done.
_BESIDE = re.compile(
    r"原因|対処|対応(?:方法|内容|策)|やり方|どうやって|どのように|なぜ|どうして|何を|何が|同じ|似た|手順|方法|直し方|理由|内容"
    r"|くださ|下さ|お願い|ほし|欲し|したい|しろ|連絡先"
)
_ASKS_JA = re.compile(r"か$|誰|だれ|どなた|いつ|どう|何|[はの]$|教え|見せ|状態$|状況$|ステータス$|担当者?$|履歴$|経緯$")
_OVER_TIME = re.compile(
    r"いつ|最初|これまで|歴代|履歴|経緯|でした|だった|\bwhen\b|\bfirst\b|\bwho (?:all )?(?:has )?had\b|\bhistory\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How tickets stood, and the turns that say so, each quoted whole."""

    stood: tuple[Stood, ...]
    evidence: tuple[Evidence, ...]

    def settled(self, others: Sequence[Evidence], *, budget: int) -> tuple[tuple[Evidence, ...], Verdict]:
        """All evidence, and the verdict, which stands on what the record says."""
        united_with = united([*self.evidence, *others], (), budget=budget)
        telling = {turn for one in self.evidence for turn in one.turn_ids}
        cited = tuple(place for place, one in enumerate(united_with) if not telling.isdisjoint(one.turn_ids))
        return united_with, Verdict(abstained=False, cited=cited)


class TicketStates:
    """Looks up what a question asks of tickets, in the asker's scope."""

    def __init__(self, tickets: TicketReading) -> None:
        self._tickets = tickets

    async def of(self, question: Question, intent: Intent) -> Told | None:
        """None where no ticket's state or owner is asked for, or where the asker sees no such ticket. Raises
        StoreUnavailable."""
        names = [code for code in intent.codes if _asks_of(code, question.text)][:_TICKETS]
        found = await self._tickets.named(names, question.viewer) if names else []
        moment = _moment(question, intent)
        told = [one for ticket in found if (one := await self._told(ticket, question, moment)) is not None]
        if not told:
            return None
        return Told(
            stood=tuple(stood for one in told for stood in one.stood),
            evidence=tuple(piece for one in told for piece in one.evidence),
        )

    async def _told(self, ticket: Ticket, question: Question, moment: Moment) -> Told | None:
        history = await self._tickets.history(ticket.name, question.viewer)
        known = [turn for turn in history if turn.said_at <= question.until]
        changes = [(stood, turn) for stood, turn in _changes(ticket.name, known)]
        if not changes:
            return None
        picked = _picked(changes, moment)
        episode = live_episode(known)
        turns = {turn.id: turn for _, told in picked for turn in told}
        return Told(
            stood=tuple(stood for stood, _ in picked),
            evidence=tuple(quote_turn(turn, episode, 1.0) for turn in turns.values()),
        )


def _asks_of(name: str, words: str) -> bool:
    """Whether the words ask for no more than the state or the owner of what goes by this name."""
    said = " ".join(normalize("NFKC", words).casefold().replace("’", "'").split()).strip(" ?!.。、")
    if len(said) > _LONGEST or name not in said:
        return False
    about = re.sub(rf"(?:the )?(?:ticket |request )?(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", "@", said, count=1)
    if _ENGLISH.fullmatch(about):
        return True
    return _JAPANESE.fullmatch(about) is not None and _ASKS_JA.search(about) is not None and not _BESIDE.search(about)


def _moment(question: Question, intent: Intent) -> Moment:
    """The moment asked about. A day that is named is that of the state: who had it on Monday."""
    moment = moment_of(question)
    if question.as_of is not None or moment.at < question.now or moment.history:
        return moment
    if intent.period is not None and intent.period.start <= question.now:
        return Moment(at=min(intent.period.end - _INSTANT, question.now), history=False)
    return Moment(at=moment.at, history=_OVER_TIME.search(normalize("NFKC", question.text).casefold()) is not None)


def _changes(name: str, turns: Sequence[Turn]) -> Iterator[tuple[Stood, tuple[Turn, ...]]]:
    """How it stood from each change on, with the turns that say so."""
    status: Turn | None = None
    owner: Turn | None = None
    for turn in turns:
        if turn.status is None and turn.assignee is None:
            continue
        status = turn if turn.status is not None else status
        owner = turn if turn.assignee is not None else owner
        yield _stood(name, turn.said_at, status, owner), tuple(one for one in (status, owner) if one is not None)


def _stood(name: str, at: datetime, status: Turn | None, owner: Turn | None) -> Stood:
    words = status.status if status is not None else None
    return Stood(
        ticket=name,
        at=at,
        state=state_of(words),
        status=words,
        since=status.said_at if status is not None else at,
        assignee=(owner.assignee or None) if owner is not None else None,
    )


def _picked(
    changes: Sequence[tuple[Stood, tuple[Turn, ...]]], moment: Moment
) -> Sequence[tuple[Stood, tuple[Turn, ...]]]:
    """For a history all of them, each with what is new in it; or the one that stood then, the first before it began."""
    if moment.history:
        newest = changes[-_CHANGES:]
        return [(stood, tuple(one for one in turns if one.said_at == stood.at)) for stood, turns in newest]
    stood, turns = ([one for one in changes if one[0].at <= moment.at] or changes[:1])[-1]
    return [(replace(stood, at=moment.at), turns)]
