"""Three servers with real PostgreSQL and NATS, broken one way after another while bots play and keep account.

CROUPIER_LONG=1 (`make cluster`) breaks them many times, at more tables, in more ways, and prints what that cost.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import monotonic, monotonic_ns
from typing import Final

import pytest
from tests.integration.cluster.breaking.faults import BESIDES, ONCE, UPGRADE, Fault, Struck, roughly
from tests.integration.cluster.breaking.figures import Cost, cost_of, table_of
from tests.integration.cluster.breaking.load import Load, Played
from tests.integration.cluster.breaking.wired_room import WiredRoom, wired_room
from tests.integration.cluster.breaking.witness import Seen
from tests.support.postgres_audit import audit

LONG: Final = bool(os.environ.get("CROUPIER_LONG"))
ROUNDS: Final = 5
PLAYED: Final = 60
"""Records after which a table is well under way."""
MOST_SILENT_S: Final = 20.0
"""On a machine that has much else to do; what it takes on one that has not is in the figures."""
MOST_LATE_S: Final = 1.0
"""A machine on which the tests themselves stand still for so long takes players' time away, too."""


@asynccontextmanager
async def looked_after(room: WiredRoom) -> AsyncIterator[None]:
    task = asyncio.create_task(room.look_after())
    try:
        yield
    finally:
        assert not task.done() or task.exception() is None, task.exception()
        task.cancel()


async def broken(
    room: WiredRoom, faults: Sequence[tuple[str, Fault]], tables: int, seed: int
) -> tuple[list[Cost], Played, Seen]:
    """All of the faults, one after another, each once the room has come to rest."""
    load = await Load.begin(room.directory, room.target, tables, seed)
    struck: list[Struck] = []
    rests: list[int] = []
    try:
        async with looked_after(room):
            while sum(length >= PLAYED for length in (await room.witness.heads()).values()) < tables:
                assert load.running
                await asyncio.sleep(0.1)
            await room.settled(lambda: load.running)
            for name, fault in faults:
                before = monotonic()
                began, aimed_at = await fault(room)
                struck.append(Struck(name, began, monotonic_ns(), aimed_at))
                after = monotonic()
                rest = await room.settled(lambda: load.running)
                rests.append(monotonic_ns())
                print(f"  {name}: {after - before:.1f} s, at rest {rest:.1f} s later", file=sys.stderr)
            played = await load.end()
    except BaseException:
        if not load.running:
            print((await load.end()).said)
        raise
    finally:
        await load.kill()
    seen = await room.witness.seen()
    costs = [
        cost_of(one, rest, played.operations, seen.timed_out) for one, rest in zip(struck, rests, strict=True)
    ]
    return costs, played, seen


async def must_be_sound(room: WiredRoom, costs: Sequence[Cost], played: Played, seen: Seen) -> None:
    """Nothing acknowledged lost or doubled, nothing written by who may not, no hand voided, no time taken away."""
    assert played.status == 0, played.said
    assert seen.stale == []
    assert not seen.voided
    assert room.late_s > MOST_LATE_S or not seen.timed_out
    for cost in costs:
        assert max(cost.silences + cost.elsewhere) < MOST_SILENT_S, cost
        assert UPGRADE not in cost.fault or sum(cost.refused) <= len(cost.refused), cost
    await audit(room.database.dsn)


def told(room: WiredRoom, costs: Sequence[Cost], played: Played) -> str:
    """What it came to."""
    ended = sum(len(node.ended) for node in room.nodes)
    late = f"{ended} nodes ended by themselves; the tests were late by {room.late_s:.2f} s at most"
    return "\n".join((*table_of(costs), late, played.said))


@pytest.mark.timeout(240)
async def test_the_room_survives_whatever_breaks(tmp_path: Path) -> None:
    async with wired_room(tmp_path) as room:
        try:
            costs, played, seen = await broken(room, list(ONCE.items()), tables=8, seed=1)
            print(told(room, costs, played))
            await must_be_sound(room, costs, played, seen)
        except BaseException:
            print(room.logs())
            raise


@pytest.mark.skipif(not LONG, reason="CROUPIER_LONG: breaking everything many times takes minutes")
@pytest.mark.timeout(3600)
async def test_the_room_survives_for_long(tmp_path: Path) -> None:
    random = Random(7)
    async with wired_room(tmp_path) as room:
        faults = [*ONCE.items(), *BESIDES.items(), ("whatever, on all wires", roughly(random))] * ROUNDS
        random.shuffle(faults)
        costs, played, seen = await broken(room, faults, tables=24, seed=2)
        print(told(room, costs, played))
        await must_be_sound(room, costs, played, seen)
        for cost in costs:
            assert UPGRADE not in cost.fault or max(cost.refused) <= 1, cost
