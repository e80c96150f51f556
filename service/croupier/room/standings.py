"""How a table stands, as the operator log tells it. It changes nothing."""

from __future__ import annotations

from croupier.engine.table import Table
from croupier.room.operations import SeatStanding, Standing, TableStanding


def of_table(table: Table, *, halted: bool = False) -> TableStanding:
    """The table with its seats that were bought in."""
    hand = table.hand
    return TableStanding(
        "HALTED" if halted else table.carried.state.name,
        hand.number if hand is not None else 0,
        tuple(_seat(table, number) for number in sorted(table.seats) if table.seats[number].bought_in),
    )


def _seat(table: Table, number: int) -> SeatStanding:
    seat, hand, contribution = table.seats[number], table.hand, 0
    if hand is not None and number in hand.position_of:
        position = hand.position_of[number]
        contribution = hand.contribution[position] + hand.dead_paid[position]
    return SeatStanding(number, seat.player_id, table.chips_at(number), contribution, bool(seat.leaving))


def with_table(table: Table) -> Standing:
    """As an operation's before or after."""
    return Standing(table=of_table(table))
