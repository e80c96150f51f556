"""The feeds of all tables that are played here."""

from __future__ import annotations

from croupier.room.actor import TableActor
from croupier.room.feed import Feed
from croupier.room.table_news import Link


class Publishing:
    """What other servers follow."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._feeds: dict[str, Feed] = {}

    def open(self, actor: TableActor, *, moved: bool = False) -> None:
        """From now on the table can be followed; `moved`: it may have been followed before, elsewhere."""
        feed = self._feeds[actor.table_id] = Feed(self._link, actor)
        if moved:
            feed.tell_whoever_listens()
        self._link.services.runtime.spawn(feed.serve())

    def close(self, table_id: str) -> None:
        """The table is played here no longer."""
        feed = self._feeds.pop(table_id, None)
        if feed is not None:
            feed.end()
