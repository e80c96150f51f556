"""OperatorService's RPCs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from google.protobuf.timestamp_pb2 import Timestamp

from croupier.client.caller import Caller, new_request_id
from croupier.v1.operator_service_pb2 import (
    AdjustBalanceRequest,
    AdjustBalanceResponse,
    BlockKind,
    BlockPlayerRequest,
    BlockPlayerResponse,
    ListOperationsRequest,
    Operation,
    PlayerBlock,
    RemovePlayerRequest,
    RemovePlayerResponse,
    ResolveOutcome,
    ResolveTableRequest,
    ResolveTableResponse,
    UnblockPlayerRequest,
    UnblockPlayerResponse,
)
from croupier.v1.operator_service_pb2_grpc import OperatorServiceStub

if TYPE_CHECKING:
    from croupier.v1.operator_service_pb2_grpc import OperatorServiceAsyncStub


class Operating(Caller):
    """For operators: ends standstills, keeps players away, corrects wallets, and reads the log of all that."""

    @cached_property
    def _operating(self) -> OperatorServiceAsyncStub:
        return OperatorServiceStub(self.channel)

    async def try_resolve_table(
        self, table_id: str, outcome: ResolveOutcome.ValueType, reason: str
    ) -> ResolveTableResponse:
        """What resolving the table so would come to, with the token that `resolve_table` takes; nothing is changed."""
        request = ResolveTableRequest(
            request_id=new_request_id(), table_id=table_id, outcome=outcome, reason=reason, dry_run=True
        )
        return await self._call(self._operating.ResolveTable, request)

    async def resolve_table(
        self,
        table_id: str,
        outcome: ResolveOutcome.ValueType,
        reason: str,
        token: str,
        *,
        request_id: str = "",
    ) -> ResolveTableResponse:
        """Voids the hand of a halted or paused table, or lets it go on."""
        request = ResolveTableRequest(
            request_id=request_id or new_request_id(),
            table_id=table_id,
            outcome=outcome,
            reason=reason,
            token=token,
        )
        return await self._call(self._operating.ResolveTable, request)

    async def remove_player(
        self, table_id: str, player_id: str, reason: str, *, request_id: str = ""
    ) -> RemovePlayerResponse:
        """Takes the player from the table, after the hand where the player is in one."""
        request = RemovePlayerRequest(
            request_id=request_id or new_request_id(), table_id=table_id, player_id=player_id, reason=reason
        )
        return await self._call(self._operating.RemovePlayer, request)

    async def block_player(
        self,
        player_id: str,
        kind: BlockKind.ValueType,
        reason: str,
        *,
        until: datetime | None = None,
        house_id: str = "",
        request_id: str = "",
    ) -> BlockPlayerResponse:
        """Keeps the player from playing until a time, else for good; in one house, else in all."""
        until_time = None
        if until is not None:
            until_time = Timestamp()
            until_time.FromDatetime(until)
        block = PlayerBlock(player_id=player_id, kind=kind, house_id=house_id, until_time=until_time)
        request = BlockPlayerRequest(request_id=request_id or new_request_id(), block=block, reason=reason)
        return await self._call(self._operating.BlockPlayer, request)

    async def unblock_player(
        self, player_id: str, reason: str, *, house_id: str = "", request_id: str = ""
    ) -> UnblockPlayerResponse:
        """Lifts the operator's own block."""
        request = UnblockPlayerRequest(
            request_id=request_id or new_request_id(), player_id=player_id, house_id=house_id, reason=reason
        )
        return await self._call(self._operating.UnblockPlayer, request)

    async def adjust_balance(
        self, player_id: str, currency: str, amount: int, reason: str, *, request_id: str = ""
    ) -> AdjustBalanceResponse:
        """Puts chips into the wallet, or takes them out where the amount is negative."""
        request = AdjustBalanceRequest(
            request_id=request_id or new_request_id(),
            player_id=player_id,
            currency=currency,
            amount=amount,
            reason=reason,
        )
        return await self._call(self._operating.AdjustBalance, request)

    async def list_operations(
        self, *, table_id: str = "", player_id: str = "", page_size: int = 0
    ) -> AsyncIterator[Operation]:
        """Every entry of the operator log that matches the filters given, latest first, asked for page by page."""
        request = ListOperationsRequest(table_id=table_id, player_id=player_id, page_size=page_size)
        while True:
            page = await self._call(self._operating.ListOperations, request)
            for operation in page.operations:
                yield operation
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token
