"""SettlementService: deposits, withdrawals, balances and the ledger's entries."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection

from croupier.adapters.rpc import checks, messages
from croupier.adapters.rpc.betting_servicer import may_act_for
from croupier.engine.table_events import RequestKey
from croupier.room import accounts
from croupier.room.answers import BalanceAnswer
from croupier.room.failures import Refusal
from croupier.room.ports import LedgerEntry, Store
from croupier.room.principal import Principal
from croupier.room.requests import request_key
from croupier.room.room import Room
from croupier.v1 import settlement_service_pb2 as pb

DEFAULT_PAGE = 100
LARGEST_PAGE = 1000
MAX_PREFIX_LENGTH = 192


class SettlementServicer:
    """Each method checks its request and asks the bank or the store."""

    def __init__(self, room: Room, store: Store, currencies: Collection[str]) -> None:
        self._room = room
        self._store = store
        self._currencies = currencies

    async def deposit(self, principal: Principal, request: pb.DepositRequest) -> pb.DepositResponse:
        key = self._key(principal, "Deposit", request)
        answer = await self._room.bank.deposit(key, request.player_id, request.currency, request.amount)
        return pb.DepositResponse(balance=_balance(answer))

    async def withdraw(self, principal: Principal, request: pb.WithdrawRequest) -> pb.WithdrawResponse:
        key = self._key(principal, "Withdraw", request)
        answer = await self._room.bank.withdraw(key, request.player_id, request.currency, request.amount)
        return pb.WithdrawResponse(balance=_balance(answer))

    async def get_balance(self, principal: Principal, request: pb.GetBalanceRequest) -> pb.GetBalanceResponse:
        player_id = checks.text("player_id", request.player_id)
        self._currency(request.currency)
        may_act_for(principal, player_id)
        answer = await self._room.bank.balance(player_id, request.currency)
        return pb.GetBalanceResponse(balance=_balance(answer))

    async def list_entries(
        self, principal: Principal, request: pb.ListEntriesRequest
    ) -> pb.ListEntriesResponse:
        if not principal.may_run_tables():
            raise Refusal("CALLER_NOT_ALLOWED", role=principal.role)
        filters = (
            checks.optional_text("account_prefix", request.account_prefix, max_length=MAX_PREFIX_LENGTH),
            checks.optional_text("player_id", request.player_id),
            checks.optional_text("table_id", request.table_id),
        )
        size = checks.number("page_size", request.page_size or DEFAULT_PAGE, 1, LARGEST_PAGE)
        after = _read_token(request.page_token, filters)
        prefix, player_id, table_id = filters
        entries = await self._store.entries(
            account_prefix=prefix, player_id=player_id, table_id=table_id, after=after, limit=size
        )
        token = _token(entries[-1].entry_id, filters) if len(entries) == size else ""
        return pb.ListEntriesResponse(entries=[_entry(one) for one in entries], next_page_token=token)

    def _key(
        self, principal: Principal, method: str, request: pb.DepositRequest | pb.WithdrawRequest
    ) -> RequestKey:
        request_id = checks.text("request_id", request.request_id)
        player_id = checks.text("player_id", request.player_id)
        self._currency(request.currency)
        amount = checks.amount("amount", request.amount)
        if not principal.may_move_money():
            raise Refusal("CALLER_NOT_ALLOWED", role=principal.role)
        may_act_for(principal, player_id)
        return request_key(principal.id, method, request_id, (player_id, request.currency, amount))

    def _currency(self, currency: str) -> None:
        checks.text("currency", currency)
        if currency not in self._currencies:
            raise Refusal("CURRENCY_UNKNOWN", currency=currency)


def _balance(answer: BalanceAnswer) -> pb.Balance:
    return pb.Balance(
        player_id=answer.player_id,
        currency=answer.currency,
        available=answer.available,
        reserved=answer.reserved,
        tables=[pb.TableBalance(table_id=one.table_id, amount=one.amount) for one in answer.tables],
    )


def _entry(entry: LedgerEntry) -> pb.LedgerEntry:
    return pb.LedgerEntry(
        entry_id=entry.entry_id,
        entry_set_id=entry.entry_set_id,
        account=entry.account,
        amount=entry.amount,
        currency=entry.currency,
        kind=pb.EntryKind.Value(f"ENTRY_KIND_{entry.kind.upper()}"),
        player_id=accounts.player_of(entry.account) or "",
        table_id=entry.table_id,
        hand_id=entry.hand_id,
        entry_time=messages.timestamp(entry.recorded_time),
    )


def _token(entry_id: int, filters: tuple[str, ...]) -> str:
    """An opaque page token, bound to the filter it was issued for."""
    return base64.urlsafe_b64encode("\0".join((str(entry_id), *filters)).encode()).decode()


def _read_token(token: str, filters: tuple[str, ...]) -> int:
    if not token:
        return 0
    try:
        entry_id, *issued_for = base64.urlsafe_b64decode(token.encode()).decode().split("\0")
    except (binascii.Error, ValueError):
        raise Refusal("FIELD_MALFORMED", field="page_token") from None
    if tuple(issued_for) != filters or not (entry_id.isascii() and entry_id.isdigit()) or len(entry_id) > 18:
        raise Refusal("FIELD_MALFORMED", field="page_token")
    return int(entry_id)
