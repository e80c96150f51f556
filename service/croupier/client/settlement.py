"""SettlementService's RPCs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import cached_property
from typing import TYPE_CHECKING

from croupier.client.caller import Caller, new_request_id
from croupier.v1.settlement_service_pb2 import (
    Balance,
    DepositRequest,
    GetBalanceRequest,
    LedgerEntry,
    ListEntriesRequest,
    WithdrawRequest,
)
from croupier.v1.settlement_service_pb2_grpc import SettlementServiceStub

if TYPE_CHECKING:
    from croupier.v1.settlement_service_pb2_grpc import SettlementServiceAsyncStub


class Settlement(Caller):
    """Fills and empties wallets, and reads the ledger."""

    @cached_property
    def _settlement(self) -> SettlementServiceAsyncStub:
        return SettlementServiceStub(self.channel)

    async def deposit(self, player_id: str, currency: str, amount: int, *, request_id: str = "") -> Balance:
        """Puts chips into the wallet; the player's chips right after."""
        request = DepositRequest(
            request_id=request_id or new_request_id(), player_id=player_id, currency=currency, amount=amount
        )
        return (await self._call(self._settlement.Deposit, request)).balance

    async def withdraw(self, player_id: str, currency: str, amount: int, *, request_id: str = "") -> Balance:
        """Takes chips out of the wallet; the player's chips right after."""
        request = WithdrawRequest(
            request_id=request_id or new_request_id(), player_id=player_id, currency=currency, amount=amount
        )
        return (await self._call(self._settlement.Withdraw, request)).balance

    async def get_balance(self, player_id: str, currency: str) -> Balance:
        """Where the player's chips are."""
        request = GetBalanceRequest(player_id=player_id, currency=currency)
        return (await self._call(self._settlement.GetBalance, request)).balance

    async def list_entries(
        self, *, account_prefix: str = "", player_id: str = "", table_id: str = "", page_size: int = 1000
    ) -> AsyncIterator[LedgerEntry]:
        """Every ledger entry that matches all the filters given, oldest first, asked for page by page."""
        request = ListEntriesRequest(
            account_prefix=account_prefix, player_id=player_id, table_id=table_id, page_size=page_size
        )
        while True:
            page = await self._call(self._settlement.ListEntries, request)
            for entry in page.entries:
                yield entry
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token
