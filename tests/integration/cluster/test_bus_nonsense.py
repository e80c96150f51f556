"""Somebody with the bus's credentials writes nonsense under every subject of servers that play: nothing comes of it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from random import Random

import nats
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from tests.integration.cluster.test_followed_tables import Watcher
from tests.support.live_table import LiveTable
from tests.support.nodes import Nodes, nodes
from tests.support.nonsense import SECRET, nonsense
from tests.support.postgres import fetch
from tests.support.server import ServerProcess

from croupier.client import Croupier, CroupierError, Retry
from croupier.room.subjects import KINDS, Subjects
from croupier.v1.table_service_pb2 import WatchTableRequest

pytestmark = pytest.mark.timeout(240)
PATIENCE = 60.0
SETTLED_S = 5.0
"""Longer than servers wait before they move a table to where it belongs."""
EACH = 1_000
LONGEST = 1024 * 1024
"""What NATS takes."""
MOST_LINES = 40
"""Of each server: a line a minute for each kind of subject, and of each kind of trouble."""
CROUPIER = str(Path(sys.executable).with_name("croupier"))
ONCE = Retry(attempts=1, timeout=PATIENCE)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Nodes]:
    with nodes(tmp_path, 2) as servers:
        yield servers


class Writer:
    """Writes under anything, and counts what it is answered: failures, and the rest."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.answers: Counter[str] = Counter()
        self._inbox = client.new_inbox()

    async def begin(self) -> None:
        async def answered(message: Msg) -> None:
            self.answers["failed" if "Croupier-Failed" in (message.headers or {}) else "else"] += 1

        await self.client.subscribe(self._inbox, cb=answered)

    async def ask(self, subject: str, data: bytes) -> None:
        await self.client.publish(subject, data, self._inbox)


@asynccontextmanager
async def writer(servers: Nodes) -> AsyncIterator[Writer]:
    made = Writer(await nats.connect(servers.bus.url))
    await made.begin()
    try:
        yield made
    finally:
        await made.client.close()


async def subjects_of(servers: Nodes) -> tuple[Subjects, list[str]]:
    """The room's, and the ids of its servers in their order."""
    ((room,),) = await fetch(servers.dsn, "SELECT room FROM ownership")
    rows = await fetch(servers.dsn, "SELECT address, node_id FROM nodes WHERE expires > now() AND NOT dead")
    node_ids = dict(map(tuple, rows))
    return Subjects(room), [node_ids[server.target] for server in servers.all]


async def settled_owner(servers: Nodes, table_id: str) -> int:
    """The number of the server that has the table for good: a new one may belong elsewhere."""
    owner, since = await servers.owner(table_id), time.monotonic()
    while time.monotonic() - since < SETTLED_S:
        await asyncio.sleep(0.1)
        if (now := await servers.owner(table_id)) != owner:
            owner, since = now, time.monotonic()
    return owner


def counted(server: ServerProcess) -> Counter[str]:
    """Unreadable messages by what they were for."""
    name = "croupier_bus_unreadable_messages_total"
    kinds = (*KINDS, "answer")
    return Counter({kind: round(server.metric(f'{name}{{kind="{kind}"}}')) for kind in kinds})


async def until_counted(server: ServerProcess, **expected: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while +await asyncio.to_thread(counted, server) != Counter(expected):
            await asyncio.sleep(0.2)


def events_of(server: ServerProcess) -> Counter[str]:
    """What a server's log says, by name; no line may hold more than it should."""
    lines = server.log.read_text().splitlines()
    for line in lines:
        assert SECRET not in line
        assert "exception" not in json.loads(line), line
    return Counter(json.loads(line)["event"] for line in lines)


@asynccontextmanager
async def load(servers: Nodes, seconds: int) -> AsyncIterator[None]:
    """Bots that call all servers in turn; every answer, the ledger and the history must be right in the end."""
    targets = ",".join(server.target for server in servers.all)
    command = [CROUPIER, "load", "--target", f"ipv4:{targets}", "--tables", "6", "--seconds", str(seconds)]
    bots = subprocess.Popen([*command, "--callers", "2"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        yield
        output, _ = await asyncio.to_thread(bots.communicate)
        assert bots.returncode == 0, output.decode()[-4000:]
    finally:
        bots.kill()
        bots.wait()


async def play_on(table: LiveTable, count: int) -> None:
    for _ in range(count):
        await table.act(await table.decision())


async def test_a_thousand_messages_under_each_subject_are_counted_and_change_nothing(two: Nodes) -> None:
    rooms, node_ids = await subjects_of(two)
    random = Random(5)
    async with load(two, 25), Croupier(two.all[0].target, retry=ONCE) as client, writer(two) as writes:
        table = await LiveTable.open(client, ["anna", "bert", "cleo"])
        owner = await settled_owner(two, table.table_id)
        beside = two.all[1 - owner]
        request = WatchTableRequest(table_id=table.table_id)
        near, far = Watcher(two.all[owner].port, request), Watcher(beside.port, request)
        await near.begun()
        await far.begun()
        asked = {
            "table_call": [rooms.calls(table.table_id)],
            "table_presence": [rooms.presence(table.table_id)],
            "node_call": [rooms.node(node_id) for node_id in node_ids],
        }
        told = {"table_records": rooms.records(table.table_id), "news": rooms.news}
        expected = {server: Counter[str]() for server in two.all}
        for kind, subjects in asked.items():
            for number, subject in enumerate(subjects):
                for data in islice(nonsense(kind, table.table_id, random), EACH):
                    await writes.ask(subject, data)
                server = two.all[number] if kind == "node_call" else two.all[owner]
                expected[server][kind] += EACH
                await play_on(table, 5)
        for kind, subject in told.items():
            for data in islice(nonsense(kind, table.table_id, random), EACH):
                await writes.client.publish(subject, data)
            for server in two.all if kind == "news" else [beside]:
                expected[server][kind] += EACH
            await play_on(table, 5)
        for server, counts in expected.items():
            await until_counted(server, **counts)
        assert writes.answers == {"failed": 4 * EACH}
        await play_on(table, 20)
        sequence = (await client.get_table(table.table_id)).sequence
        await near.at(sequence)
        await far.at(sequence)
        assert far.sequences() == near.sequences()
        common = min(set(near.sequences()))
        assert far.since(common) == near.since(common)
        for watcher in (near, far):
            await watcher.leave()
    for server in two.all:
        events = events_of(server)
        assert events["bus_message_unreadable"] >= 2
        assert events.total() < MOST_LINES, events
        assert not events["bus_lost"]


async def test_what_is_as_long_as_the_bus_takes_is_counted_too(two: Nodes) -> None:
    rooms, node_ids = await subjects_of(two)
    async with Croupier(two.all[0].target, retry=ONCE) as client, writer(two) as writes:
        table = await LiveTable.open(client, ["anna", "bert"])
        owner = two.all[await settled_owner(two, table.table_id)]
        data = Random(1).randbytes(LONGEST)
        subjects = [rooms.calls(table.table_id), rooms.presence(table.table_id), *map(rooms.node, node_ids)]
        for subject in [*subjects, *subjects]:
            await writes.ask(subject, data)
            await writes.ask(subject, b"\xdd\xff\xff\xff\xff" + b"\xa1a" * 100)
            await writes.client.publish(rooms.news, data)
        await play_on(table, 20)
        for server in two.all:
            own = {"table_call": 4, "table_presence": 4} if server is owner else {}
            await until_counted(server, news=8, node_call=4, **own)
        await play_on(table, 20)
    for server in two.all:
        assert not events_of(server)["bus_lost"]


async def test_what_is_no_request_is_not_carried_out_and_bad_framing_breaks_no_connection(two: Nodes) -> None:
    """NATS passes on headers and replies whatever they are; nothing is answered where servers would hear it."""
    rooms, _ = await subjects_of(two)
    async with Croupier(two.all[0].target, retry=ONCE) as client, writer(two) as writes:
        table = await LiveTable.open(client, ["anna", "bert"])
        owner = two.all[await settled_owner(two, table.table_id)]
        calls = rooms.calls(table.table_id)
        for reply in ("", rooms.news, calls, "$JS.API.INFO"):
            await writes.client.publish(calls, b"", reply)
        await until_counted(owner, table_call=4)
        reader, out = await asyncio.open_connection("127.0.0.1", two.bus.port)
        out.write(b'CONNECT {"verbose":false,"headers":true}\r\n')
        for inbox, content in (
            (b"_INBOX.a", b"HPUB %s %s 3 3\r\nabc\r\n"),
            (b"_INBOX.a", b"HPUB %s %s 12 13\r\nNATS/1.0 \xff\r\nx\r\n"),
            (b"_INBOX.\xff", b"PUB %s %s 1\r\nx\r\n"),
            (b"_INBOX.\xc2\xa0b", b"PUB %s %s 1\r\nx\r\n"),
        ):
            out.write(content % (calls.encode(), inbox))
        out.write(b"PING\r\n")
        await out.drain()
        said = await read_until(reader, b"PONG")
        assert b"-ERR" not in said, said
        await play_on(table, 10)
        async with asyncio.timeout(PATIENCE):
            while (await asyncio.to_thread(counted, owner))["table_call"] < 8:
                await asyncio.sleep(0.2)
        await play_on(table, 10)
        out.close()
    for server in two.all:
        events = events_of(server)
        assert not events["bus_lost"], events
        assert server.metric("croupier_bus_connected") == 1


async def test_who_answers_nonsense_in_a_servers_place_is_counted_and_costs_time_alone(two: Nodes) -> None:
    """Of two answers the first is heard: the call is made again until the owner's is, or may be repeated."""
    rooms, node_ids = await subjects_of(two)
    async with Croupier(two.all[0].target, retry=ONCE) as client, writer(two) as writes:
        table = await LiveTable.open(client, ["anna", "bert"])
        owner = await settled_owner(two, table.table_id)
        beside = two.all[1 - owner]
        random = Random(3)

        async def answer(message: Msg) -> None:
            await message.respond(random.randbytes(random.randrange(40)))

        for subject in (rooms.calls(table.table_id), rooms.node(node_ids[owner])):
            await writes.client.subscribe(subject, cb=answer)
        await writes.client.flush()
        async with Croupier(beside.target, retry=ONCE) as other:
            for _ in range(10):
                try:
                    assert (await other.get_table(table.table_id)).table_id == table.table_id
                except CroupierError as failure:
                    if failure.reason != "TABLE_MOVING":
                        raise
        async with asyncio.timeout(PATIENCE):
            while not (await asyncio.to_thread(counted, beside))["answer"]:
                await asyncio.sleep(0.2)
    assert {*events_of(beside)} >= {"bus_answer_unreadable"}
    async with Croupier(beside.target, retry=ONCE) as other:
        assert (await other.get_table(table.table_id)).table_id == table.table_id


async def read_until(reader: asyncio.StreamReader, end: bytes) -> bytes:
    said = b""
    async with asyncio.timeout(PATIENCE):
        while end not in said:
            said += await reader.read(4096)
    return said
