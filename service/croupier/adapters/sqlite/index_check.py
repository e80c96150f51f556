"""The index of hands against what the journal says of them, in temporary tables of the connection."""

from __future__ import annotations

from typing import Final

REMEMBERED: Final = """
CREATE TEMP TABLE journal_hands (
    table_key INTEGER, hand_number INTEGER, first_sequence INTEGER, last_sequence INTEGER, ended_time INTEGER,
    PRIMARY KEY (table_key, hand_number)) WITHOUT ROWID;
CREATE TEMP TABLE journal_players (
    player_id TEXT, ended_time INTEGER, table_key INTEGER, hand_number INTEGER,
    PRIMARY KEY (player_id, ended_time, table_key, hand_number)) WITHOUT ROWID;
"""
# Hands of the journal that the index lacks, though it has a later one of the table, or knows otherwise.
_LACKING: Final = """
SELECT table_id, ours.hand_number,
       CASE WHEN theirs.hand_number IS NULL THEN 'is not in the index of hands'
            ELSE 'lies elsewhere by the index of hands' END
FROM journal_hands AS ours JOIN tables USING (table_key)
LEFT JOIN hands AS theirs USING (table_key, hand_number)
WHERE CASE WHEN theirs.hand_number IS NULL
    THEN EXISTS (SELECT 1 FROM hands WHERE table_key = ours.table_key AND hand_number > ours.hand_number)
    ELSE (ours.first_sequence, ours.last_sequence, ours.ended_time)
         IS NOT (theirs.first_sequence, theirs.last_sequence, theirs.ended_time) END"""
_UNKNOWN: Final = """
SELECT coalesce(table_id, ''), hand_number, 'is in the index of hands, and was not settled'
FROM hands AS theirs LEFT JOIN tables USING (table_key)
WHERE :table_id IN ('', table_id) AND NOT EXISTS (
    SELECT 1 FROM journal_hands AS ours
    WHERE ours.table_key = theirs.table_key AND ours.hand_number = theirs.hand_number)"""
_PLAYERS_LACKING: Final = """
SELECT table_id, hand_number, 'was played by ' || player_id || ', whom the index of hands does not name'
FROM journal_players AS ours JOIN tables USING (table_key) JOIN hands USING (table_key, hand_number)
WHERE NOT EXISTS (
    SELECT 1 FROM hand_players AS theirs
    WHERE theirs.player_id = ours.player_id AND theirs.ended_time = ours.ended_time
      AND theirs.table_key = ours.table_key AND theirs.hand_number = ours.hand_number)"""
_PLAYERS_UNKNOWN: Final = """
SELECT coalesce(table_id, ''), hand_number, 'was not played by ' || player_id || ', whom the index of hands names'
FROM hand_players AS theirs LEFT JOIN tables USING (table_key)
WHERE :table_id IN ('', table_id) AND NOT EXISTS (
    SELECT 1 FROM journal_players AS ours
    WHERE theirs.player_id = ours.player_id AND theirs.ended_time = ours.ended_time
      AND theirs.table_key = ours.table_key AND theirs.hand_number = ours.hand_number)"""
_PLAYERS_ALONE: Final = """
SELECT coalesce(table_id, ''), hand_number, 'was played by ' || player_id || ' by the index of hands, which lacks it'
FROM hand_players AS theirs LEFT JOIN tables USING (table_key)
WHERE :table_id IN ('', table_id) AND NOT EXISTS (
    SELECT 1 FROM hands WHERE hands.table_key = theirs.table_key AND hands.hand_number = theirs.hand_number)"""
DIFFERENCES: Final = (_LACKING, _UNKNOWN, _PLAYERS_LACKING, _PLAYERS_UNKNOWN, _PLAYERS_ALONE)
REPLACE: Final = """
DELETE FROM hands; DELETE FROM hand_players;
INSERT INTO hands SELECT table_key, hand_number, first_sequence, last_sequence, ended_time FROM journal_hands;
INSERT INTO hand_players SELECT player_id, ended_time, table_key, hand_number FROM journal_players;
"""
