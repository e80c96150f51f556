"""The index of settled hands: its rows written and read. What is in it comes from the journal, by others' hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.connecting import Reading
from croupier.adapters.postgres.statement import Part, columns
from croupier.adapters.postgres.text import stored, told
from croupier.numbers import INT64_MAX
from croupier.room.hand_ports import HandPlace, HandQuery, SettledHand

HANDS: Final = Part(
    "hands_indexed",
    columns(
        "table_id text, hand_number bigint, first_sequence bigint, last_sequence bigint, ended_time bigint"
    ),
    """
  INSERT INTO hands (table_key, hand_number, first_sequence, last_sequence, ended_time)
  SELECT tables.table_key, r.hand_number, r.first_sequence, r.last_sequence, r.ended_time
  FROM {rows} JOIN tables ON tables.table_id = r.table_id
  ORDER BY tables.table_key, r.hand_number ON CONFLICT DO NOTHING""",
)
PLAYERS: Final = Part(
    "players_indexed",
    columns("player_id text, ended_time bigint, table_id text, hand_number bigint"),
    """
  INSERT INTO hand_players (player_id, ended_time, table_key, hand_number)
  SELECT r.player_id, r.ended_time, tables.table_key, r.hand_number
  FROM {rows} JOIN tables ON tables.table_id = r.table_id
  ORDER BY r.player_id, r.ended_time, tables.table_key, r.hand_number ON CONFLICT DO NOTHING""",
)
# A table's last checkpoint is at the end of its last settled hand.
_UNINDEXED: Final = """
SELECT table_id, coalesce(known, 0) FROM (
    SELECT table_id, journal.sequence AS ended, (
        SELECT last_sequence FROM hands WHERE hands.table_key = tables.table_key
        ORDER BY hand_number DESC LIMIT 1) AS known
    FROM tables JOIN journal
      ON journal.table_key = tables.table_key AND journal_sequence = checkpoint_sequence
    WHERE checkpoint) AS tables_ended
WHERE ended > coalesce(known, 0)"""
PLACE: Final = "table_id, hands.hand_number, hands.first_sequence, hands.last_sequence, hands.ended_time"
_FOUND: Final = f"""
SELECT {PLACE} FROM tables JOIN hands USING (table_key) WHERE table_id = $1 AND hand_number = $2"""
_RANGE: Final = """
{source}.ended_time >= $1 AND {source}.ended_time < $2
  AND ({source}.ended_time, {source}.table_key, {source}.hand_number)
    < ($3::bigint, coalesce((SELECT table_key FROM tables WHERE table_id = $4), {end}), $5::bigint)
  AND ($7::text[] IS NULL OR house_id = ANY ($7))
ORDER BY {source}.ended_time DESC, {source}.table_key DESC, {source}.hand_number DESC LIMIT $6"""
_OF_TABLE: Final = f"""
SELECT {PLACE} FROM tables JOIN hands USING (table_key)
WHERE table_id = $8 AND {_RANGE.format(source="hands", end=INT64_MAX)}"""
_OF_PLAYER: Final = f"""
SELECT {PLACE} FROM hand_players JOIN hands USING (table_key, hand_number) JOIN tables USING (table_key)
WHERE ($8 = '' OR table_id = $8) AND player_id = $9 AND {_RANGE.format(source="hand_players", end=INT64_MAX)}"""


def parts(hands: Sequence[SettledHand]) -> list[tuple[Part, Sequence[Sequence[Any]]]]:
    """The rows of hands to be added; what is there already stays."""
    rows = [(stored(one.place.table_id), *_numbers(one.place)) for one in hands]
    seats = [
        (stored(player), one.place.ended_time, stored(one.place.table_id), one.place.hand_number)
        for one in hands
        for player in one.players
    ]
    return [(HANDS, rows), (PLAYERS, seats)]


async def unindexed(connection: Reading) -> dict[str, int]:
    return {told(row[0]): row[1] for row in await connection.fetch(_UNINDEXED)}


async def find(connection: Reading, table_id: str, hand_number: int) -> HandPlace | None:
    row = await connection.fetchrow(_FOUND, stored(table_id), hand_number)
    return place_of(row) if row else None


async def hands(connection: Reading, query: HandQuery) -> list[HandPlace]:
    """As the port says."""
    before = query.before
    values: list[Any] = [
        query.from_time,
        query.to_time,
        before.ended_time if before else INT64_MAX,
        stored(before.table_id) if before else None,
        before.hand_number if before else INT64_MAX,
        query.limit,
        None if query.houses is None else [stored(house_id) for house_id in query.houses],
        stored(query.table_id),
    ]
    if query.player_id:
        rows = await connection.fetch(_OF_PLAYER, *values, stored(query.player_id))
    else:
        rows = await connection.fetch(_OF_TABLE, *values)
    return [place_of(row) for row in rows]


def place_of(row: asyncpg.Record) -> HandPlace:
    return HandPlace(told(row[0]), row[1], row[2], row[3], row[4])


def _numbers(place: HandPlace) -> tuple[int, int, int, int]:
    return place.hand_number, place.first_sequence, place.last_sequence, place.ended_time
