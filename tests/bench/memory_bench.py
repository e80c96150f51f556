"""How much memory a server holds on to: just started, and with a thousand tables open."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import timedelta

import uvloop
from tests.bench.processes import Server, scratch, serving
from tests.bench.rows import Row, row
from tests.support.vouching import PASS

from croupier.client import Croupier
from croupier.client.load.seating import house_of

IDLE_MB = 80.0
TABLES_MB = 300.0
TABLES = 1000
PLAYERS = 6
AT_ONCE = 32
SETTLE_SECONDS = 2.0


def idle_memory_mb() -> list[Row]:
    """A server that has answered nothing yet."""
    with scratch() as directory, serving(directory / "croupier.db") as server:
        time.sleep(SETTLE_SECONDS)
        return [_memory("idle_memory_mb", server, IDLE_MB, "just started, empty store")]


def memory_1000_tables_mb() -> list[Row]:
    """A server with a hand in play at each of a thousand tables."""
    with scratch() as directory, serving(directory / "croupier.db") as server:
        uvloop.run(_open_tables(server.target))
        time.sleep(SETTLE_SECONDS)
        conditions = (
            f"{TABLES} tables opened one after the other, {PLAYERS} players and a hand in play at each"
        )
        return [_memory("memory_1000_tables_mb", server, TABLES_MB, conditions)]


BENCHES: dict[str, Callable[[], list[Row]]] = {
    "idle_memory_mb": idle_memory_mb,
    "memory_1000_tables_mb": memory_1000_tables_mb,
}


def _memory(name: str, server: Server, most: float, conditions: str) -> Row:
    used = server.rss_mb()
    return row(
        name,
        used,
        "MB",
        against=f"at most {most:.0f} MB",
        ratio=most / used,
        goal=1.0,
        runs=1,
        conditions=f"resident memory of the process, {conditions}",
    )


async def _open_tables(target: str) -> None:
    async with Croupier(target) as client:
        house = await house_of(client, "puzzle_pirates")
        offer = house.offers[0]
        players = [f"player-{number}" for number in range(1, PLAYERS + 1)]
        for player_id in players:
            await client.deposit(player_id, house.currency, TABLES * offer.stakes.max_buy_in)
        turn = asyncio.Semaphore(AT_ONCE)

        async def one() -> None:
            async with turn:
                table = await client.create_table(
                    house.house_id,
                    offer.structure,
                    offer.stakes.min_bet,
                    PLAYERS,
                    action_time=house.action_times[-1].ToTimedelta(),
                    hand_pause=timedelta(0),
                )
                for seat_number, player_id in enumerate(players, start=1):
                    await client.reserve_seat(table.table_id, player_id, seat_number, vouched=PASS)
                    await client.buy_in(table.table_id, player_id, offer.stakes.max_buy_in)

        async with asyncio.TaskGroup() as group:
            for _ in range(TABLES):
                group.create_task(one())
