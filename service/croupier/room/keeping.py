"""One follower kept on: it hears what the table's owner tells, and tells the owner which players watch here (R-T15)."""

from __future__ import annotations

from typing import Final

from croupier.engine.game import Game
from croupier.numbers import NS_PER_MS
from croupier.room.clock import Alarm
from croupier.room.cluster_ports import BusAway, Ending, Unanswered
from croupier.room.follower import Follower
from croupier.room.link import Link
from croupier.room.ports import PendingAnswer, TableJournal
from croupier.room.table_news import Following, encode, news_of, status_of
from croupier.room.watchers import Watchers

SAY_NS: Final = 3_000 * NS_PER_MS
"""How often the owner is told that the table is followed, and asked how far it is."""
SEEK_NS: Final = 1_000 * NS_PER_MS
"""How often the store is read while no owner can be asked."""
LINGER_NS: Final = 30_000 * NS_PER_MS
"""How long a table is followed that nobody watches any more."""
_ANSWER_S: Final = 1.0


class Keeping:
    """`follower` is kept where its table's owner is, from `begin` to `end`."""

    def __init__(
        self, link: Link, game: Game, journal: TableJournal, watchers: Watchers | None = None
    ) -> None:
        """Raises what making a Follower raises."""
        self._link = link
        self._runtime = link.services.runtime
        self._waiter: PendingAnswer | None = None
        self._woken = False
        self._alarm = Alarm(self._runtime, self.wake)
        self._followed = False
        self._hearing: Ending | None = None
        self._watched = self._runtime.now()
        self.follower = Follower(link.services, game, journal, self, watchers)

    # Presence

    def connected(self, _: str) -> None:
        """A stream of a player's own view opened here."""
        self.wake()

    def left(self, _: str) -> None:
        """A stream of a player's own view ended here."""
        self.wake()

    # Going on

    async def begin(self) -> None:
        """Hear what the owner tells, and stand where it does. Raises StoreAway."""
        if self.follower.closed:
            return
        await self._listen()
        try:
            if await self._say() == self.follower.record:
                self._woken = False
            else:
                await self.follower.fill()
        except BaseException:
            self.follower.end()
            raise
        finally:
            self._runtime.spawn(self._keep())

    def unwatched(self) -> bool:
        """Whether nobody has watched for a while."""
        now = self._runtime.now()
        if self.follower.watchers:
            self._watched = now
        return now - self._watched >= LINGER_NS

    def end(self) -> None:
        """Follow no longer."""
        self.follower.end()
        self.wake()

    def wake(self) -> None:
        """Say at once who watches, and look where the table is."""
        self._woken = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _keep(self) -> None:
        try:
            while not self.follower.over and not self.follower.closed:
                await self._sleep(SAY_NS if self._followed else SEEK_NS)
                if not self.follower.over:
                    await self._look()
        finally:
            self._alarm.stop()
            hearing, self._hearing = self._hearing, None
            if hearing is not None:
                await hearing.end()
        await self._ask(Following(self._link.node_id, leaves=True))

    async def _look(self) -> None:
        await self._listen()
        record = await self._say()
        if record is None or record > self.follower.record:
            await self.follower.read_soon()

    async def _sleep(self, span: int) -> None:
        if not self._woken:
            self._alarm.set(self._runtime.now() + span)
            self._waiter = self._runtime.future()
            await self._waiter
            self._waiter = None
            self._alarm.stop()
        self._woken = False

    async def _listen(self) -> None:
        if self._hearing is None:
            records = self._link.subjects.records(self.follower.table_id)
            try:
                self._hearing = await self._link.bus.subscribe(records, self._hear)
            except BusAway:
                return

    def _hear(self, data: bytes) -> None:
        """Raises Unreadable."""
        if data:
            self.follower.hear(news_of(data))
        if self.follower.new_owner or not data:
            self.follower.new_owner = False
            self.wake()

    async def _say(self) -> int | None:
        """Tell the owner that the table is followed; the record that it stands at, None where there is no owner."""
        players = tuple(self.follower.watchers.players())
        answer = await self._ask(Following(self._link.node_id, players))
        status = status_of(answer) if answer is not None else None
        self._followed = status is not None and not self.follower.knows_better(status)
        if status is None or not self._followed:
            return None
        self.follower.hear(status)
        self.follower.new_owner = False
        return status.record

    async def _ask(self, following: Following) -> bytes | None:
        presence = self._link.subjects.presence(self.follower.table_id)
        try:
            return await self._link.bus.request(presence, encode(following), _ANSWER_S)
        except (Unanswered, TimeoutError):
            return None
