"""A process that writes to a store until it is killed, telling of each unit once it is durable.

Run as a script with the database's path; a line "t <journal_sequence>" or "w <amount>" for each.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support.units import TableUnits

from croupier.adapters.sqlite import SqliteStore
from croupier.room import ledger
from croupier.room.ports import DURABLE, Outcome


class Writing:
    """Keeps units of one table in flight; each brings a chip into a wallet."""

    def __init__(self, store: SqliteStore, name: str) -> None:
        self._store = store
        self._name = name
        self._table = TableUnits(name)
        self._count = 0

    def start(self, in_flight: int) -> None:
        self._store.submit(self._table.created(), self._tell)
        for _ in range(in_flight):
            self._next()

    def _next(self) -> None:
        self._count += 1
        unit = self._table.unit(checkpoint=self._count % 10 == 0)
        unit.entry_sets = (ledger.deposit(self._name, "POE", 1, f"{self._name}/{self._count}"),)
        self._store.submit(unit, self._done)

    def _done(self, outcome: Outcome) -> None:
        self._tell(outcome)
        self._next()

    def _tell(self, outcome: Outcome) -> None:
        if outcome is not DURABLE:
            raise RuntimeError(outcome)
        sys.stdout.write(f"{self._name}\n")
        sys.stdout.flush()


async def main(path: str) -> None:
    store = SqliteStore(path)
    for number in range(8):
        Writing(store, f"table{number}").start(3)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
