"""EmbeddedWallet: players' money in the store's ledger. A table's side of a transfer is its own record.

With `home` elsewhere than at wallets, it is the ledger's side of a wallet that is not in the ledger.

Each step that moves chips is one unit: its entry set, and a request record that lets it happen only once and
keeps what was asked. A transfer voided before it was reserved leaves the reservation's record, as voided.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

from croupier.room import accounts
from croupier.room.ledger import move
from croupier.room.ports import EntrySet, Failed, Outcome, Refused, RequestRecord, Store, Unit
from croupier.room.wallet_ports import (
    MOVED,
    VOIDED,
    Transfer,
    WalletAway,
    WalletRefused,
    digest_of,
    step_key,
)

Step = Literal["reserve", "post", "void"]


class TransferConflict(ValueError):
    """Raised when a step contradicts an earlier one of the same transfer: a defect of the caller."""


class TransferVoided(WalletRefused):
    """Raised when a reservation comes after its transfer was voided."""

    def __init__(self, available: int) -> None:
        super().__init__(available, "the transfer was voided")


class EmbeddedWallet:
    """The room's `Wallet` over its `Store`. Other content under a known id raises TransferConflict."""

    in_ledger = True

    def __init__(self, store: Store, home: Callable[[str], str] = accounts.wallet) -> None:
        """`home` names the account of a player that chips come from and return to."""
        self._store = store
        self._home = home

    async def available(self, player_id: str, currency: str) -> int:
        return await self._store.balance(self._home(player_id), currency)

    async def reserve(self, transfer: Transfer) -> None:
        """Out of the wallet, into the transfer; what is to go to a wallet is reserved by the table's record.

        Raises WalletRefused where the wallet holds less, TransferVoided after a `void`.
        """
        if transfer.direction == "to_wallet":
            return
        outcome = await self._once(transfer, "reserve", self._reservation(transfer))
        if isinstance(outcome, Refused):
            raise WalletRefused(outcome.available)
        if isinstance(outcome, RequestRecord) and await self._voided(transfer, outcome):
            raise TransferVoided(await self.available(transfer.player_id, transfer.currency))

    async def post(self, transfer: Transfer) -> None:
        """Out of the transfer, into the wallet; what goes to a table is moved by the table's record.

        Raises TransferConflict where the transfer does not hold the chips.
        """
        if transfer.direction == "to_wallet":
            await self._give_back(transfer, "post", "payout")

    async def void(self, transfer: Transfer) -> None:
        """Back into the wallet; what was to go to a wallet is taken back by the table's record.

        What was not reserved before cannot be any more. Raises TransferConflict where a table has it.
        """
        if transfer.direction == "to_wallet":
            return
        reservation = await self._find(transfer, "reserve")
        if reservation is None:
            outcome = await self._once(transfer, "reserve", None)
            reservation = outcome if isinstance(outcome, RequestRecord) else None
        if reservation is not None and reservation.answer == MOVED:
            await self._give_back(transfer, "void", "release")

    async def _give_back(self, transfer: Transfer, step: Step, kind: str) -> None:
        outcome = await self._once(transfer, step, self._return(transfer, kind))
        if isinstance(outcome, Refused):
            raise TransferConflict(f"{transfer.transfer_id} holds {outcome.available}, not {transfer.amount}")

    async def _voided(self, transfer: Transfer, reservation: RequestRecord) -> bool:
        return reservation.answer == VOIDED or await self._find(transfer, "void") is not None

    async def _once(
        self, transfer: Transfer, step: Step, entry_set: EntrySet | None
    ) -> Outcome | RequestRecord:
        """The outcome of this step, or the record of the time it was done before; no set: it is voided."""
        unit = Unit(
            entry_sets=(entry_set,) if entry_set else (),
            request=RequestRecord(
                *step_key(step, transfer.transfer_id), digest_of(transfer), MOVED if entry_set else VOIDED
            ),
        )
        outcome = await self._submitted(unit)
        if not isinstance(outcome, Failed):
            return outcome
        known = await self._find(transfer, step)
        if known is None:
            raise WalletAway(outcome.why)
        return known

    async def _find(self, transfer: Transfer, step: Step) -> RequestRecord | None:
        known = await self._store.find_request(*step_key(step, transfer.transfer_id))
        if known is not None and known.digest != digest_of(transfer):
            raise TransferConflict(f"{transfer.transfer_id} is another transfer")
        return known

    async def _submitted(self, unit: Unit) -> Outcome:
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._store.submit(unit, lambda result: None if outcome.done() else outcome.set_result(result))
        return await outcome

    def _reservation(self, transfer: Transfer) -> EntrySet:
        source, target = self._home(transfer.player_id), accounts.reserved(transfer.transfer_id)
        name = f"reservation/{transfer.transfer_id}"
        return move(name, transfer.currency, "reservation", source, target, transfer.amount)

    def _return(self, transfer: Transfer, kind: str) -> EntrySet:
        source, target = accounts.reserved(transfer.transfer_id), self._home(transfer.player_id)
        name = f"{kind}/{transfer.transfer_id}"
        return move(name, transfer.currency, kind, source, target, transfer.amount)
