"""The bus between nodes: one broker that keeps nothing, and each node's end of it, as the NATS one behaves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from tests.simulation.ways import LOST, Connection, Way
from tests.simulation.world import MS, NS, World

from croupier.adapters.nats.bus import FIRST_PAUSE_S, LONGEST_PAUSE_S
from croupier.adapters.nats.connection import PING_EVERY_S
from croupier.room.cluster_ports import AnswerFailed, BusAway, NobodyThere
from croupier.room.failures import StoreAway

PING: Final = round(PING_EVERY_S * NS)
_NOBODY: Final = "nobody"
_FAILED: Final = "failed"
_AWAY: Final = "away"

Reply = Callable[[bytes | str], None]


class Broker:
    """Who serves or hears which subject, by connection."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._interests: dict[str, dict[Interest, Connection]] = {}

    def begin(self, interest: Interest, connection: Connection) -> None:
        self._interests.setdefault(interest.subject, {})[interest] = connection

    def end(self, interest: Interest, connection: Connection | None) -> None:
        listeners = self._interests.get(interest.subject, {})
        if connection is None or listeners.get(interest) is connection:
            listeners.pop(interest, None)

    def forget(self, connection: Connection) -> None:
        """A connection has ended."""
        for listeners in self._interests.values():
            for interest in [one for one, by in listeners.items() if by is connection]:
                del listeners[interest]

    def carry(self, subject: str, data: bytes, reply: Reply | None) -> None:
        """To all who are there for the subject; the first who answers is heard."""
        listeners = list(self._interests.get(subject, {}).items())
        for interest, connection in listeners:
            connection.down(interest.take, data, reply)
        if not listeners and reply is not None:
            reply(_NOBODY)


class Interest:
    """A subject that a node serves or hears, over one connection after another."""

    def __init__(
        self,
        bus: NodeBus,
        subject: str,
        take: Callable[[bytes, Reply | None], None],
        missed: Callable[[], None],
    ) -> None:
        self.subject = subject
        self.take = take
        self.missed = missed
        self._bus = bus

    async def end(self) -> None:
        self._bus.forget(self)


class NodeBus:
    """A `Bus`, and what is asked of NATS beside: whether it carries anything. `end` ends it with its process."""

    place = "simulated"
    refused = ""

    def __init__(self, world: World, broker: Broker, way: Way) -> None:
        self._world = world
        self._broker = broker
        self._way = way
        self._life = way.life
        self._link: Connection | None = None
        self._interests: dict[Interest, None] = {}
        self._waiting: dict[int, Callable[[bytes | str], None]] = {}
        self._asked = 0
        self._proven = 0
        self._unproven: dict[str, None] = {}
        self._unheard: dict[str, None] = {}
        self._wake: Callable[[], None] = lambda: None
        self._closed = False

    @property
    def connected(self) -> bool:
        return self._link is not None

    @property
    def silence_s(self) -> float:
        return (self._world.now - self._proven) / NS

    def prove(self) -> None:
        self._wake()

    async def start(self, wait_s: float = 0.0) -> bool:
        self._life.spawn(self._keep_connected())
        until = self._world.now + round(wait_s * NS)
        while not self.connected and self._world.now < until:
            await self._life.pause(20 * MS)
        return self.connected

    async def close(self) -> None:
        self._closed = True
        if self._link is not None:
            self._link.close()

    async def request(self, subject: str, data: bytes, timeout_s: float) -> bytes:
        link = self._link
        if link is None:
            raise BusAway
        self._asked += 1
        number, waiter = self._asked, self._life.future()

        def answered(answer: bytes | str) -> None:
            if self._waiting.pop(number, None) is not None and not waiter.done():
                waiter.set_result(answer)

        self._waiting[number] = answered
        link.up(self._broker.carry, subject, data, lambda answer: link.down(answered, answer))
        try:
            async with asyncio.timeout(timeout_s):
                answer: bytes | str = await waiter
        finally:
            self._waiting.pop(number, None)
        if isinstance(answer, bytes):
            return answer
        raise {_NOBODY: NobodyThere, _FAILED: AnswerFailed, _AWAY: BusAway}[answer]

    def misread(self, subject: str, _size: int, why: str) -> None:
        self._world.violated(f"an answer to {subject} was misread: {why}")

    def publish(self, subject: str, data: bytes) -> None:
        if self._link is None:
            self._unheard[subject] = None
            return
        self._unproven[subject] = None
        self._link.up(self._broker.carry, subject, data, None)

    async def serve(self, subject: str, answer: Callable[[bytes], Awaitable[bytes]]) -> Interest:
        def called(data: bytes, reply: Reply | None) -> None:
            if reply is not None:
                self._life.spawn(self._answer(answer, data, reply))

        return self._begin(Interest(self, subject, called, lambda: None))

    async def subscribe(self, subject: str, heard: Callable[[bytes], None]) -> Interest:
        return self._begin(Interest(self, subject, lambda data, _: heard(data), lambda: heard(b"")))

    def forget(self, interest: Interest) -> None:
        self._interests.pop(interest, None)
        if self._link is not None:
            self._link.up(self._broker.end, interest, None)

    def _begin(self, interest: Interest) -> Interest:
        self._interests[interest] = None
        if self._link is not None:
            self._link.up(self._broker.begin, interest, self._link)
        return interest

    async def _answer(self, answer: Callable[[bytes], Awaitable[bytes]], data: bytes, reply: Reply) -> None:
        answered: bytes | str
        try:
            answered = await answer(data)
        except Exception as failure:
            if not isinstance(failure, StoreAway):
                self._world.violated(f"a call over the bus failed: {failure!r}")
            answered = _FAILED
        if self._link is not None:
            self._link.up(reply, answered)

    async def _keep_connected(self) -> None:
        pause = first = round(FIRST_PAUSE_S * NS)
        while not self._closed:
            link = await self._way.connect(lambda: self._wake())
            if link is not None:
                pause = first
                self._bring_in(link)
                await self._use(link)
                self._part_from(link)
            await self._life.pause(self._way.chance.between(pause // 2, pause))
            pause = min(2 * pause, round(LONGEST_PAUSE_S * NS))

    def _bring_in(self, link: Connection) -> None:
        broker = self._broker
        link.at_end = lambda: broker.forget(link)
        for interest in self._interests:
            link.up(broker.begin, interest, link)
        self._link = link
        self._proven = self._world.now
        for interest in list(self._interests):
            interest.missed()
        unheard, self._unheard = self._unheard, {}
        for subject in unheard:
            link.up(broker.carry, subject, b"", None)

    async def _use(self, link: Connection) -> None:
        """Until it is lost."""
        while not link.over:
            await self._sleep()
            if link.over:
                return
            sent, unproven = self._world.now, self._unproven
            self._unproven = {}
            if await link.ask(lambda: True, PING) is LOST:
                self._unproven = unproven | self._unproven
                return
            self._proven = sent

    async def _sleep(self) -> None:
        """Until somebody wants to know more, or it is time to."""
        waiter = self._life.future()

        def wake() -> None:
            if not waiter.done():
                waiter.set_result(None)

        timer = self._world.at(self._world.now + PING, self._life, wake)
        self._wake = wake
        await waiter
        self._wake = lambda: None
        timer.cancel()

    def _part_from(self, link: Connection) -> None:
        link.close()
        self._link = None
        self._unheard |= self._unproven
        self._unproven = {}
        for answered in list(self._waiting.values()):
            answered(_AWAY)
