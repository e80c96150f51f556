"""What can be asked of a table. Imperative; time enters as `now`, nanoseconds since the epoch."""

from __future__ import annotations

import msgspec

from croupier.engine.actions import Action
from croupier.engine.table_events import AdvanceAction, Preferences, RequestKey, TransferRefusal, Vouched


class Command(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Base of all commands; the journal keeps each beside the events it led to."""


class ReserveSeat(Command, frozen=True):
    seat: int
    player_id: str
    now: int
    vouched: Vouched = Vouched()
    free_day: bool = True


class ReleaseSeat(Command, frozen=True):
    player_id: str
    now: int = 0


class ExpireReservation(Command, frozen=True):
    seat: int
    now: int


class RequestBuyIn(Command, frozen=True):
    player_id: str
    amount: int
    transfer_id: str
    answers: RequestKey
    wait_for_big_blind: bool = False
    now: int = 0


class RequestRebuy(Command, frozen=True):
    player_id: str
    amount: int
    transfer_id: str
    answers: RequestKey


class AcceptTransfer(Command, frozen=True):
    """The wallet has reserved the chips of a buy-in or rebuy; `post`: it is told to post them next.

    `awaited`: a player who buys in is in play only once it has (R-T8).
    """

    transfer_id: str
    post: bool = False
    awaited: bool = False


class ConfirmPost(Command, frozen=True):
    """The wallet has posted a buy-in or rebuy."""

    transfer_id: str


class VoidTransfer(Command, frozen=True):
    """A buy-in or rebuy comes to nothing; the wallet is told so next."""

    transfer_id: str
    refusal: TransferRefusal


class RefuseTransfer(Command, frozen=True):
    """The wallet holds no chips of a buy-in or rebuy that came to nothing."""

    transfer_id: str
    available: int
    now: int = 0


class ConfirmPayout(Command, frozen=True):
    """The wallet has taken a payout."""

    transfer_id: str


class CashOut(Command, frozen=True):
    player_id: str
    now: int


class Dismiss(Command, frozen=True):
    player_id: str
    now: int


class SitOut(Command, frozen=True):
    player_id: str
    now: int


class SitIn(Command, frozen=True):
    player_id: str
    wait_for_big_blind: bool
    now: int = 0


class ExpireKeptSeat(Command, frozen=True):
    seat: int
    now: int


class JoinWaitingList(Command, frozen=True):
    """`free_day`: whether anyone may join today (R-T7)."""

    player_id: str
    now: int
    vouched: Vouched = Vouched()
    free_day: bool = True


class LeaveWaitingList(Command, frozen=True):
    player_id: str
    now: int


class ExpireOffer(Command, frozen=True):
    player_id: str
    now: int


class SetPreferences(Command, frozen=True):
    player_id: str
    preferences: Preferences


class SetAdvanceAction(Command, frozen=True):
    """None takes back what was set."""

    player_id: str
    hand_number: int
    action: AdvanceAction | None
    now: int = 0


class ShowCards(Command, frozen=True):
    """Show cards of the hand that has just ended, all where `cards` is empty (R-H9)."""

    player_id: str
    hand_number: int
    cards: bytes
    now: int


class PauseTable(Command, frozen=True):
    pass


class ResumeTable(Command, frozen=True):
    pass


class CloseTable(Command, frozen=True):
    pass


class ResolveTable(Command, frozen=True):
    """An operator ends a standstill: the hand in play is voided, or a paused table goes on."""

    void: bool
    now: int


class RemovePlayer(Command, frozen=True):
    """An operator takes a player from the table, or out of its waiting list."""

    player_id: str
    now: int


class CommitEntropy(Command, frozen=True):
    """Commit to entropy for the coming hand, by its SHA-256."""

    player_id: str
    commitment: bytes


class CommitDeck(Command, frozen=True):
    """Commit to the decks of the coming hand; their secret travels beside the command, sealed."""

    roots: tuple[bytes, ...]
    rules_digest: bytes


class RevealEntropy(Command, frozen=True):
    player_id: str
    hand_number: int
    entropy: bytes


class OpenDeck(Command, frozen=True):
    """Keep what proves the cards that an ended hand has shown."""

    hand_number: int
    openings: bytes


class StartHand(Command, frozen=True):
    """Deal the next hand. The deal order travels beside the command and is never kept in clear.

    `roots` commit to the decks that it comes from.
    """

    now: int
    roots: tuple[bytes, ...] = ()
    rules_digest: bytes = b""


class Act(Command, frozen=True):
    player_id: str
    hand_number: int
    action_sequence: int
    action: Action
    now: int


class TimeOut(Command, frozen=True):
    """The decision named has run out of time."""

    hand_number: int
    action_sequence: int
    now: int
    disconnected: bool = False


AnyCommand = (
    ReserveSeat
    | ReleaseSeat
    | ExpireReservation
    | RequestBuyIn
    | RequestRebuy
    | AcceptTransfer
    | ConfirmPost
    | VoidTransfer
    | RefuseTransfer
    | ConfirmPayout
    | CashOut
    | Dismiss
    | SitOut
    | SitIn
    | ExpireKeptSeat
    | JoinWaitingList
    | LeaveWaitingList
    | ExpireOffer
    | SetPreferences
    | SetAdvanceAction
    | ShowCards
    | PauseTable
    | ResumeTable
    | CloseTable
    | ResolveTable
    | RemovePlayer
    | CommitEntropy
    | CommitDeck
    | RevealEntropy
    | OpenDeck
    | StartHand
    | Act
    | TimeOut
)
