"""Watch streams held against the history, sequence by sequence. Knows digests of events, not events."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from croupier.client.load.history.finding import Finding, Kind
from croupier.client.load.history.heard import Heard


def misheard(table_id: str, heard: Heard, digests: array[int]) -> Iterator[Finding]:
    """Where a stream told other than the history, whose events of sequence n have the digest `digests[n - 1]`."""
    at = heard.after
    for sequence, digest in zip(heard.sequences, heard.digests, strict=True):
        if sequence == at:
            yield Finding(Kind.DOUBLED, table_id, sequence, "", "a watcher was told its events twice")
        elif sequence < at:
            yield Finding(Kind.REORDERED, table_id, sequence, "", f"a watcher was told its events after {at}")
        elif sequence > at + 1:
            what = f"a watcher was told nothing of {at + 1} to {sequence - 1}"
            yield Finding(Kind.LOST, table_id, at + 1, "", what)
        at = max(at, sequence)
        if not 0 < sequence <= len(digests):
            what = f"a watcher was told of it, the history ends at {len(digests)}"
            yield Finding(Kind.INVENTED, table_id, sequence, "", what)
        elif digests[sequence - 1] != digest:
            yield Finding(
                Kind.ALTERED, table_id, sequence, "", "a watcher was told other events than stand there"
            )
