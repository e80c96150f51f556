"""The feed of a whole cluster, against what the database says: through deaths and outages, and told anew."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest
from grpc import aio
from structlog.testing import capture_logs
from tests.support.feed_reader import STREAM, Told, read, remove
from tests.support.live import Backend, running
from tests.support.nats import NatsServer, nats_server
from tests.support.nodes import Nodes, nodes
from tests.support.postgres import empty_database, fetch
from tests.support.server import ServerProcess
from tests.support.telltale import cards_in
from tests.tidy.sources import ROOT

from croupier.app import App
from croupier.client import CroupierError, Retry
from croupier.v1.hand_pb2 import ACTION_KIND_CALL, ACTION_KIND_CHECK, ACTION_KIND_FOLD
from croupier.v1.hand_record_pb2 import HandRecord
from croupier.v1.settlement_service_pb2 import LedgerEntry

CALL_S = 3.0
ONCE = Retry(attempts=1, timeout=CALL_S)
SETTLED_S = 40.0
TABLES = 3
GOES_ON_S = 60.0
"""In which a hand ends somewhere, on whatever machine."""
_ENDED = "SELECT table_id, count(*) FROM hands JOIN tables USING (table_key) GROUP BY table_id"
_HOW_MUCH = "SELECT (SELECT count(*) FROM hands), (SELECT count(*) FROM entry_sets)"


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Nodes]:
    with nodes(tmp_path, 3, "--feed", STREAM, jetstream=True) as cluster:
        yield cluster


@asynccontextmanager
async def alone(directory: Path, dsn: str, nats: NatsServer, feed: str = STREAM) -> AsyncIterator[App]:
    """A server in this process."""
    key = str(directory / "croupier.key")
    async with running(
        directory, store=dsn, bus=nats.url, advertise="127.0.0.1:1", feed=feed, key_file=key
    ) as app:
        yield app


class Players:
    """Play at all tables through any server that answers, until told to stop."""

    def __init__(self, servers: Sequence[ServerProcess], seed: int) -> None:
        self._backends = [Backend(server.target, retry=ONCE) for server in servers]
        self._random = Random(seed)
        self._stopped = False
        self.tables: list[str] = []

    async def sit(self) -> None:
        for number in range(TABLES):
            backend = self._backends[number % len(self._backends)]
            players = [f"player-{number}-{seat}" for seat in range(3)]
            self.tables.append(await backend.open_table(*players, seat_count=3))

    async def play(self) -> None:
        await asyncio.gather(*map(self._play_at, self.tables))

    def stop(self) -> None:
        self._stopped = True

    async def close(self) -> None:
        for backend in self._backends:
            await backend.close()

    async def _play_at(self, table_id: str) -> None:
        while not self._stopped:
            try:
                async with asyncio.timeout(CALL_S):
                    await self._step(self._random.choice(self._backends), table_id)
            except (CroupierError, aio.AioRpcError, TimeoutError):
                await asyncio.sleep(0.05)

    async def _step(self, backend: Backend, table_id: str) -> None:
        if self._random.random() < 0.05:
            await backend.deposit(f"player-{self._random.randrange(9)}", "PoE", 7)
        decision = await backend.decision(table_id)
        if not decision.player_id:
            await asyncio.sleep(0.05)
        elif decision.legal_actions.can_check:
            await backend.act(table_id, decision, ACTION_KIND_CHECK)
        else:
            call = self._random.random() < 0.5
            await backend.act(table_id, decision, ACTION_KIND_CALL if call else ACTION_KIND_FOLD)


class Books:
    """What the database says, asked through the API as a watcher without a seat."""

    def __init__(self, hands: list[HandRecord], sets: list[list[LedgerEntry]]) -> None:
        self.hands = hands
        self.sets = sets


async def books(server: ServerProcess, tables: Sequence[str]) -> Books:
    async with Backend(server.target) as backend:
        hands = [
            await backend.get_hand(hand.hand_id)
            for table_id in tables
            for hand in reversed([hand async for hand in backend.list_hands(table_id=table_id)])
        ]
        entries = [entry async for entry in backend.list_entries()]
    sets = [list(of_set) for _, of_set in groupby(entries, key=lambda entry: entry.entry_set_id)]
    return Books(hands, sets)


async def settled(cluster: Nodes, server: ServerProcess, tables: Sequence[str]) -> tuple[Told, Books]:
    """What the feed holds, and what it must, once it holds as much."""
    async with asyncio.timeout(SETTLED_S):
        while True:
            told = await read(cluster.bus.url)
            (kept,) = await fetch(cluster.dsn, _HOW_MUCH)
            if (len(told.hands), len(told.sets)) == kept:
                return told, await books(server, tables)
            await asyncio.sleep(0.5)


def must_agree(told: Told, kept: Books, tables: Sequence[str]) -> None:
    """Every hand and entry as the database has it, those of each table in their order, those of none in theirs."""
    assert kept.hands
    for table_id in tables:
        hands = told.of_table(table_id)
        assert [hand.hand_number for hand in hands] == list(range(1, len(hands) + 1))
        assert hands == [hand for hand in kept.hands if hand.table_id == table_id]
    for table_id in ("", *tables):
        assert [one for one in told.sets if one[0].table_id == table_id] == [
            one for one in kept.sets if one[0].table_id == table_id
        ]


def must_conceal(told: Told) -> None:
    """R-T14: no card is in a hand's notice that was not shown to everyone, or lay on the board."""
    for hand in told.hands:
        shown = {card for seat in hand.seats for card in seat.hole_cards}
        assert cards_in(hand) == shown | set(hand.board)
        for seat in hand.seats:
            assert not (seat.folded and seat.hole_cards)


async def go_on(cluster: Nodes, tables: Sequence[str]) -> None:
    """Return once at each table a hand has ended that is none of those that had by now."""
    before = now = await ended(cluster.dsn)
    while any(now[table_id] <= before[table_id] for table_id in tables):
        seen = now
        async with asyncio.timeout(GOES_ON_S):
            while now == seen:
                await asyncio.sleep(0.05)
                now = await ended(cluster.dsn)


async def ended(dsn: str) -> Counter[str]:
    """How many hands of each table have ended, by the store's index."""
    return Counter(dict(await fetch(dsn, _ENDED)))


async def leave_and_close(server: ServerProcess, table_id: str) -> None:
    async with Backend(server.target) as backend:
        for seat in (await backend.get_table(table_id)).seats:
            if seat.player_id:
                await backend.cash_out(table_id, seat.player_id)
        async with asyncio.timeout(CALL_S):
            while (decision := await backend.decision(table_id)).player_id:
                await backend.act(table_id, decision, ACTION_KIND_FOLD)
        await backend.close_table(table_id)


@pytest.mark.timeout(300)
async def test_the_feed_is_what_the_database_says_through_deaths_and_outages(three: Nodes) -> None:
    cluster = three
    one, two, last = cluster.all
    players = Players(cluster.all, seed=7)
    try:
        await players.sit()
        playing = asyncio.create_task(players.play())
        await go_on(cluster, players.tables)
        one.kill()
        await go_on(cluster, players.tables)
        cluster.bus.stop()
        await go_on(cluster, players.tables)
        cluster.bus.start()
        await asyncio.to_thread(cluster.start, one, "--feed", STREAM)
        two.kill()
        await go_on(cluster, players.tables)
        await asyncio.to_thread(last.stop)
        await go_on(cluster, players.tables)
        players.stop()
        await playing
    finally:
        await players.close()
    await leave_and_close(one, players.tables[0])
    told, kept = await settled(cluster, one, players.tables)
    must_agree(told, kept, players.tables)
    must_conceal(told)
    await _lose_and_rebuild(cluster, one, players.tables)


async def _lose_and_rebuild(cluster: Nodes, server: ServerProcess, tables: Sequence[str]) -> None:
    """A stream that is gone is missed, and made and told anew once somebody asks for it."""
    await remove(cluster.bus.url)
    async with Backend(server.target) as backend:
        await backend.deposit("player-1", "PoE", 5)
    async with asyncio.timeout(SETTLED_S):
        while "the stream FEED is gone: croupier audit --rebuild-feed FEED" not in server.log.read_text():
            await asyncio.sleep(0.2)
    rebuilt = await asyncio.to_thread(rebuild, cluster.dsn)
    told, kept = await settled(cluster, server, tables)
    await must_be_consumed(cluster.bus.url, told)
    assert f"{len(kept.hands)} hands and {len(kept.sets)} entry sets" in rebuilt
    must_agree(told, kept, tables)
    assert server.metric("croupier_feed_lag_hands") == 0
    assert server.metric("croupier_feed_failures_total") > 0


async def must_be_consumed(url: str, told: Told) -> None:
    """The consumer of deploy/README.md gets all of it."""
    page = (ROOT / "deploy/README.md").read_text()
    (program,) = re.findall(r"^```python\n(import nats.*?)^```$", page, re.S | re.M)
    names: dict[str, Any] = {}
    exec(compile(program, "deploy/README.md", "exec"), names)
    hands: dict[str, HandRecord] = {}
    sets: dict[str, list[LedgerEntry]] = {}

    async def take_hand(name: str, hand: HandRecord) -> None:
        hands.setdefault(name, hand)

    async def take_entries(name: str, entries: Sequence[LedgerEntry]) -> None:
        sets.setdefault(name, list(entries))

    consuming = asyncio.create_task(names["consume"](url, take_hand, take_entries))
    async with asyncio.timeout(SETTLED_S):
        while (len(hands), len(sets)) != (len(told.hands), len(told.sets)):
            await asyncio.sleep(0.05)
    consuming.cancel()
    await asyncio.gather(consuming, return_exceptions=True)
    assert list(hands.values()) == told.hands
    assert list(sets.values()) == told.sets


def rebuild(dsn: str, name: str = STREAM) -> str:
    croupier = Path(sys.executable).with_name("croupier")
    command = [str(croupier), "audit", "--rebuild-feed", name, "--store", dsn]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


async def test_a_server_whose_feed_bears_another_name_does_not_start(tmp_path: Path) -> None:
    async with empty_database() as dsn:
        with nats_server(jetstream=True) as nats:
            async with alone(tmp_path, dsn, nats):
                pass
            said = r"this store's feed is 'FEED'; croupier audit --rebuild-feed NAME begins another one"
            with pytest.raises(RuntimeError, match=said):
                async with alone(tmp_path, dsn, nats, "OTHER"):
                    pass
            await asyncio.to_thread(rebuild, dsn, "OTHER")
            async with alone(tmp_path, dsn, nats, "OTHER"):
                pass


async def test_without_jetstream_tables_are_played_all_the_same(tmp_path: Path) -> None:
    async with empty_database() as dsn:
        with nats_server() as nats, capture_logs() as logs:
            async with alone(tmp_path, dsn, nats) as app, Backend(f"127.0.0.1:{app.port}") as backend:
                table_id = await backend.open_table("anna", "bert", seat_count=2)
                await backend.play(table_id, Random(1), until_hand=4)
                async with asyncio.timeout(SETTLED_S):
                    while value(app, "lag_hands") != 3:
                        await asyncio.sleep(0.1)
                assert value(app, "lag_seconds") > 0
                assert value(app, "failures_total") > 0
                assert app._readiness.why_not() == ""
            assert {one["why"] for one in logs if one["event"] == "feed_failed"} == {
                "no JetStream takes $JS.API.STREAM.INFO.FEED"
            }


def value(app: App, name: str) -> float:
    return app._metrics.registry.get_sample_value(f"croupier_feed_{name}") or 0.0
