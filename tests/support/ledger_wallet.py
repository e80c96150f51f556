"""The embedded wallet as a WalletService of its own: the table's side of a transfer is written here as well.

What a table has is in the account of a table named "outside"; payouts come from there, or else from the world.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec
from grpc import StatusCode, aio

from croupier.adapters.embedded_wallet import EmbeddedWallet, TransferConflict, TransferVoided
from croupier.room import accounts
from croupier.room.ledger import move
from croupier.room.ports import Outcome, RequestRecord, Store, Unit
from croupier.room.wallet_ports import Transfer, WalletRefused
from croupier.v1 import wallet_service_pb2 as pb
from croupier.v1.wallet_service_pb2_grpc import WalletServiceServicer

Context = aio.ServicerContext[Any, Any]
_KEY: Final = ("outside", "table.record")


class LedgerWallet(WalletServiceServicer):
    """WalletService over a store's ledger."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._wallet = EmbeddedWallet(store)

    async def Reserve(self, request: pb.ReserveRequest, context: Context) -> pb.ReserveResponse:
        transfer = await _read(request.transfer, context)
        try:
            await self._known(transfer)
            await self._wallet.reserve(transfer)
        except TransferVoided as refused:
            return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_VOIDED, available=refused.available)
        except WalletRefused as refused:
            outcome = pb.WALLET_OUTCOME_INSUFFICIENT_FUNDS
            return pb.ReserveResponse(outcome=outcome, available=refused.available)
        except TransferConflict:
            return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_CONFLICT)
        return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_DONE)

    async def Post(self, request: pb.PostRequest, context: Context) -> pb.PostResponse:
        transfer = await _read(request.transfer, context)
        try:
            return pb.PostResponse(outcome=await self._post(transfer))
        except TransferConflict:
            return pb.PostResponse(outcome=pb.WALLET_OUTCOME_CONFLICT)

    async def Void(self, request: pb.VoidRequest, context: Context) -> pb.VoidResponse:
        transfer = await _read(request.transfer, context)
        try:
            if await self._known(transfer):
                return pb.VoidResponse(outcome=pb.WALLET_OUTCOME_POSTED)
            await self._wallet.void(transfer)
        except TransferConflict:
            posted = await self._posted(transfer)
            outcome = pb.WALLET_OUTCOME_POSTED if posted else pb.WALLET_OUTCOME_CONFLICT
            return pb.VoidResponse(outcome=outcome)
        return pb.VoidResponse(outcome=pb.WALLET_OUTCOME_DONE)

    async def GetTransferStatus(
        self, request: pb.GetTransferStatusRequest, _: Context
    ) -> pb.GetTransferStatusResponse:
        return pb.GetTransferStatusResponse(state=await self._state(request.transfer_id))

    async def GetAvailable(self, request: pb.GetAvailableRequest, _: Context) -> pb.GetAvailableResponse:
        available = await self._wallet.available(request.player_id, request.currency)
        return pb.GetAvailableResponse(available=available)

    async def _post(self, transfer: Transfer) -> pb.WalletOutcome.ValueType:
        if not await self._known(transfer):
            reserved = await self._store.find_request("", "wallet.reserve", transfer.transfer_id)
            if transfer.direction == "to_wallet":
                if reserved is not None:
                    return pb.WALLET_OUTCOME_CONFLICT
            elif reserved is None:
                return pb.WALLET_OUTCOME_NOT_RESERVED
            else:
                try:
                    await self._wallet.reserve(transfer)
                except TransferVoided:
                    return pb.WALLET_OUTCOME_VOIDED
            await self._record(transfer)
            if not await self._known(transfer):
                return pb.WALLET_OUTCOME_VOIDED
        await self._wallet.post(transfer)
        return pb.WALLET_OUTCOME_DONE

    async def _posted(self, transfer: Transfer) -> bool:
        try:
            return await self._known(transfer)
        except TransferConflict:
            return False

    async def _state(self, transfer_id: str) -> pb.TransferState.ValueType:
        if await self._store.find_request(*_KEY, transfer_id) is not None:
            return pb.TRANSFER_STATE_POSTED
        reserved = await self._store.find_request("", "wallet.reserve", transfer_id)
        if reserved is None:
            return pb.TRANSFER_STATE_UNKNOWN
        voided = await self._store.find_request("", "wallet.void", transfer_id)
        gone = voided is not None or reserved.answer != b"moved"
        return pb.TRANSFER_STATE_VOIDED if gone else pb.TRANSFER_STATE_RESERVED

    async def _known(self, transfer: Transfer) -> bool:
        """Whether the table's record is written. Raises TransferConflict where it is one of other content."""
        kept = await self._store.find_request(*_KEY, transfer.transfer_id)
        if kept is not None and kept.answer != msgspec.json.encode(transfer):
            raise TransferConflict(transfer.transfer_id)
        return kept is not None

    async def _record(self, transfer: Transfer) -> None:
        """What a table's record would move; once, whoever comes at the same moment."""
        reserved, stack = accounts.reserved(transfer.transfer_id), accounts.stack("t", transfer.player_id)
        kind, source, target = "buy_in", reserved, stack
        if transfer.direction == "to_wallet":
            kind, source, target = "deposit", accounts.DEPOSITS, reserved
        name = f"{kind}/{transfer.transfer_id}"
        unit = Unit(
            entry_sets=(move(name, transfer.currency, kind, source, target, transfer.amount),),
            request=RequestRecord(*_KEY, transfer.transfer_id, b"", msgspec.json.encode(transfer)),
        )
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._store.submit(unit, outcome.set_result)
        await outcome


async def _read(transfer: pb.Transfer, context: Context) -> Transfer:
    to_table = transfer.direction == pb.TRANSFER_DIRECTION_TO_TABLE
    if transfer.amount < 1 or not transfer.transfer_id:
        await context.abort(StatusCode.INVALID_ARGUMENT, "no transfer")
    return Transfer(
        transfer.transfer_id,
        transfer.player_id,
        transfer.currency,
        transfer.amount,
        "to_table" if to_table else "to_wallet",
    )
