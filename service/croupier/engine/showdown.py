"""The end of a hand: what nobody called, who shows, who wins each pot, and the rake."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from croupier.engine import events as ev
from croupier.engine.game import RankHands
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.pots import Pot, build_pots, split
from croupier.engine.rake import proportional, rake_of

Strengths = Mapping[int, int]
"""How strong each hand still in is, by position."""


def uncalled_bet(hand: Hand) -> ev.UncalledBetReturned | None:
    """The chips of the highest contributor that nobody else reached (R-B9)."""
    contribution = hand.contribution
    top = contribution.index(max(contribution))
    second = max(contribution[:top] + contribution[top + 1 :])
    excess = contribution[top] - second
    if not excess or hand.folded[top]:
        return None
    return ev.UncalledBetReturned(hand.seats[top], excess)


def turned_up(hand: Hand, preferring: Collection[int] = ()) -> list[ev.Event]:
    """The hands that are shown, in showing order; where the house lets losers muck, those that may win (R-H9).

    A loser is shown all the same where its seat is among those `preferring` it.
    """
    order = showing_order(hand)
    if hand.rules.losing_hands_mucked and all(hand.stack[position] for position in order):
        shown = _not_beaten_by_those_before(hand, order)
        order = [place for place in order if place in shown or hand.seats[place] in preferring]
    return [ev.HoleCardsShown(hand.seats[position], hand.hole_cards[position]) for position in order]


def showing_order(hand: Hand) -> list[int]:
    """Positions still in, in the order they show: the last to bet on the final street first (R-H9)."""
    count = len(hand.seats)
    final = hand.street + 1 == len(hand.rules.game.streets)
    first = hand.aggressor if final and hand.aggressor != NOBODY else 0
    return [position for position in (*range(first, count), *range(first)) if not hand.folded[position]]


def _not_beaten_by_those_before(hand: Hand, order: Sequence[int]) -> list[int]:
    """Those in showing order that win some part, high or low, of a pot against all shown before them."""
    pots = current_pots(hand) or [Pot(0, tuple(order))]
    strength = _strengths(hand)
    lows = _lows(hand)
    shown: list[int] = []
    for position in order:
        for pot in pots:
            if position not in pot.eligible:
                continue
            before = [other for other in shown if other in pot.eligible]
            low = lows.get(position, 0)
            if all(strength[position] >= strength[other] for other in before) or (
                low and all(low >= lows[other] for other in before)
            ):
                shown.append(position)
                break
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
    rake = rake_of(hand.rules.rake, sum(amounts), flop_dealt=hand.street > 0, players=len(seats))
    rakes = proportional(rake, amounts) if rake else [0] * len(pots)
    strength = _strengths(hand)
    lows = _lows(hand)
    stacks = list(hand.stack)
    happened: list[ev.Event] = []
    for index in range(len(pots) - 1, -1, -1):
        amount, eligible = pots[index]
        winners, awards, low_winners, low_awards = _shares(amount - rakes[index], eligible, strength, lows)
        for position, award in zip(winners + low_winners, awards + low_awards, strict=True):
            stacks[position] += award
        happened.append(
            ev.PotAwarded(
                index,
                amount,
                rakes[index],
                tuple([seats[position] for position in eligible]),
                tuple([seats[position] for position in winners]),
                tuple(awards),
                tuple([seats[position] for position in low_winners]),
                tuple(low_awards),
            )
        )
    paid = tuple(proportional(rake, _paid_in(hand))) if rake else (0,) * len(seats)
    net = tuple([after - before for after, before in zip(stacks, hand.started.stacks, strict=True)])
    happened.append(ev.HandEnded(hand.number, rake, tuple(stacks), paid, seats, net))
    return happened


class _Shares(NamedTuple):
    winners: list[int]
    awards: list[int]
    low_winners: list[int]
    low_awards: list[int]


def _shares(amount: int, eligible: Sequence[int], strength: Strengths, lows: Strengths) -> _Shares:
    """Who wins how much of a pot: all of it the best, or half the best high and half the best low (R-P4, R-P5).

    The odd chip of the halves is the high's. Where both have the same winners the pot is not halved.
    """
    winners = _best(strength, eligible)
    low_winners = _best(lows, eligible) if lows else []
    if not low_winners or not lows[low_winners[0]] or low_winners == winners:
        return _Shares(winners, split(amount, len(winners)), [], [])
    low = amount // 2
    return _Shares(winners, split(amount - low, len(winners)), low_winners, split(low, len(low_winners)))


def _best(strength: Strengths, eligible: Sequence[int]) -> list[int]:
    """The strongest of those eligible, in seat order."""
    best = max([strength[position] for position in eligible])
    return [position for position in eligible if strength[position] == best]


def _strengths(hand: Hand) -> Strengths:
    """High hands; one alone need not be known (R-H5)."""
    live = _live(hand)
    if len(live) == 1:
        return {live[0]: 0}
    return _ranked(hand, hand.rules.game.rank_hands, live)


def _lows(hand: Hand) -> Strengths:
    """Lows, 0 for a hand that makes none (R-C6); empty where lows win nothing."""
    rank_lows = hand.rules.game.rank_lows
    if rank_lows is None or hand.in_hand == 1:
        return {}
    return _ranked(hand, rank_lows, _live(hand))


def _live(hand: Hand) -> list[int]:
    return [position for position, out in enumerate(hand.folded) if not out]


def _ranked(hand: Hand, rank: RankHands, live: Sequence[int]) -> Strengths:
    ranks = rank([hand.hole_cards[position] for position in live], hand.board)
    return dict(zip(live, ranks, strict=True))


def _paid_in(hand: Hand) -> list[int]:
    """What each position paid into the pots, dead posts included, uncalled chips excluded (R-K7)."""
    return [chips + dead for chips, dead in zip(hand.contribution, hand.dead_paid, strict=True)]
