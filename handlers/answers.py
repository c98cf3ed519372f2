"""An answer as data for scripts, and as an explanation for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handlers.characters import cleaned, one_line
from handlers.replies import missed_sentence
from handlers.wording import Phrases
from handlers.wordings import SHIPPED, Wording
from memory.answers import Answer, AnswerKind, Evidence, RankedTurn, RoutedEpisode
from memory.facts import Fact

#: Most episodes that an explanation lists.
_EXPLAINED = 10
_NAME, _FACT = 60, 160


def answer_object(answer: Answer, text: str) -> dict[str, object]:
    """What `helpdesk ask --json` prints; `text` is the answer as it was worded. Every value is plain JSON.

    Tickets and turns go by the names that people use (INC-1007, INC-1007/3); scores have a `total` beside their
    channels; times are ISO 8601 with offset; `permalink` is null where the platform has none.
    """
    return {
        "answer": text,
        "abstained": answer.kind is AnswerKind.ABSTAINED,
        "language": answer.language,
        "mode": answer.mode,
        "kind": answer.kind.value,
        "degraded": [missing.value for missing in answer.degraded],
        "citations": [_citation(one) for one in answer.cited],
        "evidence": [_evidence(one) for one in answer.evidence],
        "facts": [_fact(fact) for fact in answer.facts],
        "routed": [_routed(episode) for episode in answer.routed],
        "ranked": [{"turn": turn.ref, "ticket": turn.ticket, "scores": _scores(turn)} for turn in answer.ranked],
        "tokens": _tokens(answer),
        "ms": {stage: round(spent, 1) for stage, spent in answer.stages.items()},
    }


def explain_text(answer: Answer, *, wording: Wording = SHIPPED) -> str:
    """What `helpdesk ask --explain` adds: what was read and why, what it cost and how long it took."""
    said = wording.phrases(answer.language)
    heading = said.explanation.format(mode=answer.mode, evidence=len(answer.evidence), cited=len(answer.cited))
    episodes = [f"  {_read(episode, said)}" for episode in answer.routed[:_EXPLAINED]] or [f"  {said.no_episode}"]
    stages = ", ".join(f"{stage} {spent:.0f}" for stage, spent in answer.stages.items())
    return "\n".join(
        [
            heading,
            *episodes,
            *(f"  {_fact_line(fact, said)}" for fact in answer.facts),
            *_missed(answer, said),
            said.tokens.format(**_tokens(answer)),
            said.milliseconds.format(stages=stages or "-"),
        ]
    )


def pending_text(count: int, language: str, *, wording: Wording = SHIPPED) -> str:
    """What `helpdesk ask` says beside an abstention while recorded messages wait for a flush."""
    return wording.phrases(language).pending.format(count=count)


def indexing_text(count: int, language: str, *, wording: Wording = SHIPPED) -> str:
    """The same while they are being taken up."""
    return wording.phrases(language).indexing.format(count=count)


def _fact_line(fact: Fact, said: Phrases) -> str:
    """What decided what holds, from when to when."""
    until = said.fact_until.format(day=f"{fact.valid_to:%Y-%m-%d}") if fact.valid_to else ""
    return said.fact.format(text=one_line(fact.text, _FACT), since=f"{fact.valid_from:%Y-%m-%d}", until=until)


def _fact(fact: Fact) -> dict[str, object]:
    return {
        "fact": fact.id,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "value": fact.value,
        "valid_from": fact.valid_from.isoformat(),
        "valid_to": None if fact.valid_to is None else fact.valid_to.isoformat(),
    }


def _citation(one: Evidence) -> dict[str, object]:
    return {
        **_place(one),
        "turn_ids": list(one.refs),
        "quote": cleaned(one.quote),
        "speaker": one.speaker,
        "time": one.said_from.isoformat(),
        "permalink": one.passage.link if one.passage else None,
    }


def _place(one: Evidence) -> dict[str, object]:
    """Where it stands: a ticket or thread, with the channel's name (null where it has none); or a heading of an
    article, with what is newer and says otherwise."""
    if one.passage is None:
        return {"kind": "ticket", "ticket": one.ticket, "channel": one.room}
    against = one.passage.contradicted_by
    return {
        "kind": "article",
        "file": one.ticket,
        "heading": one.passage.heading,
        "contradicted_by": [newer.ticket for newer in against if newer.ticket],
        "contradicted_in": [
            {"speaker": newer.speaker, "time": newer.said_at.isoformat()} for newer in against if not newer.ticket
        ],
        "changed_since": one.passage.changed_since,
    }


def _evidence(one: Evidence) -> dict[str, object]:
    return {
        **_citation(one),
        "until": one.said_to.isoformat(),
        "role": one.role.value,
        "confidence": round(one.confidence, 3),
        "derived": one.derived,
    }


def _routed(episode: RoutedEpisode) -> dict[str, object]:
    return {
        "episode": episode.episode,
        "ticket": episode.ticket,
        "scores": _scores(episode),
        "pathways": list(episode.pathways),
    }


def _scores(entry: RankedTurn | RoutedEpisode) -> dict[str, float]:
    return {"total": round(entry.score, 4), **{name: round(score, 4) for name, score in entry.channels.items()}}


def _tokens(answer: Answer) -> dict[str, int]:
    """Prompt and completion together, by role; `cached` is the part of the prompts that a server had read before."""
    assistant, master = answer.assistant_tokens, answer.master_tokens
    return {
        "assistant": assistant.prompt + assistant.completion,
        "master": master.prompt + master.completion,
        "cached": assistant.cached + master.cached,
    }


def _read(episode: RoutedEpisode, said: Phrases) -> str:
    channels = ", ".join(f"{said.channels.get(name, name)} {score:.2f}" for name, score in episode.channels.items())
    return said.read.format(
        ticket=one_line(episode.ticket, _NAME),
        score=f"{episode.score:.2f}",
        channels=channels or "-",
        pathways=", ".join(_worded(episode.pathways, said.pathways)) or "-",
    )


def _missed(answer: Answer, said: Phrases) -> list[str]:
    return [f"  {missed_sentence(missing, answer, said)}" for missing in answer.degraded]


def _worded(names: Sequence[str], words: Mapping[str, str]) -> list[str]:
    return [words.get(name, name) for name in names]
