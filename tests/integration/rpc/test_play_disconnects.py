"""Play streams cut at random under load: nothing acknowledged is lost, nothing is done twice, no news is missed."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random

import pytest
from tests.support.cutting_proxy import CuttingProxy
from tests.support.live import Backend, choice, running

from croupier.client.play import Play
from croupier.client.retry import Retry
from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import EventBatch

CUTS = 1000 if os.environ.get("CROUPIER_LONG") else 200
CALLERS = 4
TABLES = 4
PATIENT = Retry(attempts=1000, first_pause=0.01, longest_pause=0.2)


@asynccontextmanager
async def proxied(port: int) -> AsyncIterator[tuple[CuttingProxy, str]]:
    proxy = CuttingProxy("127.0.0.1", port)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    try:
        yield proxy, f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        proxy.close_all()


class Caller:
    """One stream for several tables, through a proxy that is cut now and then."""

    def __init__(self, number: int, direct: Direct, tables: list[str]) -> None:
        self.number = number
        self._random = Random(number)
        self._direct = direct
        self._tables = tables
        self._count = 0
        self.over = False
        self.acknowledged: dict[str, int] = {}
        self.heard: defaultdict[str, list[int]] = defaultdict(list)

    async def play(self, play: Play, table_id: str) -> None:
        decision = await self._direct.decision(table_id)
        while not self.over:
            if not decision.player_id:
                for seat, player in enumerate(players_of(self._tables.index(table_id), self.number), start=1):
                    await self._direct.keep_seated(table_id, player, seat)
                decision = await self._direct.decision(table_id)
                continue
            kind, amount = choice(decision, self._random)
            self._count += 1
            request_id = f"play-{self.number}-{self._count}"
            answer = await play.act(table_id, decision, kind, amount, request_id=request_id)
            self.acknowledged[request_id] = answer.sequence
            decision = answer.next_decision
            if decision.player_id and not decision.HasField("legal_actions"):
                decision = await self._direct.decision(table_id)

    async def listen(self, play: Play) -> None:
        async for told in play.news():
            if isinstance(told.news, Table):
                assert not self.heard[told.table_id], "a view that was resumed began anew"
                self.heard[told.table_id].append(told.news.sequence)
            elif isinstance(told.news, EventBatch):
                self.heard[told.table_id] += sorted({event.sequence for event in told.news.events})


class Direct(Backend):
    """Keeps players at their tables."""

    async def keep_seated(self, table_id: str, player_id: str, seat: int) -> None:
        table = await self.get_table(table_id)
        if player_id not in {one.player_id for one in table.seats}:
            await self.sit(table_id, player_id, seat)


def players_of(table: int, caller: int) -> list[str]:
    return [f"p{caller}-{table}-{number}" for number in range(2)]


async def cut(proxy: CuttingProxy, times: int, random: Random) -> None:
    for _ in range(times):
        await asyncio.sleep(random.uniform(0.02, 0.15))
        while not proxy.close_all():
            await asyncio.sleep(0.01)


async def one_caller(direct: Direct, number: int, port: int) -> Caller:
    tables = [await direct.open_table(*players_of(one, number)) for one in range(TABLES)]
    caller = Caller(number, direct, tables)
    async with (
        proxied(port) as (proxy, target),
        Backend(target, retry=PATIENT) as backend,
        backend.play_stream() as play,
    ):
        for table_id in tables:
            play.watch(table_id)
        listening = asyncio.create_task(caller.listen(play))
        playing = [asyncio.create_task(caller.play(play, table_id)) for table_id in tables]
        await cut(proxy, CUTS // CALLERS, Random(100 + number))
        caller.over = True
        async with asyncio.timeout(60):
            await asyncio.gather(*playing)
            for table_id in tables:
                last = (await direct.get_table(table_id)).sequence
                while not caller.heard[table_id] or caller.heard[table_id][-1] < last:
                    assert not listening.done(), listening.exception()
                    await asyncio.sleep(0.02)
        listening.cancel()
    return caller


@pytest.mark.timeout(1200)
async def test_nothing_is_lost_or_doubled_when_streams_are_cut(tmp_path: Path) -> None:
    async with running(tmp_path) as app, Direct(f"127.0.0.1:{app.port}") as direct:
        callers = await asyncio.gather(*[one_caller(direct, number, app.port) for number in range(CALLERS)])
    with closing(sqlite3.connect(tmp_path / "croupier.db")) as store:
        kept = dict(
            store.execute(
                "SELECT request_id, sequence FROM journal WHERE request_id LIKE 'play-%'"
            ).fetchall()
        )
        twice = store.execute(
            "SELECT request_id FROM journal WHERE request_id LIKE 'play-%' GROUP BY 1 HAVING count(*) > 1"
        ).fetchall()
    assert not twice
    acknowledged = {name: sequence for caller in callers for name, sequence in caller.acknowledged.items()}
    assert len(acknowledged) > CUTS
    assert acknowledged == kept
    for caller in callers:
        for sequences in caller.heard.values():
            assert sequences == list(range(sequences[0], sequences[-1] + 1))
