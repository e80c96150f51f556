"""What mutations answer and keep; the adapters put them into the contract's words."""

from __future__ import annotations

import msgspec

from croupier.room.operations import Block, TableStanding
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


class ResolvedAnswer(msgspec.Struct, frozen=True):
    """After an operator resolved a table, or would have: how it stood and stands; `token` from a dry run alone."""

    sequence: int
    before: TableStanding
    after: TableStanding
    token: str = ""


class RemovedAnswer(msgspec.Struct, frozen=True):
    """After an operator removed a player: chips on their way to the wallet, or whether the player leaves later."""

    sequence: int
    returned: int
    leaving: bool


class BlockAnswer(msgspec.Struct, frozen=True):
    """After a block was set; `table_ids` are those that the player was at."""

    block: Block
    table_ids: tuple[str, ...]


class LiftedAnswer(msgspec.Struct, frozen=True):
    """After a block was lifted."""


class AdjustedAnswer(msgspec.Struct, frozen=True):
    """After an operator corrected a wallet: chips in it before and after."""

    before: int
    after: int


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
