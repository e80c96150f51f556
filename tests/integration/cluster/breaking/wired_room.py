"""Three servers of a room, each behind wires of its own to PostgreSQL and NATS, and looked after by a supervisor."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from tests.integration.cluster.breaking.wire import Wire, wire
from tests.integration.cluster.breaking.witness import Witness
from tests.support.nats import NatsServer, free_port, nats_server
from tests.support.postgres import Cluster, cluster, execute
from tests.support.server import ServerProcess

from croupier import houses

NODES: Final = 3
HOUSE_ID: Final = "quick_parlour"
DECISION_S: Final = 6
"""How long a decision may take: not longer than what some faults last, so that a clock that ran on would be seen."""
_LOOK_S: Final = 0.1
_SETTLED_S: Final = 40.0


class WiredNode:
    """`ended` are the statuses of processes that ended by themselves; each was started again."""

    def __init__(self, role: str, server: ServerProcess, database: Wire, bus: Wire) -> None:
        self.role: Final = role
        self.server: Final = server
        self.database: Final = database
        self.bus: Final = bus
        self.ended: Final[list[int]] = []
        self.down = False
        """Whether nobody is to start it."""

    async def start(self, *flags: str) -> None:
        """Return once it is ready."""
        flags = ("--bus", f"nats://127.0.0.1:{self.bus.port}", *flags)
        await asyncio.to_thread(self.server.start, *flags)
        self.down = False

    async def stop(self) -> int:
        """The friendly way; its exit status."""
        self.down = True
        return await asyncio.to_thread(self.server.stop)

    async def kill(self) -> None:
        self.down = True
        await asyncio.to_thread(self.server.kill)

    def signal(self, number: signal.Signals) -> None:
        self.server.process.send_signal(number)

    def status(self) -> int | None:
        """Of a process that has ended by itself."""
        return None if self.down else self.server.process.poll()


class WiredRoom:
    def __init__(self, directory: Path, database: Cluster, bus: NatsServer) -> None:
        self.directory: Final = directory
        self.database: Final = database
        self.bus: Final = bus
        self.witness: Final = Witness(database.dsn)
        self.nodes: Final[list[WiredNode]] = []
        self.late_s = 0.0
        """How late the tests themselves were at most, through which everything passes."""

    @property
    def target(self) -> str:
        """All nodes in turn."""
        return "ipv4:" + ",".join(node.server.target for node in self.nodes)

    @property
    def key(self) -> Path:
        return self.directory / "croupier.key"

    async def add(self, stack: AsyncExitStack) -> None:
        """One more node, once it is ready."""
        number = len(self.nodes)
        role = f"node{number}"
        await execute(self.database.dsn, f"CREATE ROLE {role} SUPERUSER LOGIN")
        to_database = await stack.enter_async_context(wire(self.database.port))
        to_bus = await stack.enter_async_context(wire(self.bus.port))
        dsn = f"postgresql://{role}@127.0.0.1:{to_database.port}/postgres"
        server = ServerProcess(self.directory, role, dsn=dsn)
        server.port = free_port()
        node = WiredNode(role, server, to_database, to_bus)
        self.nodes.append(node)
        await self.start(node)
        if number == 0:
            await self.witness.install(role)

    async def start(self, node: WiredNode) -> None:
        """As it was started before; what it wrote until then is kept."""
        log = node.server.log
        if log.exists():
            with log.with_suffix(".before").open("ab") as kept:
                kept.write(log.read_bytes())
        await node.start("--house-dir", str(self.directory / "houses"))

    async def look_after(self) -> None:
        """Start again whatever ends by itself, for ever."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(_LOOK_S)
            self.late_s = max(self.late_s, time.monotonic() - before - _LOOK_S)
            for node in self.nodes:
                status = node.status()
                if status is not None:
                    node.ended.append(status)
                    await self.start(node)

    async def settled(self, running: Callable[[], bool]) -> float:
        """Return once all nodes serve, every table has an owner and goes on; how many seconds that took."""
        began = time.monotonic()
        while not await self.witness.settled(len(self.nodes)):
            await self._wait(began, running, "not all nodes serve all tables")
        heads = await self.witness.heads()
        while True:
            now = await self.witness.heads()
            still = [table for table, length in heads.items() if now.get(table, length + 1) == length]
            if not still:
                return time.monotonic() - began
            await self._wait(began, running, f"tables stand still: {still}")

    async def owner_of_most(self) -> tuple[WiredNode, set[str]]:
        """The node with the most tables, and those."""
        owners = await self.witness.owners()
        by_role = {
            node.role: {table for table, role in owners.items() if role == node.role} for node in self.nodes
        }
        node = max(self.nodes, key=lambda one: len(by_role[one.role]))
        return node, by_role[node.role]

    def logs(self) -> str:
        """What all nodes have written."""
        files = sorted(self.directory.glob("node*.*"))
        return "\n".join(f"--- {file.name}\n{file.read_text()[-6000:]}" for file in files)

    async def _wait(self, began: float, running: Callable[[], bool], what: str) -> None:
        assert running(), "the load has ended"
        assert time.monotonic() - began < _SETTLED_S, what
        await asyncio.sleep(_LOOK_S)


@asynccontextmanager
async def wired_room(directory: Path) -> AsyncIterator[WiredRoom]:
    """A room of one's own, on a database and a bus that may be killed."""
    write_house(directory / "houses")
    async with AsyncExitStack() as stack:
        database = stack.enter_context(cluster())
        bus = stack.enter_context(nats_server())
        room = WiredRoom(directory, database, bus)
        try:
            for _ in range(NODES):
                await room.add(stack)
            yield room
        finally:
            for node in room.nodes:
                await node.kill()


def write_house(directory: Path) -> None:
    """A house of quick decisions, else as a bundled one."""
    directory.mkdir()
    bundled = Path(str(houses.__file__)).with_name("puzzle_pirates.toml").read_text()
    changes = {
        'house_id = "puzzle_pirates"': f'house_id = "{HOUSE_ID}"',
        "action_times_s = [10, 20, 30]": f"action_times_s = [{DECISION_S}]",
        "default_action_time_s = 20": f"default_action_time_s = {DECISION_S}",
    }
    for old, new in changes.items():
        assert old in bundled, old
        bundled = bundled.replace(old, new)
    (directory / f"{HOUSE_ID}.toml").write_text(bundled)
