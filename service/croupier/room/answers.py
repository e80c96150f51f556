"""What mutations answer and keep; the adapters put them into the contract's words."""

from __future__ import annotations

import msgspec

from croupier.room.views import SeatView, TableView


class SeatAnswer(msgspec.Struct, frozen=True):
    """After a seat's change: the table's `sequence`, the seat (None: free now), chips on their way to the wallet."""

    sequence: int
    seat: SeatView | None
    returned: int = 0


class WaitAnswer(msgspec.Struct, frozen=True):
    """After a change of the waiting list: the table's `sequence`, the player's place in it (0: none)."""

    sequence: int
    place: int


class StateAnswer(msgspec.Struct, frozen=True):
    """After a table's change of state."""

    sequence: int
    state: str


class PrivateAnswer(msgspec.Struct, frozen=True):
    """After something that the player alone hears of."""

    private_sequence: int


class ShownAnswer(msgspec.Struct, frozen=True):
    """After cards were shown."""

    sequence: int


class ShareAnswer(msgspec.Struct, frozen=True):
    """After a player took a share in a deal; `hand_number` is the hand's."""

    sequence: int
    hand_number: int


class TableAnswer(msgspec.Struct, frozen=True):
    """After a table's creation."""

    table: TableView


class TableBalance(msgspec.Struct, frozen=True):
    """What a player has at one table by the ledger."""

    table_id: str
    amount: int


class BalanceAnswer(msgspec.Struct, frozen=True):
    """What a player holds in one currency: in the wallet, on the way, at tables."""

    player_id: str
    currency: str
    available: int
    reserved: int
    tables: tuple[TableBalance, ...]
