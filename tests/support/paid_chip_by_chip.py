"""What every seat is paid at the end of a hand, worked out one chip at a time: slow, and right at sight."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

from croupier.engine.game import RankHands
from croupier.engine.hand import Hand
from croupier.handrank import reference


def payouts(hand: Hand, rakes: Sequence[int]) -> list[int]:
    """Chips to each position from the pots of a hand that is over, less each pot's rake, main pot first.

    R-P1, R-P2, R-P4, R-P5, R-P6; ranks are the reference's.
    """
    live = [position for position, out in enumerate(hand.folded) if not out]
    highs = dict.fromkeys(live, 0)
    lows = dict.fromkeys(live, 0)
    if len(live) > 1:
        holes = [hand.hole_cards[position] for position in live]
        highs = dict(zip(live, _rank(hand)(holes, hand.board), strict=True))
        if hand.rules.game.rank_lows is not None:
            lows = dict(zip(live, reference.rank_omaha_low(holes, hand.board), strict=True))
    paid = [0] * len(hand.seats)
    for (owners, chips), rake in zip(_pots(hand, live), rakes, strict=True):
        best_high, best_low = max(highs[one] for one in owners), max(lows[one] for one in owners)
        high = [one for one in owners if highs[one] == best_high]
        low = [one for one in owners if lows[one] == best_low] if best_low else high
        left = chips - rake
        if low == high:
            _deal_out(paid, high, left)
        else:
            _deal_out(paid, high, left - left // 2)
            _deal_out(paid, low, left // 2)
    return paid


def _rank(hand: Hand) -> RankHands:
    game = hand.rules.game
    if game.draws:
        return reference.rank_five
    return reference.rank_holdem if game.hole_cards == 2 else reference.rank_omaha


def _pots(hand: Hand, live: list[int]) -> list[tuple[list[int], int]]:
    """Owners and chips of each pot, main pot first: chip after chip of what each paid into a level."""
    pots: list[tuple[list[int], int]] = []
    dead = sum(hand.dead_paid)
    if dead:
        pots.append((live, dead))
    for level in range(1, max(hand.contribution) + 1):
        chips = sum(paid >= level for paid in hand.contribution)
        owners = [position for position in live if hand.contribution[position] >= level]
        if pots and (not owners or owners == pots[-1][0]):
            pots[-1] = (pots[-1][0], pots[-1][1] + chips)
        else:
            pots.append((owners or live, chips))
    return pots


def _deal_out(paid: list[int], winners: Sequence[int], chips: int) -> None:
    for winner in islice(cycle(winners), chips):
        paid[winner] += 1
