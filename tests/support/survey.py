"""A server asked from outside, call by call: how tables stand, what happened at them, where the chips are."""

from __future__ import annotations

from collections import Counter
from types import TracebackType
from typing import Self

import grpc

from croupier.v1.event_pb2 import TableEvent
from croupier.v1.settlement_service_pb2 import Balance, GetBalanceRequest, LedgerEntry, ListEntriesRequest
from croupier.v1.settlement_service_pb2_grpc import SettlementServiceStub
from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import (
    GetServerInfoRequest,
    GetServerInfoResponse,
    GetTableRequest,
    WatchTableRequest,
)
from croupier.v1.table_service_pb2_grpc import TableServiceStub

CURRENCY = "PoE"
_TIMEOUT = 20.0
_PAGE = 1000


class Survey:
    """One connection; every call raises grpc.RpcError where it is not answered within 20 seconds."""

    def __init__(self, target: str) -> None:
        self.channel = grpc.insecure_channel(target)
        self._tables = TableServiceStub(self.channel)
        self._settlement = SettlementServiceStub(self.channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.channel.close()

    def info(self) -> GetServerInfoResponse:
        return self._tables.GetServerInfo(GetServerInfoRequest(), timeout=_TIMEOUT)

    def table(self, table_id: str, player_id: str = "") -> Table:
        request = GetTableRequest(table_id=table_id, player_id=player_id)
        return self._tables.GetTable(request, timeout=_TIMEOUT).table

    def history(self, table_id: str, player_id: str, after: int, up_to: int) -> list[TableEvent]:
        """What happened at a table after one sequence and up to another, as the player may know it."""
        events: list[TableEvent] = []
        if after >= up_to:
            return events
        request = WatchTableRequest(table_id=table_id, player_id=player_id, resume_after_sequence=after)
        stream = self._tables.WatchTable(request, timeout=_TIMEOUT)
        for news in stream:
            events += news.events.events
            if events and events[-1].sequence >= up_to:
                break
        stream.cancel()
        return [event for event in events if event.sequence <= up_to]

    def balance(self, player_id: str) -> Balance:
        request = GetBalanceRequest(player_id=player_id, currency=CURRENCY)
        return self._settlement.GetBalance(request, timeout=_TIMEOUT).balance

    def entries(self, account_prefix: str = "") -> list[LedgerEntry]:
        """Every entry of the accounts whose names begin so."""
        entries: list[LedgerEntry] = []
        request = ListEntriesRequest(account_prefix=account_prefix, page_size=_PAGE)
        while True:
            page = self._settlement.ListEntries(request, timeout=_TIMEOUT)
            entries += page.entries
            if not page.next_page_token:
                return entries
            request.page_token = page.next_page_token

    def accounts(self, account_prefix: str = "") -> Counter[str]:
        """What these accounts hold by their entries."""
        held: Counter[str] = Counter()
        for entry in self.entries(account_prefix):
            held[entry.account] += entry.amount
        return held
