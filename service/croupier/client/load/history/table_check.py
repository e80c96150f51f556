"""One table: what its clients recorded and its watchers heard, held against its history as that is read.

Pure: is given operations, events and ledger entries, wherever they come from, and tells what does not agree.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from croupier.client.load.history.books import of_books, posted
from croupier.client.load.history.finding import Finding, Kind
from croupier.client.load.history.fold import Fold, Posted
from croupier.client.load.history.hands import LatestHands
from croupier.client.load.history.heard import Heard, digest
from croupier.client.load.history.matching import Asked
from croupier.client.load.history.operation import READS, Operation, Standing
from croupier.client.load.history.order import out_of_order
from croupier.client.load.history.watching import misheard
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.settlement_service_pb2 import LedgerEntry
from croupier.v1.table_pb2 import TableState


class TableCheck:
    """Takes the history group by group from its beginning on; `finish` tells everything that is wrong."""

    def __init__(self, table_id: str, operations: Iterable[Operation], heard: Sequence[Heard] = ()) -> None:
        self.table_id: Final = table_id
        self.events = 0
        self.hands: Final = LatestHands(table_id)
        operations = list(operations)
        self._heard: Final = heard
        self._asked: Final = Asked(table_id, operations)
        self._reads: Final = [one for one in operations if one.method in READS and one.answered]
        self._fold: Final = Fold()
        self._digests: Final[array[int]] = array("I")
        self._due: Final[list[Posted]] = []
        self._findings: Final[list[Finding]] = []
        self._last = 0
        self._reads_at: Final[defaultdict[int, list[Operation]]] = defaultdict(list)
        self._told_after: Final[dict[int, Operation]] = {}
        self._awaited: list[tuple[Operation, Standing]] = []
        for one in self._reads:
            self._reads_at[one.sequence].append(one)
        for one in self._asked.changes:
            if one.method == "Act" and one.standing is not None:
                self._told_after[one.sequence] = one

    def take(self, events: Sequence[TableEvent]) -> None:
        """The events of the next sequence."""
        sequence = events[0].sequence
        self.events += len(events)
        if not self._follows(sequence):
            return
        self._last = sequence
        self._digests.append(digest(events))
        before: TableEvent | None = None
        for event in events:
            if event == before:
                self._find(Kind.DOUBLED, sequence, None, f"{event.WhichOneof('event')} is there twice")
                continue
            before = event
            self._apply(sequence, event)
            self.hands.take(event)
        self._stand(sequence)

    def _apply(self, sequence: int, event: TableEvent) -> None:
        fold = self._fold
        deed = fold.take(event)
        if fold.wrong:
            self._find(Kind.ALTERED, sequence, None, fold.wrong)
        if fold.posted is not None:
            self._due.append(fold.posted)
        if fold.actor:
            if deed is not None:
                deed = deed._replace(number=self._numbered(sequence))
            self._meet(sequence)
        if deed is not None:
            self._asked.take(deed, sequence)

    def finish(self, entries: Iterable[LedgerEntry] | None = None) -> list[Finding]:
        """All findings; `entries` are the ledger's of this table, oldest first, None where it is not looked at."""
        found = self._findings
        found += self._asked.finish(self._last)
        found += out_of_order(self.table_id, [*self._asked.changes, *self._reads])
        for heard in self._heard:
            found += misheard(self.table_id, heard, self._digests)
        for read in self._reads:
            if read.sequence > self._last:
                self._find(
                    Kind.INVENTED, read.sequence, read, f"read there, the history ends at {self._last}"
                )
        if entries is not None:
            found += of_books(self.table_id, self._due, posted(entries))
        return found

    def _follows(self, sequence: int) -> bool:
        last = self._last
        if sequence == last + 1:
            return True
        if sequence <= last:
            kind = Kind.DOUBLED if sequence == last else Kind.REORDERED
            self._find(kind, sequence, None, f"the history has it after {last}")
            return False
        self._find(Kind.LOST, last + 1, None, f"the history has nothing from {last + 1} to {sequence - 1}")
        self._digests.extend([0] * (sequence - last - 1))
        return True

    def _numbered(self, sequence: int) -> int:
        """The decision that was answered; where actions are missing or too many, goes on from the one told."""
        fold = self._fold
        number, told = fold.number, self._asked.number_told(fold.hand_id, fold.actor, sequence)
        if told and told != number:
            kind = Kind.LOST if told > number else Kind.INVENTED
            what = f"decision {told} was answered here, the history has it as the hand's action {number}"
            self._find(kind, sequence, None, what)
            fold.number = told
        return fold.number

    def _meet(self, sequence: int) -> None:
        """Whoever acts is who was told to be asked."""
        fold = self._fold
        for operation, standing in self._awaited:
            here = (standing.hand_id, standing.number) == (fold.hand_id, fold.number)
            if here and standing.player_id != fold.actor:
                what = f"told that {standing.player_id} must act next, {fold.actor} did, in decision {fold.number}"
                self._find(Kind.ALTERED, sequence, operation, what)
        self._awaited.clear()

    def _stand(self, sequence: int) -> None:
        """What reads and answers at this sequence told of the table is how it stands."""
        fold = self._fold
        after = self._told_after.pop(sequence, None)
        if after is not None and fold.hand_id:
            self._told(sequence, after)
        elif after is not None and sequence + 1 not in self._told_after:
            self._told_after[sequence + 1] = after
        for read in self._reads_at.pop(sequence, ()):
            self._told(sequence, read)
            if read.state not in (0, fold.state, TableState.TABLE_STATE_HALTED):
                self._find(Kind.ALTERED, sequence, read, f"state told as {read.state}, it was {fold.state}")
            if read.seats is not None:
                seats = [(one.seat_number, one.player_id, one.stack) for one in read.seats]
                stand = [
                    (seat, player, fold.stacks.get(seat, 0)) for seat, player in sorted(fold.seats.items())
                ]
                if seats != stand:
                    self._find(Kind.ALTERED, sequence, read, f"seats told as {seats}, they were {stand}")

    def _told(self, sequence: int, operation: Operation) -> None:
        standing, fold = operation.standing, self._fold
        if standing is None:
            return
        if (standing.hand_id, standing.number) != (fold.hand_id, fold.number + 1):
            what = (
                f"told that decision {standing.number} of {standing.hand_id} stands, "
                f"it was {fold.number + 1} of {fold.hand_id or 'no hand'}"
            )
            self._find(Kind.ALTERED, sequence, operation, what)
        else:
            self._awaited.append((operation, standing))

    def _find(self, kind: Kind, sequence: int, operation: Operation | None, what: str) -> None:
        request_id = operation.request_id if operation is not None else ""
        self._findings.append(Finding(kind, self.table_id, sequence, request_id, what))
