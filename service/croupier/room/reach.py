"""Whether callers get to the tables here by way of other servers: where they do not, nobody's time is over.

It does not look after those who call this server itself: they get the time as well.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from croupier.numbers import NS_PER_S
from croupier.room.ports import Runtime


class Carrier(Protocol):
    """The bus, as far as that matters."""

    @property
    def connected(self) -> bool: ...

    @property
    def silence_s(self) -> float:
        """Seconds since something was sent over it that is known to have arrived."""
        ...

    def prove(self) -> None:
        """Find out soon whether it still carries anything."""
        ...


class Lease(Protocol):
    """The store, as far as that matters: a `Fleet`."""

    def lapsed(self) -> bool: ...


class Reached(Enum):
    """UNKNOWN is known a moment later."""

    YES = 1
    NO = 2
    UNKNOWN = 3


class Reach:
    """`alone` tells whether there is no other server that could be called, `unheard` whether one does not answer."""

    def __init__(
        self,
        runtime: Runtime,
        bus: Carrier,
        lease: Lease,
        alone: Callable[[], bool],
        unheard: Callable[[], bool],
    ) -> None:
        self._runtime = runtime
        self._bus = bus
        self._lease = lease
        self._alone = alone
        self._unheard = unheard

    def at(self, moment: int) -> Reached:
        """Whether callers got here at a moment that has passed."""
        if self._lease.lapsed():
            return Reached.NO
        if self._alone():
            return Reached.YES
        if not self._bus.connected or self._unheard():
            return Reached.NO
        if self._runtime.now() - int(self._bus.silence_s * NS_PER_S) >= moment:
            return Reached.YES
        self._bus.prove()
        return Reached.UNKNOWN
