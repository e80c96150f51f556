"""A bus within the process: every server's end of it can be cut off, as can messages be lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from croupier.room.cluster_ports import AnswerFailed, BusAway, NobodyThere, TooLong, Unreadable

MAX_PAYLOAD: Final = 1024 * 1024


class Wires:
    """What the ends of one bus are tied together by."""

    def __init__(self) -> None:
        self.served: dict[str, _Served] = {}
        self.heard: dict[str, list[_Heard]] = {}
        self.published: list[tuple[str, bytes]] = []
        """All that was ever told, in order."""


class LocalBus:
    """One server's end. Answers and news come in a later turn of the event loop, as over a network."""

    def __init__(self, wires: Wires) -> None:
        self._wires: Final = wires
        self._connected = True
        self._lost = asyncio.Event()
        self.misread_answers: Final[list[str]] = []
        """What was asked under these subjects had an answer that made no sense."""

    @property
    def connected(self) -> bool:
        return self._connected

    def cut(self) -> None:
        """The bus is away for this server: requests under way fail, and what it serves is not there."""
        self._connected = False
        self._lost.set()

    def mend(self) -> None:
        """It is back, and whoever listens here may have missed something."""
        self._connected = True
        self._lost = asyncio.Event()
        for listeners in self._wires.heard.values():
            for one in listeners:
                if one.bus is self:
                    one.heard(b"")

    async def request(self, subject: str, data: bytes, timeout_s: float) -> bytes:
        if not self._connected:
            raise BusAway
        if len(data) > MAX_PAYLOAD:
            raise TooLong(len(data), MAX_PAYLOAD)
        await asyncio.sleep(0)
        served = self._wires.served.get(subject)
        if served is None or not served.bus.connected:
            raise NobodyThere
        asked = asyncio.ensure_future(served.answer(data))
        lost = [asyncio.ensure_future(bus.lost()) for bus in {self, served.bus}]
        try:
            done, _ = await asyncio.wait(
                [asked, *lost], timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for waiting in lost:
                waiting.cancel()
        if not done:
            raise TimeoutError
        if asked not in done:
            raise BusAway
        if asked.exception() is not None:
            raise AnswerFailed from asked.exception()
        answer = asked.result()
        if len(answer) > MAX_PAYLOAD:
            raise TooLong(len(answer), MAX_PAYLOAD)
        return answer

    async def lost(self) -> None:
        """Return once it is cut off."""
        await self._lost.wait()

    def misread(self, subject: str, _size: int, _why: str) -> None:
        self.misread_answers.append(subject)

    def publish(self, subject: str, data: bytes) -> None:
        if not self._connected:
            return
        self._wires.published.append((subject, data))
        for one in self._wires.heard.get(subject, ()):
            if one.bus.connected:
                asyncio.get_running_loop().call_soon(one.hear, data)

    async def serve(self, subject: str, answer: Callable[[bytes], Awaitable[bytes]]) -> _Served:
        served = self._wires.served[subject] = _Served(self, self._wires, subject, answer)
        return served

    async def subscribe(self, subject: str, heard: Callable[[bytes], None]) -> _Heard:
        listener = _Heard(self, self._wires, subject, heard)
        self._wires.heard.setdefault(subject, []).append(listener)
        return listener

    async def close(self) -> None:
        self.cut()
        self._wires.served = {name: one for name, one in self._wires.served.items() if one.bus is not self}
        for listeners in self._wires.heard.values():
            listeners[:] = [one for one in listeners if one.bus is not self]


class _Served:
    def __init__(
        self, bus: LocalBus, wires: Wires, subject: str, answer: Callable[[bytes], Awaitable[bytes]]
    ) -> None:
        self.bus: Final = bus
        self.answer: Final = answer
        self._wires: Final = wires
        self._subject: Final = subject

    async def end(self) -> None:
        if self._wires.served.get(self._subject) is self:
            del self._wires.served[self._subject]


class _Heard:
    def __init__(self, bus: LocalBus, wires: Wires, subject: str, heard: Callable[[bytes], None]) -> None:
        self.bus: Final = bus
        self.heard: Final = heard
        self._wires: Final = wires
        self._subject: Final = subject
        self._over = False

    def hear(self, data: bytes) -> None:
        if not self._over:
            with suppress(Unreadable):
                self.heard(data)

    async def end(self) -> None:
        self._over = True
        listeners = self._wires.heard.get(self._subject, [])
        if self in listeners:
            listeners.remove(self)
