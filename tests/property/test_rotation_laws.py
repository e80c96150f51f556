"""Laws of button and blinds while players come and go: R-H2, R-H4, R-T9, R-T10, R-T17."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.comings_and_goings import BIG, SMALL, ComingsAndGoings, Dealt

from croupier.engine.events import PostKind
from croupier.engine.table_events import Preferences

SEATS = 10
LIVE = (PostKind.BIG_BLIND, PostKind.BRING_IN, PostKind.LIVE_BLIND)

LAW = settings(max_examples=200, deadline=None)

Step = tuple[str, int]

KINDS = st.sampled_from(
    (*["deal"] * 4, "join", "join", "join_and_wait", "leave", "sit_out", "sit_in", "wait", "avoid")
)
STEPS = st.lists(st.tuples(KINDS, st.integers(1, SEATS)), min_size=5, max_size=80)
ENTRIES = ({"wait_near_button": False}, {"wait_near_button": True}, {"newcomers_may_wait": True})
HOUSES = st.sampled_from(ENTRIES)
WHERE_NEWCOMERS_WAIT = {"newcomers_may_wait": True, "wait_near_button": False}


def walk(steps: list[Step], house: dict[str, bool], seats: int = SEATS) -> ComingsAndGoings:
    """A table to which the steps happened, three players being there to begin with."""
    table = ComingsAndGoings(seats, **house)
    for seat in (1, 2, 3):
        if seat <= seats:
            table.join(seat)
    for kind, seat in steps:
        if kind == "deal":
            table.deal()
        else:
            getattr(table, kind)((seat - 1) % seats + 1)
    return table


def between(start: int, seat: int, end: int) -> bool:
    """Whether a seat is passed on the way clockwise from `start` to `end`; from a seat to itself is once round."""
    return 0 < (seat - start) % SEATS < ((end - start) % SEATS or SEATS)


def passes_small(before: Dealt, seat: int, after: Dealt) -> bool:
    """Whether the small blind goes over a seat; it stays where it was for one hand as two players become heads-up."""
    return before.small != after.small and between(before.small, seat, after.small)


def left_behind(before: Dealt, seat: int, after: Dealt) -> bool:
    """Whether the button leaves a seat, or passes it."""
    return before.button != after.button and (
        seat == before.button or between(before.button, seat, after.button)
    )


def opening(hand: Dealt) -> bool:
    """Whether everybody dealt in is new to the table."""
    return all(hand.before[seat].newcomer for seat in hand.seats)


def goes_on(hands: list[Dealt]) -> list[tuple[Dealt, Dealt]]:
    """Each hand that follows another at a table where somebody stayed."""
    return [(before, after) for before, after in pairwise(hands) if not opening(after)]


@LAW
@given(STEPS, HOUSES)
def test_nobody_posts_the_big_blind_twice_running(steps: list[Step], house: dict[str, bool]) -> None:
    for before, after in goes_on(walk(steps, house).hands):
        assert before.player(before.big) != after.player(after.big)


@LAW
@given(STEPS, HOUSES)
def test_nobody_dealt_in_is_skipped_by_the_big_blind(steps: list[Step], house: dict[str, bool]) -> None:
    for before, after in goes_on(walk(steps, house).hands):
        assert not [seat for seat in after.seats if between(before.big, seat, after.big)]


@LAW
@given(STEPS, HOUSES)
def test_nobody_who_could_be_dealt_in_is_left_out(steps: list[Step], house: dict[str, bool]) -> None:
    for hand in walk(steps, house).hands:
        for seat, before in hand.before.items():
            waits = before.waits_for_button or before.waits_for_big_blind
            if house.get("newcomers_may_wait") and not opening(hand):
                waits = waits or before.newcomer
            assert (seat in hand.seats) == before.able or (before.able and waits)


@LAW
@given(STEPS, HOUSES)
def test_two_players_have_the_button_on_the_small_blind(steps: list[Step], house: dict[str, bool]) -> None:
    for hand in walk(steps, house).hands:
        if len(hand.seats) == 2:
            assert hand.button == hand.small
            assert {hand.small, hand.big} == set(hand.seats)


@LAW
@given(STEPS, HOUSES)
def test_small_blind_and_button_follow_the_big_blind(steps: list[Step], house: dict[str, bool]) -> None:
    """R-H4: the small blind falls where the big blind was, the button where the small blind was, empty or not."""
    for before, after in goes_on(walk(steps, house).hands):
        if len(after.seats) == 2:
            continue
        assert after.small == before.big
        assert between(after.button, after.small, after.big)
        if len(before.seats) > 2 and between(after.big, before.small, after.small):
            assert after.button == before.small


@LAW
@given(STEPS, HOUSES)
def test_the_deal_begins_left_of_the_button(steps: list[Step], house: dict[str, bool]) -> None:
    for hand in walk(steps, house).hands:
        clockwise = sorted(hand.seats, key=lambda seat: (seat - hand.button - 1) % SEATS)
        assert list(hand.seats) == clockwise


@LAW
@given(STEPS, HOUSES)
def test_blinds_are_posted_by_those_who_are_due(steps: list[Step], house: dict[str, bool]) -> None:
    for hand in walk(steps, house).hands:
        assert hand.paid(hand.big) == {PostKind.BIG_BLIND: BIG}
        for seat in hand.seats:
            paid = hand.paid(seat)
            assert sum(kind in paid for kind in (*LIVE, PostKind.SMALL_BLIND)) <= 1
            assert (PostKind.SMALL_BLIND in paid) <= (seat == hand.small)
            assert (PostKind.BIG_BLIND in paid) == (seat == hand.big)


@LAW
@given(STEPS, HOUSES)
def test_newcomers_post_a_live_big_blind_once(steps: list[Step], house: dict[str, bool]) -> None:
    """R-T10: on the first hand after buying in, but for the table's opening one; then never again."""
    met: set[str] = set()
    for hand in walk(steps, house).hands:
        for seat in hand.seats:
            player, paid = hand.player(seat), hand.paid(seat)
            if player not in met and not opening(hand):
                assert [amount for kind, amount in paid.items() if kind in LIVE] == [BIG]
            if player in met or opening(hand):
                assert PostKind.BRING_IN not in paid
            met.add(player)


@LAW
@given(STEPS)
def test_no_newcomer_is_dealt_in_between_button_and_blinds(steps: list[Step]) -> None:
    """R-T10, where newcomers may wait for the big blind; not on an opening hand, where everybody is new."""
    for hand in walk(steps, WHERE_NEWCOMERS_WAIT).hands:
        for seat in hand.seats:
            if hand.before[seat].newcomer and not opening(hand):
                assert not 0 < (seat - hand.button) % SEATS < (hand.big - hand.button) % SEATS


@LAW
@given(STEPS)
def test_a_newcomer_who_waits_owes_nothing_but_the_big_blind(steps: list[Step]) -> None:
    """R-T10: dealt in where it is due, unless two could not play without; then a live big blind is posted."""
    for hand in walk(steps, WHERE_NEWCOMERS_WAIT).hands:
        for seat in hand.seats:
            stood = hand.before[seat]
            if stood.newcomer and stood.waits_for_big_blind and not opening(hand):
                assert seat == hand.big or len(hand.seats) == 2
                assert [amount for kind, amount in hand.paid(seat).items() if kind in LIVE] == [BIG]


@LAW
@given(STEPS)
def test_a_newcomer_who_posts_is_dealt_in_once_the_button_has_passed(steps: list[Step]) -> None:
    """R-T10: two hands are missed at most, while small blind and button go by."""
    missed: dict[str, int] = {}
    for hand in walk(steps, WHERE_NEWCOMERS_WAIT).hands:
        for seat, stood in hand.before.items():
            if stood.able and stood.newcomer and not stood.waits_for_big_blind:
                missed[stood.player_id] = 0 if seat in hand.seats else missed.get(stood.player_id, 0) + 1
                assert missed[stood.player_id] <= 2


@LAW
@given(STEPS, HOUSES)
def test_whoever_avoids_blinds_posts_none(steps: list[Step], house: dict[str, bool]) -> None:
    """Neither the small nor the big one; what was missed before is posted."""
    table = walk(steps, house)
    for seat in tuple(table.table.seats):
        table.table.seats[seat].preferences = Preferences(sit_out_next_blind=True)
        if (hand := table.deal()) is not None:
            assert PostKind.SMALL_BLIND not in hand.paid(seat)
            assert PostKind.BIG_BLIND not in hand.paid(seat)


@LAW
@given(STEPS, HOUSES)
def test_a_missed_big_blind_is_posted_on_return(steps: list[Step], house: dict[str, bool]) -> None:
    """R-T17: posted live, unless the returning player is the big blind; what was not missed is not owed.

    A missed small blind is posted dead, unless the returning player has a blind to post anyway.
    """
    table = walk(steps, house)
    owed_big: dict[str, bool] = {}
    owed_small: dict[str, bool] = {}
    for before, after in pairwise(table.hands):
        for seat in after.seats:
            player, paid = after.player(seat), after.paid(seat)
            if seat != after.big and not after.before[seat].newcomer:
                assert (PostKind.LIVE_BLIND in paid) == owed_big.get(player, False)
                owes_small = owed_small.get(player, False) and PostKind.SMALL_BLIND not in paid
                assert paid.get(PostKind.DEAD_BLIND, 0) == (SMALL if owes_small else 0)
            owed_big.pop(player, None)
            owed_small.pop(player, None)
        for seat, stood in after.before.items():
            if seat in after.seats or stood.newcomer or stood.able:
                continue
            if not opening(after) and between(before.big, seat, after.big):
                owed_big[stood.player_id] = True
            if not opening(after) and (seat == after.small or passes_small(before, seat, after)):
                owed_small[stood.player_id] = True


@LAW
@given(STEPS, st.integers(2, SEATS))
def test_newcomers_near_the_button_wait_until_it_has_passed(steps: list[Step], seats: int) -> None:
    """R-T9, with the wait waived where fewer than two could be dealt in without them."""
    table = walk(steps, {"wait_near_button": True}, seats)
    for before, after in pairwise(table.hands):
        others = [
            seat
            for seat, stood in after.before.items()
            if stood.able
            and not stood.waits_for_button
            and (not stood.waits_for_big_blind or seat in after.seats)
        ]
        for seat, stood in after.before.items():
            if stood.able and stood.waits_for_button and seat in after.seats and len(others) >= 2:
                assert left_behind(before, seat, after)


@LAW
@given(STEPS, st.integers(2, SEATS))
def test_newcomers_near_the_button_wait_no_longer_than_until_it_has_passed(
    steps: list[Step], seats: int
) -> None:
    """R-T9: dealt in as the button leaves the seat behind, or at the next hand where the blinds do not allow that."""
    table = walk(steps, {"wait_near_button": True}, seats)
    passed: set[str] = set()
    for before, after in pairwise(table.hands):
        for seat, stood in after.before.items():
            if stood.player_id in passed:
                assert seat in after.seats or not stood.able or stood.waits_for_big_blind
            if stood.newcomer and stood.able and left_behind(before, seat, after):
                passed.add(stood.player_id)


@pytest.mark.parametrize("seats", range(2, SEATS + 1))
def test_a_quiet_table_gives_everybody_the_same(seats: int) -> None:
    """Nobody comes or goes: in as many hands as there are players, each has every blind once."""
    table = ComingsAndGoings(seats)
    for seat in range(1, seats + 1):
        table.join(seat)
    for _hand in range(4 * seats):
        table.deal()
    for start in range(len(table.hands) - seats + 1):
        orbit = table.hands[start : start + seats]
        for place in ("big", "small", "button"):
            assert sorted(getattr(hand, place) for hand in orbit) == list(range(1, seats + 1))
