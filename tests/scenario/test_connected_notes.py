"""Notes that find each other, learn from each other and forget each other, from the messages on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from memory.facts import Event, Link
from memory.index_ports import Probe
from memory.model import KeyKind, Note, Role, Turn, Viewer, Visibility
from memory.remember.note_diff import note_diff
from memory.remember.reports import nobody
from memory.stores.in_memory_encoder import HashingEncoder
from memory.text.sparse import exact_terms
from memory.upkeep.rollback import Rollback
from tests.fakes.remembering import HOUSES, Remembering, remembering
from tests.fakes.turns import turn

AGENT = Viewer(user="takagi", agent=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A helpdesk's day in one language: what tickets say, and what has to come of it."""

    opened: str
    title: str
    solved: str
    other: str
    reason: str
    see_also: str


JAPANESE = Language(
    opened="受注端末でエラーコード QX-7713 が出て、証明書の確認で止まります。",
    title="受注端末 QX-7713",
    solved="証明書を入れ直したところ直りました。原因は証明書の期限切れです。",
    other="食堂のメニューはどこで見られますか。",
    reason="同じエラーコード QX-7713",
    see_also="関連: ",
)
ENGLISH = Language(
    opened="The order terminal shows error code QX-7713 and stops while it checks the certificate.",
    title="Order terminal QX-7713",
    solved="We installed the certificate again, which helped. The certificate had expired.",
    other="Where can I find the menu of the canteen?",
    reason="same error code QX-7713",
    see_also="see also ",
)
LANGUAGES = pytest.mark.parametrize("words", [JAPANESE, ENGLISH], ids=["ja", "en"])


@pytest.fixture
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering(getattr(request, "param", HOUSES[0]), tmp_path) as found:
        yield found


def ticket(
    name: str, words: Language, *, days: float, user: str = "sato", visibility: Visibility = Visibility.EVERYONE
) -> list[Turn]:
    """A ticket that is opened and solved `days` after noon."""
    about = {"thread": name, "ticket": name, "requester": user, "visibility": visibility}
    start = days * 1440
    return [
        turn(1, words.opened, minutes=start, author=user, title=words.title, status="open", **about),  # type: ignore[arg-type]
        turn(2, words.solved, minutes=start + 20, author="takagi", role=Role.AGENT, status="resolved", **about),  # type: ignore[arg-type]
    ]


async def consolidated(memory: Remembering) -> dict[str, int]:
    return dict((await memory.app.jobs.run("consolidate", nobody)).counts)


async def ids(memory: Remembering) -> dict[str, str]:
    """The episode of each ticket."""
    return {each.name: each.id for each in await memory.app.store.writing.episodes_after(None, 100)}


async def links(memory: Remembering, *names: str, viewer: Viewer = AGENT) -> list[Link]:
    known = await ids(memory)
    return await memory.app.store.facts.links([known[name] for name in names if name in known], viewer, 100)


async def events(memory: Remembering) -> list[Event]:
    writing = memory.app.store.fact_writing
    facts = await writing.facts_of(list((await ids(memory)).values()))
    return await writing.events_of([fact.id for fact in facts])


async def versions(memory: Remembering, name: str) -> Sequence[Note]:
    return await memory.app.store.facts.note_versions((await ids(memory))[name], AGENT)


async def two_tickets(memory: Remembering, words: Language) -> None:
    """Two with the same error code, three days apart, and one about something else."""
    canteen = turn(1, words.other, thread="INC-9", ticket="INC-9")
    await memory.remember(*ticket("INC-1", words, days=-3), *ticket("INC-2", words, days=0, user="ueda"), canteen)


def rollback(memory: Remembering) -> Rollback:
    app = memory.app
    return Rollback(
        writing=app.store.writing,
        facts=app.store.fact_writing,
        index=app.index,
        encoder=HashingEncoder(),
        clock=memory.watch,
    )


@pytest.mark.parametrize("memory", HOUSES, indirect=True)
@LANGUAGES
async def test_tickets_with_the_same_error_code_are_linked_and_the_link_says_so(
    memory: Remembering, words: Language
) -> None:
    await two_tickets(memory, words)
    await consolidated(memory)
    [link] = await links(memory, "INC-1", "INC-2", "INC-9")
    known = await ids(memory)
    assert {link.episode, link.other} == {known["INC-1"], known["INC-2"]}
    assert link.reason.startswith(words.reason)
    assert 0.5 < link.strength <= 1
    assert link.made_by == "rules"


@LANGUAGES
async def test_one_more_consolidation_and_one_more_day_of_the_same_traffic_add_nothing(
    memory: Remembering, words: Language
) -> None:
    await two_tickets(memory, words)
    await consolidated(memory)
    before = {**await memory.app.store.fact_writing.counts(), **await memory.stored()}
    notes = [await versions(memory, name) for name in ("INC-1", "INC-2", "INC-9")]
    for _ in range(2):
        await two_tickets(memory, words)
        assert await consolidated(memory) == {"links": 0, "events": 0, "evolved": 0}
    assert {**await memory.app.store.fact_writing.counts(), **await memory.stored()} == before
    assert [await versions(memory, name) for name in ("INC-1", "INC-2", "INC-9")] == notes


@LANGUAGES
async def test_a_note_evolves_as_a_new_version_that_names_what_brought_it(memory: Remembering, words: Language) -> None:
    await two_tickets(memory, words)
    await consolidated(memory)
    old, new = await versions(memory, "INC-1")
    [change] = note_diff(old, new)
    assert (change.part, change.added, change.removed) == ("context", (f"{words.see_also}INC-2",), ())
    assert (old.cause, new.cause) == ("", f"linked: {(await ids(memory))['INC-2']}")
    assert (new.version, new.summary, new.fingerprint) == (2, old.summary, old.fingerprint)
    assert len(await versions(memory, "INC-9")) == 1


@LANGUAGES
async def test_what_a_note_refers_to_is_not_found_by_that_name(memory: Remembering, words: Language) -> None:
    await two_tickets(memory, words)
    await consolidated(memory)
    assert (await versions(memory, "INC-1"))[-1].context.endswith("INC-2")
    probe = Probe(kind=KeyKind.SUMMARY, terms=exact_terms("INC-2"))
    [found] = await memory.app.index.search([probe], AGENT, memory.watch.now, 10)
    assert [hit.pointer.episode for hit in found] == [(await ids(memory))["INC-2"]]


@LANGUAGES
async def test_after_a_rollback_a_note_says_what_it_said_and_stays_so(memory: Remembering, words: Language) -> None:
    await two_tickets(memory, words)
    await consolidated(memory)
    memory.watch.wait(5)
    note = await rollback(memory).run((await ids(memory))["INC-1"], 1)
    first, _, newest = await versions(memory, "INC-1")
    assert newest == note
    assert (note.version, note.cause) == (3, "rollback to 1")
    assert note_diff(first, note) == ()
    assert (await consolidated(memory))["evolved"] == 0
    assert (await memory.app.store.writing.newest_notes([note.episode]))[note.episode] == note


@LANGUAGES
async def test_a_rollback_outlives_a_reindex(memory: Remembering, words: Language) -> None:
    await two_tickets(memory, words)
    await consolidated(memory)
    note = await rollback(memory).run((await ids(memory))["INC-1"], 1)
    await memory.app.jobs.run("reindex", nobody)
    assert (await versions(memory, "INC-1"))[-1] == note


@LANGUAGES
async def test_after_a_rollback_a_new_link_is_still_learned_from(memory: Remembering, words: Language) -> None:
    await two_tickets(memory, words)
    await consolidated(memory)
    memory.watch.wait(5)
    await rollback(memory).run((await ids(memory))["INC-1"], 1)
    memory.watch.wait(5)
    await memory.remember(*ticket("INC-3", words, days=1, user="mori"))
    await consolidated(memory)
    newest = (await versions(memory, "INC-1"))[-1]
    assert newest.context.splitlines()[-1] == f"{words.see_also}INC-3"


@LANGUAGES
async def test_facts_of_one_happening_become_one_event_with_what_was_said(memory: Remembering, words: Language) -> None:
    await two_tickets(memory, words)
    await memory.remember(*ticket("INC-5", words, days=-60, user="mori"))
    await consolidated(memory)
    facts = await memory.app.store.fact_writing.facts_of(list((await ids(memory)).values()))
    names = {each: name for name, each in (await ids(memory)).items()}
    told = {fact.id: names[fact.episode] for fact in facts}
    happened = {frozenset(told[fact] for fact in event.facts): event for event in await events(memory)}
    assert {frozenset(("INC-1", "INC-2")), frozenset(("INC-5",))} <= happened.keys()
    event = happened[frozenset(("INC-1", "INC-2"))]
    assert {"INC-1", "INC-2", "qx-7713"} <= set(event.keywords)
    assert (event.last_at - event.first_at).days == 3
    assert "QX-7713" in event.summary
    assert all(len(found) == 1 or "INC-9" not in found for found in happened)


@LANGUAGES
async def test_retention_leaves_no_link_no_event_and_no_mention_of_what_it_deletes(
    memory: Remembering, words: Language
) -> None:
    await memory.remember(*ticket("INC-1", words, days=-95))
    await memory.remember(*ticket("INC-2", words, days=0, user="ueda"))
    await consolidated(memory)
    assert len(await links(memory, "INC-2")) == 1
    gone = (await ids(memory))["INC-1"]
    assert await memory.app.jobs.run("retention", nobody)
    await consolidated(memory)
    assert await links(memory, "INC-2") == []
    assert await memory.app.store.fact_writing.links_of([gone]) == []
    assert "INC-1" not in await ids(memory)
    left = await events(memory)
    assert left
    assert not any("INC-1" in (event.summary, *event.keywords) or "sato" in event.people for event in left)
    assert "INC-1" not in (await versions(memory, "INC-2"))[-1].context
    assert await memory.app.store.facts.note_versions(gone, AGENT) == []


@LANGUAGES
async def test_of_a_happening_that_lost_a_ticket_only_the_rest_is_told(memory: Remembering, words: Language) -> None:
    await two_tickets(memory, words)
    await consolidated(memory)
    await memory.app.store.writing.erase([(await ids(memory))["INC-1"]])
    await consolidated(memory)
    told = [event for event in await events(memory) if "qx-7713" in event.keywords]
    assert [("INC-1" in event.keywords, "sato" in event.people) for event in told] == [(False, False)]


@LANGUAGES
async def test_a_private_ticket_lends_nothing_to_others_and_its_links_are_not_seen_by_them(
    memory: Remembering, words: Language
) -> None:
    await memory.remember(
        *ticket("INC-1", words, days=-3, visibility=Visibility.PRIVATE),
        *ticket("INC-2", words, days=0, user="ueda"),
        *ticket("INC-3", words, days=1, user="mori", visibility=Visibility.PRIVATE),
    )
    await consolidated(memory)
    assert "INC-1" not in "\n".join(note.context for note in await versions(memory, "INC-2"))
    assert "INC-1" not in "\n".join(note.context for note in await versions(memory, "INC-3"))
    assert (await versions(memory, "INC-1"))[-1].context.endswith("INC-2")
    everything = ("INC-1", "INC-2", "INC-3")
    known = await ids(memory)
    ends = {
        user: {
            frozenset((each.episode, each.other)) for each in await links(memory, *everything, viewer=Viewer(user=user))
        }
        for user in ("sato", "mori", "ueda")
    }
    assert ends["sato"] == {frozenset((known["INC-1"], known["INC-2"]))}
    assert ends["mori"] == {frozenset((known["INC-3"], known["INC-2"]))}
    assert ends["ueda"] == set()


@LANGUAGES
async def test_events_never_join_what_is_seen_in_different_places(memory: Remembering, words: Language) -> None:
    await memory.remember(
        *ticket("INC-1", words, days=-1, visibility=Visibility.PRIVATE),
        *ticket("INC-2", words, days=0, user="ueda", visibility=Visibility.CHANNEL),
        *ticket("INC-3", words, days=1, user="mori", visibility=Visibility.PRIVATE),
        *ticket("INC-4", words, days=1, user="kato"),
    )
    await consolidated(memory)
    for event in await events(memory):
        assert len({name for name in event.keywords if name.startswith("INC-")}) == 1
