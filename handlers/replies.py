"""How replies are put together from the table of sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo

from handlers.characters import cleaned, one_line
from handlers.files import files_in
from handlers.incidents.records import Notice
from handlers.incidents.words import about, notice_line
from handlers.messages import OutgoingReply, SourceLine, plainly
from handlers.ports import Corrected
from handlers.quote_lines import QUOTE, cited_lines, in_marks, moment_text, quoted_lines
from handlers.stood import stood_text
from handlers.wording import Phrases
from handlers.wording_secrets import SecretWords
from handlers.wordings import SHIPPED, Wording
from memory.answers import Answer, AnswerKind, Degraded, Evidence
from memory.errors import Busy, EncoderUnavailable, IndexUnavailable, ModelUnavailable, StoreUnavailable
from memory.text.secrets.found import Kind

#: While these are missing nobody can say that there is nothing.
_UNSEARCHED = frozenset({Degraded.INDEX, Degraded.REBUILDING})
#: Why there are quotes where a model should have answered: said before them.
_BUDGETS = frozenset({Degraded.BUDGET, Degraded.OWN_BUDGET})
#: Nobody can change these; for the rest a new one makes the old one worthless.
_FOR_LIFE = frozenset({Kind.CARD, Kind.MY_NUMBER})
#: Platforms where people can take a message back, by the name that they know them by.
_PLATFORMS = {"slack": "Slack", "teams": "Teams"}
_TERMINAL = "terminal"
#: Characters of whom the administrator named.
_CONTACT = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """An answer in words: the body, a line for each piece of evidence under it (with that piece), and small print."""

    body: str
    lines: tuple[tuple[str, Evidence], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaks:
    """The kinds of secrets that were taken out of what a person wrote, and of the files that came with it."""

    written: tuple[str, ...]
    in_files: tuple[str, ...] = ()


def worded(answer: Answer, *, zone: tzinfo, contact: str = "", wording: Wording = SHIPPED) -> Worded:
    """The answer in its own language; `zone` is the asker's, `contact` whom the administrator named, or "".

    A quote is dated by the clock of whoever said it, which is kept with the words: by that clock they mean what they
    call yesterday, and a model that reads them is told so. By the asker's, a date and the days that are written out
    beside it could contradict each other. A time of day names its clock where the asker's shows another.
    """
    said = wording.phrases(answer.language)
    missed = tuple(_missed(answer, said))
    match answer.kind:
        case AnswerKind.WRITTEN:
            body = cleaned(answer.body or "").strip()
            return Worded(body=body, lines=tuple(cited_lines(answer, said, zone)), notes=missed)
        case AnswerKind.QUOTES:
            lines, more = quoted_lines(answer, said)
            body = stood_text(answer, zone=zone, wording=wording) or _heading(answer, said)
            return Worded(body=body, lines=lines, notes=(*more, *missed))
        case AnswerKind.ABSTAINED:
            body = said.unsearched if _UNSEARCHED & {*answer.degraded} else _nothing(answer, said)
            return Worded(body=f"{body}\n{_urgent(contact, said)}", notes=missed)


def _nothing(answer: Answer, said: Phrases) -> str:
    return said.abstained_of_articles if answer.articles else said.abstained


def _urgent(contact: str, said: Phrases) -> str:
    named = one_line(contact, _CONTACT)
    return said.urgent_named.format(contact=named) if named else said.urgent


def answer_text(answer: Answer, *, zone: tzinfo, contact: str = "", wording: Wording = SHIPPED) -> str:
    """The same as one plain text."""
    said, words = wording.phrases(answer.language), worded(answer, zone=zone, contact=contact, wording=wording)
    heading = [said.sources] if words.lines and (answer.stood or answer.kind is AnswerKind.WRITTEN) else []
    lines = (f"{line} {link}" if (link := link_of(one)) else line for line, one in words.lines)
    parts = [words.body, "\n".join([*heading, *lines]), *words.notes]
    return "\n\n".join(part for part in parts if part)


def answer_reply(answer: Answer, *, zone: tzinfo, contact: str = "", wording: Wording = SHIPPED) -> OutgoingReply:
    """The answer as a reply for every platform."""
    words = worded(answer, zone=zone, contact=contact, wording=wording)
    return OutgoingReply(
        text=answer_text(answer, zone=zone, contact=contact, wording=wording),
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
    sentence = in_marks(corrected.stated, said, QUOTE)
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
    reply: OutgoingReply, leaks: Leaks | None, platform: str, *, wording: Wording = SHIPPED
) -> OutgoingReply:
    """The reply with a word, before all small print, on what was taken out of the message: what to do about it."""
    if not leaks:
        return reply
    words = wording.secrets(reply.language)
    told = secrets_sentences(leaks, platform, words)
    # Where there are buttons one stands below; a terminal has only words.
    told = words.joint.join([told, words.typed]) if platform == _TERMINAL else told
    return replace(reply, text=f"{reply.text}\n\n{told}", notes=(told, *reply.notes), pasted=True)


def leaks_in(text: str, kinds_in: Callable[[str], Sequence[str]]) -> Leaks | None:
    """The secrets that `kinds_in` finds to be taken out of a message, or of its files; None without any."""
    files = files_in(text)
    leaks = Leaks(written=tuple(kinds_in(text.removesuffix(files))), in_files=tuple(kinds_in(files)))
    return leaks if leaks.written or leaks.in_files else None


def secrets_sentences(leaks: Leaks, platform: str, words: SecretWords) -> str:
    """What was taken out of a message, and what to do about it; `platform` is where it can be deleted, if anywhere."""
    patterns = ((words.taken_out, leaks.written), (words.taken_out_of_file, leaks.in_files))
    sentences = [pattern.format(kinds=_named(kinds, words)) for pattern, kinds in patterns if kinds]
    if changeable := [kind for kind in (*leaks.written, *leaks.in_files) if kind not in _FOR_LIFE]:
        sentences.append(words.change if len(changeable) == 1 else words.change_all)
    if platform in _PLATFORMS:
        sentences.append(words.delete.format(platform=_PLATFORMS[platform]))
    return words.joint.join(sentences)


def _named(kinds: Sequence[str], words: SecretWords) -> str:
    *others, last = dict.fromkeys(words.kinds.get(kind, words.other) for kind in kinds)
    return words.last_separator.join([words.separator.join(others), last]) if others else last


def unchecked(reply: OutgoingReply, told: str) -> OutgoingReply:
    """The answer with a word that it could not be checked what the asker may see; in the place of an abstention, which
    would say that there is nothing."""
    if reply.answer is None:
        return reply
    if reply.answer.kind is AnswerKind.ABSTAINED:
        return replace(reply, text=told, body=told)
    return replace(reply, text=f"{reply.text}\n\n{told}", notes=(*reply.notes, told))


def _heading(answer: Answer, said: Phrases) -> str:
    """Where the quotes are from; before that, that a model should have answered."""
    heading = _sources(answer.cited or answer.evidence, said)
    if Degraded.MODEL in answer.degraded:
        return f"{said.quotes_without_model}\n{heading}"
    return "\n".join([*(missed_sentence(one, answer, said) for one in answer.degraded if one in _BUDGETS), heading])


def _sources(found: Sequence[Evidence], said: Phrases) -> str:
    people = [one for one in found if one.passage is None]
    if len(people) < len(found):
        return _beside_articles(people, said)
    if all(one.here for one in found):
        return said.quotes_of_here
    return said.quotes if any(one.ticketed for one in found) else said.quotes_of_talk


def _beside_articles(people: Sequence[Evidence], said: Phrases) -> str:
    """Above quotes from articles, and from these things that people said, if any."""
    if not people:
        return said.quotes_of_articles_alone
    return said.quotes_of_articles if any(one.ticketed for one in people) else said.quotes_of_articles_and_talk


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
