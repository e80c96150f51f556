"""A consumer of the feed, as an operator's would be: reads the stream, drops what it has met before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import nats
from nats.js.errors import NotFoundError

from croupier.v1.feed_pb2 import EntrySetNotice, SettledHandNotice
from croupier.v1.hand_record_pb2 import HandRecord
from croupier.v1.settlement_service_pb2 import LedgerEntry

STREAM: Final = "FEED"


class Told(NamedTuple):
    """What a feed holds, each thing once, in the order in which it was there first; `doubles` were dropped."""

    hands: list[HandRecord]
    sets: list[list[LedgerEntry]]
    doubles: int

    def of_table(self, table_id: str) -> list[HandRecord]:
        return [hand for hand in self.hands if hand.table_id == table_id]


async def read(url: str, stream: str = STREAM) -> Told:
    """All that the stream holds by now; nothing where it is not there."""
    connection = await nats.connect(url)
    try:
        jetstream = connection.jetstream()
        try:
            left = (await jetstream.stream_info(stream)).state.messages
        except NotFoundError:
            return Told([], [], 0)
        subscription = await jetstream.subscribe("croupier.*.feed.>", stream=stream, ordered_consumer=True)
        messages = [await subscription.next_msg(timeout=10) for _ in range(left)]
        return _told(
            (message.subject, (message.headers or {})["Nats-Msg-Id"], message.data) for message in messages
        )
    finally:
        await connection.close()


async def remove(url: str, stream: str = STREAM) -> None:
    """Lose the stream with all that is in it."""
    connection = await nats.connect(url)
    try:
        await connection.jetstream().delete_stream(stream)
    finally:
        await connection.close()


def _told(messages: Iterable[tuple[str, str, bytes]]) -> Told:
    hands: dict[str, HandRecord] = {}
    sets: dict[str, list[LedgerEntry]] = {}
    doubles = 0
    for subject, name, data in messages:
        _, _, _, kind, *rest = subject.split(".")
        if name in hands or name in sets:
            doubles += 1
        elif kind == "hands":
            hand = SettledHandNotice.FromString(data).hand
            assert (hand.hand_id, rest) == (name, [hand.options.house_id, hand.table_id]), subject
            hands[name] = hand
        else:
            notice = EntrySetNotice.FromString(data)
            assert (notice.entry_set_id, rest) == (name, [notice.entries[0].currency]), subject
            sets[name] = list(notice.entries)
    return Told(list(hands.values()), list(sets.values()), doubles)
