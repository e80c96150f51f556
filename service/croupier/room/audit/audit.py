"""The whole audit of one store, part by part; what each part looks at is its own module's business."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import msgspec

from croupier.engine.game import Game
from croupier.room.audit.anchor import Anchor, LedgerAnchor, LogAnchor, TableAnchor
from croupier.room.audit.answers import Answers
from croupier.room.audit.books import Books, BooksDamaged, Sizes, StoredSet, StoredTable
from croupier.room.audit.chains import Chains
from croupier.room.audit.findings import Findings
from croupier.room.audit.journals import Journals, Tick
from croupier.room.audit.kept_sets import KeptSets
from croupier.room.audit.ledgers import AccountRows, LedgerRows
from croupier.room.audit.operator_log import OperatorLog
from croupier.room.seal import Seal

_TICK: Final = 2048


class Wanted(msgspec.Struct, frozen=True):
    """What to look at: one table's journal or all; commands are decided anew where the seal is there to open decks.

    `key_mark` is that of the master key, where there is one to be had.
    """

    table_id: str = ""
    anchor: Anchor | None = None
    seal: Seal | None = None
    key_mark: bytes = b""


class Looked(msgspec.Struct):
    """How much was looked at, and where the books stand."""

    tables: int = 0
    records: int = 0
    hands: int = 0
    commands_decided: int = 0
    entry_sets: int = 0
    entries: int = 0
    accounts: int = 0
    requests: int = 0
    operations: int = 0
    older_than_hashes: int = 0
    """Entry sets and requests of formats that kept no hash of them."""
    anchor: Anchor | None = None


class Audit:
    """Made for one run over books that do not change meanwhile."""

    def __init__(
        self, books: Books, games: Mapping[str, Game], wanted: Wanted, findings: Findings, tick: Tick
    ) -> None:
        self._books = books
        self._games = games
        self._wanted = wanted
        self._findings = findings
        self._tick = tick
        self._looked = Looked()
        self._complete = False
        """Whether the journal could be read to its end."""

    def run(self) -> Looked:
        """Look at everything; what is wrong is in the findings."""
        looked = self._looked
        sizes = Sizes(0, 0, 0, 0)
        log_end: LogAnchor | None = None
        with self._told():
            sizes = self._books.sizes()
        answers = Answers(self._books, self._findings, self._wanted.anchor, sizes.requests, sizes.entries)
        log = OperatorLog(
            self._books,
            self._findings,
            self._wanted.anchor.operations if self._wanted.anchor else None,
            answers,
        )
        ledger_end = LedgerAnchor(0, "")
        tables: dict[str, StoredTable] = {}
        with self._told():
            tables = self._tables()
        chains = Chains(tables, self._wanted.anchor.tables if self._wanted.anchor else {}, self._findings)
        with self._told():
            log_end = log.read()
        journals = Journals(
            self._books, self._games, chains, self._findings, self._wanted.seal, log.has, answers
        )
        journals.sets = KeptSets(sizes.entries)
        with self._told():
            one_more = self._counter("journal", sizes.records)
            for row in self._books.records(self._wanted.table_id):
                journals.read(row)
                one_more()
            self._complete = True
            journals.end()
        looked.tables, looked.records = len(tables), chains.records
        looked.hands, looked.commands_decided = journals.hand_count, journals.decided
        with self._told():
            self._requests(answers, journals, sizes.requests)
        with self._told():
            ledger_end = self._ledger(journals, log, answers, sizes.entries)
        with self._told():
            self._accounts(journals, tables, sizes.accounts)
        with self._told():
            self._rest()
        looked.anchor = Anchor(
            {
                name: TableAnchor(head.journal_sequence, head.sequence, head.hashes[0].hex())
                for name, head in chains.heads.items()
                if head.journal_sequence
            },
            ledger_end,
            operations=log_end,
            answers=answers.end(),
        )
        looked.operations = log_end.number if log_end is not None else 0
        return looked

    def _tables(self) -> dict[str, StoredTable]:
        asked = self._wanted.table_id
        anchor = self._wanted.anchor
        tables = {
            table.table_id: table for table in self._books.tables() if not asked or table.table_id == asked
        }
        if asked and not tables:
            self._findings.add("tables", "there is no such table", table_id=asked)
        for name in anchor.tables if anchor is not None else ():
            if name not in tables and (not asked or name == asked):
                self._findings.add("anchor", "is not there; the anchor knows it", table_id=name)
        return tables

    def _ledger(self, journals: Journals, log: OperatorLog, answers: Answers, entries: int) -> LedgerAnchor:
        asked = self._wanted.table_id

        def brought(kept: StoredSet) -> bool:
            looked_at = self._complete and (not asked or kept.table_id == asked)
            return not looked_at or journals.sets.has(kept.set_key)

        anchor = self._wanted.anchor.ledger if self._wanted.anchor else None
        rows = LedgerRows(self._books, self._findings, brought, anchor, log.wrong, answers.wrong_set)
        end = rows.run(self._counter("ledger", entries))
        log.end()
        self._looked.entry_sets, self._looked.entries = rows.sets, end.entry_id
        self._looked.older_than_hashes += rows.unhashed
        return end

    def _accounts(self, journals: Journals, tables: Mapping[str, StoredTable], count: int) -> None:
        stacks: dict[tuple[str, str], int] = {}
        transfers: dict[tuple[str, str], int] = {}
        unknown: set[str] = set()
        for table in tables.values():
            chips = journals.chips(table) if self._complete else None
            if chips is None:
                unknown.add(table.table_id)
                continue
            stacks |= {(name, table.currency): held for name, held in chips.stacks.items()}
            transfers |= {(name, table.currency): held for name, held in chips.transfers.items()}
        asked = self._wanted.table_id

        def compared(table_id: str) -> bool:
            if not table_id:
                return not unknown and not asked
            return table_id not in unknown and (not asked or table_id == asked)

        rows = AccountRows(self._books, self._findings)
        rows.run(stacks, transfers, compared, self._counter("accounts", count))
        self._looked.accounts = count

    def _requests(self, answers: Answers, journals: Journals, count: int) -> None:
        everything = self._complete and not self._wanted.table_id and not journals.lost
        answers.read(self._counter("requests", count), everything=everything)
        self._looked.requests = answers.looked
        self._looked.older_than_hashes += answers.unhashed

    def _rest(self) -> None:
        """What follows from the journal elsewhere, and what the store finds wrong with itself."""
        self._tick("index of hands", 0, 1)
        if self._complete:
            for one in self._books.index_differences(self._wanted.table_id):
                self._findings.add("hands", one.what, table_id=one.table_id, hand_number=one.hand_number)
        self._tick("store", 0, 1)
        mark = self._books.key_mark() if self._wanted.key_mark else b""
        if mark and mark != self._wanted.key_mark:
            self._findings.add("store", "the store has the mark of another master key than the one given")
        for wrong in self._books.misplaced():
            self._findings.add("store", wrong.what, table_id=wrong.table_id, record=wrong.journal_sequence)
        self._tick("store", 1, 1)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What cannot be read is a finding; the parts behind it are looked at all the same."""
        try:
            yield
        except BooksDamaged as failure:
            self._findings.add("store", str(failure))

    def _counter(self, part: str, total: int) -> Callable[[], None]:
        """Counts rows, and tells now and then how far it is."""
        done = 0
        self._tick(part, 0, total)

        def one_more() -> None:
            nonlocal done
            done += 1
            if not done % _TICK:
                self._tick(part, done, total)

        return one_more
