"""A WalletService in memory that holds to the contract, as an operator would serve one; broken ones derive from it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from grpc import StatusCode, aio

from croupier.v1 import wallet_service_pb2 as pb
from croupier.v1.wallet_service_pb2_grpc import WalletServiceServicer, add_WalletServiceServicer_to_server

Context = aio.ServicerContext[Any, Any]
_DIRECTIONS: Final = (pb.TRANSFER_DIRECTION_TO_TABLE, pb.TRANSFER_DIRECTION_TO_WALLET)


class MemoryWallet(WalletServiceServicer):
    """`held` is what is available, by player and currency; `states` and `transfers` by transfer id."""

    def __init__(self, **players: int) -> None:
        """What each player has, in PoE."""
        self.held: dict[tuple[str, str], int] = {(name, "PoE"): chips for name, chips in players.items()}
        self.states: dict[str, int] = {}
        self.transfers: dict[str, pb.Transfer] = {}
        self.declines = ""
        self.asked: list[str] = []
        self.tokens: set[str] = set()

    def everything(self) -> int:
        """Chips of all players, available and reserved."""
        reserved = [
            self.transfers[name].amount
            for name, state in self.states.items()
            if state == pb.TRANSFER_STATE_RESERVED
        ]
        return sum(self.held.values()) + sum(reserved)

    async def Reserve(self, request: pb.ReserveRequest, context: Context) -> pb.ReserveResponse:
        transfer = await self._sound("Reserve", request.transfer, context)
        return await self.reserve(transfer)

    async def Post(self, request: pb.PostRequest, context: Context) -> pb.PostResponse:
        transfer = await self._sound("Post", request.transfer, context)
        return pb.PostResponse(outcome=await self.post(transfer))

    async def Void(self, request: pb.VoidRequest, context: Context) -> pb.VoidResponse:
        transfer = await self._sound("Void", request.transfer, context)
        return pb.VoidResponse(outcome=await self.void(transfer))

    async def GetTransferStatus(
        self, request: pb.GetTransferStatusRequest, context: Context
    ) -> pb.GetTransferStatusResponse:
        self._note("GetTransferStatus", context)
        return pb.GetTransferStatusResponse(state=self.state(request.transfer_id))

    async def GetAvailable(
        self, request: pb.GetAvailableRequest, context: Context
    ) -> pb.GetAvailableResponse:
        self._note("GetAvailable", context)
        return pb.GetAvailableResponse(available=self.held.get((request.player_id, request.currency), 0))

    # the steps

    async def reserve(self, transfer: pb.Transfer) -> pb.ReserveResponse:
        purse = (transfer.player_id, transfer.currency)
        available = self.held.get(purse, 0)
        if self.conflicts(transfer) or transfer.direction != pb.TRANSFER_DIRECTION_TO_TABLE:
            return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_CONFLICT)
        state = self.states.get(transfer.transfer_id)
        if state == pb.TRANSFER_STATE_VOIDED:
            return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_VOIDED, available=available)
        if state is not None:
            return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_DONE)
        if self.declines:
            outcome = pb.WALLET_OUTCOME_DECLINED
            return pb.ReserveResponse(outcome=outcome, available=available, why=self.declines)
        if available < transfer.amount:
            outcome = pb.WALLET_OUTCOME_INSUFFICIENT_FUNDS
            return pb.ReserveResponse(outcome=outcome, available=available)
        self.held[purse] = available - transfer.amount
        self.keep(transfer, pb.TRANSFER_STATE_RESERVED)
        return pb.ReserveResponse(outcome=pb.WALLET_OUTCOME_DONE)

    async def post(self, transfer: pb.Transfer) -> pb.WalletOutcome.ValueType:
        if self.conflicts(transfer):
            return pb.WALLET_OUTCOME_CONFLICT
        state = self.states.get(transfer.transfer_id)
        if state == pb.TRANSFER_STATE_VOIDED:
            return pb.WALLET_OUTCOME_VOIDED
        if transfer.direction == pb.TRANSFER_DIRECTION_TO_WALLET:
            if state is None:
                self.add(transfer)
        elif state is None:
            return pb.WALLET_OUTCOME_NOT_RESERVED
        self.keep(transfer, pb.TRANSFER_STATE_POSTED)
        return pb.WALLET_OUTCOME_DONE

    async def void(self, transfer: pb.Transfer) -> pb.WalletOutcome.ValueType:
        if self.conflicts(transfer) or transfer.direction != pb.TRANSFER_DIRECTION_TO_TABLE:
            return pb.WALLET_OUTCOME_CONFLICT
        state = self.states.get(transfer.transfer_id)
        if state == pb.TRANSFER_STATE_POSTED:
            return pb.WALLET_OUTCOME_POSTED
        if state == pb.TRANSFER_STATE_RESERVED:
            self.add(transfer)
        self.keep(transfer, pb.TRANSFER_STATE_VOIDED)
        return pb.WALLET_OUTCOME_DONE

    # what they are made of

    def state(self, transfer_id: str) -> pb.TransferState.ValueType:
        return self.states.get(transfer_id, pb.TRANSFER_STATE_UNKNOWN)  # type: ignore[return-value]

    def conflicts(self, transfer: pb.Transfer) -> bool:
        """Whether the id is known with other content."""
        known = self.transfers.get(transfer.transfer_id)
        return known is not None and known != transfer

    def keep(self, transfer: pb.Transfer, state: int) -> None:
        self.transfers[transfer.transfer_id] = transfer
        self.states[transfer.transfer_id] = state

    def add(self, transfer: pb.Transfer) -> None:
        purse = (transfer.player_id, transfer.currency)
        self.held[purse] = self.held.get(purse, 0) + transfer.amount

    async def _sound(self, name: str, transfer: pb.Transfer, context: Context) -> pb.Transfer:
        self._note(name, context)
        if transfer.amount < 1 or not transfer.transfer_id or transfer.direction not in _DIRECTIONS:
            await context.abort(StatusCode.INVALID_ARGUMENT, "no transfer")
        return transfer

    def _note(self, name: str, context: Context) -> None:
        self.asked.append(name)
        for key, value in context.invocation_metadata() or ():
            if key == "authorization":
                self.tokens.add(str(value))


@asynccontextmanager
async def served(wallet: WalletServiceServicer, port: int = 0) -> AsyncIterator[str]:
    """The HOST:PORT at which the wallet is served."""
    server = aio.server(options=[("grpc.so_reuseport", 0)])
    add_WalletServiceServicer_to_server(wallet, server)
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    try:
        yield f"127.0.0.1:{bound}"
    finally:
        await server.stop(None)
