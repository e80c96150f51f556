"""How long newcomers and those who come back wait, and what they owe."""

from __future__ import annotations

from tests.support.comings_and_goings import BIG, SMALL, ComingsAndGoings

from croupier.engine.events import PostKind


def test_the_button_passes_a_seat_that_it_stood_on() -> None:
    """R-T9: a newcomer in the seat that the big blind left waits two hands, not an orbit."""
    table = ComingsAndGoings(10, wait_near_button=True)
    for seat in range(1, 11):
        table.join(seat)
    first = table.deal()
    assert first is not None
    table.leave(first.big)
    table.join(first.big)
    dealt = [hand.seats for _ in range(4) if (hand := table.deal()) is not None]
    assert [first.big in seats for seats in dealt] == [False, False, True, True]


def test_an_orbit_sat_out_owes_both_blinds() -> None:
    """R-T17: the small blind passes the seat that the big blind has passed."""
    table = ComingsAndGoings(6)
    for seat in range(1, 7):
        table.join(seat)
    first = table.deal()
    assert first is not None
    away = first.big % 6 + 1
    table.sit_out(away)
    for _hand in range(3):
        table.deal()
    table.sit_in(away)
    back = table.deal()
    assert back is not None
    assert back.paid(away) == {PostKind.LIVE_BLIND: BIG, PostKind.DEAD_BLIND: SMALL}


def test_a_returning_player_may_wait_while_a_newcomer_plays() -> None:
    """R-T9, R-T17: no newcomer waits for the button where only one other does not wait for the big blind."""
    table = ComingsAndGoings(6)
    for seat in (1, 2, 4):
        table.join(seat)
    while (hand := table.deal()) is not None and hand.big != 2:
        pass
    table.sit_out(4)
    table.deal()
    table.wait(4)
    table.join(3)
    table.leave(1)
    seats = table.table.seats
    assert seats[4].waiting_for_big_blind
    assert seats[3].waiting_for_button
    played = table.deal()
    assert played is not None
    assert set(played.seats) == {2, 3}
    assert seats[4].waiting_for_big_blind
