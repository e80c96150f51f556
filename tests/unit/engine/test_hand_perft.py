"""How many lines of play a tiny game has: a number that changes when any rule of betting does."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from tests.support.deals import FIXED_LIMIT, NO_LIMIT, POT_LIMIT, SPREAD_LIMIT, Deal
from tests.support.draws import DrawDeal
from tests.support.lines import choices, engine_lines, fork, plain_lines
from tests.support.plain_betting import PlainBetting

from croupier.engine.actions import FOLD
from croupier.engine.betting import legal_actions
from croupier.engine.events import HandStarted, Post, PostKind
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.play import act
from croupier.engine.rejection import Rejected
from croupier.engine.rules import AllInRule, Structure


def lines(hand: Hand) -> int:
    """Lines of play from here to the end of the hand; a fold where a check is free is left out."""
    if hand.actor == NOBODY:
        return 1
    count = 0
    for action in choices(hand):
        if action == FOLD and legal_actions(hand).can_check:
            continue
        line = fork(hand)
        assert not isinstance(act(line, action), Rejected)
        count += lines(line)
    return count


@pytest.mark.parametrize(
    ("structure", "stacks", "expected"),
    [
        (NO_LIMIT, (6, 6), 178),
        (NO_LIMIT, (5, 5, 5), 754),
        (POT_LIMIT, (7, 7), 482),
        (FIXED_LIMIT, (9, 9), 358),
        (FIXED_LIMIT, (4, 7, 5), 252),
        (FIXED_LIMIT, (6, 6, 6), 524),
    ],
)
def test_a_tiny_game_has_as_many_lines_as_counted_once(
    structure: Structure, stacks: tuple[int, ...], expected: int
) -> None:
    """Blinds 1/2; pokerkit counts as many in each of these games."""
    assert lines(Deal(*stacks, structure=structure, cap_lifts_heads_up=False).hand) == expected


def due(started: HandStarted) -> list[Post]:
    """Blinds of half the price and the price."""
    if not started.price:
        return []
    return [
        Post(started.small_blind_seat, PostKind.SMALL_BLIND, started.price // 2),
        Post(started.big_blind_seat, PostKind.BIG_BLIND, started.price),
    ]


class Perft(NamedTuple):
    """A tiny table, and how many lines of 0, 1, 2, … actions there are on it."""

    name: str
    deal: Deal
    lines: list[int]


def stakes(structure: Structure, *stacks: int, **options: Any) -> Deal:
    """A table of blinds 1 and 2."""
    return Deal(*stacks, structure=structure, **options)


PERFT = [
    Perft("no limit", stakes(NO_LIMIT, 5, 6, 7), [1, 6, 17, 49, 96, 165, 256, 345, 464, 591]),
    Perft("no limit, short all-ins", stakes(NO_LIMIT, 9, 3, 5, 7), [1, 4, 19, 94, 193, 403, 670, 1025, 1651]),
    Perft("a short big blind", stakes(NO_LIMIT, 5, 1, 7), [1, 6, 13, 15, 25, 33, 36, 46, 49, 43, 14]),
    Perft("pot limit", stakes(POT_LIMIT, 8, 7, 9), [1, 6, 26, 78, 231, 479, 871, 1399]),
    Perft("pot limit, a short big blind", stakes(POT_LIMIT, 30, 1, 30), [1, 6, 57, 569, 3547]),
    Perft("fixed limit", stakes(FIXED_LIMIT, 9, 7, 5), [1, 3, 9, 24, 54, 113, 197, 299, 417, 508, 558]),
    Perft(
        "fixed limit, bets capped",
        stakes(FIXED_LIMIT, 20, 20, cap_lifts_heads_up=False),
        [1, 3, 6, 12, 23, 44, 87, 172, 338, 614, 971, 1236, 1167, 767, 331, 85, 10],
    ),
    Perft(
        "fixed limit, cap lifted",
        stakes(FIXED_LIMIT, 20, 20),
        [1, 3, 6, 12, 24, 48, 96, 192, 384, 715, 1179, 1621, 1745, 1414, 861, 393, 121, 18],
    ),
    Perft(
        "fixed limit, half bets",
        stakes(FIXED_LIMIT, 7, 40, 11, blinds=(2, 4)),
        [1, 3, 8, 20, 37, 51, 73, 90, 110, 125],
    ),
    Perft(
        "spread limit",
        stakes(SPREAD_LIMIT, 6, 5, 6, small_bet=1, big_bet=3),
        [1, 5, 22, 64, 189, 419, 768, 1336],
    ),
    Perft(
        "no checks",
        stakes(NO_LIMIT, 5, 6, 7, opening_checks=False),
        [1, 6, 17, 49, 86, 113, 109, 72, 40, 17, 6, 2],
    ),
    Perft(
        "all in or fold",
        stakes(NO_LIMIT, 20, 30, 5, 40, all_in_rule=AllInRule.ALL_IN_OR_FOLD),
        [1, 2, 4, 8, 14],
    ),
    Perft(
        "all in or all in",
        stakes(NO_LIMIT, 20, 30, 5, 40, all_in_rule=AllInRule.ALL_IN_OR_ALL_IN),
        [1, 1, 1, 1, 1],
    ),
    Perft(
        "draw of the house",
        DrawDeal(4, 5, 3, structure=SPREAD_LIMIT, small_bet=1, big_bet=2, most_drawn=1, opening_checks=False),
        [1, 3, 11, 30, 101, 464, 1924],
    ),
    Perft("draw with blinds", DrawDeal(30, 45, most_drawn=2, blinds=(5, 10)), [1, 3, 6, 37, 546, 2064, 3584]),
]


@pytest.mark.parametrize(("name", "deal", "expected"), PERFT, ids=[perft.name for perft in PERFT])
def test_lines_by_length_are_as_many_as_the_rules_told_anew_give(
    name: str, deal: Deal, expected: list[int]
) -> None:
    """R-B1 to R-B13, R-H7, R-T19: every line that is offered, size by size and card by card."""
    started = deal.events[0]
    assert isinstance(started, HandStarted)
    told = PlainBetting(deal.hand.rules, started, due(started))
    depth = len(expected) - 1
    assert engine_lines(deal.hand, depth) == plain_lines(told, depth) == expected, name
