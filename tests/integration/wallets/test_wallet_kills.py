"""Kills at each step between a server and an operator's wallet: no chip is lost or doubled."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from pathlib import Path
from typing import Final

import pytest
from tests.fakes.memory_wallet import MemoryWallet
from tests.support.holding import Point
from tests.support.live_table import CURRENCY
from tests.support.server import ServerProcess
from tests.support.vouching import PASS
from tests.support.wallet_player import AMOUNT, FUNDS, Player, must_be_clean, on_its_way, outcome
from tests.support.wallet_proxy import Fault, WalletProxy

from croupier.client import Croupier

CROUPIER: Final = Path(sys.executable).with_name("croupier")
POINTS: Final[list[Point]] = ["open", "told"]
CALLS: Final = [(moment, name) for name in ("Reserve", "Post") for moment in ("before", "after")]


def kills(commits: int) -> pytest.MarkDecorator:
    """A kill at each of so many commits, before or after it is on disk."""
    moments = [(point, after) for after in range(commits) for point in POINTS]
    return pytest.mark.parametrize(("point", "after"), moments, ids=str)


async def kill_and_restart(server: ServerProcess, seconds: float = 2.0) -> None:
    """Kill the server once a commit is held, or nothing more comes to be held."""
    deadline = time.monotonic() + seconds
    while not server.hold.held() and time.monotonic() < deadline:
        await asyncio.sleep(0.005)
    server.kill()
    server.hold.open()
    await asyncio.to_thread(server.start)


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
    assert await player.stack() == (150 if isinstance(made_again, str) else 200)


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
