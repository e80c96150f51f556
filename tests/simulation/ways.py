"""The way from one node to a service that all of them use: connections that stand still, break, and are refused."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final

from tests.simulation.chance import Chance
from tests.simulation.life import Life
from tests.simulation.world import MS, NS, World

UP, DOWN = 0, 1


class Lost:
    """What is answered where the connection was lost, or stood still for too long."""


LOST: Final = Lost()


class Way:
    """`stalled` holds UP and DOWN while messages of that direction stand still; `refused`: nobody gets a connection."""

    def __init__(self, world: World, chance: Chance, life: Life, connect_ns: int) -> None:
        self.world = world
        self.chance = chance
        self.life = life
        self.stalled: set[int] = set()
        self.refused = False
        self.lost_one_in = 0
        self.late_one_in = 0
        self._connect_ns = connect_ns
        self._connections: dict[Connection, None] = {}

    @property
    def whole(self) -> bool:
        """Whether nothing is in the way."""
        return not self.stalled and not self.refused

    async def connect(self, on_lost: Callable[[], None] = lambda: None) -> Connection | None:
        """A new connection, or None once that is known to be in vain."""
        connection = Connection(self, on_lost)
        if self.refused:
            await self.life.pause(MS)
            return None
        self._connections[connection] = None
        if await connection.ask(lambda: True, self._connect_ns) is LOST:
            connection.close()
            return None
        return connection

    def stall(self, *directions: int) -> None:
        self.stalled.update(directions)

    def mend(self) -> None:
        """What stood still goes on."""
        self.stalled.clear()
        self.refused = False
        for connection in list(self._connections):
            connection.go_on()

    def reset(self) -> None:
        """Every connection breaks, with what is on it."""
        connections, self._connections = self._connections, {}
        for connection in connections:
            connection.break_off()

    def close(self) -> None:
        """The process is gone: what it had sent still arrives."""
        for connection in list(self._connections):
            connection.close()

    def forget(self, connection: Connection) -> None:
        self._connections.pop(connection, None)


class Connection:
    """Messages of one direction arrive in order. `over` once the node uses it no longer."""

    def __init__(self, way: Way, on_lost: Callable[[], None]) -> None:
        self.over = False
        self.at_end: Callable[[], None] = lambda: None
        """What the service does once it knows that the connection has ended."""
        self._way = way
        self._world = way.world
        self._on_lost = on_lost
        self._broken = False
        self._free = [0, 0]
        self._held: tuple[deque[tuple[Any, ...]], ...] = (deque(), deque())
        self._asking: dict[int, Callable[[object], None]] = {}
        self._asked = 0

    def up(self, call: Callable[..., object], *arguments: Any) -> None:
        """Have something happen at the service."""
        if not self.over:
            self._carry(UP, call, arguments)

    def down(self, call: Callable[..., object], *arguments: Any) -> None:
        """Have something happen at the node."""
        self._carry(DOWN, call, arguments)

    async def ask(self, work: Callable[[], Any], patience_ns: int) -> Any:
        """What the work comes to at the service; LOST where nobody knows."""
        if self.over:
            return LOST
        self._asked += 1
        number, waiter = self._asked, self._way.life.future()

        def resolve(answer: object) -> None:
            timer.cancel()
            if self._asking.pop(number, None) is not None and not waiter.done():
                waiter.set_result(answer)

        self._asking[number] = resolve
        timer = self._world.at(self._world.now + patience_ns, self._way.life, self.close)
        self.up(lambda: self.down(resolve, work()))
        return await waiter

    def close(self) -> None:
        """The node is done with it; whatever it had sent is on its way."""
        if self.over:
            return
        self.up(self._end)
        self._leave()

    def break_off(self) -> None:
        """It breaks on its way: what is on it is lost, and both ends know."""
        if not self._broken:
            self._broken = True
            self.at_end()
            self._world.at(self._world.now, self._way.life, self._leave)

    def go_on(self) -> None:
        for direction in (UP, DOWN):
            held = self._held[direction]
            while held:
                self._send(direction, *held.popleft())
        if self.over:
            self._way.forget(self)

    def _end(self) -> None:
        self.at_end()
        self._way.forget(self)

    def _leave(self) -> None:
        if self.over:
            return
        self.over = True
        for resolve in list(self._asking.values()):
            resolve(LOST)
        self._on_lost()

    def _carry(self, direction: int, call: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        way = self._way
        if self._broken:
            return
        if not self._world.healed and way.chance.one_in(way.lost_one_in):
            self._world.fault("lost bus message")
            return
        if direction in way.stalled:
            self._held[direction].append((call, arguments))
        else:
            self._send(direction, call, arguments)

    def _send(self, direction: int, call: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        way, world = self._way, self._world
        span = way.chance.below(2 * MS)
        if not world.healed and way.chance.one_in(way.late_one_in):
            world.fault("slow way")
            span = way.chance.between(50 * MS, 2 * NS)
        when = self._free[direction] = max(self._free[direction], world.now + span)
        world.at(when, way.life if direction == DOWN else None, self._arrive, direction, call, arguments)

    def _arrive(self, direction: int, call: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        if not self._broken and (direction == UP or not self.over):
            call(*arguments)
