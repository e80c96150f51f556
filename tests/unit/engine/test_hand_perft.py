"""How many lines of play a tiny game has: a number that changes when any rule of betting does."""

from __future__ import annotations

from copy import copy

import pytest
from tests.support.deals import FIXED_LIMIT, NO_LIMIT, POT_LIMIT, Deal

from croupier.engine.actions import CALL, CHECK, FOLD, Action, BetTo, RaiseTo
from croupier.engine.betting import legal_actions
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.play import act
from croupier.engine.rejection import Rejected
from croupier.engine.rules import Structure


def lines(hand: Hand) -> int:
    """Lines of play from here to the end of the hand; a fold where a check is free is left out."""
    if hand.actor == NOBODY:
        return 1
    count = 0
    for action in choices(hand):
        line = fork(hand)
        assert not isinstance(act(line, action), Rejected)
        count += lines(line)
    return count


def choices(hand: Hand) -> list[Action]:
    legal = legal_actions(hand)
    found: list[Action] = [FOLD, CALL] if legal.call_amount else [CHECK]
    if legal.max_raise_to:
        found += [RaiseTo(to) for to in range(legal.min_raise_to, legal.max_raise_to + 1)]
    if legal.max_bet_to:
        found += [BetTo(to) for to in range(legal.min_bet_to, legal.max_bet_to + 1)]
    return found


def fork(hand: Hand) -> Hand:
    """An independent copy to play one line on."""
    twin = copy(hand)
    for name in Hand.__slots__:
        value = getattr(hand, name)
        if isinstance(value, list):
            setattr(twin, name, value.copy())
    return twin


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
