"""A recorded hand as its source tells it, in the vocabulary of the vectors; it plays nothing."""

from __future__ import annotations

from typing import Literal

import msgspec

ActionType = Literal[
    "post_ante",
    "post_sb",
    "post_bb",
    "post_dead",
    "post_straddle",
    "fold",
    "check",
    "call",
    "bet",
    "raise",
    "check_or_call",
    "bet_or_raise",
    "draw",
    "show",
    "muck",
]
UNTOLD = frozenset({"check_or_call", "bet_or_raise"})
"""They stand where a source does not tell the two apart."""

POSTS = frozenset({"post_ante", "post_sb", "post_bb", "post_dead", "post_straddle"})
SHOWDOWN = frozenset({"show", "muck"})


class Malformed(Exception):
    """Raised when a recorded hand contradicts itself or cannot be read."""


class RecordedSeat(msgspec.Struct, frozen=True):
    """A seat dealt in, with the chips it brought."""

    seat: int
    stack: int


class ForcedPost(msgspec.Struct, frozen=True):
    """A post as the record lists it. Kinds: sb, bb, late_sb, late_bb, dead, straddle; antes have none."""

    seat: int
    amount: int
    kind: str = "ante"


class RecordedAction(msgspec.Struct, frozen=True):
    """`amount` chips added by this action, `to` the seat's live total on the street then (None: untold).

    `discard` is how many cards a draw exchanges, `discarded` and `drawn` which, as far as they are told.
    """

    street: str
    seat: int
    type: ActionType
    amount: int | None = None
    to: int | None = None
    all_in: bool = False
    late: bool = False
    cards: tuple[str, ...] = ()
    discard: int | None = None
    discarded: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()


class RecordedAward(msgspec.Struct, frozen=True):
    """Chips that a seat took from a pot, after rake."""

    seat: int
    amount: int


class RecordedPot(msgspec.Struct, frozen=True):
    """A pot before rake, the main pot first. Winners are None where the cards or the game do not tell them."""

    amount: int
    eligible: tuple[int, ...]
    hi_winners: tuple[int, ...] | None = None
    lo_winners: tuple[int, ...] | None = None


class ReturnedBet(msgspec.Struct, frozen=True):
    """What nobody called."""

    seat: int
    amount: int
    street: str


class OwnRules(msgspec.Struct, frozen=True):
    """Rules of play that a record tells itself; in place of its site's ways (`sites`)."""

    bets_cap: int
    cap_lifts_heads_up: bool
    opening_checks: bool
    max_bet: int = 0
    most_drawn: int = 0
    last_round_opener: int = 0


class RecordedHand(msgspec.Struct, frozen=True, kw_only=True):
    """One hand. Seats run from the left of the button; heads-up the button, who has the small blind, is last.

    `sb` and `bb` are nominal, None in games without and where they are not told. `min_bet` belongs to no limit
    and pot limit, `small_bet` and `big_bet` to fixed limit. `payoffs` are net and sum to minus the rake. None
    elsewhere: the source does not tell; `uncalled_returned` is None where nothing was returned. `holes` are as dealt,
    `final_hands` as they were after the draw.
    """

    id: str
    site: str
    variant: str
    bb: int | None
    sb: int | None = None
    button: int
    seats: tuple[RecordedSeat, ...]
    actions: tuple[RecordedAction, ...]
    min_bet: int = 0
    small_bet: int = 0
    big_bet: int = 0
    antes: tuple[ForcedPost, ...] = ()
    blinds: tuple[ForcedPost, ...] = ()
    straddles: tuple[ForcedPost, ...] = ()
    holes: dict[int, tuple[str, ...]] = {}
    final_hands: dict[int, tuple[str, ...]] = {}
    board: tuple[str, ...] = ()
    payoffs: dict[int, int] | None = None
    pot: int | None = None
    pots: tuple[RecordedPot, ...] | None = None
    rake: int = 0
    uncalled_returned: ReturnedBet | msgspec.UnsetType | None = msgspec.UNSET
    winners: dict[int, tuple[int, ...]] | None = None
    awards: tuple[RecordedAward, ...] | None = None
    showdown: bool | None = None
    checkable: bool = True
    own_rules: OwnRules | None = None
