"""The index of hands against what the journal says of them, in the database's own temporary tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.text import stored
from croupier.room.hand_ports import SettledHand

REMEMBERED: Final = """
CREATE TEMPORARY TABLE journal_hands (
    table_key bigint, hand_number bigint, first_sequence bigint, last_sequence bigint, ended_time bigint,
    PRIMARY KEY (table_key, hand_number));
CREATE TEMPORARY TABLE journal_players (
    player_id text, ended_time bigint, table_key bigint, hand_number bigint,
    PRIMARY KEY (player_id, ended_time, table_key, hand_number))"""
_REMEMBER: Final = """
INSERT INTO journal_hands
SELECT table_key, r.hand_number, r.first_sequence, r.last_sequence, r.ended_time
FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
  AS r (table_id, hand_number, first_sequence, last_sequence, ended_time) JOIN tables USING (table_id)
ON CONFLICT DO NOTHING"""
_REMEMBER_PLAYERS: Final = """
INSERT INTO journal_players
SELECT r.player_id, r.ended_time, table_key, r.hand_number
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[])
  AS r (player_id, ended_time, table_id, hand_number) JOIN tables USING (table_id)
ON CONFLICT DO NOTHING"""
# Hands of the journal that the index lacks, though it has a later one of the table, or knows otherwise.
_LACKING: Final = """
SELECT table_id, ours.hand_number,
       CASE WHEN theirs.hand_number IS NULL THEN 'is not in the index of hands'
            ELSE 'lies elsewhere by the index of hands' END
FROM journal_hands AS ours JOIN tables USING (table_key)
LEFT JOIN hands AS theirs USING (table_key, hand_number)
WHERE $1::text IS NOT NULL AND CASE WHEN theirs.hand_number IS NULL
    THEN EXISTS (
        SELECT 1 FROM hands WHERE hands.table_key = ours.table_key AND hands.hand_number > ours.hand_number)
    ELSE (ours.first_sequence, ours.last_sequence, ours.ended_time)
         IS DISTINCT FROM (theirs.first_sequence, theirs.last_sequence, theirs.ended_time) END"""
_UNKNOWN: Final = """
SELECT coalesce(table_id, ''), hand_number, 'is in the index of hands, and was not settled'
FROM hands AS theirs LEFT JOIN tables USING (table_key)
WHERE $1 IN ('', table_id) AND NOT EXISTS (
    SELECT 1 FROM journal_hands AS ours
    WHERE ours.table_key = theirs.table_key AND ours.hand_number = theirs.hand_number)"""
_PLAYERS_LACKING: Final = """
SELECT table_id, hand_number, 'was played by ' || player_id || ', whom the index of hands does not name'
FROM journal_players AS ours JOIN tables USING (table_key) JOIN hands USING (table_key, hand_number)
WHERE $1::text IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM hand_players AS theirs
    WHERE theirs.player_id = ours.player_id AND theirs.ended_time = ours.ended_time
      AND theirs.table_key = ours.table_key AND theirs.hand_number = ours.hand_number)"""
_PLAYERS_UNKNOWN: Final = """
SELECT coalesce(table_id, ''), hand_number, 'was not played by ' || player_id || ', whom the index of hands names'
FROM hand_players AS theirs LEFT JOIN tables USING (table_key)
WHERE $1 IN ('', table_id) AND NOT EXISTS (
    SELECT 1 FROM journal_players AS ours
    WHERE theirs.player_id = ours.player_id AND theirs.ended_time = ours.ended_time
      AND theirs.table_key = ours.table_key AND theirs.hand_number = ours.hand_number)"""
_PLAYERS_ALONE: Final = """
SELECT coalesce(table_id, ''), hand_number, 'was played by ' || player_id || ' by the index of hands, which lacks it'
FROM hand_players AS theirs LEFT JOIN tables USING (table_key)
WHERE $1 IN ('', table_id) AND NOT EXISTS (
    SELECT 1 FROM hands WHERE hands.table_key = theirs.table_key AND hands.hand_number = theirs.hand_number)"""
DIFFERENCES: Final = (_LACKING, _UNKNOWN, _PLAYERS_LACKING, _PLAYERS_UNKNOWN, _PLAYERS_ALONE)
REPLACE: Final = """
DELETE FROM hands; DELETE FROM hand_players;
INSERT INTO hands SELECT table_key, hand_number, first_sequence, last_sequence, ended_time FROM journal_hands;
INSERT INTO hand_players SELECT player_id, ended_time, table_key, hand_number FROM journal_players"""


async def remember(connection: asyncpg.Connection[Any], hands: Sequence[SettledHand]) -> None:
    """Keep hands of the journal."""
    places = [one.place for one in hands]
    names = [stored(place.table_id) for place in places]
    numbers = ([getattr(place, field) for place in places] for field in _FIELDS)
    await connection.execute(_REMEMBER, names, *numbers)
    players = [
        (stored(player), one.place.ended_time, stored(one.place.table_id), one.place.hand_number)
        for one in hands
        for player in one.players
    ]
    if players:
        await connection.execute(_REMEMBER_PLAYERS, *map(list, zip(*players, strict=True)))


_FIELDS: Final = ("hand_number", "first_sequence", "last_sequence", "ended_time")
