"""What the room asks of wallets. Adapters implement it, tests fake it."""

from __future__ import annotations

import hashlib
from typing import Final, Literal, Protocol

import msgspec


class Transfer(msgspec.Struct, frozen=True):
    """Chips on their way between a player's wallet and a table; `transfer_id` makes every step idempotent."""

    transfer_id: str
    player_id: str
    currency: str
    amount: int
    direction: Literal["to_table", "to_wallet"]


MOVED: Final = b"moved"
VOIDED: Final = b"voided"
"""The lasting answers to steps of a transfer: the chips moved, or never will."""


def step_key(step: Literal["reserve", "post", "void"], transfer_id: str) -> tuple[str, str, str]:
    """Principal, method and request_id under which the ledger's side of a transfer's step is kept."""
    return "", f"wallet.{step}", transfer_id


def digest_of(transfer: Transfer) -> bytes:
    """What tells a transfer from another of the same id."""
    return hashlib.sha256(msgspec.json.encode(transfer)).digest()


class WalletRefused(Exception):
    """Raised when the wallet does not cover a transfer, or has a reason of its own, `why`, to say no.

    `available` is what it holds.
    """

    def __init__(self, available: int, why: str = "") -> None:
        super().__init__(why or f"the wallet holds {available}")
        self.available: Final = available
        self.why: Final = why


class WalletAway(Exception):
    """Raised when the wallet cannot be asked; the saga asks again with the same id."""


class Wallet(Protocol):
    """Where players' money lives: reserve, then post or void, each idempotent by transfer id.

    A payout is posted without being reserved. After a void nothing can be reserved under that id, also where the
    void came first.
    """

    in_ledger: bool
    """Whether wallets are accounts of the store's ledger, so that chips can be deposited and withdrawn here."""

    async def available(self, player_id: str, currency: str) -> int: ...

    async def reserve(self, transfer: Transfer) -> None: ...

    async def post(self, transfer: Transfer) -> None: ...

    async def void(self, transfer: Transfer) -> None: ...
