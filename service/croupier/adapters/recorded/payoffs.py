"""Compares what each seat won or lost, and tells a site's way of odd chips and of rake from a difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from croupier.adapters.recorded.hand import RecordedHand
from croupier.adapters.recorded.playing import Played
from croupier.adapters.recorded.sites import ways_of
from croupier.engine import events as ev

ODD_CHIPS: Final = "place of odd chips"
RAKE_SPREAD: Final = "rake spread over pots"


class PayoffComparison(NamedTuple):
    """What differs, or which of a site's own ways explains all that differs."""

    differences: tuple[str, ...] = ()
    sites_way: tuple[str, ...] = ()


def compare(recorded: RecordedHand, played: Played) -> PayoffComparison:
    """Every seat's net result where the cards are known; else what is sure without them."""
    told = recorded.payoffs
    if told is None:
        return PayoffComparison()
    hand = played.hand
    if sum(told.values()) != -recorded.rake:
        return _differ(f"payoffs: they sum to {sum(told.values())} where the rake is {recorded.rake}")
    if set(told) != set(hand.seats):
        return _differ("payoffs: not one for each seat dealt in")
    brought = {seat.seat: seat.stack for seat in recorded.seats}
    made = {seat: chips - brought[seat] for seat, chips in zip(hand.seats, hand.stack, strict=True)}
    if not recorded.checkable:
        sure = [seat for seat, folded in zip(hand.seats, hand.folded, strict=True) if folded]
        return _seats_differ(told, made, sure)
    if told == made:
        return PayoffComparison()
    off = {seat: told[seat] - made[seat] for seat in hand.seats}
    pots = [event for event in played.events if isinstance(event, ev.PotAwarded)]
    if _odd_chips_elsewhere(off, pots):
        if ways_of(recorded.site).odd_chips_wander:
            return PayoffComparison(sites_way=(ODD_CHIPS,))
    elif recorded.rake and len(pots) > 1 and _rake_elsewhere(off, pots, recorded.rake):
        return PayoffComparison(sites_way=(RAKE_SPREAD,))
    return _seats_differ(told, made, hand.seats)


def _differ(text: str) -> PayoffComparison:
    return PayoffComparison(differences=(text,))


def _seats_differ(told: dict[int, int], made: dict[int, int], seats: Sequence[int]) -> PayoffComparison:
    off = [seat for seat in seats if told[seat] != made[seat]]
    if not off:
        return PayoffComparison()
    text = "; ".join(f"seat {seat} recorded {told[seat]}, the engine {made[seat]}" for seat in off)
    return _differ(f"payoffs: {text}")


def _odd_chips_elsewhere(off: dict[int, int], pots: Sequence[ev.PotAwarded]) -> bool:
    """Whether odd chips that went to others of the same winners explain what every seat is off by."""
    gained = dict.fromkeys(off, 0)
    lost = dict.fromkeys(off, 0)
    for pot in pots:
        if pot.low_winners:
            _odd_chips_of_halves(pot, gained, lost)
            continue
        for seat, award in zip(pot.winners, pot.awards, strict=True):
            gained[seat] += award < max(pot.awards)
            lost[seat] += award > min(pot.awards)
    return all(-lost[seat] <= chips <= gained[seat] for seat, chips in off.items())


def _odd_chips_of_halves(pot: ev.PotAwarded, gained: dict[int, int], lost: dict[int, int]) -> None:
    """The odd chip of the halves, which the high had, and those of each half, which the other may have."""
    between = sum(pot.awards) - sum(pot.low_awards)
    halves = ((pot.winners, pot.awards, between), (pot.low_winners, pot.low_awards, 0))
    odd = between + sum(sum(awards) - len(awards) * min(awards) for _, awards, _ in halves)
    for winners, awards, from_the_other in halves:
        for seat, award in zip(winners, awards, strict=True):
            gained[seat] += odd
            lost[seat] += (award > min(awards)) + from_the_other


def _rake_elsewhere(off: dict[int, int], pots: Sequence[ev.PotAwarded], rake: int) -> bool:
    """Whether taking the same rake from the pots in other parts can explain what every seat is off by."""
    most_up = dict.fromkeys(off, 0)
    most_down = dict.fromkeys(off, 0)
    for pot in pots:
        for winners in (pot.winners, pot.low_winners):
            sharing = len(winners) * (2 if pot.low_winners else 1)
            odd = 1 if sharing > 1 else 0
            for seat in winners:
                most_up[seat] += -(-pot.rake // sharing) + odd
                most_down[seat] += -(-(min(rake, pot.amount) - pot.rake) // sharing) + odd
    return all(-most_down[seat] <= chips <= most_up[seat] for seat, chips in off.items())
