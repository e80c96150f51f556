"""A decision's clock: time in which nobody could have acted is given back."""

from __future__ import annotations

from croupier.room.clock import MOST_LATE_NS, DecisionClock


def test_a_deadline_missed_by_a_stopped_process_is_told_from_one_that_just_passed() -> None:
    clock = DecisionClock()
    assert not clock.overslept(10**18)
    clock.deadline = 10**18
    assert not clock.overslept(10**18 + MOST_LATE_NS)
    assert clock.overslept(10**18 + MOST_LATE_NS + 1)
