"""A table's ledger entries held against its history: each movement of chips once, as much, in that order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from croupier.client.load.history.finding import Finding, Kind
from croupier.client.load.history.fold import Posted
from croupier.v1.settlement_service_pb2 import EntryKind, LedgerEntry

_BESIDE = "reserved/"


def posted(entries: Iterable[LedgerEntry]) -> list[Posted]:
    """A table's entries, oldest first, as entry sets: what stacks and the rake got by them."""
    found: list[Posted] = []
    kind, of, last = 0, "", ""
    amounts: list[tuple[str, int]] = []
    for entry in entries:
        if entry.entry_set_id != last:
            if last:
                found.append(Posted(kind, of, tuple(sorted(amounts))))
            last, kind, of, amounts = entry.entry_set_id, entry.kind, entry.hand_id, []
        if entry.account.startswith(_BESIDE):
            continue
        amounts.append((entry.player_id, entry.amount))
        of = of or entry.player_id
    if last:
        found.append(Posted(kind, of, tuple(sorted(amounts))))
    return found


def of_books(table_id: str, due: list[Posted], there: list[Posted]) -> Iterator[Finding]:
    """`due` is by the history, `there` by the ledger, both in order."""
    if due == there:
        return
    missing, left = Counter(due), Counter(there)
    missing.subtract(there)
    left.subtract(due)
    altered = {(one.kind, one.of) for one, count in missing.items() if count > 0}
    for one, count in left.items():
        if count > 0:
            same = (one.kind, one.of) in altered
            kind = Kind.ALTERED if same else Kind.DOUBLED if one in set(due) else Kind.INVENTED
            word = {Kind.ALTERED: "otherwise", Kind.DOUBLED: "once more"}.get(
                kind, "though nothing led to it"
            )
            yield Finding(kind, table_id, 0, "", f"the ledger has {_told(one)} {word}")
    for one, count in missing.items():
        if count > 0:
            yield Finding(Kind.LOST, table_id, 0, "", f"the ledger does not have {_told(one)}")
    if not +missing and not +left:
        first, second = next((a, b) for a, b in zip(due, there, strict=True) if a != b)
        what = f"the ledger has {_told(second)} where the history has {_told(first)}"
        yield Finding(Kind.REORDERED, table_id, 0, "", what)


def _told(one: Posted) -> str:
    kind = EntryKind.Name(one.kind) if one.kind in EntryKind.values() else str(one.kind)  # type: ignore[arg-type]
    got = ", ".join(f"{player or 'the rake'} {amount:+}" for player, amount in one.amounts)
    return f"{kind.removeprefix('ENTRY_KIND_').lower()} of {one.of} ({got})"
