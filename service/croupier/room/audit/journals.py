"""The journal read once from its first row to its last: chains, what the records mean, and what follows elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from croupier.engine import table_events as tev
from croupier.engine.game import Game
from croupier.numbers import NS_PER_S
from croupier.room import codec
from croupier.room.audit.answers import Answers
from croupier.room.audit.books import Books, StoredRecord, StoredSet, StoredTable
from croupier.room.audit.chains import Chains, Head
from croupier.room.audit.findings import Findings
from croupier.room.audit.kept_sets import KeptSets
from croupier.room.audit.meaning import Chips, TableMeaning
from croupier.room.audit.redeciding import Redeciding
from croupier.room.audit.sets import differs
from croupier.room.hand_ports import SettledHand
from croupier.room.ports import EntrySet, Record
from croupier.room.seal import Seal, SealBroken, may_open_hand

CREATED_BEFORE_NS: Final = NS_PER_S
"""How much older than its first record a table's row may be, in formats that kept two times."""
_HANDS_AT_ONCE: Final = 256


class Journals:
    """All tables' journals, or one's; reads rows, and after the last one tells how each table stands."""

    def __init__(
        self,
        books: Books,
        games: Mapping[str, Game],
        chains: Chains,
        findings: Findings,
        seal: Seal | None,
        logged: Callable[[tuple[str, str, str]], bool],
        answers: Answers,
    ) -> None:
        """`logged` tells whether the operator log has a request."""
        self._books = books
        self._logged = logged
        self._answers = answers
        self._games = games
        self._chains = chains
        self._findings = findings
        self._seal = seal
        self._meanings: dict[str, TableMeaning] = {}
        self._again: dict[str, Redeciding] = {}
        self._hands: list[SettledHand] = []
        self.sets = KeptSets(0)
        """Entry sets that records brought about; whoever knows how many entries there are may give it more room."""
        self.hand_count = 0
        self.decided = 0
        self.lost = False
        """Whether some record could not be read, or lies elsewhere: what it did is not known."""

    def read(self, row: StoredRecord) -> None:
        """The next row of the journal."""
        try:
            found = self._chains.read(row)
        except TypeError:
            self._findings.add("journal", f"the row at position {row.place} holds no record")
            self.lost = True
            return
        if found is None:
            self.lost = True
            return
        head, record, sound = found
        meaning = self._meanings.get(head.table.table_id)
        if meaning is None:
            meaning = self._meanings[head.table.table_id] = TableMeaning()
        try:
            body = codec.decode(record.body, record.format)
            means = meaning.read(record, body)
        except Exception as failure:
            if sound:
                self._tell(record, f"cannot be read: {failure}")
            self._lose(head, meaning)
            return
        if means.wrong and sound:
            self._tell(record, means.wrong)
        for entry_set in means.entry_sets:
            self._must_be_kept(record, entry_set)
        if means.answered is not None:
            self._answers.to_record(record, means.answered, means.answer, means.digest)
            if means.logged and not self._logged(means.answered):
                self._tell(record, "was done by an operator, and is not in the operator log")
        elif record.journal_sequence == 1:
            self._answers.to_unnamed(record)
        for transfer_id in means.taken_back:
            self._answers.to_void(record, transfer_id, over=True)
        if means.settled is not None:
            self._remember(means.settled)
        if record.journal_sequence == 1:
            self._must_fit(head, record, meaning.created)
        if self._seal is not None and sound:
            self._decide(head, record, body, self._seal)
        if meaning.closed:
            self._again.pop(head.table.table_id, None)

    def end(self) -> None:
        """After the last row."""
        self._flush()
        for head in self._chains.heads.values():
            self._chains.end(head)
            meaning = self._meanings.get(head.table.table_id)
            self.lost = self.lost or meaning is None or meaning.gap
            for transfer_id, record in meaning.voids.items() if meaning is not None else ():
                self._answers.to_void(record, transfer_id, over=False)
            closed = meaning is not None and meaning.closed
            if head.table.closed != closed:
                self._findings.add(
                    "journal",
                    f"the table's row says that it is {_state(head.table.closed)}; it is {_state(closed)}",
                    table_id=head.table.table_id,
                )

    def chips(self, table: StoredTable) -> Chips | None:
        """How a table stands at its journal's end; None where that cannot be told."""
        meaning = self._meanings.get(table.table_id)
        if meaning is None:
            return None
        try:
            chips = meaning.chips(self._games)
        except Exception as failure:
            self._findings.add(
                "journal", f"the journal does not fold to a table: {failure!r}", table_id=table.table_id
            )
            return None
        if chips is not None and chips.hand_number and meaning.key_apart:
            self._must_have_key(table.table_id, chips.hand_number)
        return chips

    def _must_have_key(self, table_id: str, hand_number: int) -> None:
        """Of the hand in play, whose cards nobody can open without."""
        kept = self._books.hand_key(table_id)
        what = ""
        if not may_open_hand(kept, hand_number):
            what = "is in play, and the store has not its key"
        elif self._seal is not None:
            try:
                self._seal.hold(table_id, kept)
            except SealBroken as failure:
                what = f"is in play, and its key cannot be had: {failure}"
        if what:
            self._findings.add("hands", what, table_id=table_id, hand_number=hand_number)

    def _lose(self, head: Head, meaning: TableMeaning) -> None:
        self.lost = True
        meaning.lose()
        again = self._again.get(head.table.table_id)
        if again is not None:
            again.lose()

    def _decide(self, head: Head, record: Record, body: codec.Body, seal: Seal) -> None:
        again = self._again.get(head.table.table_id)
        if again is None:
            again = self._again[head.table.table_id] = Redeciding(self._games, seal)
        self.decided += record.journal_sequence > 1
        wrong = again.read(record, body)
        if wrong:
            self._findings.add(
                "decisions",
                wrong,
                table_id=record.table_id,
                record=record.journal_sequence,
                sequence=record.sequence,
            )

    def _must_be_kept(self, record: Record, meant: EntrySet) -> None:
        found = self._books.find_set(meant.entry_set_id)
        what = "is not in the ledger, though this record brings it about"
        if found is not None:
            kept: StoredSet = found[0]
            self.sets.add(kept.set_key)
            what = differs(meant, record.recorded_time, kept, found[1])
        if what:
            self._findings.add(
                "ledger",
                what,
                table_id=record.table_id,
                record=record.journal_sequence,
                sequence=record.sequence,
                entry_set_id=meant.entry_set_id,
            )

    def _must_fit(self, head: Head, record: Record, created: tev.TableCreated | None) -> None:
        """The table's row against its first record."""
        row = head.table
        if created is None:
            return
        rules = created.rules
        for what, told, found in (
            ("house", row.house_id, rules.house_id),
            ("name", row.name, created.name),
            ("currency", row.currency, rules.currency),
        ):
            if told != found:
                self._findings.add(
                    "tables",
                    f"its row says {what} {told!r}, its first record {found!r}",
                    table_id=row.table_id,
                )
        earlier = record.recorded_time - row.created_time
        if not 0 <= earlier <= (0 if self._books.hashed else CREATED_BEFORE_NS):
            self._findings.add(
                "tables",
                f"its row says that it was created at {row.created_time}, its first record at {record.recorded_time}",
                table_id=row.table_id,
            )

    def _remember(self, hand: SettledHand) -> None:
        self.hand_count += 1
        self._hands.append(hand)
        if len(self._hands) >= _HANDS_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        self._books.remember_hands(self._hands)
        self._hands = []

    def _tell(self, record: Record, what: str) -> None:
        self._findings.add(
            "journal",
            what,
            table_id=record.table_id,
            record=record.journal_sequence,
            sequence=record.sequence,
        )


def _state(closed: bool) -> str:
    return "closed" if closed else "open"


Tick = Callable[[str, int, int], None]
"""Told how far a part of the audit is: its name, rows read, rows in all (about)."""
