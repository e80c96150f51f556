"""The end of a hand: what nobody called, who shows first, who wins each pot, and the rake."""

from __future__ import annotations

from croupier.engine import events as ev
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.pots import Pot, build_pots, split
from croupier.engine.rake import proportional, rake_of


def uncalled_bet(hand: Hand) -> ev.UncalledBetReturned | None:
    """The chips of the highest contributor that nobody else reached (R-B9)."""
    contribution = hand.contribution
    top = max(range(len(contribution)), key=contribution.__getitem__)
    second = 0
    for position, chips in enumerate(contribution):
        if position != top and chips > second:
            second = chips
    excess = contribution[top] - second
    if excess <= 0 or hand.folded[top]:
        return None
    return ev.UncalledBetReturned(hand.seats[top], excess)


def showing_order(hand: Hand) -> list[int]:
    """Positions still in, in the order they show: the last to bet on the final street first (R-H9)."""
    count = len(hand.seats)
    first = 0 if hand.aggressor == NOBODY else hand.aggressor
    clockwise = ((first + step) % count for step in range(count))
    return [position for position in clockwise if not hand.folded[position]]


def current_pots(hand: Hand) -> list[Pot]:
    """The pots as they stand, by position; for views, and for settling."""
    return build_pots(hand.contribution, hand.folded, sum(hand.dead_paid))


def settle(hand: Hand) -> list[ev.Event]:
    """Rake, then every pot from the highest level to the main pot, then the end (R-P2, R-K5)."""
    pots = current_pots(hand)
    rules = hand.rules
    total = sum(pot.amount for pot in pots)
    rake = rake_of(rules.rake, total, flop_dealt=bool(hand.board))
    rakes = proportional(rake, [pot.amount for pot in pots]) if rake else [0] * len(pots)
    strength = _strengths(hand)
    seats = hand.seats
    stacks = list(hand.stack)
    happened: list[ev.Event] = []
    for index in range(len(pots) - 1, -1, -1):
        amount, eligible = pots[index]
        if strength is None:
            winners = list(eligible)
        else:
            best = max(strength[position] for position in eligible)
            winners = [position for position in eligible if strength[position] == best]
        awards = split(amount - rakes[index], len(winners))
        for position, award in zip(winners, awards, strict=True):
            stacks[position] += award
        happened.append(
            ev.PotAwarded(
                index,
                amount,
                rakes[index],
                tuple([seats[position] for position in eligible]),
                tuple([seats[position] for position in winners]),
                tuple(awards),
            )
        )
    paid = tuple(proportional(rake, _paid_in(hand))) if rake else (0,) * len(seats)
    happened.append(ev.HandEnded(hand.number, rake, tuple(stacks), paid))
    return happened


def _strengths(hand: Hand) -> dict[int, int] | None:
    """Strength of each hand still in by position; None where one alone is left."""
    if hand.in_hand == 1:
        return None
    live = [position for position, out in enumerate(hand.folded) if not out]
    ranks = hand.rules.game.rank_hands([hand.hole_cards[position] for position in live], hand.board)
    return dict(zip(live, ranks, strict=True))


def _paid_in(hand: Hand) -> list[int]:
    """What each position paid into the pots, dead posts included, uncalled chips excluded (R-K7)."""
    return [chips + dead for chips, dead in zip(hand.contribution, hand.dead_paid, strict=True)]
