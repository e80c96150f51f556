"""How the bots play: at random among what is legal, seldom for high stakes, so that tables last."""

from __future__ import annotations

from croupier.client.load.dice import Dice
from croupier.v1.hand_pb2 import ActionKind, LegalActions

FOLD = ActionKind.ACTION_KIND_FOLD
CHECK = ActionKind.ACTION_KIND_CHECK
CALL = ActionKind.ACTION_KIND_CALL
BET_TO = ActionKind.ACTION_KIND_BET_TO
RAISE_TO = ActionKind.ACTION_KIND_RAISE_TO
ALL_IN = ActionKind.ACTION_KIND_ALL_IN
DRAW = ActionKind.ACTION_KIND_DRAW

Choice = tuple[ActionKind.ValueType, int]
"""An action and its amount; with DRAW, how many cards."""


def choose(legal: LegalActions, dice: Dice) -> Choice:
    """An action and its amount: a fifth folds or checks, a fifth bets or raises the least, 1 in 100 any
    amount, 1 in 100 everything; the others check or call, and so do those that may not do what they like.
    Each number of cards is drawn as often as any other.
    """
    if legal.can_draw:
        return DRAW, dice.between(0, legal.max_discards)
    draw = dice.below(100)
    if draw < 20:
        return (FOLD, 0) if legal.can_fold and not legal.can_check else quiet(legal)
    if draw >= 78:
        if draw == 99 and legal.all_in_to:
            return ALL_IN, 0
        if least := legal.min_bet_to:
            return BET_TO, dice.between(least, legal.max_bet_to) if draw == 98 else least
        if least := legal.min_raise_to:
            return RAISE_TO, dice.between(least, legal.max_raise_to) if draw == 98 else least
    return quiet(legal)


def quiet(legal: LegalActions) -> Choice:
    """Check or call; where neither is offered fold, and where that is not either, go all in; in a draw stand pat."""
    if legal.can_draw:
        return DRAW, 0
    if legal.can_check:
        return CHECK, 0
    if legal.call_amount:
        return CALL, 0
    return (FOLD, 0) if legal.can_fold else (ALL_IN, 0)
