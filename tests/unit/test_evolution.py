"""What a note learns from the notes it is linked with, version by version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from memory.facts import Event, Link
from memory.model import Note, Visibility
from memory.remember.common_ground import Words, words_of
from memory.remember.evolution import Neighbour, evolved, ground_of, rollback_cause
from memory.remember.note_diff import NoteChange, note_diff
from tests.fakes.turns import NOON, turn
from tests.fakes.words import episode

LATER = NOON + timedelta(hours=1)


def note(
    name: str, *, keywords: Sequence[str] = (), tags: Sequence[str] = (), context: str = "", cause: str = ""
) -> Note:
    return Note(
        episode=name,
        version=1,
        fingerprint="words",
        summary=f"about {name}",
        keywords=tuple(keywords),
        tags=tuple(tags),
        context=context,
        made_by="rules",
        made_at=NOON,
        cause=cause,
    )


def words(
    of: Note, text: str = "", *, visibility: Visibility = Visibility.EVERYONE, status: str | None = None
) -> Words:
    name = of.episode
    said = turn(1, text or "nothing much", thread=name, ticket=name, visibility=visibility, status=status)
    return words_of(episode(name, [said]), of)


def neighbour(
    of: Note,
    text: str = "",
    *,
    strength: float = 0.55,
    visibility: Visibility = Visibility.EVERYONE,
    status: str | None = None,
    linked_at_hour: int = 0,
) -> Neighbour:
    made_at = NOON + timedelta(hours=linked_at_hour)
    link = Link(episode=of.episode, other="INC-1", reason="r", strength=strength, made_by="rules", made_at=made_at)
    return Neighbour(link=link, words=words(of, text, visibility=visibility, status=status), note=of)


def event(*keywords: str) -> Event:
    return Event(
        id="e",
        version=1,
        summary="s",
        people=(),
        keywords=keywords,
        first_at=NOON,
        last_at=NOON,
        facts=("f",),
        made_by="rules",
    )


OWN = note("INC-1", keywords=["printer"], context="Printer; open")
WORDS = words(OWN, "The printer jams, and the Toner-X of the fuser smells. Closed the lid.")


def test_a_keyword_that_two_linked_notes_share_and_that_stands_in_the_words_comes_in() -> None:
    two = [neighbour(note(name, keywords=["Fuser", "printer", "paper"])) for name in ("INC-2", "INC-3")]
    new = evolved([OWN], WORDS, two, [], LATER)
    assert new is not None
    assert (new.keywords, new.version, new.made_at) == (("printer", "Fuser"), 2, LATER)
    assert new.cause == "linked: INC-2, INC-3"
    assert note_diff(OWN, new) == (NoteChange(part="keywords", before=("printer",), after=("printer", "Fuser")),)


@pytest.mark.parametrize(
    "two",
    [
        pytest.param([neighbour(note("INC-2", keywords=["fuser"]))], id="only one says so"),
        pytest.param([neighbour(note("INC-2", keywords=["fuser"]))] * 2, id="the same one twice"),
        pytest.param([neighbour(note(n, keywords=["roller"])) for n in ("INC-2", "INC-3")], id="not in its words"),
        pytest.param([neighbour(note(n, keywords=["tone"])) for n in ("INC-2", "INC-3")], id="part of a longer word"),
        pytest.param([neighbour(note(n, keywords=["closed"])) for n in ("INC-2", "INC-3")], id="said everywhere"),
        pytest.param(
            [neighbour(note(n, tags=["smells"]), status="smells") for n in ("INC-2", "INC-3")], id="a ticket's state"
        ),
        pytest.param(
            [neighbour(note(n, keywords=["fuser"]), visibility=Visibility.PRIVATE) for n in ("INC-2", "INC-3")],
            id="of a narrower scope",
        ),
    ],
)
def test_what_too_few_say_or_its_own_words_do_not_bear_out_stays_out(two: list[Neighbour]) -> None:
    assert evolved([OWN], WORDS, two, [], LATER) is None


def test_a_keyword_of_their_common_event_comes_in_without_standing_in_the_words() -> None:
    two = [neighbour(note(name, keywords=["Roller"])) for name in ("INC-2", "INC-3")]
    new = evolved([OWN], WORDS, two, [event("roller")], LATER)
    assert new is not None
    assert new.keywords == ("printer", "Roller")


def test_words_of_another_thread_of_the_channel_are_not_copied_but_may_point_at_ones_own() -> None:
    own = words(OWN, "the fuser of the printer", visibility=Visibility.CHANNEL)
    two = [
        neighbour(note(name, keywords=["roller", "fuser"]), strength=0.9, visibility=Visibility.CHANNEL)
        for name in ("INC-2", "INC-3")
    ]
    new = evolved([OWN], own, two, [event("roller")], LATER)
    assert new is not None
    assert (new.keywords, new.context) == (("printer", "fuser"), OWN.context)


def test_tags_are_shared_too() -> None:
    two = [neighbour(note(name, tags=["smells", "open"]), status="open") for name in ("INC-2", "INC-3")]
    new = evolved([OWN], WORDS, two, [], LATER)
    assert new is not None
    assert new.tags == ("smells",)


def test_the_context_names_the_closest_tickets_on_a_line_of_its_own() -> None:
    strengths = {"INC-2": 0.7, "INC-3": 0.95, "INC-4": 0.59, "INC-5": 0.8, "INC-6": 0.9}
    new = evolved([OWN], WORDS, [neighbour(note(n), strength=s) for n, s in strengths.items()], [], LATER)
    assert new is not None
    assert new.context == "Printer; open\nsee also INC-3, INC-6, INC-5"
    assert new.cause == "linked: INC-3, INC-5, INC-6"


def test_a_private_ticket_is_not_named_in_a_note_that_more_people_read() -> None:
    secret = neighbour(note("INC-2"), strength=0.9, visibility=Visibility.PRIVATE)
    assert evolved([OWN], WORDS, [secret], [], LATER) is None


def test_in_japanese_the_relation_is_japanese() -> None:
    own = note("INC-1", context="プリンター")
    new = evolved([own], words(own, "プリンターが詰まります"), [neighbour(note("INC-2"), strength=0.9)], [], LATER)
    assert new is not None
    assert new.context == "プリンター\n関連: INC-2"


def test_a_second_run_changes_nothing_and_what_a_link_brought_goes_with_it() -> None:
    two = [neighbour(note(name, keywords=["fuser"]), strength=0.9) for name in ("INC-2", "INC-3")]
    new = evolved([OWN], WORDS, two, [], LATER)
    assert new is not None
    assert evolved([OWN, new], WORDS, two, [], LATER) is None
    back = evolved([OWN, new], WORDS, [], [], LATER)
    assert back is not None
    assert note_diff(OWN, back) == ()
    assert (back.version, back.cause) == (3, "linked: nothing any more")


def test_after_a_rollback_only_links_made_since_count() -> None:
    two = [neighbour(note(name, keywords=["fuser"]), strength=0.9) for name in ("INC-2", "INC-3")]
    new = evolved([OWN], WORDS, two, [], LATER)
    assert new is not None
    back = replace(OWN, version=3, made_at=LATER, cause=rollback_cause(1))
    versions = [OWN, new, back]
    assert evolved(versions, WORDS, two, [], LATER) is None
    later = [*two, neighbour(note("INC-4", keywords=["fuser"]), strength=0.8, linked_at_hour=2)]
    newer = evolved(versions, WORDS, later, [], LATER)
    assert newer is not None
    assert (newer.keywords, newer.context.splitlines()[-1]) == (OWN.keywords, "see also INC-4")


def test_new_words_start_afresh() -> None:
    evolution = replace(OWN, version=2, keywords=("printer", "fuser"), cause="linked: INC-2")
    fresh = replace(OWN, version=3, keywords=("scanner",))
    assert ground_of([OWN, evolution]) == OWN
    assert ground_of([OWN, evolution, fresh]) == fresh
    back = replace(OWN, version=4, cause=rollback_cause(2))
    assert ground_of([OWN, evolution, fresh, back]) == back


def test_a_note_holds_a_bounded_number_of_keywords() -> None:
    many = [f"word{letter}" for letter in "abcdefghijklmnopqrst"]
    two = [neighbour(note(name, keywords=many)) for name in ("INC-2", "INC-3")]
    own = words(OWN, " ".join(many))
    new = evolved([OWN], own, two, [], LATER)
    assert new is not None
    assert len(new.keywords) == 12
    assert evolved([OWN, new], own, two, [], LATER) is None


def test_versions_that_say_the_same_have_no_difference() -> None:
    other = replace(OWN, version=9, cause="rollback to 1", made_at=LATER)
    assert note_diff(OWN, other) == ()
    [summary, context] = note_diff(OWN, replace(OWN, summary="new\nlines", context=""))
    assert (summary.part, summary.added, summary.removed) == ("summary", ("new", "lines"), ("about INC-1",))
    assert (context.part, context.before, context.after) == ("context", ("Printer; open",), ())
