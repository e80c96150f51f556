"""Money between wallets and tables: every buy-in, rebuy and payout as a saga that a crash cannot cut short.

The table's journal says what is asked of the wallet next; the wallet is asked, as often as needed, with the same
id. What a table has accepted is never voided, and what it has refused is never accepted: either is journaled
before the wallet hears of it, so that not even a request that was long on its way undoes it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.numbers import NS_PER_MS
from croupier.room.actor import TableActor
from croupier.room.answers import SeatAnswer
from croupier.room.clock import pause
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.ports import PendingAnswer, RequestRecord, Runtime
from croupier.room.principal import SERVICE
from croupier.room.requests import lasting
from croupier.room.views import seat_view
from croupier.room.wallet_ports import Transfer, Wallet, WalletAway, WalletRefused

FIRST_RETRY_NS: Final = 50 * NS_PER_MS
LONGEST_RETRY_NS: Final = 2_000 * NS_PER_MS

Step = TypeVar("Step")
End = PendingAnswer
"""A promise of how a transfer ends."""


class _Drive:
    """A transfer on its way to its `end`, and the actor of its table, which is another once the table came back."""

    __slots__ = ("actor", "end")

    def __init__(self, actor: TableActor, end: End) -> None:
        self.actor = actor
        self.end = end


class Cashier:
    """Drives transfers to their end, one task each; asks again where the wallet or the store was away."""

    def __init__(self, runtime: Runtime, wallet: Wallet) -> None:
        self._runtime = runtime
        self._wallet = wallet
        self._under_way: dict[str, _Drive] = {}
        self._answering: dict[tev.RequestKey, End] = {}

    async def must_cover(self, player_id: str, currency: str, amount: int) -> None:
        """Raises Refusal INSUFFICIENT_FUNDS unless the wallet holds so much, WalletAway where it does not say."""
        available = await self._wallet.available(player_id, currency)
        if available < amount:
            raise Refusal("INSUFFICIENT_FUNDS", available=available, required=amount, currency=currency)

    def drive(self, actor: TableActor, transfer: tev.PendingTransfer) -> End:
        """See a journaled transfer through to its end; a second call for the same one at most changes the actor."""
        driven = self._under_way.get(transfer.transfer_id)
        if driven is not None:
            driven.actor = actor
            return driven.end
        driven = self._under_way[transfer.transfer_id] = _Drive(actor, self._runtime.future())
        if transfer.answers is not None:
            self._answering[transfer.answers] = driven.end
        self._runtime.spawn(self._drive(transfer, driven))
        return driven.end

    def under_way(self, key: tev.RequestKey) -> End | None:
        """The end of the transfer that a request has led to, until the request is answered."""
        return self._answering.get(key)

    async def outcome(self, end: End) -> SeatAnswer:
        """What a buy-in or rebuy came to. Raises what refused it."""
        result = await end
        if isinstance(result, Exception):
            raise result
        return result  # type: ignore[no-any-return]

    async def _drive(self, transfer: tev.PendingTransfer, driven: _Drive) -> None:
        end, going_on = driven.end, True
        try:
            while going_on:
                actor = driven.actor
                try:
                    going_on = not await self._insist(lambda: self._step(driven.actor, transfer, end))
                except (Refusal, TableHalted) as refusal:
                    if driven.actor is actor:
                        self._answer(transfer, end, refusal)
                        return
        finally:
            del self._under_way[transfer.transfer_id]
            self._answer(transfer, end, StoreAway("the transfer was left where it stood"))

    def _answer(self, transfer: tev.PendingTransfer, end: End, result: SeatAnswer | Exception) -> None:
        """Tell whoever asked for the transfer, unless they know already."""
        if not end.done():
            if transfer.answers is not None:
                self._answering.pop(transfer.answers, None)
            end.set_result(result)

    async def _insist(self, step: Callable[[], Awaitable[Step]]) -> Step:
        """Repeat a step for as long as the wallet or the store is away."""
        wait = FIRST_RETRY_NS
        while True:
            try:
                return await step()
            except (WalletAway, StoreAway):
                await pause(self._runtime, wait)
                wait = min(2 * wait, LONGEST_RETRY_NS)

    async def _step(self, actor: TableActor, transfer: tev.PendingTransfer, end: End) -> bool:
        """Do what the transfer waits for, by the table's journal; whether nothing was left to do."""
        await actor.barrier()
        standing = actor.table.carried.transfers.get(transfer.transfer_id)
        if standing is None:
            return True
        if standing.kind == "payout":
            await self._wallet.post(_to_wallet(actor, standing))
            await _write(actor, cmd.ConfirmPayout(standing.transfer_id))
        elif standing.kind == "post":
            await self._wallet.post(_to_table(actor, standing))
            await _write(actor, cmd.ConfirmPost(standing.transfer_id))
        elif standing.kind == "void":
            await self._void(actor, standing)
            self._answer(transfer, end, _refusal(standing))
        else:
            accepted = await self._take_in(actor, standing)
            if accepted is not None:
                self._answer(transfer, end, accepted)
        return False

    async def _take_in(self, actor: TableActor, transfer: tev.PendingTransfer) -> SeatAnswer | None:
        """Reserve and accept; None where wallet or table has refused, which is journaled then."""
        to_table = _to_table(actor, transfer)
        refused = actor.refusal_of(cmd.AcceptTransfer(transfer.transfer_id))
        if refused is None:
            try:
                await self._wallet.reserve(to_table)
                return await self._accept(actor, transfer)
            except WalletRefused as said:
                refused = _of_wallet(said, to_table)
            except Refusal as refusal:
                refused = refusal
        why = tev.TransferRefusal(refused.reason, refused.facts)
        await _write(actor, cmd.VoidTransfer(transfer.transfer_id, why))
        return None

    async def _accept(self, actor: TableActor, transfer: tev.PendingTransfer) -> SeatAnswer:
        """Bring the reserved chips to the seat; the requester's lasting answer goes with the record.

        In the ledger they have posted by that record; elsewhere a player who buys in is in play once they have (R-T8).
        """
        answers: list[SeatAnswer] = []

        def answer(_: list[Event], sequence: int) -> RequestRecord | None:
            answers.append(SeatAnswer(sequence, seat_view(actor.table, transfer.seat)))
            return lasting(transfer.answers, answers[0]) if transfer.answers is not None else None

        awaited = not self._wallet.in_ledger
        command = cmd.AcceptTransfer(transfer.transfer_id, post=True, awaited=awaited)
        commit = actor.run(command, SERVICE.id, "", answer)
        if commit is None:
            raise StoreAway("the transfer was accepted without a record")
        await commit.durable()
        return answers[0]

    async def _void(self, actor: TableActor, transfer: tev.PendingTransfer) -> None:
        """The wallet takes back what it had reserved, and reserves nothing more under this id."""
        await self._wallet.void(_to_table(actor, transfer))
        facts = transfer.refusal.facts if transfer.refusal is not None else {}
        available = int(facts.get("available", 0))
        await _write(actor, cmd.RefuseTransfer(transfer.transfer_id, available, self._runtime.now()))


async def _write(actor: TableActor, command: cmd.Command) -> None:
    commit = actor.run(command)
    if commit is not None:
        await commit.durable()


def _of_wallet(said: WalletRefused, transfer: Transfer) -> Refusal:
    if said.why:
        return Refusal("WALLET_DECLINED", why=said.why)
    return Refusal(
        "INSUFFICIENT_FUNDS",
        available=said.available,
        required=transfer.amount,
        currency=transfer.currency,
    )


def _refusal(transfer: tev.PendingTransfer) -> Refusal:
    why = transfer.refusal or tev.TransferRefusal("PLAYER_NOT_SEATED")
    return Refusal(why.reason, **why.facts)


def _to_table(actor: TableActor, transfer: tev.PendingTransfer) -> Transfer:
    currency = actor.table.rules.currency
    return Transfer(transfer.transfer_id, transfer.player_id, currency, transfer.amount, "to_table")


def _to_wallet(actor: TableActor, transfer: tev.PendingTransfer) -> Transfer:
    currency = actor.table.rules.currency
    return Transfer(transfer.transfer_id, transfer.player_id, currency, transfer.amount, "to_wallet")
