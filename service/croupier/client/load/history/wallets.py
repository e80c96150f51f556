"""Deposits and withdrawals held against the entries of their player's wallet. Knows no tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from croupier.client.load.history.finding import Finding, Kind
from croupier.client.load.history.operation import Operation, Outcome
from croupier.v1.settlement_service_pb2 import EntryKind, LedgerEntry

_SIGNS: Final[dict[str, tuple[int, int]]] = {
    "Deposit": (EntryKind.ENTRY_KIND_DEPOSIT, 1),
    "Withdraw": (EntryKind.ENTRY_KIND_WITHDRAWAL, -1),
}
_KINDS = [kind for kind, _ in _SIGNS.values()]


def of_wallet(
    player_id: str, operations: Iterable[Operation], entries: Iterable[LedgerEntry]
) -> Iterator[Finding]:
    """One player's, of all whose requests are known: each acknowledged move once, and none that nobody asked for."""
    due: Counter[tuple[int, int]] = Counter()
    may_be: Counter[tuple[int, int]] = Counter()
    of: dict[tuple[int, int], str] = {}
    requests: dict[str, Operation] = {}
    for operation in operations:
        known = requests.get(operation.request_id)
        if operation.method in _SIGNS and (known is None or not known.answered):
            requests[operation.request_id] = operation
    move: tuple[int, int]
    for operation in requests.values():
        what, sign = _SIGNS[operation.method]
        move = (what, sign * operation.amount)
        if operation.outcome is not Outcome.REFUSED:
            (due if operation.answered else may_be)[move] += 1
            of[move] = operation.request_id
    there: Counter[tuple[int, int]] = Counter(
        (entry.kind, entry.amount) for entry in entries if entry.kind in _KINDS
    )
    for move in sorted(due.keys() | there.keys()):
        count, least, most = there[move], due[move], due[move] + may_be[move]
        if least <= count <= most:
            continue
        lost = count < least
        kind = Kind.LOST if lost else Kind.DOUBLED if most else Kind.INVENTED
        name = "deposit" if move[1] > 0 else "withdrawal"
        told = f"{name} of {move[1]} for {player_id}: {least} acknowledged, {count} in the ledger"
        yield Finding(kind, "", 0, of.get(move, ""), told)
