"""What all servers of a room tell one another: tables that open. What was missed is to be looked up in the store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from croupier.room.actor import TableActor
from croupier.room.cluster_ports import Unreadable
from croupier.room.link import Link


class TableOpened(msgspec.Struct, frozen=True, array_like=True, tag="opened"):
    """A table is there, and durable; `node_id` is who opened it."""

    table_id: str
    house_id: str
    node_id: str


_encode: Final = msgspec.msgpack.Encoder().encode
_opened: Final = msgspec.msgpack.Decoder(TableOpened)


class RoomNews:
    """`opened` is told of tables that others open, `missed` where some may have been opened unheard."""

    def __init__(self, link: Link, opened: Callable[[str, str], None], missed: Callable[[], None]) -> None:
        self._link = link
        self._opened = opened
        self._missed = missed

    async def begin(self) -> None:
        """Hear of it from now on."""
        await self._link.bus.subscribe(self._link.subjects.news, self._heard)

    def tell(self, actor: TableActor) -> None:
        """A table was opened here."""
        link, house_id = self._link, actor.table.rules.house_id
        link.bus.publish(link.subjects.news, _encode(TableOpened(actor.table_id, house_id, link.node_id)))

    def _heard(self, data: bytes) -> None:
        """Raises Unreadable."""
        if not data:
            self._missed()
            return
        try:
            news = _opened.decode(data)
        except ValueError as failure:
            raise Unreadable(f"they are no news of this version's ({type(failure).__name__})") from None
        if news.node_id != self._link.node_id:
            self._opened(news.table_id, news.house_id)
