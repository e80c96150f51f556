"""Units for tests and benches of stores: chains of records as a table's actor would make them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable

from croupier.room.journal import Chain
from croupier.room.ports import EntrySet, Outcome, Posting, Record, RequestRecord, Store, TableRow, Unit


class TableUnits:
    """One table's units, each following the one before it."""

    def __init__(self, table_id: str, epoch: int = 1, house_id: str = "house") -> None:
        self.table_id = table_id
        self._house_id = house_id
        self._chain = Chain(table_id, epoch)

    def created(self) -> Unit:
        row = TableRow(self.table_id, self._house_id, f"Table {self.table_id}", "POE", 1)
        return Unit((self.record(),), created=row)

    def unit(self, *, checkpoint: bool = False, public: bool = True) -> Unit:
        return Unit((self.record(checkpoint=checkpoint, public=public),))

    def closed(self) -> Unit:
        return Unit((self.record(),), closed=self.table_id)

    def record(self, *, checkpoint: bool = False, public: bool = True, body: bytes = b"") -> Record:
        return self._chain.append(
            body or f"body {self._chain.journal_sequence + 1}".encode(),
            format_version=1,
            public=public,
            recorded_time=1_000 + self._chain.journal_sequence,
            principal="local",
            request_id="",
            sealed=b"deck" if checkpoint else None,
            checkpoint=checkpoint,
        )

    def restart_at(self, record: Record) -> None:
        """The next unit follows `record`, wherever that is."""
        chain = self._chain
        chain.epoch, chain.hash = record.epoch, record.hash
        chain.journal_sequence, chain.sequence = record.journal_sequence, record.sequence


def money(entry_set_id: str, *postings: tuple[str, int], currency: str = "POE", table_id: str = "") -> Unit:
    """A unit of one entry set."""
    lines = tuple(Posting(account, amount) for account, amount in postings)
    return Unit(entry_sets=(EntrySet(entry_set_id, currency, "settlement", lines, table_id),))


def request(request_id: str, principal: str = "local", method: str = "Deposit") -> RequestRecord:
    digest = hashlib.sha256(request_id.encode()).digest()
    return RequestRecord(principal, method, request_id, digest, f"answer to {request_id}".encode())


async def outcome_of(store: Store, unit: Unit) -> Outcome:
    """Submits one unit and waits for its outcome."""
    return (await outcomes_of(store, (unit,)))[0]


async def outcomes_of(store: Store, units: Iterable[Unit]) -> list[Outcome]:
    """Submits units in one turn of the loop and waits for all outcomes."""
    futures: list[asyncio.Future[Outcome]] = []
    for unit in units:
        futures.append(asyncio.get_running_loop().create_future())
        store.submit(unit, futures[-1].set_result)
    return list(await asyncio.gather(*futures))
