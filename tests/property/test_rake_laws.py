"""Laws of the rake: what the schedule says of the chips that were contested, and nothing of those nobody called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import floor

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.random_hands import Script, Setting, play_out
from tests.support.strategies import SCRIPTS, settings_of_hands

from croupier.engine import events as ev
from croupier.engine.rake import RakeSchedule, proportional

LAWS = settings(max_examples=200, deadline=None)
PAID_IN = (ev.Posted, ev.Called, ev.BetMade, ev.Raised)


def contested(events: Sequence[ev.Event]) -> Counter[int]:
    """What each seat paid in and did not get back as uncalled, told from the events alone."""
    paid: Counter[int] = Counter()
    for event in events:
        if isinstance(event, PAID_IN):
            paid[event.seat] += event.amount
        elif isinstance(event, ev.UncalledBetReturned):
            paid[event.seat] -= event.amount
    return paid


def due(schedule: RakeSchedule, chips: int, *, players: int, beyond_first_street: bool) -> int:
    """R-K1, told anew in fractions."""
    if schedule.fixed is not None:
        return min(schedule.fixed, chips)
    if schedule.no_flop_no_drop and not beyond_first_street:
        return 0
    share = Fraction(chips * schedule.basis_points, 10_000)
    rake = round(share) if schedule.rounding == "half_even" else floor(share)
    if schedule.step_of:
        rake = floor(Fraction(chips, schedule.step_of)) * schedule.step
    cap = next((cap for most, cap in schedule.caps_by_players if players <= most), schedule.cap)
    rake = rake if cap is None else min(rake, cap)
    return min(chips, rake + schedule.jackpot_drop) if rake else 0


def must_be_by_largest_remainder(parts: Sequence[int], total: int, weights: Sequence[int]) -> None:
    """Each has its exact share rounded down; the chips left go to the largest remainders, the earlier first."""
    whole = sum(weights)
    exact = [Fraction(total * weight, whole) if whole else Fraction() for weight in weights]
    order = sorted(range(len(parts)), key=lambda place: (floor(exact[place]) - exact[place], place))
    left = total - sum(floor(share) for share in exact)
    assert list(parts) == [floor(share) + (place in order[:left]) for place, share in enumerate(exact)]


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_the_rake_is_what_the_schedule_takes_of_the_contested_chips(setting: Setting, script: Script) -> None:
    """R-B9, R-K1, R-K5."""
    hand, events = play_out(setting, script)
    ended = events[-1]
    assert isinstance(ended, ev.HandEnded)
    chips = contested(events).total()
    assert chips == sum(event.amount for event in events if isinstance(event, ev.PotAwarded))
    beyond = any(isinstance(event, ev.StreetDealt) for event in events)
    schedule = setting.rules.rake
    assert ended.rake == due(schedule, chips, players=len(hand.seats), beyond_first_street=beyond)


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_nobody_is_left_with_chips_in_the_pots_that_no_other_reached(
    setting: Setting, script: Script
) -> None:
    """R-B9: of a player still in, whose chips beyond all others' would be raked for nothing."""
    hand, _ = play_out(setting, script)
    for position, chips in enumerate(hand.contribution):
        others = [other for place, other in enumerate(hand.contribution) if place != position]
        assert hand.folded[position] or chips <= max(others)


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS)
def test_the_rake_is_spread_over_pots_by_size_and_over_players_by_what_they_paid_in(
    setting: Setting, script: Script
) -> None:
    """R-K5, R-K7."""
    hand, events = play_out(setting, script)
    ended = events[-1]
    assert isinstance(ended, ev.HandEnded)
    pots = [event for event in reversed(events) if isinstance(event, ev.PotAwarded)]
    must_be_by_largest_remainder([pot.rake for pot in pots], ended.rake, [pot.amount for pot in pots])
    paid = contested(events)
    must_be_by_largest_remainder(ended.rake_paid, ended.rake, [paid[seat] for seat in hand.seats])


@LAWS
@given(
    st.integers(0, 10**15),
    st.lists(st.integers(0, 10**13), min_size=1, max_size=10).filter(lambda weights: sum(weights) > 0),
)
def test_parts_of_any_size_add_up(total: int, weights: list[int]) -> None:
    """R-K5, R-K7: whole chips, however many."""
    must_be_by_largest_remainder(proportional(total, weights), total, weights)
