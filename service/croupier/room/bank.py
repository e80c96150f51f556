"""Players' money away from the tables: deposits, withdrawals, balances; the ledger's answers to the contract."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from croupier.engine.table_events import RequestKey
from croupier.room import accounts, ledger
from croupier.room.answers import BalanceAnswer, TableBalance
from croupier.room.failures import Refusal, StoreAway
from croupier.room.ports import (
    EntrySet,
    Failed,
    Outcome,
    PendingAnswer,
    Refused,
    Runtime,
    Store,
    Unit,
    Wallet,
)
from croupier.room.requests import Requests, effect_id, lasting

MOST_HELD = 10**12
"""Most chips a wallet may hold; far inside int64, so that no sum of the ledger overflows."""


class Bank:
    """Moves money between the world and wallets, each request once; where wallets are the operator's, none."""

    def __init__(self, runtime: Runtime, store: Store, wallet: Wallet, requests: Requests) -> None:
        self._runtime = runtime
        self._store = store
        self._wallet = wallet
        self._requests = requests
        self._turns: dict[tuple[str, str], PendingAnswer] = {}

    async def deposit(self, key: RequestKey, player_id: str, currency: str, amount: int) -> BalanceAnswer:
        """Chips from the world into a wallet. Raises Refusal BALANCE_LIMIT_EXCEEDED, WALLET_EXTERNAL."""
        self._must_be_in_ledger()

        async def run() -> BalanceAnswer:
            available = await self._store.balance(accounts.wallet(player_id), currency)
            if available + amount > MOST_HELD:
                raise Refusal(
                    "BALANCE_LIMIT_EXCEEDED", available=available, max_balance=MOST_HELD, currency=currency
                )
            return await self._move(key, player_id, currency, amount, ledger.deposit)

        return await self._requests.once(key, BalanceAnswer, lambda: self._in_turn(player_id, currency, run))

    async def withdraw(
        self, key: RequestKey, player_id: str, currency: str, amount: int, *, offered: bool = True
    ) -> BalanceAnswer:
        """Chips from a wallet to the world. Raises Refusal INSUFFICIENT_FUNDS, CURRENCY_UNKNOWN, WALLET_EXTERNAL.

        A currency that no house offers any more is known as long as the wallet holds some of it.
        """
        self._must_be_in_ledger()

        async def run() -> BalanceAnswer:
            if not offered and not await self._store.balance(accounts.wallet(player_id), currency):
                raise Refusal("CURRENCY_UNKNOWN", currency=currency)
            return await self._move(key, player_id, currency, -amount, ledger.withdrawal)

        return await self._requests.once(key, BalanceAnswer, lambda: self._in_turn(player_id, currency, run))

    def _must_be_in_ledger(self) -> None:
        if not self._wallet.in_ledger:
            raise Refusal("WALLET_EXTERNAL")

    async def _in_turn(
        self, player_id: str, currency: str, run: Callable[[], Awaitable[BalanceAnswer]]
    ) -> BalanceAnswer:
        """Moves into and out of one wallet follow one another, so that each answers with what it led to."""
        wallet = (player_id, currency)
        while (turn := self._turns.get(wallet)) is not None:
            await turn
        turn = self._turns[wallet] = self._runtime.future()
        try:
            return await run()
        finally:
            del self._turns[wallet]
            turn.set_result(None)

    async def _move(
        self,
        key: RequestKey,
        player_id: str,
        currency: str,
        change: int,
        entry_set: Callable[[str, str, int, str], EntrySet],
    ) -> BalanceAnswer:
        """Write the set with its answer: the balance as it is plus the change."""
        before = await self.balance(player_id, currency)
        answer = BalanceAnswer(player_id, currency, before.available + change, before.reserved, before.tables)
        unit = Unit(
            entry_sets=(entry_set(player_id, currency, abs(change), effect_id(key)),),
            request=lasting(key, answer),
        )
        outcome = await submitted(self._runtime, self._store, unit)
        if isinstance(outcome, Refused):
            raise Refusal(
                "INSUFFICIENT_FUNDS", available=outcome.available, required=abs(change), currency=currency
            )
        if isinstance(outcome, Failed):
            raise StoreAway(outcome.why)
        return answer

    async def balance(self, player_id: str, currency: str) -> BalanceAnswer:
        """What a player holds by the wallet and, on the way and at tables, by the ledger. Raises WalletAway."""
        available = await self._wallet.available(player_id, currency)
        held = await self._store.holdings(player_id, currency)
        tables = tuple(TableBalance(table_id, amount) for table_id, amount in held.tables if amount)
        return BalanceAnswer(player_id, currency, available, held.reserved, tables)


async def submitted(runtime: Runtime, store: Store, unit: Unit) -> Outcome:
    """Queue a unit and wait for the store's answer."""
    waiter = runtime.future()
    store.submit(unit, waiter.set_result)
    outcome: Outcome = await waiter
    return outcome
