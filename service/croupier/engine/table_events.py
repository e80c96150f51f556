"""What happens to a table beside its hands, past tense; the journal's vocabulary, only ever appended to.

Seats are seat numbers, amounts chips, times nanoseconds since the epoch. Internal events are the steps of
a transfer of money: they are journaled, and nobody at the table hears of them.
"""

from __future__ import annotations

from enum import IntEnum

from croupier.engine.carried import (
    AdvanceAction,
    AdvanceKind,
    CashedOut,
    ComingDeal,
    PendingTransfer,
    Preferences,
    RequestKey,
    Seat,
    TableCarried,
    TableState,
    TransferKind,
    TransferRefusal,
    Vouched,
    Waiting,
)
from croupier.engine.events import Event
from croupier.engine.table_rules import TableRules

__all__ = [
    "AdvanceAction",
    "AdvanceKind",
    "CashedOut",
    "ComingDeal",
    "PendingTransfer",
    "Preferences",
    "RequestKey",
    "Seat",
    "TableCarried",
    "TableState",
    "TransferKind",
    "TransferRefusal",
    "Vouched",
    "Waiting",
]
"""The structs that events hold: they are known by this module's name as well."""


class LeaveReason(IntEnum):
    """Why a seat became free."""

    CASHED_OUT = 1
    DISMISSED = 2
    OUT_OF_CHIPS = 3
    SAT_OUT_TOO_LONG = 4
    TABLE_CLOSED = 5
    RELEASED = 6
    RESERVATION_EXPIRED = 7
    REMOVED = 8


class SitOutReason(IntEnum):
    """Why a player is not dealt in."""

    ASKED = 1
    TIMED_OUT = 2


class WaitReason(IntEnum):
    """Why a player waits for a seat no longer."""

    ASKED = 1
    SEATED = 2
    OFFER_EXPIRED = 3
    TABLE_CLOSED = 4
    REMOVED = 5


class TableCreated(Event, frozen=True):
    table_id: str
    name: str
    rules: TableRules
    house_digest: str


class SeatReserved(Event, frozen=True):
    seat: int
    player_id: str
    until: int
    vouched: Vouched = Vouched()


class TransferRequested(Event, frozen=True):
    """Internal: the wallet is about to be asked."""

    transfer: PendingTransfer


class PostRequested(Event, frozen=True):
    """Internal: the chips are at the seat, and the wallet is told that they will not return by this transfer."""

    transfer: PendingTransfer


class TransferPosted(Event, frozen=True):
    """Internal: the wallet knows; the transfer is over."""

    transfer_id: str


class VoidRequested(Event, frozen=True):
    """Internal: nothing comes of the transfer, and the wallet is told to take back what it reserved."""

    transfer: PendingTransfer


class TransferRefused(Event, frozen=True):
    """Internal: no chips came, and the wallet has them all."""

    transfer_id: str
    available: int


class BoughtIn(Event, frozen=True):
    """First chips at a seat; with `posting` it is in play only once TransferPosted says so (R-T8)."""

    seat: int
    player_id: str
    amount: int
    transfer_id: str
    waiting_for_button: bool
    owes_bring_in: bool
    waiting_for_big_blind: bool = False
    brought: int = 0
    posting: bool = False


class Rebought(Event, frozen=True):
    """A rebuy posted; `queued` while the player is in a hand (R-T12)."""

    seat: int
    player_id: str
    amount: int
    transfer_id: str
    queued: bool


class RebuyApplied(Event, frozen=True):
    """A queued rebuy came to the stack; what did not fit went back under `transfer_id`."""

    seat: int
    player_id: str
    amount: int
    returned: int
    transfer_id: str


class LeaveRequested(Event, frozen=True):
    """The player leaves after the hand: by cash out plays it to its end, by dismiss checks or folds it.

    `removed`: as by dismiss, and an operator wanted it.
    """

    seat: int
    dismiss: bool
    removed: bool = False


class PlayerLeft(Event, frozen=True):
    """The seat is free; `amount` is on its way to the wallet under `transfer_id` (empty where it is 0).

    Whoever left ahead and returns before `banked_until` brings back what was left with; 0 for others (R-T20).
    """

    seat: int
    player_id: str
    amount: int
    transfer_id: str
    reason: LeaveReason
    banked_until: int = 0


class PayoutPosted(Event, frozen=True):
    """Internal: the wallet has taken a payout."""

    transfer_id: str


class SitOutRequested(Event, frozen=True):
    """Not dealt in from the next hand on."""

    seat: int


class SatOut(Event, frozen=True):
    seat: int
    reason: SitOutReason
    since: int


class SatIn(Event, frozen=True):
    seat: int
    waiting_for_big_blind: bool
    waiting_for_button: bool = False
    sat_out_for: int = 0


class TimedOut(Event, frozen=True):
    """The decision time ran out; the action made for the player follows."""

    seat: int
    action_sequence: int


class BlindsMissed(Event, frozen=True):
    """Seats that the blinds passed while they sat out (R-T17)."""

    big: tuple[int, ...]
    small: tuple[int, ...]


class ButtonPassed(Event, frozen=True):
    """Newcomers who waited near the button may be dealt in (R-T9)."""

    seats: tuple[int, ...]


class WaitingListJoined(Event, frozen=True):
    """The player waits for a seat, behind all who wait already."""

    player_id: str
    vouched: Vouched = Vouched()


class WaitingListLeft(Event, frozen=True):
    player_id: str
    reason: WaitReason


class SeatOffered(Event, frozen=True):
    """A free seat is held for a waiting player."""

    player_id: str
    seat: int
    until: int


class CardsShown(Event, frozen=True):
    """A player showed cards of the hand that has just ended, unasked (R-H9)."""

    hand_number: int
    seat: int
    player_id: str
    cards: bytes


class AdvanceActionSet(Event, frozen=True):
    """Private: what the player at the seat does when the turn comes; None takes it back."""

    seat: int
    player_id: str
    action: AdvanceAction | None
    private_sequence: int = 0


class PreferencesSet(Event, frozen=True):
    """Private."""

    seat: int
    player_id: str
    preferences: Preferences
    private_sequence: int = 0


class EntropyCommitted(Event, frozen=True):
    """A player has a share in the deal of the coming hand, once the entropy committed to is revealed."""

    hand_number: int
    player_id: str
    commitment: bytes


class DeckCommitted(Event, frozen=True):
    """The decks of the coming hand lie fast, before any entropy is known; from now on that may be revealed."""

    hand_number: int
    roots: tuple[bytes, ...]
    rules_digest: bytes


class EntropyRevealed(Event, frozen=True):
    hand_number: int
    player_id: str
    entropy: bytes


class DeckOpened(Event, frozen=True):
    """Internal: what proves the cards that an ended hand has shown, kept beyond the hand's key."""

    hand_number: int
    openings: bytes


class TablePaused(Event, frozen=True):
    pass


class TableResumed(Event, frozen=True):
    pass


class TableClosing(Event, frozen=True):
    pass


class TableClosed(Event, frozen=True):
    pass


class TableCheckpointed(Event, frozen=True):
    """Internal: the table between hands, from which recovery starts."""

    carried: TableCarried


INTERNAL = (
    TransferRequested,
    PostRequested,
    TransferPosted,
    VoidRequested,
    TransferRefused,
    PayoutPosted,
    DeckOpened,
    TableCheckpointed,
)
PRIVATE = (AdvanceActionSet, PreferencesSet)
"""What the player at a seat alone hears of, whatever else its record holds.

`private_sequence` counts them from 1 for as long as the player has the seat.
"""

TableEvent = (
    TableCreated
    | SeatReserved
    | TransferRequested
    | PostRequested
    | TransferPosted
    | VoidRequested
    | TransferRefused
    | BoughtIn
    | Rebought
    | RebuyApplied
    | LeaveRequested
    | PlayerLeft
    | PayoutPosted
    | SitOutRequested
    | SatOut
    | SatIn
    | TimedOut
    | BlindsMissed
    | ButtonPassed
    | WaitingListJoined
    | WaitingListLeft
    | SeatOffered
    | CardsShown
    | AdvanceActionSet
    | PreferencesSet
    | EntropyCommitted
    | DeckCommitted
    | EntropyRevealed
    | DeckOpened
    | TablePaused
    | TableResumed
    | TableClosing
    | TableClosed
    | TableCheckpointed
)
