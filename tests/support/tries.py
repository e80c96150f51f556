"""Actions at a decision, legal and not, to hold what is accepted against what is offered."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.engine.actions import (
    ALL_IN,
    CALL,
    CHECK,
    FOLD,
    Action,
    BetTo,
    Draw,
    LegalActions,
    RaiseTo,
)
from croupier.engine.hand import Hand


def tries(legal: LegalActions, hand: Hand) -> Iterator[tuple[Action, bool]]:
    """Actions at and beyond every bound, with whether they are legal."""
    yield FOLD, legal.can_fold
    yield CHECK, legal.can_check
    yield CALL, legal.call_amount > 0
    yield ALL_IN, legal.all_in_to > 0
    yield from draws(legal, hand.rules.game.hole_cards)
    everything = hand.street_bet[hand.actor] + hand.stack[hand.actor]
    assert legal.all_in_to in (0, everything)
    bounds = (legal.min_bet_to, legal.max_bet_to, legal.min_raise_to, legal.max_raise_to)
    assert max(bounds) <= everything
    assert not (legal.max_bet_to and legal.max_raise_to)
    beside = {bound + by for bound in bounds for by in (-1, 0, 1)}
    for to in sorted(beside | {0, hand.price, everything, everything + 1}):
        yield BetTo(to), 0 < legal.min_bet_to <= to <= legal.max_bet_to
        yield RaiseTo(to), 0 < legal.min_raise_to <= to <= legal.max_raise_to


def draws(legal: LegalActions, held: int) -> Iterator[tuple[Action, bool]]:
    """Exchanges of so many cards, of more, of one twice, and of one that is not there."""
    for count in range(held + 1):
        yield (
            Draw(bytes(range(held))[-count:] if count else b""),
            legal.can_draw and count <= legal.max_discards,
        )
    yield Draw(b"\x00\x00"), False
    yield Draw(bytes([held])), False
