"""The broadcasts of all tables that are played here."""

from __future__ import annotations

from croupier.room.actor import TableActor
from croupier.room.broadcast import Broadcast
from croupier.room.link import Link


class Broadcasts:
    """What other servers follow."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._broadcasts: dict[str, Broadcast] = {}

    def open(self, actor: TableActor, *, moved: bool = False) -> None:
        """From now on the table can be followed; `moved`: it may have been followed before, elsewhere."""
        broadcast = self._broadcasts[actor.table_id] = Broadcast(self._link, actor)
        if moved:
            broadcast.tell_whoever_listens()
        self._link.services.runtime.spawn(broadcast.serve())

    def close(self, table_id: str) -> None:
        """The table is played here no longer."""
        broadcast = self._broadcasts.pop(table_id, None)
        if broadcast is not None:
            broadcast.end()
