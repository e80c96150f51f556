"""MemoryStore: the room's `Store` without a disk, for tests of what stands on it.

Outcomes come in the next turn of the event loop, a batch at a time, as a commit's would. `hold` keeps
commits back, `fail_next` makes the next one fail.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from tests.fakes.memory_hands import MemoryHands
from tests.fakes.memory_log import MemoryLog
from tests.fakes.memory_tables import MemoryTable, Unfit, key_of, require_chain, table_of

from croupier.numbers import INT64_MAX
from croupier.room import accounts
from croupier.room.hand_ports import HandPlace, HandQuery, SettledHand
from croupier.room.ledger import require_sound
from croupier.room.operations import LoggedOperation, OperationQuery
from croupier.room.ports import (
    DURABLE,
    EntryScope,
    EntrySet,
    Failed,
    Holdings,
    LedgerEntry,
    Outcome,
    Record,
    Refused,
    RequestRecord,
    TableJournal,
    Unit,
)

Done = Callable[[Outcome], None]


class MemoryStore:
    """Same promises as SqliteStore but for durability."""

    def __init__(
        self,
        clock: Callable[[], int] = lambda: 0,
        call_soon: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        self.commits: list[int] = []
        self._call_soon = call_soon or (lambda call: asyncio.get_running_loop().call_soon(call))
        self._clock = clock
        self._waiting: list[tuple[Unit, Done]] = []
        self._scheduled = False
        self._held = False
        self._closed = False
        self._failure = ""
        self._halted: set[str] = set()
        self._tables: dict[str, MemoryTable] = {}
        self._balances: dict[tuple[str, str], int] = {}
        self._owners: dict[str, str | None] = {}
        self._sets: set[str] = set()
        self._entries: list[LedgerEntry] = []
        self._requests: dict[tuple[str, str, str], RequestRecord] = {}
        self._log = MemoryLog()
        self.indexed = MemoryHands()

    # faults

    def hold(self) -> None:
        """Commits nothing until `release`."""
        self._held = True

    def release(self) -> None:
        self._held = False
        self._schedule()

    def fail_next(self, why: str = "disk full") -> None:
        """Makes the next commit fail with every unit in it."""
        self._failure = why

    def belongs_to(self, table_id: str, owner: str) -> None:
        """Name the node whose a table is."""
        self._tables[table_id].owner = owner

    def claim(self, table_id: str, owner: str) -> TableJournal:
        """Begin a new epoch of a table, as another owner does; what that one goes on from."""
        table = self._tables[table_id]
        table.epoch += 1
        table.owner = owner
        self._halted.discard(table_id)
        return self._journal(table)

    def kept(self, table_id: str) -> list[Record]:
        """A table's journal as it lies."""
        return list(self._tables[table_id].records)

    # the port

    def submit(self, unit: Unit, done: Done) -> None:
        require_sound(unit)
        self._waiting.append((unit, done))
        self._schedule()

    async def open_tables(self) -> list[TableJournal]:
        return [self._journal(table) for table in self._tables.values() if not table.closed]

    async def recover(self, table_id: str) -> TableJournal | None:
        await self._flush()
        self._halted.discard(table_id)
        return await self.journal(table_id)

    async def journal(self, table_id: str) -> TableJournal | None:
        table = self._tables.get(table_id)
        return None if table is None else self._journal(table)

    async def records(
        self, table_id: str, after_sequence: int, limit: int, *, after_record: int = 0
    ) -> list[Record]:
        table = self._tables.get(table_id)
        known = table.records if table is not None else []
        later = [record for record in known[after_record:] if record.sequence > after_sequence]
        return later[:limit]

    async def find_request(self, principal: str, method: str, request_id: str) -> RequestRecord | None:
        return self._requests.get((principal, method, request_id))

    async def balance(self, account: str, currency: str) -> int:
        return self._balances.get((account, currency), 0)

    async def balances(self, prefix: str, currency: str) -> list[tuple[str, int]]:
        held = self._balances.items()
        return sorted(
            (name, chips) for (name, unit), chips in held if unit == currency and name.startswith(prefix)
        )

    async def holdings(self, player_id: str, currency: str) -> Holdings:
        reserved, tables = 0, []
        for (name, unit), chips in self._balances.items():
            if unit != currency or not chips or self._owners[name] != player_id:
                continue
            kind, first, *_ = accounts.parts_of(name)
            reserved += chips if kind == "reserved" else 0
            tables += [(first, chips)] if kind == "stack" else []
        return Holdings(reserved, tuple(sorted(tables)))

    async def entries(
        self,
        *,
        account_prefix: str = "",
        player_id: str = "",
        table_id: str = "",
        after: int = 0,
        limit: int,
        scope: EntryScope | None = None,
    ) -> list[LedgerEntry]:
        return [
            entry
            for entry in self._entries[after:]
            if entry.account.startswith(account_prefix)
            and player_id in ("", self._owners[entry.account])
            and table_id in ("", entry.table_id)
            and (scope is None or self._within(scope, entry))
        ][:limit]

    def _within(self, scope: EntryScope, entry: LedgerEntry) -> bool:
        if not entry.table_id:
            return entry.currency in scope.currencies
        table = self._tables.get(entry.table_id)
        return table is not None and table.row.house_id in scope.houses

    async def houses_of(self, table_ids: Sequence[str]) -> dict[str, str]:
        return {one: self._tables[one].row.house_id for one in table_ids if one in self._tables}

    async def newest_time(self) -> int:
        return max((entry.recorded_time for entry in self._entries[-1000:]), default=0)

    async def operations(self, query: OperationQuery) -> list[LoggedOperation]:
        return self._log.chosen(query)

    async def imbalance(self) -> dict[str, int]:
        sums: dict[str, int] = {}
        for (_, currency), chips in self._balances.items():
            sums[currency] = sums.get(currency, 0) + chips
        return sums

    async def index_hands(self, hands: Sequence[SettledHand]) -> None:
        self.indexed.add(hands)

    async def unindexed(self) -> dict[str, int]:
        return self.indexed.missing({one: table.records for one, table in self._tables.items()})

    async def find_hand(self, table_id: str, hand_number: int) -> HandPlace | None:
        return self.indexed.find(table_id, hand_number)

    async def hands(self, query: HandQuery) -> list[HandPlace]:
        return self.indexed.chosen(query, {one: table.row.house_id for one, table in self._tables.items()})

    async def close(self) -> None:
        self.release()
        await self._flush()
        self._closed = True

    # the commit

    def _schedule(self) -> None:
        if self._waiting and not self._scheduled and not self._held:
            self._scheduled = True
            self._call_soon(self._commit)

    async def _flush(self) -> None:
        while self._held and self._waiting:
            await asyncio.sleep(0)
        self._commit()

    def _commit(self) -> None:
        self._scheduled = False
        if self._held or not self._waiting:
            return
        batch, self._waiting = self._waiting, []
        failure, self._failure = self._failure, ""
        if self._closed:
            failure = "the store is closed"
        outcomes = [self._fail(unit, failure) if failure else self._write(unit) for unit, _ in batch]
        self.commits.append(len(batch))
        failures = []
        for (_, done), outcome in zip(batch, outcomes, strict=True):
            try:
                done(outcome)
            except Exception as raised:
                failures.append(raised)
        if failures:
            raise failures[0]

    def _fail(self, unit: Unit, why: str) -> Failed:
        if table_id := table_of(unit):
            self._halted.add(table_id)
        return Failed(why)

    def _write(self, unit: Unit) -> Outcome:
        table_id = table_of(unit)
        if table_id in self._halted and unit.created is None:
            return Failed(f"table {table_id} waits to be recovered")
        try:
            table = self._followed(unit, table_id)
            if unit.request is not None and key_of(unit.request) in self._requests:
                raise Unfit("the request is answered")
            if (expected := unit.expected) is not None:
                held = self._balances.get((expected.account, expected.currency), 0)
                if held != expected.balance:
                    return Refused(expected.account, held)
            fresh = self._fresh(unit.entry_sets)
            if unit.request is not None and not unit.records and len(fresh) < len(unit.entry_sets):
                return Failed("what the request moves was moved before", repeated=True)
            after = self._after(fresh)
        except Unfit as failure:
            return Failed(str(failure)) if unit.created is not None else self._fail(unit, str(failure))
        if isinstance(after, Refused):
            return after
        self._apply(unit, table, fresh, after)
        return DURABLE

    def _followed(self, unit: Unit, table_id: str) -> MemoryTable | None:
        table = self._tables.get(table_id)
        if unit.created is not None:
            if table is not None:
                raise Unfit(f"there is a table {table_id} already")
            table = MemoryTable(unit.created, unit.records[0].epoch, [])
        elif table_id and (table is None or table.closed):
            raise Unfit(f"there is no open table {table_id}")
        if table is not None:
            require_chain(table, unit.records)
        return table

    def _fresh(self, entry_sets: Iterable[EntrySet]) -> list[EntrySet]:
        fresh = {
            one.entry_set_id: one for one in reversed(tuple(entry_sets)) if one.entry_set_id not in self._sets
        }
        return list(reversed(fresh.values()))

    def _after(self, entry_sets: Iterable[EntrySet]) -> dict[tuple[str, str], int] | Refused:
        """What the accounts would hold after the sets, each set as a whole."""
        after: dict[tuple[str, str], int] = {}
        for entry_set in entry_sets:
            change: dict[tuple[str, str], int] = {}
            for posting in entry_set.postings:
                key = posting.account, entry_set.currency
                change[key] = change.get(key, 0) + posting.amount
            for key, amount in change.items():
                held = self._balances.get(key, 0)
                after[key] = after.get(key, held) + amount
                if amount < 0 and after[key] < 0 and accounts.guarded(key[0]):
                    return Refused(key[0], held)
                if abs(after[key]) > INT64_MAX:
                    raise Unfit(f"{key[0]} would hold {after[key]}")
        return after

    def _apply(
        self,
        unit: Unit,
        table: MemoryTable | None,
        entry_sets: Iterable[EntrySet],
        after: dict[tuple[str, str], int],
    ) -> None:
        if unit.created is not None and table is not None:
            self._tables[unit.created.table_id] = table
            self._halted.discard(unit.created.table_id)
        if table is not None:
            table.records += unit.records
            table.closed = bool(unit.closed)
            table.hand_key = table.hand_key if unit.hand_key is None else unit.hand_key
        if unit.request is not None:
            self._requests[key_of(unit.request)] = unit.request
        if unit.operation is not None:
            self._log.add(unit.operation)
        for entry_set in entry_sets:
            self._enter(entry_set, unit.records[0].recorded_time if unit.records else self._clock())
        self._balances |= after

    def _enter(self, entry_set: EntrySet, recorded_time: int) -> None:
        self._sets.add(entry_set.entry_set_id)
        names = [posting.account for posting in entry_set.postings]
        for posting in entry_set.postings:
            self._owners.setdefault(posting.account, accounts.owner_of(posting.account, names))
            entry = LedgerEntry(
                len(self._entries) + 1,
                entry_set.entry_set_id,
                posting.account,
                posting.amount,
                entry_set.currency,
                entry_set.kind,
                entry_set.table_id,
                entry_set.hand_id,
                recorded_time,
            )
            self._entries.append(entry)

    @staticmethod
    def _journal(table: MemoryTable) -> TableJournal:
        starts = [place for place, record in enumerate(table.records) if record.checkpoint]
        tail = table.records[starts[-1] if starts else 0 :]
        epoch = 0 if table.epoch == table.records[-1].epoch else table.epoch
        return TableJournal(
            table.row.table_id,
            table.records[0],
            tail,
            epoch,
            table.hand_key,
            table.owner,
            last=len(table.records),
            closed=table.closed,
        )
