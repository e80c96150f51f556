"""Any node answers any call while others are stopped, killed, or cut off from the bus; each test leaves all running."""

from __future__ import annotations

import asyncio
import secrets
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.support.live import CURRENCY, Backend
from tests.support.nodes import Nodes
from tests.support.server import ServerProcess
from tests.support.vouching import PASS

from croupier.client import CroupierError, Refused
from croupier.v1.operator_service_pb2 import BLOCK_KIND_OPERATOR, RESOLVE_OUTCOME_RESUME

pytestmark = pytest.mark.timeout(180)
LEASE_S = 2.5
PATIENCE_S = 60.0


@asynccontextmanager
async def stopped(server: ServerProcess) -> AsyncIterator[None]:
    """The server stands still meanwhile."""
    server.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.process.send_signal(signal.SIGCONT)


def restart(three: Nodes, server: ServerProcess) -> None:
    server.kill()
    three.start(server)


async def blocked(backend: Backend, player_id: str) -> float:
    """How long it took until the block was answered, however often it was asked for."""
    began, request_id = time.monotonic(), secrets.token_hex(8)
    while time.monotonic() < began + PATIENCE_S:
        try:
            await backend.block_player(player_id, BLOCK_KIND_OPERATOR, "why", request_id=request_id)
        except CroupierError as failure:
            assert failure.reason == "STORE_UNAVAILABLE"  # noqa: PT017
        else:
            return time.monotonic() - began
    raise AssertionError("never answered")


async def refusal(backend: Backend, table_id: str, player_id: str) -> str:
    """Why the player gets no seat."""
    with pytest.raises(CroupierError) as told:
        await backend.reserve_seat(table_id, player_id, 1, vouched=PASS)
    return told.value.reason


async def test_a_block_is_answered_once_a_server_that_stands_still_can_do_nothing(
    three: Nodes, backends: list[Backend]
) -> None:
    """Seats that were asked for while it stood still are refused when it wakes, or its writes are."""
    table_ids = [await backend.open_table() for backend in backends]
    player_id = secrets.token_hex(6)
    await backends[0].deposit(player_id, CURRENCY, 1000)
    async with stopped(three.all[2]):
        sitting = [
            asyncio.create_task(backends[2].reserve_seat(table_id, player_id, 1, vouched=PASS))
            for table_id in table_ids
        ]
        took = await blocked(backends[0], player_id)
    ends = await asyncio.gather(*sitting, return_exceptions=True)
    assert all(isinstance(end, CroupierError) for end in ends), ends
    assert took > LEASE_S / 2
    for table_id in table_ids:
        async with asyncio.timeout(PATIENCE_S):
            assert not (await backends[1].get_table(table_id)).seats
    restart(three, three.all[2])


async def test_lists_are_whole_or_refused_while_a_server_is_killed(
    three: Nodes, backends: list[Backend]
) -> None:
    await asyncio.gather(*[backend.open_table() for backend in backends for _ in range(4)])
    whole = {one.table_id for one in (await backends[0].list_tables(page_size=1000)).tables}
    three.all[1].kill()
    until = time.monotonic() + PATIENCE_S
    refused, answered, after_s = 0, 0, 0.0
    began = time.monotonic()
    while answered < 5 and time.monotonic() < until:
        for backend in (backends[0], backends[2]):
            try:
                told = {one.table_id for one in (await backend.list_tables(page_size=1000)).tables}
            except CroupierError as failure:
                assert failure.reason == "TABLE_MOVING"  # noqa: PT017
                refused += 1
            else:
                assert told == whole
                after_s = after_s or time.monotonic() - began
                answered += 1
    assert answered >= 5
    print(f"listed again after {after_s:.1f} s, {refused} refused meanwhile")
    restart(three, three.all[1])


async def test_a_block_holds_everywhere_while_the_bus_is_away(three: Nodes, backends: list[Backend]) -> None:
    """Then by the store alone, which all of them read: a table's own server says so, others may not reach it."""
    table_ids = [await backend.open_table() for backend in backends]
    player_id = secrets.token_hex(6)
    await backends[0].deposit(player_id, CURRENCY, 1000)
    three.bus.stop()
    try:
        took = await blocked(backends[0], player_id)
        for table_id in table_ids:
            async with asyncio.timeout(PATIENCE_S):  # it may have been on its way as the bus went
                while (
                    await refusal(backends[await three.owner(table_id)], table_id, player_id)
                    != "PLAYER_BLOCKED"
                ):
                    await asyncio.sleep(0.1)
            for backend in backends:
                assert await refusal(backend, table_id, player_id) in ("PLAYER_BLOCKED", "TABLE_MOVING")
        print(f"blocked after {took:.2f} s")
    finally:
        three.bus.start()
    async with asyncio.timeout(PATIENCE_S):
        for backend in backends:
            for table_id in table_ids:
                while await refusal(backend, table_id, player_id) != "PLAYER_BLOCKED":
                    await asyncio.sleep(0.1)


async def test_a_trial_is_of_no_use_once_the_table_has_moved(three: Nodes, backends: list[Backend]) -> None:
    """ResolveTable with the token of a server that has gone is refused; with a new one it goes on."""
    table_id = await backends[0].open_table("anna", "bert")
    await backends[1].pause_table(table_id)
    outcome = RESOLVE_OUTCOME_RESUME
    tried = await backends[1].try_resolve_table(table_id, outcome, "looked at")
    assert three.all[0].stop() == 0
    with pytest.raises(Refused, match="RESOLUTION_STALE"):
        await backends[1].resolve_table(table_id, outcome, "looked at", tried.token)
    tried = await backends[2].try_resolve_table(table_id, outcome, "looked at")
    await backends[1].resolve_table(table_id, outcome, "looked at", tried.token)
    three.start(three.all[0])
