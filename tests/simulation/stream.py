"""One watcher's stream, from the room to the watcher's hands: in order, through a window, until it breaks."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.simulation.life import Life
from tests.simulation.world import MS, NS

from croupier.engine.events import Event
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.room import Room
from croupier.room.subscriptions import PrivatePart, Publication
from croupier.room.views import DecisionView, TableView

if TYPE_CHECKING:
    from tests.simulation.watcher import Watcher

WINDOW: Final = 4
"""Messages on their way that nobody has read."""


class Told(NamedTuple):
    """A record as one watcher hears of it."""

    record: int
    sequence: int
    events: tuple[Event, ...]
    own: bytes
    private: PrivatePart | None


class Snapshot(NamedTuple):
    view: TableView
    record: int
    private_sequence: int


class News(NamedTuple):
    told: tuple[Told, ...]
    decision: DecisionView | None


class End(NamedTuple):
    reason: str


Message = Snapshot | News | End


class Stream:
    """`after` is (sequence, private_sequence) to resume from, None for a snapshot."""

    def __init__(self, watcher: Watcher, after: tuple[int, int] | None) -> None:
        self._watcher = watcher
        self._world = watcher.world
        self._after = after
        self.life: Life | None = None
        self._over = False
        self._unread = 0
        self._inbox: deque[Message] = deque()
        self._arrives = 0
        self._room_for_more: asyncio.Future[Any] | None = None

    # at the service

    def serve(self, room: Room, life: Life) -> Coroutine[Any, Any, None]:
        """What is to be run in a process, which has the stream from now on."""
        self.life = life
        return self._serve(room, life)

    async def _serve(self, room: Room, life: Life) -> None:
        watcher, after = self._watcher, self._after
        try:
            actor = await room.watched(watcher.table_id, fresh=after is not None)
            if after is not None and after[0] > actor.sequence:
                raise Refusal("SEQUENCE_UNAVAILABLE")
            view = actor.view(watcher.viewer) if after is None else None
            watchers, subscription = actor.watchers, actor.subscribe(watcher.viewer)
        except (Refusal, StoreAway, TableHalted):
            self.broken()
            return
        begins = subscription.begins
        try:
            await actor.barrier()
            if view is not None:
                await self._write(Snapshot(view, begins.record, begins.private_sequence or 0))
            elif after is not None:
                async for page in actor.watchers.history(subscription).pages(*after):
                    await self._write_all(page, None)
                standing = actor.decision()
                if standing is not None and actor.sequence == begins.sequence:
                    await self._write(News((), standing))
            while not self._over:
                taken = subscription.take()
                watcher.checks.must_be_bounded(subscription)
                if taken:
                    await self._write_all(taken, taken[-1].decision)
                elif subscription.ended:
                    await self._write(End(subscription.ended))
                    return
                else:
                    await subscription.wait(life.now() + 60 * NS)
        except (Refusal, StoreAway):
            self.broken()
        finally:
            if life.alive:
                watchers.unsubscribe(subscription)

    async def _write_all(self, publications: list[Publication], decision: DecisionView | None) -> None:
        viewer = self._watcher.viewer
        told = []
        for one in publications:
            private = one.private if one.private is not None and one.private.player_id == viewer else None
            own = one.hole_cards.get(viewer, b"")
            told.append(Told(one.record, one.sequence, tuple(one.events), own, private))
        await self._write(News(tuple(told), decision))

    async def _write(self, message: Message) -> None:
        """Returns once the watcher has room for another."""
        if self.life is None:
            return
        while self._unread >= WINDOW and not self._over:
            self._room_for_more = self.life.future()
            await self._room_for_more
        if self._over:
            return
        self._watcher.checks.written(self._watcher, message)
        self._unread += 1
        self._arrives = max(self._arrives, self._world.now + self._watcher.chance.below(5 * MS))
        self._world.at(self._arrives, None, self._arrive, message)

    # at the watcher

    def _arrive(self, message: Message) -> None:
        self._inbox.append(message)
        if len(self._inbox) == 1:
            self._read_later()

    def _read(self) -> None:
        if self._over:
            return
        message = self._inbox.popleft()
        self._unread -= 1
        self._go_on()
        self._watcher.hear(message)
        if self._inbox:
            self._read_later()

    def _read_later(self) -> None:
        span = self._watcher.slowness()
        if span:
            self._world.after(span, self._read)
        else:
            self._read()

    def broken(self) -> None:
        """Nothing more arrives."""
        if not self._over:
            self._over = True
            self._go_on()
            self._watcher.lost(self)

    def close(self) -> None:
        self._over = True
        self._go_on()

    def _go_on(self) -> None:
        waiter = self._room_for_more
        if waiter is not None and not waiter.done():
            self._room_for_more = None
            waiter.set_result(None)
