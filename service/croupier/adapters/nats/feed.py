"""The feed over JetStream: which notice goes under which subject, and by which name it is known again."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.adapters.nats.stream import Stream
from croupier.adapters.rpc import feed_messages
from croupier.room.ports import LedgerEntry
from croupier.room.records import HandRecord
from croupier.room.subjects import Subjects


class NatsFeed:
    """The room's Publisher."""

    def __init__(self, stream: Stream, subjects: Subjects) -> None:
        self._stream = stream
        self._subjects = subjects

    async def prepare(self, *, begun: bool) -> None:
        """As the port says."""
        await self._stream.prepare(begun=begun)

    async def hand(self, record: HandRecord) -> None:
        """As the port says."""
        notice = feed_messages.settled_hand(record)
        subject = self._subjects.hands(record.rules.house_id, record.place.table_id)
        await self._stream.put(subject, notice.hand.hand_id, notice.SerializeToString())

    async def entry_set(self, entries: Sequence[LedgerEntry]) -> None:
        """As the port says."""
        notice = feed_messages.entry_set(entries)
        subject = self._subjects.entries(entries[0].currency)
        await self._stream.put(subject, notice.entry_set_id, notice.SerializeToString())
