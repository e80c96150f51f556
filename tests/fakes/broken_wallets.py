"""Six wallets, each broken on purpose in one way, and the script that is meant to find it."""

from __future__ import annotations

import asyncio
from typing import Final

from tests.fakes.memory_wallet import MemoryWallet

from croupier.v1 import wallet_service_pb2 as pb


class Forgetful(MemoryWallet):
    """Takes chips out anew for each Reserve that comes."""

    async def reserve(self, transfer: pb.Transfer) -> pb.ReserveResponse:
        if self.states.get(transfer.transfer_id) == pb.TRANSFER_STATE_RESERVED:
            del self.states[transfer.transfer_id]
        return await super().reserve(transfer)


class Overdrawn(MemoryWallet):
    """Looks at what is available, waits for its database, and takes out what it has looked at."""

    async def reserve(self, transfer: pb.Transfer) -> pb.ReserveResponse:
        purse = (transfer.player_id, transfer.currency)
        covered = self.held.get(purse, 0) >= transfer.amount
        if covered and transfer.transfer_id not in self.states:
            await asyncio.sleep(0.02)
            if transfer.transfer_id not in self.states:
                self.held[purse] -= transfer.amount
                self.keep(transfer, pb.TRANSFER_STATE_RESERVED)
            return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_DONE)
        return await super().reserve(transfer)


class Impatient(MemoryWallet):
    """Does not remember a Void of what it has not heard of."""

    async def void(self, transfer: pb.Transfer) -> pb.WalletOutcome.ValueType:
        if transfer.transfer_id not in self.states:
            return pb.WALLET_OUTCOME_DONE
        return await super().void(transfer)


class Trusting(MemoryWallet):
    """Posts what was never reserved."""

    async def post(self, transfer: pb.Transfer) -> pb.WalletOutcome.ValueType:
        if transfer.transfer_id not in self.states and not self.conflicts(transfer):
            if transfer.direction == pb.TRANSFER_DIRECTION_TO_WALLET:
                self.add(transfer)
            self.keep(transfer, pb.TRANSFER_STATE_POSTED)
            return pb.WALLET_OUTCOME_DONE
        return await super().post(transfer)


class Lying(MemoryWallet):
    """Says that everything it has reserved is posted already."""

    def state(self, transfer_id: str) -> pb.TransferState.ValueType:
        state = super().state(transfer_id)
        return pb.TRANSFER_STATE_POSTED if state == pb.TRANSFER_STATE_RESERVED else state


class Careless(MemoryWallet):
    """Looks at nothing of a transfer but its id."""

    def conflicts(self, _: pb.Transfer) -> bool:
        return False


BROKEN: Final[dict[type[MemoryWallet], str]] = {
    Forgetful: "reserve_once",
    Overdrawn: "concurrent_reserves",
    Impatient: "void_before_reserve",
    Trusting: "post_before_reserve",
    Lying: "true_status",
    Careless: "other_content",
}
"""The script that finds each, whatever others do."""
