"""Checks a PostgreSQL store from outside: that it adds up, whatever happened to the processes that wrote it."""

from __future__ import annotations

from tests.support.postgres import fetch

from croupier.room.accounts import guarded


async def audit(dsn: str) -> None:
    """Raises AssertionError unless entries, balances and journal agree with each other."""
    assert not await fetch(
        dsn,
        "SELECT set_key, currency FROM entries JOIN accounts USING (account_key)"
        " GROUP BY set_key, currency HAVING sum(amount) <> 0",
    )
    assert not await fetch(
        dsn,
        "SELECT name FROM accounts LEFT JOIN (SELECT account_key, sum(amount) AS total FROM entries"
        " GROUP BY account_key) AS summed USING (account_key) WHERE balance <> coalesce(total, 0)",
    )
    below = await fetch(dsn, "SELECT name FROM accounts WHERE balance < 0")
    assert not [name for (name,) in below if guarded(name)]
    assert not await fetch(
        dsn,
        "SELECT set_key FROM entry_sets LEFT JOIN entries USING (set_key)"
        " GROUP BY set_key, entry_count HAVING count(amount) <> entry_count OR min(entry_id) <> set_key",
    )
    heads: dict[int, tuple[int, int, int, bytes]] = {}
    rows = await fetch(
        dsn,
        "SELECT table_key, epoch, journal_sequence, sequence, prev_hash, hash"
        " FROM journal ORDER BY table_key, journal_sequence",
    )
    for key, epoch, journal_sequence, sequence, prev_hash, digest in rows:
        before = heads.get(key)
        if before is None:
            assert journal_sequence == 1
        else:
            assert (journal_sequence, prev_hash) == (before[1] + 1, before[3])
            assert epoch >= before[0]
            assert sequence >= before[2]
        heads[key] = (epoch, journal_sequence, sequence, digest)
    stands = await fetch(
        dsn,
        "SELECT table_key, last_journal_sequence, last_sequence, last_hash FROM tables ORDER BY table_key",
    )
    assert stands == [(key, *head[1:]) for key, head in sorted(heads.items())]
