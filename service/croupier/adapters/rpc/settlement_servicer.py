"""SettlementService: deposits, withdrawals, balances and the ledger's entries."""

from __future__ import annotations

from collections.abc import Collection

from croupier.adapters.rpc import checks, pages
from croupier.adapters.rpc.authority import must_act_for, must_know_balance_of, not_allowed
from croupier.adapters.rpc.feed_messages import ledger_entry
from croupier.adapters.rpc.house_scope import HouseScope
from croupier.adapters.rpc.pages import PageTokens
from croupier.engine.table_events import RequestKey
from croupier.room.answers import BalanceAnswer
from croupier.room.failures import Refusal
from croupier.room.ports import Store
from croupier.room.principal import Principal
from croupier.room.requests import request_key
from croupier.room.room import Room
from croupier.v1 import settlement_service_pb2 as pb

MAX_PREFIX_LENGTH = 192


class SettlementServicer:
    """Each method checks its request and asks the bank or the store."""

    def __init__(
        self, room: Room, store: Store, currencies: Collection[str], scope: HouseScope, tokens: PageTokens
    ) -> None:
        self._room = room
        self._store = store
        self._currencies = currencies
        self._scope = scope
        self._tokens = tokens

    async def deposit(self, principal: Principal, request: pb.DepositRequest) -> pb.DepositResponse:
        key = self._key(principal, "Deposit", request)
        self._must_be_known(request.currency)
        answer = await self._room.bank.deposit(key, request.player_id, request.currency, request.amount)
        return pb.DepositResponse(balance=await self._balance(principal, answer))

    async def withdraw(self, principal: Principal, request: pb.WithdrawRequest) -> pb.WithdrawResponse:
        key = self._key(principal, "Withdraw", request)
        offered = request.currency in self._currencies
        answer = await self._room.bank.withdraw(
            key, request.player_id, request.currency, request.amount, offered=offered
        )
        return pb.WithdrawResponse(balance=await self._balance(principal, answer))

    async def get_balance(self, principal: Principal, request: pb.GetBalanceRequest) -> pb.GetBalanceResponse:
        player_id = checks.player_id("player_id", request.player_id)
        currency = checks.text("currency", request.currency)
        must_know_balance_of(principal, player_id)
        answer = await self._room.bank.balance(player_id, currency)
        if not (answer.available or answer.reserved or answer.tables):
            self._must_be_known(currency)
        return pb.GetBalanceResponse(balance=await self._balance(principal, answer))

    async def list_entries(
        self, principal: Principal, request: pb.ListEntriesRequest
    ) -> pb.ListEntriesResponse:
        filters = (
            "ListEntries",
            checks.optional_text("account_prefix", request.account_prefix, max_length=MAX_PREFIX_LENGTH),
            checks.optional_player_id("player_id", request.player_id),
            checks.optional_text("table_id", request.table_id),
        )
        size = pages.size(request.page_size)
        begins = self._tokens.place(request.page_token, filters, 1)
        after = pages.number(begins[0]) if begins else 0
        _, prefix, player_id, table_id = filters
        if not principal.may_read_whole_ledger() and not (player_id and principal.may_act_for(player_id)):
            raise not_allowed(principal, player_id)
        entries = await self._store.entries(
            account_prefix=prefix,
            player_id=player_id,
            table_id=table_id,
            after=after,
            limit=size,
            scope=self._scope.entries(principal),
        )
        token = self._tokens.after((entries[-1].entry_id,), filters) if len(entries) == size else ""
        return pb.ListEntriesResponse(entries=[ledger_entry(one) for one in entries], next_page_token=token)

    def _key(
        self, principal: Principal, method: str, request: pb.DepositRequest | pb.WithdrawRequest
    ) -> RequestKey:
        request_id = checks.text("request_id", request.request_id)
        player_id = checks.player_id("player_id", request.player_id)
        checks.text("currency", request.currency)
        amount = checks.amount("amount", request.amount)
        must_act_for(principal, player_id)
        return request_key(principal.id, method, request_id, (player_id, request.currency, amount))

    def _must_be_known(self, currency: str) -> None:
        if currency not in self._currencies:
            raise Refusal("CURRENCY_UNKNOWN", currency=currency)

    async def _balance(self, principal: Principal, answer: BalanceAnswer) -> pb.Balance:
        """With the tables that the caller may know of."""
        known = await self._scope.known(principal, [one.table_id for one in answer.tables])
        return pb.Balance(
            player_id=answer.player_id,
            currency=answer.currency,
            available=answer.available,
            reserved=answer.reserved,
            tables=[
                pb.TableBalance(table_id=one.table_id, amount=one.amount)
                for one in answer.tables
                if one.table_id in known
            ],
        )
