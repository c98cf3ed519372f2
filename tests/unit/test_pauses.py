"""What fails for now is left alone for longer and longer, and given up after 30 days."""

from __future__ import annotations

from handlers.pauses import Pauses

DAY = 24 * 3600.0


class Hand:
    """A clock that goes as far as it is put."""

    at = 1000.0

    def __call__(self) -> float:
        return self.at


def tries(hand: Hand, pauses: Pauses, seconds: float) -> list[float]:
    """Fail whenever it is due: after how many seconds each try came."""
    began, found = hand.at, []
    while hand.at < began + seconds:
        if pauses.due("note"):
            found.append(hand.at - began)
            assert not pauses.settled("note", False)
        hand.at += 1.0
    return found


def test_each_pause_is_twice_as_long_as_the_one_before_up_to_five_minutes() -> None:
    hand = Hand()
    assert tries(hand, Pauses(hand), 1400.0) == [0, 15, 45, 105, 225, 465, 765, 1065, 1365]


def test_what_was_done_begins_anew_and_other_things_are_not_paused() -> None:
    hand = Hand()
    pauses = Pauses(hand)
    assert not pauses.settled("note", False)
    assert (pauses.due("note"), pauses.due("other")) == (False, True)
    assert pauses.settled("note", True)
    assert pauses.due("note")
    assert tries(hand, pauses, 40.0) == [0, 15]


def test_it_is_given_up_after_thirty_days_of_failing_and_not_before() -> None:
    hand = Hand()
    pauses = Pauses(hand)
    assert not pauses.settled("note", False)
    hand.at += 30 * DAY - 1.0
    assert not pauses.settled("note", False)
    hand.at += 1.0
    assert pauses.settled("note", False)
    assert pauses.due("note")


def test_of_very_many_things_the_oldest_is_tried_as_if_it_had_not_failed() -> None:
    pauses = Pauses(Hand())
    for number in range(10_001):
        pauses.settled(str(number), False)
    assert [pauses.due(name) for name in ("0", "1", "10000")] == [True, False, False]
