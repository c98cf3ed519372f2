"""How replies are put together from the table of sentences.

Names and quotes come from memory, where anybody may have written anything: each is folded to one line and cannot close
its own quotation marks, so nothing remembered can look like a line of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from handlers.characters import cleaned, one_line
from handlers.incidents.records import Notice
from handlers.incidents.words import about, notice_line
from handlers.messages import OutgoingReply, SourceLine, plainly
from handlers.ports import Corrected
from handlers.wording import Phrases
from handlers.wording_secrets import SecretWords
from handlers.wordings import SHIPPED, Wording
from memory.answers import Answer, AnswerKind, Degraded, Evidence
from memory.errors import Busy, EncoderUnavailable, IndexUnavailable, ModelUnavailable, StoreUnavailable
from memory.text.secrets.found import Kind
from memory.text.times.shown import shown_days
from memory.text.times.worded import worded_day

#: Characters of a quote under an answer, of one that is the answer, and of a person's or a ticket's name.
_SOURCE, _QUOTE, _NAME = 80, 300, 60
#: Characters of an article's path with a heading.
_PASSAGE = 160
#: What stands for people whose name a platform did not tell: ids of Entra and of Teams.
_ID = re.compile(r"(?:[0-9]{1,2}:\S+|(?:[0-9]{1,2}:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE)
#: Most quotes that one reply shows.
_MOST = 12
#: While these are missing nobody can say that there is nothing.
_UNSEARCHED = frozenset({Degraded.INDEX, Degraded.REBUILDING})
#: Why there are quotes where a model should have answered: said before them.
_BUDGETS = frozenset({Degraded.BUDGET, Degraded.OWN_BUDGET})
#: Nobody can change these; for the rest a new one makes the old one worthless.
_FOR_LIFE = frozenset({Kind.CARD, Kind.MY_NUMBER})
#: Platforms where people can take a message back, by the name that they know them by.
_PLATFORMS = {"slack": "Slack", "teams": "Teams"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """An answer in words: the body, a line for each piece of evidence under it (with that piece), and small print."""

    body: str
    lines: tuple[tuple[str, Evidence], ...] = ()
    notes: tuple[str, ...] = ()


def worded(answer: Answer, *, zone: tzinfo, wording: Wording = SHIPPED) -> Worded:
    """The answer in its own language; `zone` is the asker's.

    A quote is dated by the clock of whoever said it: by that one it was yesterday, also to a model that reads it. The
    asker's could contradict the days that are written out beside it. A time of day names a clock that is not theirs.
    """
    said = wording.phrases(answer.language)
    missed = tuple(_missed(answer, said))
    match answer.kind:
        case AnswerKind.WRITTEN:
            body = cleaned(answer.body or "").strip()
            return Worded(body=body, lines=tuple(_cited(answer, said, zone)), notes=missed)
        case AnswerKind.QUOTES:
            lines, more = _quoted(answer, said)
            return Worded(body=_heading(answer, said), lines=lines, notes=(*more, *missed))
        case AnswerKind.ABSTAINED:
            return Worded(body=said.unsearched if _UNSEARCHED & {*answer.degraded} else said.abstained, notes=missed)


def answer_text(answer: Answer, *, zone: tzinfo, wording: Wording = SHIPPED) -> str:
    """The same as one plain text."""
    said, words = wording.phrases(answer.language), worded(answer, zone=zone, wording=wording)
    heading = [said.sources] if words.lines and answer.kind is AnswerKind.WRITTEN else []
    lines = (f"{line} {link}" if (link := link_of(one)) else line for line, one in words.lines)
    parts = [words.body, "\n".join([*heading, *lines]), *words.notes]
    return "\n\n".join(part for part in parts if part)


def answer_reply(answer: Answer, *, zone: tzinfo, wording: Wording = SHIPPED) -> OutgoingReply:
    """The answer as a reply for every platform."""
    words = worded(answer, zone=zone, wording=wording)
    return OutgoingReply(
        text=answer_text(answer, zone=zone, wording=wording),
        language=answer.language,
        body=words.body,
        sources=tuple(SourceLine(text=line, turn=one.turn_ids[0], link=link_of(one)) for line, one in words.lines),
        notes=words.notes,
        answer=answer,
    )


def link_of(one: Evidence) -> str | None:
    """Where people read what is cited, where that is no chat."""
    return one.passage.link if one.passage else None


def regret_text(error: Exception, *, kept: bool, language: str, reference: str, wording: Wording = SHIPPED) -> str:
    """What is said when a message could not be answered: whether it was kept, what to do, and the log's reference."""
    said = wording.phrases(language)
    sentences: list[tuple[type[Exception], str]] = [
        (Busy, said.busy),
        (StoreUnavailable, said.store_gone),
        (IndexUnavailable, said.search_gone),
        (EncoderUnavailable, said.search_gone),
        (ModelUnavailable, said.model_gone),
    ]
    known = next((sentence for kind, sentence in sentences if isinstance(error, kind)), said.failed)
    return f"{known if kept else said.not_kept}\n{said.reference.format(reference=reference)}"


def correction_reply(corrected: Corrected, language: str, *, wording: Wording = SHIPPED) -> OutgoingReply:
    """What is said to somebody who called an answer wrong: what is remembered instead, or how to say what is right."""
    said = wording.phrases(language)
    if not corrected.stated:
        return plainly(said.wrong, language)
    sentence = _in_marks(corrected.stated, said, _QUOTE)
    return plainly(said.corrected.format(sentence=sentence), language)


def told_of_incident(reply: OutgoingReply, notice: Notice | None, *, wording: Wording = SHIPPED) -> OutgoingReply:
    """The reply, over which stands that others report the same, and under which who reported it publicly is cited."""
    if notice is None:
        return reply
    words = wording.incidents(reply.language)
    line = notice_line(notice.incident, words)
    seen_in = SourceLine(text=about(notice.incident, words), turn=notice.seen_in) if notice.seen_in else None
    return replace(
        reply,
        text=f"{line}\n\n{reply.text}",
        body=f"{line}\n\n{reply.body}",
        sources=(*reply.sources, seen_in) if seen_in else reply.sources,
        incident=notice.incident.id,
    )


def told_of_secrets(
    reply: OutgoingReply, kinds: Sequence[str], platform: str, *, wording: Wording = SHIPPED
) -> OutgoingReply:
    """The reply with a word, before all small print, on what was taken out of the message: what to do about it."""
    if not kinds:
        return reply
    told = secrets_sentences(kinds, platform, wording.secrets(reply.language))
    return replace(reply, text=f"{reply.text}\n\n{told}", notes=(told, *reply.notes))


def secrets_sentences(kinds: Sequence[str], platform: str, words: SecretWords) -> str:
    """What was taken out of a message, and what to do about it; `platform` is where it can be deleted, if anywhere."""
    named = dict.fromkeys(words.kinds.get(kind, words.other) for kind in kinds)
    sentences = [words.taken_out.format(kinds=words.separator.join(named))]
    if not _FOR_LIFE.issuperset(kinds):
        sentences.append(words.change)
    if platform in _PLATFORMS:
        sentences.append(words.delete.format(platform=_PLATFORMS[platform]))
    return words.joint.join(sentences)


def unchecked(reply: OutgoingReply, told: str) -> OutgoingReply:
    """The answer with a word that it could not be checked what the asker may see; in the place of an abstention, which
    would say that there is nothing."""
    if reply.answer is None:
        return reply
    if reply.answer.kind is AnswerKind.ABSTAINED:
        return replace(reply, text=told, body=told)
    return replace(reply, text=f"{reply.text}\n\n{told}", notes=(*reply.notes, told))


def moment_text(moment: datetime, *, zone: tzinfo, said: Phrases) -> str:
    """A point in time as people write it, in `zone`: 2026年11月22日(日) 10:05, or Sun 22 Nov 2026, 10:05."""
    local = moment.astimezone(zone)
    return said.moment.format(
        year=local.year,
        month=said.months[local.month - 1],
        day=local.day,
        weekday=said.weekdays[local.weekday()],
        time=f"{local:%H:%M}",
    )


def _heading(answer: Answer, said: Phrases) -> str:
    """Where the quotes are from; before that, that a model should have answered."""
    heading = _sources(answer.cited or answer.evidence, said)
    if Degraded.MODEL in answer.degraded:
        return f"{said.quotes_without_model}\n{heading}"
    return "\n".join([*(missed_sentence(one, answer, said) for one in answer.degraded if one in _BUDGETS), heading])


def _sources(found: Sequence[Evidence], said: Phrases) -> str:
    if any(one.passage for one in found):
        return said.quotes_of_articles
    if all(one.here for one in found):
        return said.quotes_of_here
    return said.quotes if any(one.ticketed for one in found) else said.quotes_of_talk


def _cited(answer: Answer, said: Phrases, zone: tzinfo) -> Iterator[tuple[str, Evidence]]:
    for number, one in enumerate(answer.cited, start=1):
        where = ", ".join([*_place(one), _said_when(one.said_from, zone, said), *_speaker(one, said)])
        yield f"[{number}] {where}: {_quote(one, said, _SOURCE)}{_noted(_of_article(one, said), said)}", one


def _said_when(moment: datetime, zone: tzinfo, said: Phrases) -> str:
    """2026年11月24日(火) 08:52, followed by (UTC+09:00) for whoever has another clock."""
    same = moment.utcoffset() == moment.astimezone(zone).utcoffset()
    clock = "" if same else f" (UTC{moment.isoformat()[-6:]})"
    return moment_text(moment, zone=moment.tzinfo or UTC, said=said) + clock


def _quoted(answer: Answer, said: Phrases) -> tuple[tuple[tuple[str, Evidence], ...], tuple[str, ...]]:
    """The surest quotes, and how many more there are."""
    found = answer.cited or answer.evidence
    best = sorted(found, key=lambda one: -one.confidence)[:_MOST]
    lines = tuple((_dated(one, said), one) for one in _by_ticket(best))
    return lines, (said.more.format(count=len(found) - len(best)),) if len(found) > len(best) else ()


def _dated(one: Evidence, said: Phrases) -> str:
    where = " ".join([f"{one.said_from:%Y-%m-%d}", *_place(one), *_speaker(one, said)])
    return f"{where}: {_quote(one, said, _QUOTE)}{_explained(one, said)}"


def _explained(one: Evidence, said: Phrases) -> str:
    """The days behind "yesterday" in a quote, since when it is no longer true, and tickets that say otherwise."""
    notes = [one_line(shown.worded(said.language), _NAME) for shown in shown_days(one.quote, one.said_from)]
    if one.valid_to is not None:
        notes.append(said.ended.format(day=worded_day(one.valid_to, said.language)))
    return _noted([*notes, *_of_article(one, said)], said)


def _noted(notes: Sequence[str], said: Phrases) -> str:
    return said.bracketed.format(notes="; ".join(notes)) if notes else ""


def _of_article(one: Evidence, said: Phrases) -> list[str]:
    """What is to be known of a quote from an article: that it is an earlier edition, and tickets that say otherwise."""
    if one.passage is None:
        return []
    notes = [said.edition.format(day=worded_day(one.said_from, said.language))] if one.passage.changed_since else []
    if tickets := one.passage.contradicted_by:
        notes.append(said.contradicted.format(tickets=", ".join(map(_name, tickets))))
    return notes


def _missed(answer: Answer, said: Phrases) -> Iterator[str]:
    """What was missing while the answer was made; quotes say by their heading that the model was."""
    for missing in answer.degraded:
        if answer.kind is not AnswerKind.QUOTES or missing not in _BUDGETS | {Degraded.MODEL}:
            yield missed_sentence(missing, answer, said)


def missed_sentence(missing: Degraded, answer: Answer, said: Phrases) -> str:
    """What was missing; of a rebuild how far it was, and when models may be asked again."""
    renewed = answer.renewed
    when = moment_text(renewed, zone=renewed.tzinfo or UTC, said=said) if renewed else ""
    return said.degraded[missing].format(percent=int(100 * (answer.rebuilt or 0)), renewed=when)


def _by_ticket(evidence: Sequence[Evidence]) -> Iterator[Evidence]:
    """In time order, but what belongs to one ticket together, where its first quote stands."""
    groups: dict[str, list[Evidence]] = {}
    for one in sorted(evidence, key=lambda one: one.said_from):
        groups.setdefault(one.ticket, []).append(one)
    for group in groups.values():
        yield from group


def _place(one: Evidence) -> list[str]:
    """The ticket's number, where there is one, or file and heading; else the channel, unless it was said right here."""
    if one.number:
        return [one_line(one.number, _PASSAGE if one.passage else _NAME)]
    return [f"#{_name(one.room)}"] if one.room and not one.here else []


def _name(name: str) -> str:
    return one_line(name, _NAME)


def speaker_of(one: Evidence, said: Phrases) -> str:
    """By which name the speaker is shown: never by an id, which tells nobody anything."""
    return said.nameless if _ID.fullmatch(one.speaker) else _name(one.speaker)


def _speaker(one: Evidence, said: Phrases) -> list[str]:
    """Who said it; an article is known by its file."""
    if one.passage:
        return []
    mark = said.own_words if one.derived else said.here if one.here else ""
    return [f"{speaker_of(one, said)}{mark}"]


def _quote(one: Evidence, said: Phrases, length: int) -> str:
    return _in_marks(one.quote, said, length)


def _in_marks(text: str, said: Phrases, length: int) -> str:
    opening, closing = said.quotation
    return f"{opening}{one_line(text, length).translate(said.nested)}{closing}"
