"""Real time: what was over when something else began stands before it. Looks at times and sequences alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.client.load.history.finding import Finding, Kind
from croupier.client.load.history.operation import READS, Operation


def out_of_order(table_id: str, operations: Iterable[Operation]) -> Iterator[Finding]:
    """One table's operations, each request once, in any order; those without a sequence are passed over."""
    told = [operation for operation in operations if operation.answered and operation.sequence]
    ended = sorted(told, key=lambda operation: operation.ended)
    before: Operation | None = None
    place = 0
    for operation in sorted(told, key=lambda operation: operation.sent):
        while place < len(ended) and ended[place].ended < operation.sent:
            if before is None or ended[place].sequence > before.sequence:
                before = ended[place]
            place += 1
        reads = operation.method in READS
        if before is None or before.sequence < operation.sequence + reads:
            continue
        kind = Kind.STALE if reads else Kind.REORDERED
        late = (operation.sent - before.ended) / 1e6
        what = (
            f"{operation.method} came to sequence {operation.sequence}, though {before.method} "
            f"{before.request_id or 'by ' + before.player_id} had been answered at {before.sequence} "
            f"{late:.3f} ms before it was sent"
        )
        yield Finding(kind, table_id, operation.sequence, operation.request_id, what)
