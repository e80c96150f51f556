"""What is done to a room: each fault returns once it is over, and says which tables it was aimed at."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from random import Random
from time import monotonic_ns
from typing import Final, NamedTuple

from tests.integration.cluster.breaking.wire import Wire
from tests.integration.cluster.breaking.wired_room import NODES, WiredNode, WiredRoom

from croupier.adapters.postgres.own_node import SHARED_LEASE_S as LEASE_S

LONG_S: Final = 2 * LEASE_S + 1
"""Longer than anybody waits for an owner."""


class Struck(NamedTuple):
    """`began` and `ended` are nanoseconds of the monotonic clock."""

    fault: str
    began: int
    ended: int
    tables: set[str]


Fault = Callable[[WiredRoom], Awaitable[tuple[int, set[str]]]]


async def owner_killed(room: WiredRoom) -> tuple[int, set[str]]:
    """And started again at once, as a supervisor would."""
    node, tables = await room.owner_of_most()
    began = monotonic_ns()
    await node.kill()
    await room.start(node)
    return began, tables


async def owner_stopped(room: WiredRoom) -> tuple[int, set[str]]:
    """For twice its lease, with all its connections open."""
    node, tables = await room.owner_of_most()
    began = monotonic_ns()
    node.signal(signal.SIGSTOP)
    await asyncio.sleep(LONG_S)
    node.signal(signal.SIGCONT)
    return began, tables


def cut_off(*wires: Callable[[WiredNode], Wire]) -> Fault:
    """Nothing passes, and nobody is told."""
    return _by_wires(Wire.cut, *wires)


def refused(*wires: Callable[[WiredNode], Wire]) -> Fault:
    """Connections are reset, new ones too."""
    return _by_wires(Wire.refuse, *wires)


def deaf(*wires: Callable[[WiredNode], Wire]) -> Fault:
    """What it is answered is lost, what it says arrives."""
    return _by_wires(lambda wire: wire.lose("back"), *wires)


def _by_wires(break_: Callable[[Wire], None], *wires: Callable[[WiredNode], Wire]) -> Fault:
    async def fault(room: WiredRoom) -> tuple[int, set[str]]:
        node, tables = await room.owner_of_most()
        began = monotonic_ns()
        for wire in wires:
            break_(wire(node))
        await asyncio.sleep(LONG_S)
        for wire in wires:
            wire(node).mend()
        return began, tables

    return fault


async def bus_restarted(room: WiredRoom) -> tuple[int, set[str]]:
    tables = set(await room.witness.owners())
    began = monotonic_ns()
    room.bus.stop()
    await asyncio.sleep(1)
    await asyncio.to_thread(room.bus.start)
    return began, tables


async def database_restarted(room: WiredRoom) -> tuple[int, set[str]]:
    """As after a crash."""
    tables = set(await room.witness.owners())
    began = monotonic_ns()
    await asyncio.to_thread(room.database.stop, signal.SIGQUIT)
    await asyncio.sleep(1)
    await asyncio.to_thread(room.database.start)
    return began, tables


def replaced(number: int) -> Fault:
    """A node is stopped the friendly way, and started."""

    async def fault(room: WiredRoom) -> tuple[int, set[str]]:
        node, tables = room.nodes[number], set(await room.witness.owners())
        began = monotonic_ns()
        status = await node.stop()
        assert status == 0, f"{node.role} ended with {status}"
        await room.start(node)
        return began, tables

    return fault


def roughly(random: Random) -> Fault:
    """Delays, short stalls and broken connections on all wires."""

    async def fault(room: WiredRoom) -> tuple[int, set[str]]:
        tables = set(await room.witness.owners())
        wires = [wire for node in room.nodes for wire in (node.database, node.bus)]
        began = monotonic_ns()
        for _ in range(20):
            wire = random.choice(wires)
            towards = random.choice((("there",), ("back",), ("there", "back")))
            match random.randrange(4):
                case 0:
                    wire.delay(random.uniform(0.001, 0.05), *towards)
                case 1:
                    wire.cut(*towards)
                case 2:
                    wire.reset()
                case 3:
                    wire.lose(*towards)
            await asyncio.sleep(random.uniform(0.05, 0.5))
            wire.mend()
        return began, tables

    return fault


def database(node: WiredNode) -> Wire:
    return node.database


def bus(node: WiredNode) -> Wire:
    return node.bus


UPGRADE: Final = "rolling upgrade"
ONCE: Final[dict[str, Fault]] = {
    "owner killed": owner_killed,
    "owner stopped for twice the lease": owner_stopped,
    "owner cut off from PostgreSQL": cut_off(database),
    "owner cut off from NATS": cut_off(bus),
    "owner cut off from both": cut_off(database, bus),
    "NATS restarted": bus_restarted,
    "PostgreSQL killed and restarted": database_restarted,
    **{f"{UPGRADE}, node {number}": replaced(number) for number in range(NODES)},
}
BESIDES: Final[dict[str, Fault]] = {
    "owner refused by PostgreSQL": refused(database),
    "owner refused by NATS": refused(bus),
    "owner hears nothing from PostgreSQL": deaf(database),
    "owner hears nothing from NATS": deaf(bus),
}
