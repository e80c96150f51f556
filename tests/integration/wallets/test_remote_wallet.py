"""An operator's wallet behind a real server: late, lost and doubled answers, kills at each step, and no chip astray."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, Final

import pytest
from tests.fakes.memory_wallet import MemoryWallet
from tests.support.holding import Point
from tests.support.live_table import CURRENCY, LiveTable
from tests.support.server import ServerProcess
from tests.support.vouching import PASS
from tests.support.wallet_proxy import Fault, WalletProxy

from croupier.client import Croupier
from croupier.client.errors import CroupierError
from croupier.v1 import wallet_service_pb2 as pb

CROUPIER: Final = Path(sys.executable).with_name("croupier")
FUNDS: Final = 10_000
AMOUNT: Final = 200
POINTS: Final[list[Point]] = ["open", "told"]
CALLS: Final = [(moment, name) for name in ("Reserve", "Post") for moment in ("before", "after")]


def kills(commits: int) -> pytest.MarkDecorator:
    """A kill at each of so many commits, before or after it is on disk."""
    moments = [(point, after) for after in range(commits) for point in POINTS]
    return pytest.mark.parametrize(("point", "after"), moments, ids=str)


class Player:
    """A player of one table with FUNDS in the operator's wallet."""

    def __init__(self, client: Croupier, table: LiveTable, name: str = "anna") -> None:
        self.client: Final = client
        self.table: Final = table
        self.player_id: Final = table.named(name)
        self._asked = 0

    @classmethod
    async def come(cls, client: Croupier, wallet: MemoryWallet, name: str = "anna") -> Player:
        """To a table of the player's own, with a seat reserved."""
        player = cls(client, await LiveTable.open(client), name)
        wallet.held[player.player_id, CURRENCY] = FUNDS
        await client.reserve_seat(player.table.table_id, player.player_id, 1, vouched=PASS)
        return player

    def buy_in(self, amount: int = AMOUNT) -> Awaitable[Any]:
        return self.client.buy_in(
            self.table.table_id, self.player_id, amount, request_id=self._request_id("in")
        )

    def rebuy(self, amount: int) -> Awaitable[Any]:
        return self.client.rebuy(
            self.table.table_id, self.player_id, amount, request_id=self._request_id("re")
        )

    def cash_out(self) -> Awaitable[Any]:
        return self.client.cash_out(self.table.table_id, self.player_id, request_id=self._request_id("out"))

    async def stack(self) -> int:
        seats = (await self.client.get_table(self.table.table_id)).seats
        return sum(seat.stack for seat in seats)

    def _request_id(self, name: str) -> str:
        self._asked += 1
        return self.table.named(f"{name}-{self._asked}")


async def outcome(call: Awaitable[Any]) -> Any:
    """The answer, or the reason why there is none."""
    try:
        return await call
    except CroupierError as error:
        return error.reason


async def kill_and_restart(server: ServerProcess, seconds: float = 2.0) -> None:
    """Kill the server once a commit is held, or nothing more comes to be held."""
    deadline = time.monotonic() + seconds
    while not server.hold.held() and time.monotonic() < deadline:
        await asyncio.sleep(0.005)
    server.kill()
    server.hold.open()
    await asyncio.to_thread(server.start)


async def ledger(client: Croupier, prefix: str = "") -> dict[str, int]:
    held: dict[str, int] = {}
    async for entry in client.list_entries(account_prefix=prefix):
        held[entry.account] = held.get(entry.account, 0) + entry.amount
    return held


def on_its_way(wallet: MemoryWallet, player_id: str) -> list[str]:
    """The player's transfers that the wallet waits for an end of."""
    return [
        name
        for name, state in wallet.states.items()
        if state == pb.TRANSFER_STATE_RESERVED and wallet.transfers[name].player_id == player_id
    ]


async def must_be_clean(client: Croupier, wallet: MemoryWallet, *players: Player) -> None:
    """Nothing is on its way; wallet, ledger and tables agree on where each chip is."""
    async with asyncio.timeout(20):
        while any((await ledger(client, "reserved/")).values()) or any(
            on_its_way(wallet, player.player_id) for player in players
        ):
            await asyncio.sleep(0.05)
    held = await ledger(client)
    assert sum(held.values()) == 0
    for player in players:
        stack, available = await player.stack(), wallet.held[player.player_id, CURRENCY]
        assert available + stack == FUNDS
        assert held.get(f"world/wallet/{player.player_id}", 0) == available - FUNDS
        balance = await client.get_balance(player.player_id, CURRENCY)
        assert (balance.available, balance.reserved) == (available, 0)
        assert sum(one.amount for one in balance.tables) == stack


async def test_buy_in_rebuy_and_cash_out_move_chips_between_the_operators_wallet_and_the_table(
    client: Croupier, wallet: MemoryWallet
) -> None:
    player = await Player.come(client, wallet)
    await player.buy_in(150)
    await must_be_clean(client, wallet, player)
    assert await player.stack() == 150
    await player.rebuy(50)
    await must_be_clean(client, wallet, player)
    assert await player.stack() == 200
    await player.cash_out()
    await must_be_clean(client, wallet, player)
    assert wallet.held[player.player_id, CURRENCY] == FUNDS


async def test_deposits_and_withdrawals_are_the_operators_business(client: Croupier) -> None:
    for ask in (client.deposit, client.withdraw):
        assert await outcome(ask("anna", CURRENCY, 1)) == "WALLET_EXTERNAL"


async def test_what_the_wallet_does_not_cover_or_declines_is_refused_and_voided(
    client: Croupier, wallet: MemoryWallet
) -> None:
    player = await Player.come(client, wallet)
    wallet.held[player.player_id, CURRENCY] = 50
    assert await outcome(player.buy_in(200)) == "INSUFFICIENT_FUNDS"
    wallet.held[player.player_id, CURRENCY] = FUNDS
    wallet.declines = "daily limit"
    try:
        with pytest.raises(CroupierError, match="WALLET_DECLINED") as refused:
            await player.buy_in(200)
    finally:
        wallet.declines = ""
    assert refused.value.facts["why"] == "daily limit"
    own = [name for name, one in wallet.transfers.items() if one.player_id == player.player_id]
    assert {wallet.states[name] for name in own} == {pb.TRANSFER_STATE_VOIDED}
    await must_be_clean(client, wallet, player)


async def test_a_wallet_that_is_away_is_named_and_waited_for(
    client: Croupier, wallet: MemoryWallet, proxy: WalletProxy, server: ServerProcess
) -> None:
    player = await Player.come(client, wallet)
    proxy.fault = lambda _: Fault.REQUEST_LOST
    async with Croupier(server.target) as impatient:
        with pytest.raises(CroupierError, match="WALLET_UNAVAILABLE"):
            await asyncio.wait_for(impatient.get_balance(player.player_id, CURRENCY), 60)
    buying = asyncio.ensure_future(player.buy_in())
    await asyncio.sleep(1)
    assert not buying.done()
    await proxy.calm()
    assert (await buying).seat.stack == AMOUNT
    await must_be_clean(client, wallet, player)


@pytest.mark.parametrize(
    "fault", [fault for fault in Fault if fault is not Fault.NONE], ids=lambda one: one.name
)
async def test_every_first_call_of_a_kind_goes_wrong_and_nothing_else_does(
    client: Croupier, wallet: MemoryWallet, proxy: WalletProxy, fault: Fault
) -> None:
    player = await Player.come(client, wallet)
    seen: set[str] = set()

    def first(name: str) -> Fault:
        known = name in seen
        seen.add(name)
        return Fault.NONE if known else fault

    proxy.fault = first
    assert (await player.buy_in()).seat.stack == AMOUNT
    await must_be_clean(client, wallet, player)
    seen.clear()
    await player.cash_out()
    await proxy.calm()
    await must_be_clean(client, wallet, player)
    assert wallet.held[player.player_id, CURRENCY] == FUNDS
    assert proxy.counts[fault] >= 3


@kills(4)
async def test_a_kill_at_any_commit_of_a_buy_in_leaves_every_chip_in_its_place(
    client: Croupier, wallet: MemoryWallet, server: ServerProcess, point: Point, after: int
) -> None:
    player = await Player.come(client, wallet)
    server.hold.shut(point, after=after)
    buying = asyncio.ensure_future(player.buy_in())
    await kill_and_restart(server)
    assert (await buying).seat.stack == AMOUNT
    await must_be_clean(client, wallet, player)
    assert await player.stack() == AMOUNT


@kills(3)
async def test_a_kill_at_any_commit_of_a_cash_out_leaves_every_chip_in_its_place(
    client: Croupier, wallet: MemoryWallet, server: ServerProcess, point: Point, after: int
) -> None:
    player = await Player.come(client, wallet)
    await player.buy_in()
    await must_be_clean(client, wallet, player)
    server.hold.shut(point, after=after)
    leaving = asyncio.ensure_future(player.cash_out())
    await kill_and_restart(server, 1.0)
    assert (await leaving).returned == AMOUNT
    await must_be_clean(client, wallet, player)
    assert wallet.held[player.player_id, CURRENCY] == FUNDS


@kills(4)
async def test_a_kill_at_any_commit_of_a_refused_buy_in_leaves_every_chip_in_its_place(
    client: Croupier,
    wallet: MemoryWallet,
    proxy: WalletProxy,
    server: ServerProcess,
    point: Point,
    after: int,
) -> None:
    """The table closes while the wallet reserves."""
    player = await Player.come(client, wallet)
    proxy.hold("after", "Reserve")
    buying = asyncio.ensure_future(outcome(player.buy_in()))
    await proxy.holding.wait()
    await client.close_table(player.table.table_id)
    server.hold.shut(point, after=after)
    proxy.let_go()
    await kill_and_restart(server)
    assert await buying in ("TABLE_CLOSING", "TABLE_CLOSED", "PLAYER_NOT_SEATED")
    await must_be_clean(client, wallet, player)
    assert wallet.held[player.player_id, CURRENCY] == FUNDS


@pytest.mark.parametrize(("moment", "name"), CALLS, ids=str)
async def test_a_kill_while_the_wallet_is_asked_and_a_call_that_comes_after_the_restart_do_no_harm(
    client: Croupier, wallet: MemoryWallet, proxy: WalletProxy, server: ServerProcess, moment: str, name: str
) -> None:
    """The call that the killed server has made is let through once the new one has done all there was to do."""
    player = await Player.come(client, wallet)
    for ask, stack in ((player.buy_in, AMOUNT), (player.cash_out, 0)):
        if (name, stack) == ("Reserve", 0):
            await ask()
            continue
        proxy.hold(moment, name)
        asking = asyncio.ensure_future(ask())
        await proxy.holding.wait()
        server.kill()
        await asyncio.to_thread(server.start)
        await asking
        await must_be_clean(client, wallet, player)
        proxy.let_go()
        await proxy.calm()
        await must_be_clean(client, wallet, player)
        assert await player.stack() == stack


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_void_that_a_killed_server_has_sent_does_no_harm_when_it_comes_late(
    client: Croupier, wallet: MemoryWallet, proxy: WalletProxy, server: ServerProcess, moment: str
) -> None:
    """The seat is given up while the wallet reserves; after the restart the player buys in again.

    The rebuy that was refused is made again by the client, which has not heard of it, and may then be in time.
    """
    player = await Player.come(client, wallet)
    await player.buy_in(100)
    await must_be_clean(client, wallet, player)
    proxy.hold("after", "Reserve")
    rebuying = asyncio.ensure_future(outcome(player.rebuy(50)))
    await proxy.holding.wait()
    await player.cash_out()
    proxy.let_go()
    proxy.hold(moment, "Void")
    await proxy.holding.wait()
    server.kill()
    await asyncio.to_thread(server.start)
    await client.reserve_seat(player.table.table_id, player.player_id, 1, vouched=PASS)
    async with asyncio.timeout(20):
        while on_its_way(wallet, player.player_id):
            await asyncio.sleep(0.05)
    await player.buy_in(150)
    await proxy.calm()
    made_again = await rebuying
    await must_be_clean(client, wallet, player)
    assert await player.stack() == (150 if made_again == "PLAYER_NOT_SEATED" else 200)


@pytest.mark.parametrize("seed", range(3))
async def test_players_come_and_go_while_the_wallet_lies_and_the_server_is_killed_again_and_again(
    client: Croupier, wallet: MemoryWallet, proxy: WalletProxy, server: ServerProcess, seed: int
) -> None:
    chance = random.Random(seed)
    players = [await Player.come(client, wallet) for _ in range(6)]
    faults = [fault for fault in Fault if fault is not Fault.NONE]
    proxy.fault = lambda _: chance.choice(faults) if chance.random() < 0.3 else Fault.NONE
    walks = [asyncio.ensure_future(walk(player, random.Random(f"{seed}/{player}"))) for player in players]
    for _ in range(3):
        await asyncio.sleep(chance.uniform(0.3, 2))
        server.kill()
        await asyncio.to_thread(server.start)
    await asyncio.gather(*walks)
    await proxy.calm()
    await must_be_clean(client, wallet, *players)
    assert sum(proxy.counts[fault] for fault in faults) > 10
    assert server.stop() == 0
    books = ("audit", "--store", f"sqlite:{server.store}", "--redecide")
    auditing = await asyncio.create_subprocess_exec(CROUPIER, *books)
    assert await auditing.wait() == 0
    await asyncio.to_thread(server.start)


async def walk(player: Player, chance: random.Random) -> None:
    """In and out, with whatever is refused on the way."""
    for _ in range(4):
        if not (await player.client.get_table(player.table.table_id)).seats:
            await outcome(
                player.client.reserve_seat(player.table.table_id, player.player_id, 1, vouched=PASS)
            )
        await outcome(player.buy_in(chance.randint(100, 200)))
        if chance.random() < 0.5:
            await outcome(player.rebuy(chance.randint(1, 100)))
        if chance.random() < 0.7:
            await outcome(player.cash_out())
