"""What operators do, as the operator log keeps it: who, when, why, how it was before and after. It does nothing."""

from __future__ import annotations

from typing import Final, Literal, Protocol

import msgspec

from croupier.room.decoding import decoded

METHODS: Final = frozenset(("ResolveTable", "RemovePlayer", "BlockPlayer", "UnblockPlayer", "AdjustBalance"))
"""Whose lasting answers are written with an entry of the log."""

BlockKind = Literal["OPERATOR", "SELF_EXCLUSION"]


class SeatStanding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat that was bought in; `contribution` is what it has put into the hand in play."""

    seat: int
    player_id: str
    stack: int
    contribution: int = 0
    leaving: bool = False


class TableStanding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table; `hand_number` is 0 between hands."""

    state: str
    hand_number: int = 0
    seats: tuple[SeatStanding, ...] = ()


class Block(msgspec.Struct, frozen=True, omit_defaults=True):
    """What keeps a player from playing: in one house or (empty) in all, until a time or (0) for good."""

    player_id: str
    kind: BlockKind
    house_id: str = ""
    until: int = 0

    def stands(self, now: int) -> bool:
        """Whether it has not ended."""
        return not self.until or now < self.until

    def shorter(self, other: Block) -> bool:
        """Whether it ends before another does."""
        return bool(self.until) and (not other.until or self.until < other.until)


class WalletStanding(msgspec.Struct, frozen=True):
    """A wallet."""

    currency: str
    available: int


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an operation concerns, at one moment."""

    table: TableStanding | None = None
    block: Block | None = None
    table_ids: tuple[str, ...] = ()
    wallet: WalletStanding | None = None


class Operation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entry of the log; `method` is the RPC that did it, `time` nanoseconds since the epoch."""

    method: str
    principal: str
    request_id: str
    time: int
    reason: str
    table_id: str = ""
    player_id: str = ""
    before: Standing = Standing()
    after: Standing = Standing()


class LoggedOperation(msgspec.Struct, frozen=True):
    """An entry with its number: 1, 2, 3, … over all tables and players."""

    number: int
    operation: Operation


class OperationQuery(msgspec.Struct, frozen=True):
    """Which entries to list; `before` is the last one of the page before, 0 for none, `after` the last one known."""

    limit: int
    table_id: str = ""
    player_id: str = ""
    methods: tuple[str, ...] = ()
    before: int = 0
    after: int = 0


class OperationLog(Protocol):
    """What the room asks of the store's operator log; units write it. A part of `ports`."""

    async def operations(self, query: OperationQuery) -> list[LoggedOperation]:
        """Entries that match, latest first."""
        ...


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Operation).decode


def written(operation: Operation) -> bytes:
    """The entry as it is kept: JSON, which an auditor can read without this service."""
    return _encode(operation)


def read(body: bytes) -> Operation:
    """Raises msgspec.DecodeError for what is none."""
    return decoded(_decode, body)
