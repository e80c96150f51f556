"""How a street's bets become pots (R-P1), for who sees them go in. Pure; the service's own way is in engine/."""

from __future__ import annotations

from collections.abc import Collection, Iterable, MutableSequence

from croupier.v1.hand_pb2 import HandSeat, Pot


def add_dead(pots: MutableSequence[Pot], paid: int, seats: Collection[HandSeat]) -> None:
    """Chips that count towards nothing go into the main pot at once."""
    if not paid:
        return
    if not pots:
        pots.append(Pot(eligible_seats=_numbers(seat for seat in seats if not seat.folded)))
    pots[0].amount += paid


def gather(pots: MutableSequence[Pot], seats: Collection[HandSeat]) -> None:
    """Put the seats' street bets into the pots, level by level of those who have not folded."""
    live = [seat for seat in seats if not seat.folded]
    made: list[Pot] = []
    for pot in pots:
        _put(made, pot.amount, _numbers(seat for seat in live if seat.seat_number in pot.eligible_seats))
    below = 0
    for level in sorted({seat.street_bet for seat in live} - {0}):
        amount = sum(max(0, min(seat.street_bet, level) - below) for seat in seats)
        _put(made, amount, _numbers(seat for seat in live if seat.street_bet >= level))
        below = level
    over = sum(max(0, seat.street_bet - below) for seat in seats)
    if over:
        _put(made, over, list(made[-1].eligible_seats) if made else _numbers(live))
    del pots[:]
    pots.extend(made)


def _put(made: list[Pot], amount: int, eligible: list[int]) -> None:
    """Whom a layer concerns decides: the same players make one pot."""
    if made and list(made[-1].eligible_seats) == eligible:
        made[-1].amount += amount
    elif amount:
        made.append(Pot(amount=amount, eligible_seats=eligible))


def _numbers(seats: Iterable[HandSeat]) -> list[int]:
    return sorted(seat.seat_number for seat in seats)
