"""A journal found damaged by a server that took its table over: put back, it is read anew without a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, TypeVar

import pytest
from tests.support.live import Backend
from tests.support.nodes import Nodes, nodes
from tests.support.operated import RESUME, WHY, played, raised, refusal, resolved
from tests.support.postgres import execute

from croupier.client import CroupierError
from croupier.v1.table_pb2 import TABLE_STATE_HALTED, TABLE_STATE_OPEN

T = TypeVar("T")
OF_TABLE: Final = "table_key = (SELECT table_key FROM tables WHERE table_id = '{table_id}')"
RECORDS: Final = {
    "the last record": "(SELECT max(journal_sequence) FROM journal WHERE {of})",
    "the first": "1",
}
ON_ITS_WAY: Final = ("TABLE_MOVING", "RESOLUTION_STALE")


@pytest.fixture
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    with nodes(tmp_path_factory.mktemp("one"), 1) as servers:
        yield servers


async def settled(call: Callable[[], Awaitable[T]]) -> T:
    """What comes of a call once its table has come to rest at one of the servers."""
    while True:
        try:
            return await call()
        except CroupierError as failure:
            if failure.reason not in ON_ITS_WAY:
                raise
            await asyncio.sleep(0.1)


async def damage(dsn: str, table_id: str, which: str) -> None:
    of = OF_TABLE.format(table_id=table_id)
    lost = f"WHERE {of} AND journal_sequence = {which.format(of=of)}"
    await execute(dsn, f"INSERT INTO saved SELECT * FROM journal {lost}", f"DELETE FROM journal {lost}")


@pytest.mark.timeout(180)
async def test_a_table_goes_on_wherever_the_operator_calls(one: Nodes) -> None:
    """One of which nothing is known without its first record, and one that lacks its last."""
    first = one.all[0]
    async with Backend(first.target) as backend:
        tables = {name: await raised(backend) for name in RECORDS}
        decisions = {name: await backend.decision(table_id) for name, table_id in tables.items()}
    await execute(one.dsn, "CREATE TABLE saved AS SELECT * FROM journal WHERE false")
    for name, table_id in tables.items():
        await damage(one.dsn, table_id, RECORDS[name])
    first.kill()
    second = await asyncio.to_thread(one.add)
    assert {await one.owner(table_id) for table_id in tables.values()} == {1}
    await asyncio.to_thread(one.start, first)
    async with Backend(first.target) as far, Backend(second.target) as near:
        for backend in (far, near):
            for name, table_id in tables.items():
                while (told := await refusal(backend.try_resolve_table(table_id, RESUME, WHY))) in ON_ITS_WAY:
                    await asyncio.sleep(0.1)
                assert told == "JOURNAL_DAMAGED", name
        await execute(one.dsn, "INSERT INTO journal SELECT * FROM saved", "DROP TABLE saved")
        for name, table_id in tables.items():
            done = await settled(lambda table_id=table_id: resolved(far, table_id, RESUME))  # type: ignore[misc]
            assert (done.before.state, done.after.state) == (TABLE_STATE_HALTED, TABLE_STATE_OPEN), name
            standing = await near.decision(table_id)
            assert standing.action_sequence == decisions[name].action_sequence, name
            await played(near, table_id)
            await played(far, table_id)
