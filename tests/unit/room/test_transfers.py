"""Money on its way while the table goes on: slow wallets, wallets that go away, seats that change hands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import CURRENCY, WEALTH, SimulatedTable
from tests.support.followed import Servers

from croupier.adapters.embedded_wallet import EmbeddedWallet
from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.actions import ALL_IN
from croupier.room.failures import Refusal
from croupier.room.wallet_ports import Transfer, WalletAway, WalletRefused

Step = Callable[[Transfer], Awaitable[None]]


class TryingWallet:
    """The embedded wallet, `delay` seconds slow and `absences` times away after it did what it was asked."""

    in_ledger = True

    def __init__(self, table: SimulatedTable) -> None:
        self._wallet = EmbeddedWallet(table.store)
        self._runtime = table.runtime
        self.delay = 0
        self.absences = 0
        self.declines = ""
        self.asked: list[str] = []

    async def available(self, player_id: str, currency: str) -> int:
        return await self._wallet.available(player_id, currency)

    async def reserve(self, transfer: Transfer) -> None:
        if self.declines:
            raise WalletRefused(WEALTH, self.declines)
        await self._try("reserve", self._wallet.reserve, transfer)

    async def post(self, transfer: Transfer) -> None:
        await self._try("post", self._wallet.post, transfer)

    async def void(self, transfer: Transfer) -> None:
        await self._try("void", self._wallet.void, transfer)

    async def _try(self, name: str, step: Step, transfer: Transfer) -> None:
        self.asked.append(name)
        if self.delay:
            await self._runtime.sleep(self.delay)
        await step(transfer)
        if self.absences:
            self.absences -= 1
            raise WalletAway("away")


async def trying(runtime: SimulatedRuntime, **rules: Any) -> tuple[SimulatedTable, TryingWallet]:
    """A table that hears nothing from its wallet but through a TryingWallet."""
    table = await SimulatedTable.open(runtime, **rules)
    wallet = TryingWallet(table)
    table.wallet = wallet
    await table.restart()
    return table, wallet


async def must_add_up(table: SimulatedTable, *players: str) -> None:
    """What players have in wallets and at the table is what they came with, less the rake."""
    held = 0
    for player_id in players:
        holdings = await table.store.holdings(player_id, CURRENCY)
        held += (
            await table.wallet_of(player_id) + holdings.reserved + sum(chips for _, chips in holdings.tables)
        )
    rake = await table.store.balance("rake/puzzle_pirates", CURRENCY)
    assert held + rake == WEALTH * len(players)
    stacks = dict(await table.store.balances(f"stack/{table.table_id}/", CURRENCY))
    assert sum(stacks.values()) == table.actor.table.chips_in_play()


@simulated()
async def test_seat_outlives_its_reservation_while_the_wallet_is_asked(runtime: SimulatedRuntime) -> None:
    table, wallet = await trying(runtime)
    await table.fund("anna")
    await table.reserve("anna", 3)
    wallet.delay = 120
    buying = runtime.begin(table.buy_in("anna", 200))
    timers = runtime.timers_set
    await table.sleep(119)
    assert 3 in table.actor.table.seats
    assert runtime.timers_set - timers < 10, "the table waits for the wallet without ringing again and again"
    await table.sleep(200)
    await buying
    assert table.actor.table.seats[3].stack == 200


@simulated()
async def test_wallet_that_is_away_after_each_step_moves_the_money_once(runtime: SimulatedRuntime) -> None:
    table, wallet = await trying(runtime)
    await table.fund("anna")
    await table.reserve("anna", 3)
    wallet.absences = 2
    answer = await table.buy_in("anna", 200)
    assert answer.seat is not None
    assert answer.seat.stack == 200
    await table.sleep(10)
    assert wallet.asked == ["reserve", "reserve", "reserve", "post"]
    await must_add_up(table, "anna")


@simulated()
async def test_wallet_that_is_away_when_told_to_post_is_not_told_to_void(runtime: SimulatedRuntime) -> None:
    table, wallet = await trying(runtime)
    await table.fund("anna")
    await table.reserve("anna", 3)
    wallet.delay = 1
    buying = runtime.begin(table.buy_in("anna", 200))
    await table.sleep(1)
    wallet.absences = 1
    await buying
    await table.sleep(10)
    assert wallet.asked == ["reserve", "post", "post"]
    await must_add_up(table, "anna")


@simulated()
async def test_rebuy_does_not_come_to_a_seat_that_is_only_reserved(runtime: SimulatedRuntime) -> None:
    table, wallet = await trying(runtime)
    await table.sit("anna", 3, 100)
    wallet.delay = 10
    rebuying = runtime.begin(table.rebuy("anna", 50))
    await table.sleep(1)
    await table.cash_out("anna")
    await table.reserve("anna", 3)
    refusal = await rebuying.failure()
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "PLAYER_NOT_SEATED"
    await table.sleep(100)
    assert await table.wallet_of("anna") == WEALTH
    await must_add_up(table, "anna")


@simulated(seed=5)
async def test_rebuy_that_does_not_fit_any_more_returns_to_the_wallet(runtime: SimulatedRuntime) -> None:
    table, wallet = await trying(runtime, hand_pause_ms=60_000)
    await table.sit("anna", 1, 150)
    await table.sit("bert", 2, 150)
    await table.sleep(60)
    wallet.delay = 10
    rebuys = [runtime.begin(table.rebuy(player_id, 50)) for player_id in ("anna", "bert")]
    await table.sleep(1)
    await table.act(ALL_IN)
    await table.act(ALL_IN)
    answers = [await rebuy for rebuy in rebuys]
    await table.sleep(20)
    stacks = sorted(answer.seat.stack for answer in answers if answer.seat is not None)
    assert stacks == [50, 285], "the winner has more than the maximum of 200 already"
    (applied,) = table.heard(tev.RebuyApplied)
    assert (applied.amount, applied.returned) == (0, 50)
    await must_add_up(table, "anna", "bert")


@simulated()
async def test_payout_reaches_the_wallet_once_it_is_back(runtime: SimulatedRuntime) -> None:
    table, wallet = await trying(runtime)
    await table.sit("anna", 1, 150)
    wallet.absences = 3
    await table.change_seat("anna", cmd.CashOut("anna", runtime.now()))
    await table.sleep(10)
    assert await table.wallet_of("anna") == WEALTH
    assert not table.actor.table.carried.transfers


@simulated()
async def test_crash_between_reserving_and_sitting_down_loses_no_chip(runtime: SimulatedRuntime) -> None:
    table, wallet = await trying(runtime)
    await table.fund("anna")
    await table.reserve("anna", 3)
    wallet.delay = 5
    runtime.begin(table.buy_in("anna", 200))
    await table.sleep(1)
    await table.restart()
    await table.sleep(20)
    assert table.actor.table.seats[3].stack == 200
    await must_add_up(table, "anna")


@simulated()
async def test_a_wallet_that_a_crash_left_untold_is_told_to_post_after_it(runtime: SimulatedRuntime) -> None:
    table, wallet = await trying(runtime)
    await table.fund("anna")
    await table.reserve("anna", 3)
    wallet.delay = 5
    buying = runtime.begin(table.buy_in("anna", 200))
    await table.sleep(6)
    await buying
    (transfer,) = table.actor.table.carried.transfers.values()
    assert transfer.kind == "post"
    await table.restart()
    await table.sleep(20)
    assert wallet.asked == ["reserve", "post", "post"]
    assert not table.actor.table.carried.transfers
    await must_add_up(table, "anna")


@simulated()
async def test_a_table_closes_only_once_the_wallet_knows_what_came_to_it(runtime: SimulatedRuntime) -> None:
    table, wallet = await trying(runtime)
    await table.fund("anna")
    await table.reserve("anna", 3)
    wallet.delay = 5
    runtime.begin(table.buy_in("anna", 200))
    await table.sleep(6)
    assert (await table.close()).state == "CLOSING"
    await table.sleep(20)
    assert table.heard(tev.TableClosed)
    assert wallet.asked.count("post") == 2, "the buy-in and the payout"


@simulated()
async def test_what_was_refused_stays_refused_although_a_crash_comes_before_the_void(
    runtime: SimulatedRuntime,
) -> None:
    """After the crash the seat is the player's again, and the chips could come to it."""
    table, wallet = await trying(runtime)
    await table.sit("anna", 3, 100)
    await table.sleep(1)
    wallet.delay = 10
    runtime.begin(table.rebuy("anna", 50))
    await table.sleep(1)
    await table.cash_out("anna")
    await table.sleep(10)
    kinds = [transfer.kind for transfer in table.actor.table.carried.transfers.values()]
    assert sorted(kinds) == ["payout", "void"]
    await table.restart()
    wallet.delay = 0
    await table.reserve("anna", 3)
    await table.buy_in("anna", 100)
    await table.sleep(20)
    assert not table.actor.table.carried.transfers
    assert table.actor.table.seats[3].stack == 100
    assert wallet.asked.count("void") >= 1
    await must_add_up(table, "anna")


@simulated()
async def test_a_request_made_again_after_a_crash_hears_why_it_was_refused(runtime: SimulatedRuntime) -> None:
    table, wallet = await trying(runtime)
    await table.fund("anna", 150)
    await table.reserve("anna", 3)
    wallet.delay = 5
    key = table.key("BuyIn")
    runtime.begin(table.room.seats.buy_in(key, table.table_id, "anna", 200))
    await table.sleep(6)
    await table.restart()
    again = runtime.begin(table.room.seats.buy_in(key, table.table_id, "anna", 200))
    refusal = await again.failure()
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.facts) == (
        "INSUFFICIENT_FUNDS",
        {"available": 150, "required": 200, "currency": CURRENCY},
    )
    assert wallet.asked == ["reserve", "void", "void"]


@simulated()
async def test_a_wallet_with_a_reason_of_its_own_is_quoted(runtime: SimulatedRuntime) -> None:
    table, wallet = await trying(runtime)
    await table.fund("anna")
    await table.reserve("anna", 3)
    wallet.declines = "daily limit"
    refusal = await runtime.begin(table.buy_in("anna", 200)).failure()
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.facts) == ("WALLET_DECLINED", {"why": "daily limit"})
    await must_add_up(table, "anna")


@simulated()
async def test_payout_goes_on_at_a_table_that_was_elsewhere_meanwhile(runtime: SimulatedRuntime) -> None:
    """The wallet answers only once another server has had the table, and this one has it again."""
    table, wallet = await trying(runtime)
    await table.sit("anna", 1, 150)
    servers = Servers(table)
    first, second = servers.owner, servers.beside("second")
    wallet.delay = 5
    await table.change_seat("anna", cmd.CashOut("anna", runtime.now()))
    await table.sleep(1)
    await servers.move(second)
    await servers.move(first)
    await table.sleep(60)
    assert not table.actor.table.carried.transfers
    assert await table.wallet_of("anna") == WEALTH
