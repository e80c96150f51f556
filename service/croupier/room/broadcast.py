"""One table of ours as other servers follow it: what they are told of it, and which players watch there (R-T15)."""

from __future__ import annotations

from typing import Final

import msgspec

from croupier.numbers import NS_PER_MS
from croupier.room.actor import TableActor
from croupier.room.clock import Alarm, pause
from croupier.room.cluster_ports import BusAway, Ending
from croupier.room.commit import Commit
from croupier.room.link import Link
from croupier.room.table_news import Annotated, Following, TableStatus, encode, following_of, recorded

LEASE_NS: Final = 10_000 * NS_PER_MS
"""Whoever has not said for so long that it follows does so no longer, nor do players watch there."""
_UNNAMED: Final = ""
"""For a node's id: servers that follow, and have not said so to this owner yet."""
_RETRY_NS: Final = 500 * NS_PER_MS


class _Follower(msgspec.Struct):
    """A server that follows, until when, and who watches there."""

    until: int
    players: frozenset[str]


class Broadcast:
    """Serves those who say that they follow. While nobody does, the actor does not know of it."""

    def __init__(self, link: Link, actor: TableActor) -> None:
        self._link = link
        self._runtime = link.services.runtime
        self._actor = actor
        self._subject = link.subjects.records(actor.table_id)
        self._alarm = Alarm(self._runtime, self._expire)
        self._followers: dict[str, _Follower] = {}
        self._number = 0
        self._over = False
        self._serving: Ending | None = None

    def tell_whoever_listens(self) -> None:
        """Tell every record for as long as those who followed the owner before may need to find this one."""
        self._note(Following(_UNNAMED))

    async def serve(self) -> None:
        """Be there for those who follow, and let those who did so before know; until `end`."""
        presence = self._link.subjects.presence(self._actor.table_id)
        while self._serving is None and not self._over:
            try:
                self._serving = await self._link.bus.serve(presence, self.answer)
            except BusAway:
                await pause(self._runtime, _RETRY_NS)
        if self._over:
            await self._stop_serving()
        else:
            self.stand()

    def end(self) -> None:
        """Tell nothing more."""
        self._over = True
        self._followers.clear()
        self._alarm.stop()
        self._actor.broadcast = None
        self._runtime.spawn(self._stop_serving())

    async def _stop_serving(self) -> None:
        serving, self._serving = self._serving, None
        if serving is not None:
            await serving.end()

    async def answer(self, request: bytes) -> bytes:
        """Take note of who follows; how the table stands. From here on the follower is told every record.

        Raises Unreadable.
        """
        following = following_of(request)
        if not self._over:
            if following.leaves:
                self._forget(following.node_id)
            else:
                self._note(following)
        return encode(self._status())

    def _note(self, following: Following) -> None:
        until = self._runtime.now() + LEASE_NS
        known = self._followers.get(following.node_id)
        before = known.players if known is not None else frozenset()
        players = frozenset(following.players)
        for player_id in sorted(players - before):
            self._actor.clock.connected(player_id)
        for player_id in sorted(before - players):
            self._actor.clock.left(player_id)
        self._followers[following.node_id] = _Follower(until, players)
        self._actor.broadcast = self
        self._alarm.set(until)

    def _forget(self, node_id: str) -> None:
        known = self._followers.pop(node_id, None)
        for player_id in known.players if known is not None else ():
            self._actor.clock.left(player_id)
        if not self._followers:
            self._actor.broadcast = None
            self._alarm.stop()

    def _expire(self) -> None:
        now = self._runtime.now()
        for node_id in [node_id for node_id, one in self._followers.items() if one.until <= now]:
            self._forget(node_id)
        if self._followers:
            self._alarm.set(min(one.until for one in self._followers.values()))

    # Telling

    def durable(self, commit: Commit) -> None:
        """A record is on disk."""
        self._publish(recorded(commit.record, commit.deadline, commit.hand_key))

    def annotated(self, record: int, annotation: bytes) -> None:
        """An adapter has something to say of a record."""
        self._publish(Annotated(record, annotation))

    def stand(self) -> None:
        """The table stands otherwise than its records tell."""
        self._publish(self._status())

    def _status(self) -> TableStatus:
        actor = self._actor
        self._number += 1
        record = actor.durable_record
        deadline = actor.clock.deadline if not actor.waiting_records else 0
        return TableStatus(actor.epoch, self._number, record, deadline, bool(actor.halted))

    def _publish(self, news: object) -> None:
        self._link.bus.publish(self._subject, encode(news))
