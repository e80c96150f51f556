"""The index of settled hands: its rows written and read. What is in it comes from the journal, by others' hands."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from croupier.adapters.sqlite.rows import write_rows
from croupier.numbers import INT64_MAX
from croupier.room.hand_ports import HandPlace, HandQuery, SettledHand

_KEY: Final = "SELECT table_key FROM tables WHERE table_id = ?"
_HANDS: Final = """
INSERT OR IGNORE INTO hands (table_key, hand_number, first_sequence, last_sequence, ended_time) {rows}"""
_PLAYERS: Final = """
INSERT OR IGNORE INTO hand_players (player_id, ended_time, table_key, hand_number) {rows}"""
# A table's last checkpoint is at the end of its last settled hand.
_UNINDEXED: Final = """
SELECT table_id, coalesce(known, 0) FROM (
    SELECT table_id, journal.sequence AS ended, (
        SELECT last_sequence FROM hands WHERE hands.table_key = tables.table_key
        ORDER BY hand_number DESC LIMIT 1) AS known
    FROM tables CROSS JOIN journal ON position = checkpoint_position
    WHERE checkpoint)
WHERE ended > coalesce(known, 0)"""
_PLACE: Final = "table_id, hands.hand_number, hands.first_sequence, hands.last_sequence, hands.ended_time"
_FOUND: Final = f"""
SELECT {_PLACE} FROM tables CROSS JOIN hands USING (table_key) WHERE table_id = ? AND hand_number = ?"""
_RANGE: Final = """
{source}.ended_time >= :from_time AND {source}.ended_time < :to_time
  AND ({source}.ended_time, {source}.table_key, {source}.hand_number) < (:ended_time, :before_key, :number)
  AND (:houses IS NULL OR house_id IN (SELECT value FROM json_each(:houses)))
ORDER BY {source}.ended_time DESC, {source}.table_key DESC, {source}.hand_number DESC LIMIT :limit"""
_OF_TABLE: Final = f"""
SELECT {_PLACE} FROM tables CROSS JOIN hands USING (table_key)
WHERE table_id = :table_id AND {_RANGE.format(source="hands")}"""
_OF_PLAYER: Final = f"""
SELECT {_PLACE} FROM hand_players CROSS JOIN hands USING (table_key, hand_number)
CROSS JOIN tables USING (table_key)
WHERE player_id = :player_id AND :table_id IN ('', table_id) AND {_RANGE.format(source="hand_players")}"""


def write(connection: sqlite3.Connection, hands: Sequence[SettledHand]) -> None:
    """Adds hands in a transaction of its own; what is there already stays."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        keys = {place.table_id: _key(connection, place.table_id) for place in (one.place for one in hands)}
        rows = [(keys[one.place.table_id], *_numbers(one.place)) for one in hands]
        seats = [
            (player, one.place.ended_time, keys[one.place.table_id], one.place.hand_number)
            for one in hands
            for player in one.players
        ]
        write_rows(connection, _HANDS, rows)
        write_rows(connection, _PLAYERS, seats)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def unindexed(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(connection.execute(_UNINDEXED).fetchall())


def find(connection: sqlite3.Connection, table_id: str, hand_number: int) -> HandPlace | None:
    row = connection.execute(_FOUND, (table_id, hand_number)).fetchone()
    return HandPlace(*row) if row else None


def hands(connection: sqlite3.Connection, query: HandQuery) -> list[HandPlace]:
    """As the port says."""
    before = query.before
    values: dict[str, Any] = {
        "table_id": query.table_id,
        "player_id": query.player_id,
        "from_time": query.from_time,
        "to_time": query.to_time,
        "limit": query.limit,
        "ended_time": before.ended_time if before else INT64_MAX,
        "number": before.hand_number if before else INT64_MAX,
        "houses": None if query.houses is None else json.dumps(query.houses),
        "before_key": _key(connection, before.table_id) if before else INT64_MAX,
    }
    rows = connection.execute(_OF_PLAYER if query.player_id else _OF_TABLE, values).fetchall()
    return [HandPlace(*row) for row in rows]


def _key(connection: sqlite3.Connection, table_id: str) -> int:
    """The table's key, 0 for one that there is not."""
    row = connection.execute(_KEY, (table_id,)).fetchone()
    return int(row[0]) if row else 0


def _numbers(place: HandPlace) -> tuple[int, int, int, int]:
    return place.hand_number, place.first_sequence, place.last_sequence, place.ended_time
