"""A process killed between the end of a hand and its row in the index: the next one lists every hand all the same."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from random import Random

from tests.support.live import PATIENCE, Backend, number_of
from tests.support.server import ServerProcess

PLAYERS = ("anna", "bert", "cleo")
Rows = list[tuple[object, ...]]


async def numbers(backend: Backend, table_id: str, count: int) -> list[int]:
    """The hands of a table, once so many are listed."""
    async with asyncio.timeout(PATIENCE):
        while (
            len(found := [hand.hand_number async for hand in backend.list_hands(table_id=table_id)]) < count
        ):
            await asyncio.sleep(0.05)
    return found


def index(path: Path) -> tuple[Rows, Rows]:
    """All rows of the index."""
    connection = sqlite3.connect(path)
    try:
        hands = connection.execute("SELECT * FROM hands ORDER BY table_key, hand_number").fetchall()
        players = connection.execute(
            "SELECT * FROM hand_players ORDER BY table_key, hand_number, player_id"
        ).fetchall()
    finally:
        connection.close()
    return hands, players


def forget(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM hands")
        connection.execute("DELETE FROM hand_players")
    connection.close()


async def test_no_hand_is_lost_to_a_kill_and_the_index_made_anew_is_the_same(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    server.start()
    try:
        async with Backend(server.target) as backend:
            table_id = await backend.open_table(*PLAYERS)
            decision = await backend.play(table_id, Random(1), until_hand=4)
            settled = number_of(decision) - 1 if decision.hand_id else 1
            server.kill()
        assert settled
        server.start()
        async with Backend(server.target) as backend:
            await numbers(backend, table_id, settled)
            found = await numbers(backend, table_id, settled)
            assert found == list(range(len(found), 0, -1))
        assert server.stop() == 0
        kept = index(server.store)
        assert len(kept[0]) >= settled
        forget(server.store)
        server.start()
        async with Backend(server.target) as backend:
            assert await numbers(backend, table_id, len(kept[0]))
        assert server.stop() == 0
        assert index(server.store) == kept
    finally:
        server.kill()
