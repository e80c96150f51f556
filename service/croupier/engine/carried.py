"""What a table carries between hands: its seats, money on its way, who waits, and what a checkpoint holds.

Structs of the journal: fields are only ever appended, with a default.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

import msgspec

from croupier.engine.events import Entropy

TransferKind = Literal["buy_in", "rebuy", "payout", "post", "void"]
"""What is asked of the wallet next: to reserve a buy-in or a rebuy, to take a payout, to post or void a reservation."""


class TableState(IntEnum):
    """Whether hands start: only where OPEN. CLOSING plays the hand in progress to its end."""

    OPEN = 1
    PAUSED = 2
    CLOSING = 3
    CLOSED = 4


class AdvanceKind(IntEnum):
    """What is to be done when the turn comes (R-T16)."""

    CHECK_FOLD = 1
    CHECK = 2
    CALL = 3
    CALL_ANY = 4


class AdvanceAction(msgspec.Struct, frozen=True, array_like=True):
    """An action chosen before the turn; `call_amount` is what CALL was chosen at."""

    kind: AdvanceKind
    call_amount: int = 0


class Preferences(msgspec.Struct, frozen=True, array_like=True):
    """What a player prefers; known to nobody else."""

    show_losing_hands: bool = False
    sit_out_next_blind: bool = False


class Vouched(msgspec.Struct, frozen=True, array_like=True):
    """What the caller's backend vouched for when the player joined (R-T5 to R-T7)."""

    experience: str = ""
    scene: str = ""
    has_pass: bool = False


class Seat(msgspec.Struct):
    """A taken seat between hands. During a hand the player's chips are in the hand, not in `stack`.

    `brought` is what the player has brought from the wallet, counted where banking is forbidden (R-T20).
    `advance_street` is the street, by its place in the game, that `advance` was chosen on. `posting` is the transfer of
    the buy-in for as long as the wallet has yet to post it, and the player is not in play (R-T8). `sat_out_for` is how
    many nanoseconds the player sat out before sitting in, and not dealt in since (R-T15).
    """

    player_id: str
    reserved_until: int = 0
    stack: int = 0
    bought_in: bool = False
    owes_bring_in: bool = False
    waiting_for_button: bool = False
    waiting_for_big_blind: bool = False
    missed_big_blind: bool = False
    missed_small_blind: bool = False
    sitting_out: bool = False
    sitting_out_since: int = 0
    sit_out_next: bool = False
    time_outs: int = 0
    leaving: Literal["", "cash_out", "dismiss", "remove"] = ""
    queued_rebuy: int = 0
    advance: AdvanceAction | None = None
    preferences: Preferences = Preferences()
    private_sequence: int = 0
    brought: int = 0
    advance_street: int = 0
    posting: str = ""
    sat_out_for: int = 0

    @property
    def acted_for(self) -> bool:
        """Whether the player checks or folds whatever comes, and leaves after the hand (R-T11)."""
        return self.leaving in ("dismiss", "remove")


class Waiting(msgspec.Struct):
    """A player on the waiting list; `seat` is held for the player until `until`, 0 while none is."""

    player_id: str
    seat: int = 0
    until: int = 0


class CashedOut(msgspec.Struct, frozen=True, array_like=True):
    """What a player left with, to be brought back by whoever returns before `until` (R-T20).

    `brought` is what the player had brought to the table before.
    """

    amount: int
    until: int
    brought: int = 0


class RequestKey(msgspec.Struct, frozen=True, array_like=True):
    """Whose request a transfer answers, so that it is answered even when a restart comes between."""

    principal: str
    method: str
    request_id: str
    digest: bytes


class TransferRefusal(msgspec.Struct, frozen=True, array_like=True):
    """Why a buy-in or rebuy came to nothing; told once the wallet has voided it."""

    reason: str
    facts: dict[str, int | str] = {}


class PendingTransfer(msgspec.Struct, frozen=True):
    """Money on its way: what the wallet is asked for until it has answered, by `kind`.

    A buy-in or rebuy becomes a "post" once the chips are at the seat, or a "void" once it is refused; its `seat` is 0
    from when its player leaves that. `brought` is what a buy-in makes the player's sum of chips brought to the table
    (R-T20).
    """

    transfer_id: str
    kind: TransferKind
    seat: int
    player_id: str
    amount: int
    answers: RequestKey | None = None
    wait_for_big_blind: bool = False
    brought: int = 0
    refusal: TransferRefusal | None = None


class ComingDeal(msgspec.Struct):
    """What is known of the next hand's deal: entropy that players committed to, and the decks once they are."""

    entropy: list[Entropy] = []
    roots: tuple[bytes, ...] = ()


class TableCarried(msgspec.Struct):
    """The table between hands, whole: what a checkpoint holds and what state is folded from.

    `chips` counts what came to the table less what left it, rake included: the stacks must add up to it.
    """

    state: TableState = TableState.OPEN
    hand_number: int = 0
    button_seat: int = 0
    small_blind_seat: int = 0
    big_blind_seat: int = 0
    payout_count: int = 0
    chips: int = 0
    seats: dict[int, Seat] = {}
    transfers: dict[str, PendingTransfer] = {}
    waiting: list[Waiting] = []
    cashed_out: dict[str, CashedOut] = {}
    coming: ComingDeal | None = None
