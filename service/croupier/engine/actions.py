"""What a player may choose when it is their decision, and what they are offered."""

from __future__ import annotations

import msgspec


class Fold(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Give the hand up: legal for whoever may act (R-B12), but where all in is all there is (R-T19)."""


class Check(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Stay in without a bet to face, where the house has checks (R-B10)."""


class Call(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Match the present level, or put in the whole stack where that is less (R-B6)."""


class BetTo(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Open the street's betting at a total of `to` chips."""

    to: int


class RaiseTo(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Raise the level to a total of `to` chips for the street, never "by"."""

    to: int


class AllIn(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Put in the whole stack, as a call, bet or raise, where the structure allows it (R-B6)."""


class Draw(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Exchange the hole cards at these places of the hand, counting from 0; none is standing pat (R-H7)."""

    places: bytes


Action = Fold | Check | Call | BetTo | RaiseTo | AllIn | Draw

FOLD = Fold()
CHECK = Check()
CALL = Call()
ALL_IN = AllIn()
STAND_PAT = Draw(b"")


class LegalActions(msgspec.Struct, frozen=True, gc=False):
    """What the seat to act may do. Amounts are chips.

    `call_amount` is what a call adds to the pot (0: calling is closed, by the rules or because nothing is
    owed, and `can_check` tells which). The `…_to` fields are totals for the street; 0 means the choice is
    closed. At most one of bet and raise is open. `all_in_to` is the street total after going all in (0: the
    structure or the state forbids it). With `can_draw` the seat exchanges up to `max_discards` cards, and
    nothing else is open.
    """

    call_amount: int
    min_bet_to: int
    max_bet_to: int
    min_raise_to: int
    max_raise_to: int
    all_in_to: int
    can_check: bool = False
    can_fold: bool = True
    can_draw: bool = False
    max_discards: int = 0
