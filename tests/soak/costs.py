"""What an action costs: python -m tests.soak.costs [NAME …], of node, bus and database.

Processor time in the server for actions by Act and by Play, with more and more watchers; rows, bytes and log in
PostgreSQL, an action and a hand; bytes on NATS for a forwarded call, and for a record that another server's watchers
hear. Ratios hold on any machine; microseconds are this one's, and grow where others use it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import msgspec
import uvloop
from tests.bench.processes import ROOT, scratch
from tests.bench.rows import machine
from tests.soak.bots import PLAYERS, Bots, ByAct, ByPlay
from tests.soak.meters import BusMeter, Database, database_cost, forwarded, numbered
from tests.soak.serving import Served, one_server, served
from tests.support.nats import free_port, nats_server
from tests.support.postgres import cluster

from croupier.adapters.postgres import PostgresStore
from croupier.client import Croupier
from croupier.client.load.mix import TableKind

RESULT: Final = ROOT / "build" / "costs.json"
TABLES: Final = 64
WARM_SECONDS: Final = 5.0
SECONDS: Final = 15.0
WATCHERS: Final = (0, 1, 4, 16)
_ENDLESS: Final = 10**9


class Figure(msgspec.Struct):
    """A figure with what it is of."""

    name: str
    value: float
    unit: str


@asynccontextmanager
async def playing(target: str, via: str, watchers: int, *, acting: str = "") -> AsyncIterator[Bots]:
    """Bots that play by Act or Play, with so many watchers a table; warm. Watchers and actions go to `acting`, where it
    is another server.
    """
    async with AsyncExitStack() as opened:
        client = await opened.enter_async_context(Croupier(target))
        actor = await opened.enter_async_context(Croupier(acting or target))
        streams = [await opened.enter_async_context(actor.play_stream(f"costs-{one}")) for one in range(2)]
        act = ByPlay(streams) if via == "play" else ByAct(actor)
        bots = Bots(client, act, (TableKind(),), TABLES, _ENDLESS)
        bots.watched = [(actor, watchers)]
        task = asyncio.create_task(bots.play(_ENDLESS, seed=1))
        try:
            await asyncio.wait((task,), timeout=WARM_SECONDS)
            yield bots
            if task.done():
                await task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def node() -> list[Figure]:
    """Processor time of a server on SQLite, an action."""
    found = []
    for via in ("act", "play"):
        for count in WATCHERS:
            with served("sqlite") as server:
                async with playing(server.target, via, count) as bots:
                    spent, acts, _ = await _measured(bots, server.cpu_seconds)
            found.append(Figure(f"node, by {via}, {count} watchers a table", spent / acts * 1e6, "us/action"))
            _tell(found[-1])
    return found


async def database() -> list[Figure]:
    """Of a server on PostgreSQL: processor time of both, and what is written."""
    with (
        cluster(durable=True) as postgres,
        scratch() as directory,
        one_server(directory, postgres.dsn) as server,
    ):
        async with playing(server.target, "play", 0) as bots:
            before = await Database.now(server.dsn)
            spent, acts, hands = await _measured(bots, server.cpu_seconds)
            after = await Database.now(server.dsn)
    found = [Figure("node on PostgreSQL, by play, no watchers", spent / acts * 1e6, "us/action")]
    found += [Figure(*one) for one in database_cost(before, after, acts, hands)]
    for one in found:
        _tell(one)
    return found


async def ledger() -> list[Figure]:
    """How many commits that number entries a database takes, whoever sends them: they wait for one row."""
    found = []
    with cluster(durable=True) as postgres:
        store = await PostgresStore.open(postgres.dsn)
        await store.close()
        for connections in (1, 8):
            commits = await numbered(postgres.dsn, connections, SECONDS / 3)
            found.append(
                Figure(f"database, numbering commits by {connections} connections", commits, "commits/s")
            )
            _tell(found[-1])
    return found


async def bus() -> list[Figure]:
    """Of two servers, when tables are opened at one, and acted at and watched at the other: NATS's own count of bytes.

    Tables spread meanwhile, so that a share of the actions is forwarded; the rest of them is at tables not followed.
    """
    monitor = free_port()
    found: list[Figure] = []
    with (
        cluster(durable=True) as postgres,
        nats_server(f'http: "127.0.0.1:{monitor}"') as nats,
        scratch() as one,
        scratch() as another,
        _node(one, one, postgres.dsn, nats.url) as owner,
        _node(another, one, postgres.dsn, nats.url) as other,
    ):
        meter = BusMeter(monitor)
        idle = await meter.idle()
        told = [("bus, two idle servers", idle, "bytes/s")]
        a_call = 0.0
        for watchers in (0, 1, 8):
            async with playing(owner.target, "act", watchers, acting=other.target) as bots:
                begin, cpu = meter.bytes(), other.cpu_seconds()
                calls, back = forwarded(other.http), forwarded(owner.http)
                spent, acts, _ = await _measured(bots, owner.cpu_seconds)
                bytes_told = meter.bytes() - begin - idle * SECONDS
                calls, back = forwarded(other.http) - calls, forwarded(owner.http) - back
            with_them = f"with {watchers} watchers a table at the other"
            told += [
                (f"bus, share of actions forwarded, {with_them}", calls / acts, ""),
                (f"owner's node, {with_them}", spent / acts * 1e6, "us/action"),
                (f"other node, {with_them}", (other.cpu_seconds() - cpu) / acts * 1e6, "us/action"),
            ]
            if not watchers:
                a_call = bytes_told / (calls + back)
                told.append(("bus, a call forwarded and answered", a_call, "bytes"))
            elif watchers == 1:
                following = (bytes_told - a_call * (calls + back)) / calls
                told.append(("bus, an action told to a server that follows", following, "bytes"))
    for figure in told:
        found.append(Figure(*figure))
        _tell(found[-1])
    return found


def _node(directory: Path, shared: Path, dsn: str, nats: str) -> AbstractContextManager[Served]:
    key = ("--key-file", str(shared / "croupier.key"))
    return one_server(directory, dsn, "--bus", nats, "--port", str(free_port()), *key)


async def _measured(bots: Bots, cpu_seconds: Callable[[], float]) -> tuple[float, int, int]:
    """Seconds of processor time, actions and hands in a while."""
    acts, hands, cpu = bots.acts, bots.hands, cpu_seconds()
    await asyncio.sleep(SECONDS)
    return cpu_seconds() - cpu, bots.acts - acts, bots.hands - hands


def _tell(figure: Figure) -> None:
    print(f"  {figure.name:58} {figure.value:12,.2f} {figure.unit}", flush=True)


BY_NAME: Final = {"node": node, "database": database, "ledger": ledger, "bus": bus}


async def _all(names: Sequence[str]) -> list[Figure]:
    return [figure for name in names for figure in await BY_NAME[name]()]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.costs")
    parser.add_argument("names", nargs="*", choices=[[], *BY_NAME], default=[])
    asked = parser.parse_args(arguments)
    load = Path("/proc/loadavg").read_text().split()[0]
    print(
        f"{machine()}; {TABLES} tables of {PLAYERS}, {SECONDS:g} s each; load of the machine {load}",
        flush=True,
    )
    found = uvloop.run(_all(asked.names or list(BY_NAME)))
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_bytes(msgspec.json.encode(found) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
