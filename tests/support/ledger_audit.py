"""Checks a store's file from outside: that it adds up, whatever happened to the process that wrote it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from croupier.room.accounts import guarded


def audit(path: Path) -> None:
    """Raises AssertionError unless entries, balances and journal agree with each other."""
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        _audit_ledger(connection)
        _audit_journal(connection)
    finally:
        connection.close()


def _audit_ledger(connection: sqlite3.Connection) -> None:
    sums: dict[int, int] = {}
    sets: dict[tuple[int, str], int] = {}
    rows = connection.execute(
        "SELECT account_key, amount, set_key, currency FROM entries LEFT JOIN accounts USING (account_key)"
    )
    for account, amount, set_key, currency in rows:
        sums[account] = sums.get(account, 0) + amount
        sets[set_key, currency] = sets.get((set_key, currency), 0) + amount
    assert not any(sets.values())
    held = connection.execute("SELECT account_key, balance, name FROM accounts").fetchall()
    assert {account: balance for account, balance, _ in held} == sums
    assert not [name for _, balance, name in held if balance < 0 and guarded(name)]
    counted = "SELECT set_key, count(*) FROM entries GROUP BY set_key ORDER BY set_key"
    stored = "SELECT set_key, entry_count FROM entry_sets ORDER BY set_key"
    assert connection.execute(counted).fetchall() == connection.execute(stored).fetchall()


def _audit_journal(connection: sqlite3.Connection) -> None:
    heads: dict[int, tuple[int, int, int, bytes]] = {}
    rows = connection.execute(
        "SELECT table_key, position, previous, journal_sequence, sequence, prev_hash, hash"
        " FROM journal ORDER BY position"
    )
    for key, position, previous, journal_sequence, sequence, prev_hash, digest in rows:
        before = heads.get(key)
        if before is not None:
            assert (previous, journal_sequence, prev_hash) == (before[0], before[1] + 1, before[3])
            assert sequence >= before[2]
        else:
            assert (previous, journal_sequence) == (0, 1)
        heads[key] = (position, journal_sequence, sequence, digest)
    tables = connection.execute(
        "SELECT table_key, last_position, last_journal_sequence, last_sequence FROM tables"
    ).fetchall()
    assert {row[0]: row[1:] for row in tables} == {key: head[:3] for key, head in heads.items()}
