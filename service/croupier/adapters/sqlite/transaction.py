"""What the writer does with the units it has gathered: one transaction, one outcome a unit.

Begun in one thread and finished in another; knows nothing of threads or of the event loop itself.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Sequence

from croupier.adapters.sqlite import faults
from croupier.adapters.sqlite.heads import Head, Heads
from croupier.adapters.sqlite.ledger import Ledger
from croupier.adapters.sqlite.operations import Operations
from croupier.adapters.sqlite.requests import Requests
from croupier.adapters.units.staging import Staging
from croupier.room.ports import Outcome, Unit


class Transactions:
    """Writes batches. A table one of whose units failed is halted: its units fail until `resume`."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        before_commit: Callable[[], None] | None = None,
    ) -> None:
        self.trouble = ""
        """Why nothing can be written, as far as is known; empty since something was."""
        self.damaged = False
        """Whether that is for good."""
        self._connection = connection
        self._before_commit = before_commit
        self._heads = Heads(connection)
        self._parts = (self._heads, Ledger(connection), Requests(connection), Operations(connection))
        self._staging: Staging[Head] = Staging(*self._parts, time.time_ns)

    def begin(self, units: Sequence[Unit]) -> list[Outcome]:
        """Each unit's outcome, should `finish` succeed; what they say is written and not yet on disk.

        Raises what SQLite raises; then `start_again` is to be called, with the same units.
        """
        self._staging.begin()
        self._connection.execute("BEGIN IMMEDIATE")
        outcomes = [self._staging.stage(unit) for unit in units]
        for part in self._parts:
            part.write()
        return outcomes

    def finish(self, units: Sequence[Unit], outcomes: list[Outcome]) -> list[Outcome]:
        """Puts on disk what was begun: the units' outcomes, as they are now."""
        try:
            self._commit()
        except Exception as failure:
            return self.start_again(units, failure)
        return outcomes

    def start_again(self, units: Sequence[Unit], failure: Exception) -> list[Outcome]:
        """After a transaction that failed: nothing of it is kept.

        Where SQLite could not write, every unit fails. Where one unit is the matter (a value that cannot be
        stored) or what is remembered of the file (another writer), the units are written one by one from what
        the file says, and only those fail that must.
        """
        self._roll_back()
        self.note(failure)
        if isinstance(failure, sqlite3.OperationalError) or self.damaged:
            return [self._staging.fail(unit, f"the commit failed: {self.trouble}") for unit in units]
        return [self._commit_alone(unit) for unit in units]

    def resume(self, table_id: str) -> None:
        """Takes units of a halted table again; they follow what the file holds."""
        self._staging.resume(table_id)
        self._heads.forget_table(table_id)

    def try_again(self) -> None:
        """Between batches: find out whether the file can be written again, by writing what it holds."""
        try:
            version = self._connection.execute("PRAGMA user_version").fetchone()[0]
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(f"PRAGMA user_version = {version}")
            self._connection.execute("COMMIT")
        except sqlite3.Error as failure:
            self._roll_back()
            self.note(failure)
        else:
            self.trouble = self.trouble if self.damaged else ""

    def note(self, failure: Exception) -> None:
        """Remember a failure that says that nothing can be written."""
        if isinstance(failure, sqlite3.OperationalError) or faults.damaged(failure):
            self.damaged = self.damaged or faults.damaged(failure)
            self.trouble = faults.told(failure)

    def _commit_alone(self, unit: Unit) -> Outcome:
        try:
            outcomes = self.begin((unit,))
            self._commit()
        except Exception as failure:
            self._roll_back()
            return self._staging.fail(unit, f"the unit cannot be stored: {failure!r}")
        return outcomes[0]

    def _commit(self) -> None:
        if self._before_commit is not None:
            self._before_commit()
        self._connection.execute("COMMIT")
        if self.trouble and not self.damaged:
            self.trouble = ""
        for part in self._parts:
            part.settle()

    def _roll_back(self) -> None:
        self._staging.undo()
        for part in self._parts:
            part.forget()
        if self._connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):  # the next BEGIN fails then, and this is tried again
                self._connection.execute("ROLLBACK")
