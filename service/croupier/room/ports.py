"""What the room asks of the world: store and runtime. Adapters implement these, tests fake them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, Protocol

import msgspec

from croupier.room.hand_ports import HandStore
from croupier.room.operations import Operation, OperationLog

# The store


class Record(msgspec.Struct, frozen=True, gc=False):
    """One row of the journal: what one command did to one table.

    `journal_sequence` counts a table's records from 1 and never leaves the service; `sequence` is the
    public counter after the record. `hash` covers `prev_hash` and every stored byte. `sealed` holds cards
    not yet shown. `checkpoint` marks a record from which the table can be folded without earlier ones but
    its first. Times are nanoseconds since the epoch.
    """

    table_id: str
    epoch: int
    journal_sequence: int
    sequence: int
    prev_hash: bytes
    hash: bytes
    recorded_time: int
    principal: str
    request_id: str
    format: int
    body: bytes
    sealed: bytes | None = None
    checkpoint: bool = False


def missing_record(table_id: str) -> Record:
    """What stands for a table's first record where there is none: it is as damaged as one that was changed."""
    return Record(table_id, 0, 0, 0, b"", b"", 0, "", "", 0, b"")


class Posting(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One line of an entry set: chips into `account` (negative: out of it)."""

    account: str
    amount: int


class EntrySet(msgspec.Struct, frozen=True):
    """A balanced set of postings in one currency, written once: a set whose id is known changes nothing.

    `kind` is one of deposit, withdrawal, reservation, release, buy_in, rebuy, cash_out, payout, settlement,
    adjustment.
    No account but `world/…` and `adjustment/…` may go below zero: a set that would take one there is refused
    and takes the unit it travels in with it, and no other unit.
    """

    entry_set_id: str
    currency: str
    kind: str
    postings: tuple[Posting, ...]
    table_id: str = ""
    hand_id: str = ""


class RequestRecord(msgspec.Struct, frozen=True):
    """The lasting answer to a mutation: key (principal, method, request_id), digest of its content."""

    principal: str
    method: str
    request_id: str
    digest: bytes
    answer: bytes


class TableRow(msgspec.Struct, frozen=True):
    """What the store's index keeps of a table beside its records."""

    table_id: str
    house_id: str
    name: str
    currency: str
    created_time: int


class Expected(msgspec.Struct, frozen=True):
    """What an account must hold for a unit to be written; else it is Refused, with what it holds."""

    account: str
    currency: str
    balance: int


class Unit(msgspec.Struct):
    """What is written together or not at all. `created` opens a table, `closed` ends one.

    `operation` goes to the end of the operator log. `expected` is of an account that an entry set posts to.
    `hand_key` takes the place of what is kept of the key of the table's hand: b"" destroys it, None leaves it.
    """

    records: tuple[Record, ...] = ()
    entry_sets: tuple[EntrySet, ...] = ()
    request: RequestRecord | None = None
    created: TableRow | None = None
    closed: str = ""
    hand_key: bytes | None = None
    operation: Operation | None = None
    expected: Expected | None = None


class Durable(msgspec.Struct, frozen=True):
    """The unit is on disk."""


class Refused(msgspec.Struct, frozen=True):
    """The unit changed nothing: `account` holds `available`, less than asked."""

    account: str
    available: int


class Failed(msgspec.Struct, frozen=True):
    """The unit did not become durable, nor did any unit behind it for the same table; `why` for the log.

    `fenced`: its table is or was another server's; `repeated`: its request was carried out. The store is well.
    """

    why: str
    fenced: bool = False
    repeated: bool = False


Outcome = Durable | Refused | Failed
DURABLE: Final = Durable()


class LedgerEntry(msgspec.Struct, frozen=True):
    """One posting as kept. `entry_id` rises with time."""

    entry_id: int
    entry_set_id: str
    account: str
    amount: int
    currency: str
    kind: str
    table_id: str
    hand_id: str
    recorded_time: int


class EntryScope(msgspec.Struct, frozen=True):
    """Entries that concern tables of some houses, and those that concern no table, in some currencies."""

    houses: tuple[str, ...]
    currencies: tuple[str, ...]


class Holdings(msgspec.Struct, frozen=True):
    """What a player has outside the wallet in one currency: chips on their way, and at each table."""

    reserved: int
    tables: tuple[tuple[str, int], ...]


class TableJournal(msgspec.Struct, frozen=True):
    """What recovery reads of one table: its first record, and those from its last checkpoint on.

    Where there is no checkpoint yet, `tail` is the whole journal, the first record included. `epoch` is the
    one that the next record must be in; 0 where that is the last record's. `hand_key` is what units had kept of the
    key of the hand in progress. `owner` is the node whose table it is, where there are nodes. `ownerless_ns` is how
    long nobody's lease had run on the table, where it was claimed since that of its owner had run out. `last` is the
    journal_sequence of the last record by what is kept beside the journal, 0 where that is not known; so are
    `last_hash`, its hash, and whether the table is `closed`.
    """

    table_id: str
    first: Record
    tail: Sequence[Record]
    epoch: int = 0
    hand_key: bytes = b""
    owner: str = ""
    ownerless_ns: int = 0
    last: int = 0
    last_hash: bytes = b""
    closed: bool | None = None


class Store(HandStore, OperationLog, Protocol):
    """Journal, ledger, request index, index of hands, operator log.

    `submit` queues a unit; units that wait go to disk together, in the order submitted. `done` is
    called on the event loop, in that same order, only after the commit is on disk (or has failed). A failed
    commit fails every unit in it; the store then refuses units of the tables concerned until `recover` is
    asked for each. The store refuses a record whose journal_sequence does not follow its table's last, or
    whose epoch is not the table's.
    """

    def submit(self, unit: Unit, done: Callable[[Outcome], None]) -> None: ...

    async def open_tables(self) -> list[TableJournal]: ...

    async def recover(self, table_id: str) -> TableJournal | None:
        """What is stored of a table, open or closed; from now on its units are taken again."""
        ...

    async def journal(self, table_id: str) -> TableJournal | None:
        """What is stored of a table, open or closed, whoever writes it; what is on its way is not waited for."""
        ...

    async def records(
        self, table_id: str, after_sequence: int, limit: int, *, after_record: int = 0
    ) -> list[Record]:
        """Records whose public sequence is greater than `after_sequence`, oldest first.

        Several may share one; `after_record` is the journal_sequence to go on after. Raises JournalDamaged where one is
        missing among them, or before the first.
        """
        ...

    async def find_request(self, principal: str, method: str, request_id: str) -> RequestRecord | None: ...

    async def balance(self, account: str, currency: str) -> int: ...

    async def balances(self, prefix: str, currency: str) -> list[tuple[str, int]]:
        """Accounts whose name begins with `prefix`, with what they hold, by name."""
        ...

    async def holdings(self, player_id: str, currency: str) -> Holdings: ...

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
        """Ledger entries after entry_id `after`, oldest first; `player_id` matches every account of a player.

        Those are the wallet, the stacks, and what is reserved to or from either. `scope` is of a player's entries.
        """
        ...

    async def houses_of(self, table_ids: Sequence[str]) -> dict[str, str]:
        """The houses of tables, open or closed, which never change; a table that there is not is left out."""
        ...

    async def newest_time(self) -> int:
        """The latest time recorded with the last thousand movements of chips; 0 where none ever moved.

        Not all of them are dated by the same clock.
        """
        ...

    async def imbalance(self) -> dict[str, int]:
        """Sum of all accounts by currency; anything but 0 is a defect."""
        ...

    async def close(self) -> None: ...


# The runtime


class Timer(Protocol):
    """A pending call that can be taken back."""

    def cancel(self) -> None: ...


class Runtime(Protocol):
    """The only way from the room to time, tasks and chance. Times are nanoseconds since the epoch.

    `weekday` is today's in a time zone, counting from 1, Monday.
    """

    def now(self) -> int: ...

    def weekday(self, time_zone: str) -> int: ...

    def call_at(self, when: int, call: Callable[[], None]) -> Timer: ...

    def spawn(self, work: Coroutine[Any, Any, None]) -> None: ...

    def entropy(self, count: int) -> bytes: ...

    def future(self) -> PendingAnswer: ...


class PendingAnswer(Awaitable[Any], Protocol):
    """A promise of the runtime's: awaited by whoever asked, resolved by the room."""

    def set_result(self, result: Any, /) -> None: ...

    def done(self) -> bool: ...
