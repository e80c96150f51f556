"""Entry sets of money that comes and goes, and what makes any unit sound. Stores nothing."""

from __future__ import annotations

from croupier.numbers import INT64_MAX
from croupier.room import accounts
from croupier.room.ports import EntrySet, Posting, Unit


class UnsoundUnit(ValueError):
    """Raised when a unit could never be written, whatever the store holds: a defect of the caller."""


def deposit(player_id: str, currency: str, amount: int, entry_set_id: str) -> EntrySet:
    """Chips from the world into a player's wallet."""
    return move(entry_set_id, currency, "deposit", accounts.DEPOSITS, accounts.wallet(player_id), amount)


def withdrawal(player_id: str, currency: str, amount: int, entry_set_id: str) -> EntrySet:
    """Chips from a player's wallet to the world; the store refuses it where the wallet does not cover it."""
    return move(
        entry_set_id, currency, "withdrawal", accounts.wallet(player_id), accounts.WITHDRAWALS, amount
    )


def adjustment(player_id: str, currency: str, amount: int, entry_set_id: str) -> EntrySet:
    """Chips into a player's wallet, or out of it where negative, as an operator corrects it."""
    ends = (accounts.ADJUSTMENTS, accounts.wallet(player_id))
    source, target = ends if amount > 0 else ends[::-1]
    return move(entry_set_id, currency, "adjustment", source, target, abs(amount))


def move(entry_set_id: str, currency: str, kind: str, source: str, target: str, amount: int) -> EntrySet:
    """`amount` chips, more than none, out of `source` into `target`."""
    if amount <= 0:
        raise UnsoundUnit(f"entry set {entry_set_id!r} moves {amount}")
    postings = (Posting(source, -amount), Posting(target, amount))
    return EntrySet(entry_set_id, currency, kind, postings)


def require_sound(unit: Unit) -> None:
    """Raises UnsoundUnit unless the unit concerns one table at most and each of its entry sets is balanced.

    A unit that creates a table carries the table's first record.
    """
    if unit.entry_sets:
        for entry_set in unit.entry_sets:
            _require_balanced(entry_set)
    if unit.created is None and not unit.closed and len(unit.records) < 2:
        return
    tables = {record.table_id for record in unit.records} | ({unit.closed} if unit.closed else set())
    if unit.created is not None:
        tables.add(unit.created.table_id)
        if not unit.records or unit.records[0].journal_sequence != 1:
            raise UnsoundUnit("a table is created by its first record")
    if len(tables) > 1:
        raise UnsoundUnit(f"a unit concerns one table, not {', '.join(sorted(tables))}")


def _require_balanced(entry_set: EntrySet) -> None:
    name, total = entry_set.entry_set_id, 0
    if not name or not entry_set.currency or not entry_set.postings:
        raise UnsoundUnit(f"entry set {name!r} lacks an id, a currency or postings")
    for account, amount in ((posting.account, posting.amount) for posting in entry_set.postings):
        if not account or type(amount) is not int or not amount or not -INT64_MAX <= amount <= INT64_MAX:
            raise UnsoundUnit(f"entry set {name!r} posts {amount!r} to {account!r}")
        total += amount
    if total:
        raise UnsoundUnit(f"entry set {name!r} is out of balance by {total}")
