"""Players do at random whatever they may, wallet and store fail, the service crashes: no chip is ever lost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest
from tests.fakes.simulated_runtime import SimulatedLoop, SimulatedRuntime
from tests.fakes.simulated_table import CURRENCY, WEALTH, SimulatedTable
from tests.fakes.unobserved import Unobserved

from croupier.adapters.embedded_wallet import EmbeddedWallet
from croupier.engine import actions
from croupier.engine import commands as cmd
from croupier.engine.actions import Action, LegalActions
from croupier.engine.table_events import TableState
from croupier.room.failures import Refusal, StoreAway
from croupier.room.wallet_ports import Transfer, WalletAway

STEPS = 400
PLAYERS = [f"player {number}" for number in range(8)]


Call = Callable[[], Coroutine[Any, Any, object]]


class Halts(Unobserved):
    """A table that halts ends the walk."""

    def table_halted(self, table_id: str, violation: Exception) -> None:
        raise AssertionError(f"{table_id} halted") from violation


class UnreliableWallet:
    """Away now and then, before or after it did what it was asked."""

    in_ledger = True

    def __init__(self, wallet: EmbeddedWallet, chance: random.Random, rate: float) -> None:
        self._wallet = wallet
        self._chance = chance
        self.rate = rate
        self.available = wallet.available

    async def reserve(self, transfer: Transfer) -> None:
        await self._try(self._wallet.reserve, transfer)

    async def post(self, transfer: Transfer) -> None:
        await self._try(self._wallet.post, transfer)

    async def void(self, transfer: Transfer) -> None:
        await self._try(self._wallet.void, transfer)

    async def _try(self, step: Callable[[Transfer], Awaitable[None]], transfer: Transfer) -> None:
        self._may_be_away()
        await step(transfer)
        self._may_be_away()

    def _may_be_away(self) -> None:
        if self._chance.random() < self.rate:
            raise WalletAway("away")


class Walk:
    """One table and what chance does to it."""

    def __init__(self, table: SimulatedTable, chance: random.Random) -> None:
        self.table = table
        self.chance = chance
        self.wallet = UnreliableWallet(EmbeddedWallet(table.store), chance, chance.choice([0, 0.1, 0.5]))
        table.wallet = self.wallet

    async def begin(self) -> None:
        await self.table.restart()
        for player_id in PLAYERS:
            await self.table.fund(player_id)

    async def step(self) -> None:
        """One thing happens, and mostly all that follows from it before the next."""
        step = self.chance.choices([self._play, self._move, self._wait, self._fail], [60, 33, 3, 2])[0]
        await step()
        if self.chance.random() < 0.9:
            await self.table.runtime.idle()

    async def _play(self) -> None:
        decision = self.table.actor.decision()
        if decision is not None:
            action = self._choice(decision.legal)
            self._ask(lambda: self.table.act(action))

    def _choice(self, legal: LegalActions) -> Action:
        free = actions.CALL if legal.call_amount else actions.CHECK
        choices: list[Action] = [actions.FOLD, free, free, free]
        if legal.min_raise_to:
            choices.append(actions.RaiseTo(self.chance.randint(legal.min_raise_to, legal.max_raise_to)))
        if legal.min_bet_to:
            choices.append(actions.BetTo(self.chance.randint(legal.min_bet_to, legal.max_bet_to)))
        if legal.all_in_to:
            choices.append(actions.ALL_IN)
        return self.chance.choice(choices)

    async def _move(self) -> None:
        table, player_id = self.table, self.chance.choice(PLAYERS)
        now, chips = table.runtime.now(), self.chance.randint(1, 200)
        ask: list[Call] = [
            lambda: table.reserve(player_id, self.chance.randint(1, 6)),
            lambda: table.buy_in(player_id, max(20, chips)),
            lambda: table.rebuy(player_id, chips),
            lambda: table.cash_out(player_id),
            lambda: table.dismiss(player_id),
            lambda: table.change_seat(player_id, cmd.ReleaseSeat(player_id, now)),
            lambda: table.change_seat(player_id, cmd.SitOut(player_id, now)),
            lambda: table.change_seat(player_id, cmd.SitIn(player_id, bool(chips % 2))),
            lambda: table.change_state(cmd.PauseTable()),
            lambda: table.change_state(cmd.ResumeTable()),
            lambda: table.join_waiting_list(player_id),
            lambda: table.leave_waiting_list(player_id),
        ]
        self._ask(self.chance.choices(ask, [8, 8, 3, 2, 2, 2, 2, 3, 1, 3, 3, 1])[0])

    async def _wait(self) -> None:
        await self.table.sleep(self.chance.choice([1, 5, 21, 70, 700]))

    async def _fail(self) -> None:
        if self.chance.random() < 0.5:
            self.table.store.fail_next()
        else:
            await self.table.restart()

    def _ask(self, call: Call) -> None:
        self.table.runtime.spawn(_refusable(call))

    async def must_agree(self) -> None:
        """The ledger and the table count the same chips."""
        await self.table.runtime.idle()
        assert await self.table.store.imbalance() == {CURRENCY: 0}
        held = await self.table.store.balances(f"stack/{self.table.table_id}/", CURRENCY)
        assert sum(chips for _, chips in held) == self.table.actor.table.chips_in_play()

    async def end(self) -> None:
        """Close the table; all that came is in the wallets again, but for the rake."""
        self.wallet.rate = 0
        self.table.store.fail_next("")
        await self.table.sleep(5)
        await self.table.close()
        for _ in range(200):
            await self.table.sleep(20)
            if self.table.actor.table.carried.state is TableState.CLOSED:
                break
        wallets = [await self.table.wallet_of(player_id) for player_id in PLAYERS]
        rake = await self.table.store.balance("rake/puzzle_pirates", CURRENCY)
        assert sum(wallets) + rake == WEALTH * len(PLAYERS)


async def _refusable(call: Call) -> None:
    """Chance asks for much that is refused, and for decisions that are gone when their turn comes."""
    try:
        await call()
    except (Refusal, StoreAway):
        pass
    except AssertionError as failure:
        if "nobody has to act" not in str(failure):
            raise


async def walk(seed: int) -> None:
    runtime = SimulatedRuntime(seed)
    chance = random.Random(seed)
    pause = chance.choice([0, None])
    walk = Walk(await SimulatedTable.open(runtime, hand_pause_ms=pause, observer=Halts()), chance)
    await walk.begin()
    for step in range(STEPS):
        await walk.step()
        if step % 10 == 0:
            await walk.must_agree()
        assert not runtime.failures
    await walk.end()
    await runtime.stop()
    assert not runtime.failures


@pytest.mark.parametrize("seed", range(20))
def test_random_walk_loses_no_chip(seed: int) -> None:
    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        runner.run(walk(seed))
