"""What a server's part in a store that it shares has come to, for whoever measures. Decides nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import msgspec

from croupier.numbers import NS_PER_S
from croupier.room.ports import TableJournal


class Figures:
    """Counted on the event loop, read by a scrape. Seconds are those of this machine's monotonic clock."""

    def __init__(self, lease_s: float) -> None:
        self.fenced_units = 0
        """Units that were refused since their table was another server's, or this server had been replaced."""
        self.declared_dead = 0
        """Servers that this one has declared dead."""
        self.late_renewals = 0
        """Renewals of the lease that were sent once half of it had gone by."""
        self.clock_ahead_s = 0.0
        """This machine's clock ahead of the database's, as last seen; wrong by half a round trip at most."""
        self._lease_s = lease_s
        self._joined = self._renewed = time.monotonic()
        self._ownerless_since: dict[str, float] = {}

    def renewed(self, sent: float) -> None:
        """The database has renewed the lease by what was sent then."""
        if sent - self._renewed > self._lease_s / 2:
            self.late_renewals += 1
        self._renewed = sent

    def claims(self, table_ids: Sequence[str], ownerless_s: Mapping[str, float]) -> None:
        """Tables are about to be claimed, some for so many seconds after the lease of their owner."""
        now = time.monotonic()
        for table_id in table_ids:
            self._ownerless_since.pop(table_id, None)
        for table_id, seconds in ownerless_s.items():
            self._ownerless_since[table_id] = max(now - seconds, self._joined)

    def dated(self, journal: TableJournal) -> TableJournal:
        """A table that was claimed, with how long it had no owner while this server was there."""
        since = self._ownerless_since.pop(journal.table_id, None)
        if since is None:
            return journal
        return msgspec.structs.replace(
            journal, ownerless_ns=max(1, round((time.monotonic() - since) * NS_PER_S))
        )

    @property
    def lease_remaining_s(self) -> float:
        """What is left of the lease at least; below zero since it may have run out."""
        return self._renewed + self._lease_s - time.monotonic()
