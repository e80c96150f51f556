"""Money between wallets and tables: every buy-in, rebuy and payout as a saga that a crash cannot cut short.

The table's journal says what is on its way; the wallet is asked, as often as needed, with the same id.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.room.actor import TableActor
from croupier.room.answers import SeatAnswer
from croupier.room.clock import NS_PER_MS
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.ports import (
    PendingAnswer,
    RequestRecord,
    Runtime,
    Transfer,
    Wallet,
    WalletAway,
    WalletRefused,
)
from croupier.room.principal import SERVICE
from croupier.room.requests import lasting
from croupier.room.views import seat_view

FIRST_RETRY_NS: Final = 50 * NS_PER_MS
LONGEST_RETRY_NS: Final = 2_000 * NS_PER_MS

Step = TypeVar("Step")
End = PendingAnswer
"""A promise of how a transfer ends."""


class Cashier:
    """Drives transfers to their end, one task each; asks again where the wallet or the store was away."""

    def __init__(self, runtime: Runtime, wallet: Wallet) -> None:
        self._runtime = runtime
        self._wallet = wallet
        self._ends: dict[str, End] = {}
        self._answering: dict[tev.RequestKey, End] = {}

    async def must_cover(self, player_id: str, currency: str, amount: int) -> None:
        """Raises Refusal INSUFFICIENT_FUNDS unless the wallet holds so much."""
        available = await self._wallet.available(player_id, currency)
        if available < amount:
            raise Refusal("INSUFFICIENT_FUNDS", available=available, required=amount, currency=currency)

    def drive(self, actor: TableActor, transfer: tev.PendingTransfer) -> End:
        """See a journaled transfer through to its end; a second call for the same one changes nothing."""
        end = self._ends.get(transfer.transfer_id)
        if end is None:
            end = self._ends[transfer.transfer_id] = self._runtime.future()
            if transfer.answers is not None:
                self._answering[transfer.answers] = end
            self._runtime.spawn(self._drive(actor, transfer, end))
        return end

    def under_way(self, key: tev.RequestKey) -> End | None:
        """The end of the transfer that a request has led to, while it is being driven."""
        return self._answering.get(key)

    async def outcome(self, end: End) -> SeatAnswer:
        """What a buy-in or rebuy came to. Raises what refused it."""
        result = await end
        if isinstance(result, Exception):
            raise result
        return result  # type: ignore[no-any-return]

    async def _drive(self, actor: TableActor, transfer: tev.PendingTransfer, end: End) -> None:
        result: SeatAnswer | Exception = StoreAway("the transfer was left where it stood")
        try:
            if transfer.kind == "payout":
                await self._insist(lambda: self._pay_out(actor, transfer))
            else:
                result = await self._insist(lambda: self._take_in(actor, transfer))
                await self._insist(lambda: self._wallet.post(_to_table(actor, transfer)))
        except (Refusal, TableHalted) as refusal:
            result = refusal
        finally:
            del self._ends[transfer.transfer_id]
            if transfer.answers is not None:
                del self._answering[transfer.answers]
            if not end.done():
                end.set_result(result)

    async def _insist(self, step: Callable[[], Awaitable[Step]]) -> Step:
        """Repeat a step for as long as the wallet or the store is away."""
        wait = FIRST_RETRY_NS
        while True:
            try:
                return await step()
            except (WalletAway, StoreAway):
                await self._pause(wait)
                wait = min(2 * wait, LONGEST_RETRY_NS)

    async def _pay_out(self, actor: TableActor, transfer: tev.PendingTransfer) -> None:
        await self._wallet.post(_to_wallet(actor, transfer))
        commit = actor.run(cmd.ConfirmPayout(transfer.transfer_id))
        if commit is not None:
            await commit.durable()

    async def _take_in(self, actor: TableActor, transfer: tev.PendingTransfer) -> SeatAnswer:
        """Reserve and accept. What the table refuses, before or after, goes back to the wallet."""
        to_table = _to_table(actor, transfer)
        refused = actor.refusal_of(cmd.AcceptTransfer(transfer.transfer_id))
        if refused is not None:
            await actor.barrier()
            raise await self._given_back(actor, transfer, refused)
        try:
            await self._wallet.reserve(to_table)
        except WalletRefused as short:
            await self._refuse(actor, transfer, short.available)
            raise Refusal(
                "INSUFFICIENT_FUNDS",
                available=short.available,
                required=transfer.amount,
                currency=to_table.currency,
            ) from short
        try:
            return await self._accept(actor, transfer)
        except Refusal as refusal:
            raise await self._given_back(actor, transfer, refusal) from refusal

    async def _given_back(
        self, actor: TableActor, transfer: tev.PendingTransfer, refusal: Refusal
    ) -> Refusal:
        """The refusal, once the wallet has back whatever it had reserved."""
        await self._wallet.void(_to_table(actor, transfer))
        await self._refuse(actor, transfer, 0)
        return refusal

    async def _accept(self, actor: TableActor, transfer: tev.PendingTransfer) -> SeatAnswer:
        """Bring the reserved chips to the seat; the requester's lasting answer goes with the record."""
        answers: list[SeatAnswer] = []

        def answer(_: list[Event], sequence: int) -> RequestRecord | None:
            answers.append(SeatAnswer(sequence, seat_view(actor.table, transfer.seat)))
            return lasting(transfer.answers, answers[0]) if transfer.answers is not None else None

        commit = actor.run(cmd.AcceptTransfer(transfer.transfer_id), SERVICE.id, "", answer)
        if commit is None:
            raise StoreAway("the transfer was accepted without a record")
        await commit.durable()
        return answers[0]

    async def _refuse(self, actor: TableActor, transfer: tev.PendingTransfer, available: int) -> None:
        commit = actor.run(cmd.RefuseTransfer(transfer.transfer_id, available, self._runtime.now()))
        if commit is not None:
            await commit.durable()

    async def _pause(self, span: int) -> None:
        waiter = self._runtime.future()
        timer = self._runtime.call_at(self._runtime.now() + span, partial(waiter.set_result, None))
        try:
            await waiter
        finally:
            timer.cancel()


def _to_table(actor: TableActor, transfer: tev.PendingTransfer) -> Transfer:
    currency = actor.table.rules.currency
    return Transfer(transfer.transfer_id, transfer.player_id, currency, transfer.amount, "to_table")


def _to_wallet(actor: TableActor, transfer: tev.PendingTransfer) -> Transfer:
    currency = actor.table.rules.currency
    return Transfer(transfer.transfer_id, transfer.player_id, currency, transfer.amount, "to_wallet")
