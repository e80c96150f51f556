"""The end of a hand: what nobody called, who shows, who wins each pot, and the rake."""

from __future__ import annotations

from croupier.engine import events as ev
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.pots import Pot, build_pots, split
from croupier.engine.rake import proportional, rake_of


def uncalled_bet(hand: Hand) -> ev.UncalledBetReturned | None:
    """The chips of the highest contributor that nobody else reached (R-B9)."""
    contribution = hand.contribution
    top = contribution.index(max(contribution))
    second = max(contribution[:top] + contribution[top + 1 :])
    excess = contribution[top] - second
    if not excess or hand.folded[top]:
        return None
    return ev.UncalledBetReturned(hand.seats[top], excess)


def turned_up(hand: Hand) -> list[ev.Event]:
    """The hands that are shown, in showing order; where the house lets losers muck, those that win (R-H9)."""
    order = showing_order(hand)
    if hand.rules.losing_hands_mucked and all(hand.stack[position] for position in order):
        order = _beaten_by_none_before(hand, order)
    return [ev.HoleCardsShown(hand.seats[position], hand.hole_cards[position]) for position in order]


def showing_order(hand: Hand) -> list[int]:
    """Positions still in, in the order they show: the last to bet on the final street first (R-H9)."""
    count = len(hand.seats)
    final = hand.street + 1 == len(hand.rules.game.streets)
    first = hand.aggressor if final and hand.aggressor != NOBODY else 0
    return [position for position in (*range(first, count), *range(first)) if not hand.folded[position]]


def _beaten_by_none_before(hand: Hand, order: list[int]) -> list[int]:
    strength = _strengths(hand)
    shown: list[int] = []
    for position in order:
        if not shown or strength[position] >= max(strength[other] for other in shown):
            shown.append(position)
    return shown


def current_pots(hand: Hand) -> list[Pot]:
    """The pots as they stand, by position."""
    return build_pots(hand.contribution, hand.folded, sum(hand.dead_paid))


def closed_pots(hand: Hand) -> list[Pot]:
    """The pots without the present street's live bets, by position."""
    closed = [chips - bet for chips, bet in zip(hand.contribution, hand.street_bet, strict=True)]
    return build_pots(closed, hand.folded, sum(hand.dead_paid))


def settle(hand: Hand) -> list[ev.Event]:
    """Rake, then every pot from the highest level to the main pot, then the end (R-P2, R-K5)."""
    pots = current_pots(hand)
    seats = hand.seats
    amounts = [pot.amount for pot in pots]
    rake = rake_of(hand.rules.rake, sum(amounts), flop_dealt=bool(hand.board), players=len(seats))
    rakes = proportional(rake, amounts) if rake else [0] * len(pots)
    strength = _strengths(hand)
    stacks = list(hand.stack)
    happened: list[ev.Event] = []
    for index in range(len(pots) - 1, -1, -1):
        amount, eligible = pots[index]
        best = max([strength[position] for position in eligible])
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
    net = tuple([after - before for after, before in zip(stacks, hand.started.stacks, strict=True)])
    happened.append(ev.HandEnded(hand.number, rake, tuple(stacks), paid, seats, net))
    return happened


def _strengths(hand: Hand) -> dict[int, int]:
    """Strength of each hand still in, by position; one alone need not be known (R-H5)."""
    live = [position for position, out in enumerate(hand.folded) if not out]
    if len(live) == 1:
        return {live[0]: 0}
    ranks = hand.rules.game.rank_hands([hand.hole_cards[position] for position in live], hand.board)
    return dict(zip(live, ranks, strict=True))


def _paid_in(hand: Hand) -> list[int]:
    """What each position paid into the pots, dead posts included, uncalled chips excluded (R-K7)."""
    return [chips + dead for chips, dead in zip(hand.contribution, hand.dead_paid, strict=True)]
