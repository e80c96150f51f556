"""What a voided hand leaves as it was: button, blinds, and what each seat owes or waits for. It decides nothing.

A hand dealt in another's place is an exact replay of it (TDA 35): the button does not move, and nobody owes less.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from croupier.engine import events as ev
from croupier.engine.carried import Seat, TableCarried
from croupier.engine.hand import Hand


class SeatBefore(NamedTuple):
    """A seat before a hand began."""

    owes_bring_in: bool
    waiting_for_button: bool
    waiting_for_big_blind: bool
    missed_big_blind: bool
    missed_small_blind: bool
    time_outs: int
    sat_out_for: int


class Before(NamedTuple):
    """The table before a hand began; a seat whose player leaves goes from it."""

    button_seat: int
    small_blind_seat: int
    big_blind_seat: int
    seats: dict[int, SeatBefore]


def as_it_is(carried: TableCarried) -> Before:
    """To be remembered until the hand has ended."""
    return Before(
        carried.button_seat,
        carried.small_blind_seat,
        carried.big_blind_seat,
        {number: _seat(seat) for number, seat in carried.seats.items()},
    )


def _seat(seat: Seat) -> SeatBefore:
    return SeatBefore(
        seat.owes_bring_in,
        seat.waiting_for_button,
        seat.waiting_for_big_blind,
        seat.missed_big_blind,
        seat.missed_small_blind,
        seat.time_outs,
        seat.sat_out_for,
    )


def as_it_was(carried: TableCarried, before: Before, in_hand: Collection[int]) -> None:
    """Take back what the hand's start meant to seats."""
    carried.button_seat = before.button_seat
    carried.small_blind_seat = before.small_blind_seat
    carried.big_blind_seat = before.big_blind_seat
    for number, known in before.seats.items():
        seat = carried.seats[number]
        seat.waiting_for_button = known.waiting_for_button
        seat.missed_big_blind = known.missed_big_blind
        seat.missed_small_blind = known.missed_small_blind
        if number in in_hand:
            seat.owes_bring_in = known.owes_bring_in
            seat.waiting_for_big_blind = known.waiting_for_big_blind
            seat.time_outs = known.time_outs
            seat.sat_out_for = known.sat_out_for


def put_in(hand: Hand, event: ev.Event) -> None:
    """Move the chips of one event and nothing else, in a hand that cannot be folded as it was played."""
    match event:
        case ev.Posted() | ev.Called() | ev.BetMade() | ev.Raised():
            amount = event.amount
        case ev.UncalledBetReturned():
            amount = -event.amount
        case _:
            return
    position = hand.position_of[event.seat]
    hand.stack[position] -= amount
    hand.contribution[position] += amount
    hand.pot += amount
