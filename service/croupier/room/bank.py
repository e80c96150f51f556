"""Players' money away from the tables: deposits, withdrawals, balances; the ledger's answers to the contract."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from croupier.engine.table_events import RequestKey
from croupier.room import accounts, ledger
from croupier.room.answers import AdjustedAnswer, BalanceAnswer, TableBalance
from croupier.room.earlier_moves import balance_after
from croupier.room.failures import Refusal, StoreAway
from croupier.room.one_at_a_time import OneAtATime
from croupier.room.operations import Operation, Standing, WalletStanding
from croupier.room.ports import EntrySet, Expected, Failed, Outcome, Refused, Runtime, Store, Unit
from croupier.room.requests import Answer, Requests, effect_of, lasting
from croupier.room.wallet_ports import Wallet

MOST_HELD = 10**12
"""Most chips a wallet may hold; far inside int64, so that no sum of the ledger overflows."""


class Bank:
    """Moves money between the world and wallets, each request once; where wallets are the operator's, none."""

    def __init__(self, runtime: Runtime, store: Store, wallet: Wallet, requests: Requests) -> None:
        self._runtime = runtime
        self._store = store
        self._wallet = wallet
        self._requests = requests
        self._one_at_a_time = OneAtATime(runtime)
        self.out_of_balance: Callable[[str], bool] = lambda _currency: False
        """Whether the accounts of a currency were last found not to add up to nothing."""

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
        """Chips from a wallet to the world.

        Raises Refusal INSUFFICIENT_FUNDS, CURRENCY_UNKNOWN, WALLET_EXTERNAL, LEDGER_IMBALANCED.

        A currency that no house offers any more is known as long as the wallet holds some of it.
        """
        self._must_be_in_ledger()

        async def run() -> BalanceAnswer:
            if not offered and not await self._store.balance(accounts.wallet(player_id), currency):
                raise Refusal("CURRENCY_UNKNOWN", currency=currency)
            if self.out_of_balance(currency):
                raise Refusal("LEDGER_IMBALANCED", currency=currency)
            return await self._move(key, player_id, currency, -amount, ledger.withdrawal)

        return await self._requests.once(key, BalanceAnswer, lambda: self._in_turn(player_id, currency, run))

    def _must_be_in_ledger(self) -> None:
        if not self._wallet.in_ledger:
            raise Refusal("WALLET_EXTERNAL")

    async def _in_turn(
        self, player_id: str, currency: str, run: Callable[[], Awaitable[BalanceAnswer]]
    ) -> BalanceAnswer:
        """Moves into and out of one wallet follow one another, so that each answers with what it led to."""
        return await self._one_at_a_time.run((player_id, currency), run)

    async def _move(
        self,
        key: RequestKey,
        player_id: str,
        currency: str,
        change: int,
        entry_set: Callable[[str, str, int, str], EntrySet],
    ) -> BalanceAnswer:
        """Write the set with its answer: the balance as it is when that is written, plus the change."""
        while True:
            before = await self.balance(player_id, currency)
            after = before.available + change
            answer = BalanceAnswer(player_id, currency, after, before.reserved, before.tables)
            moved = entry_set(player_id, currency, abs(change), effect_of(key))
            unit = Unit(entry_sets=(moved,), request=lasting(key, answer))
            if after >= 0:
                unit.expected = Expected(accounts.wallet(player_id), currency, before.available)
            outcome = await submitted(self._runtime, self._store, unit)
            if isinstance(outcome, Failed):
                answer = await self._moved_before(key, player_id, moved, outcome)
                return await self._answered(key, answer)
            if not isinstance(outcome, Refused):
                return answer
            if outcome.available + change < 0:
                raise Refusal(
                    "INSUFFICIENT_FUNDS", available=outcome.available, required=-change, currency=currency
                )

    async def adjust(
        self, key: RequestKey, player_id: str, currency: str, amount: int, reason: str, *, offered: bool
    ) -> AdjustedAnswer:
        """Correct a wallet by so many chips, more or less; the operator log says who did, and why.

        Raises Refusal INSUFFICIENT_FUNDS, BALANCE_LIMIT_EXCEEDED, CURRENCY_UNKNOWN, WALLET_EXTERNAL.
        """
        self._must_be_in_ledger()

        async def run() -> AdjustedAnswer:
            available = await self._store.balance(accounts.wallet(player_id), currency)
            if not offered and (not available or amount > 0):
                raise Refusal("CURRENCY_UNKNOWN", currency=currency)
            while True:
                unit, answer = self._adjustment(key, player_id, currency, amount, reason, available)
                outcome = await submitted(self._runtime, self._store, unit)
                if isinstance(outcome, Failed):
                    told = await self._moved_before(key, player_id, unit.entry_sets[0], outcome)
                    return await self._answered(key, AdjustedAnswer(told.available - amount, told.available))
                if not isinstance(outcome, Refused):
                    return answer
                available = outcome.available  # chips went to a table or came back meanwhile

        return await self._requests.once(
            key, AdjustedAnswer, lambda: self._one_at_a_time.run((player_id, currency), run)
        )

    def _adjustment(
        self, key: RequestKey, player_id: str, currency: str, amount: int, reason: str, available: int
    ) -> tuple[Unit, AdjustedAnswer]:
        """What corrects a wallet that holds `available`, and nothing else."""
        after = available + amount
        if after < 0:
            raise Refusal("INSUFFICIENT_FUNDS", available=available, required=-amount, currency=currency)
        if amount > 0 and after > MOST_HELD:
            raise Refusal(
                "BALANCE_LIMIT_EXCEEDED", available=available, max_balance=MOST_HELD, currency=currency
            )
        answer = AdjustedAnswer(available, after)
        operation = Operation(
            key.method,
            key.principal,
            key.request_id,
            self._runtime.now(),
            reason,
            player_id=player_id,
            before=Standing(wallet=WalletStanding(currency, available)),
            after=Standing(wallet=WalletStanding(currency, after)),
        )
        unit = Unit(
            entry_sets=(ledger.adjustment(player_id, currency, amount, effect_of(key)),),
            request=lasting(key, answer),
            operation=operation,
            expected=Expected(accounts.wallet(player_id), currency, available),
        )
        return unit, answer

    async def _moved_before(
        self, key: RequestKey, player_id: str, moved: EntrySet, failed: Failed
    ) -> BalanceAnswer:
        """What a request led to whose set stands, though its answer is lost.

        Raises StoreAway where it is not so, Refusal REQUEST_ID_REUSED where the set is another.
        """
        if not failed.repeated or await self._store.find_request(key.principal, key.method, key.request_id):
            raise StoreAway(failed.why)
        answer = await balance_after(self._store, moved, player_id)
        if answer is None:
            raise Refusal("REQUEST_ID_REUSED", request_id=key.request_id)
        return answer

    async def _answered(self, key: RequestKey, answer: Answer) -> Answer:
        """The answer, once it lasts."""
        outcome = await submitted(self._runtime, self._store, Unit(request=lasting(key, answer)))
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
