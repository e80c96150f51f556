"""Which house a table is of: one statement, which sees one state of the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.adapters.postgres.connecting import Reading
from croupier.adapters.postgres.text import stored, told

_HOUSES: Final = "SELECT table_id, house_id FROM tables WHERE table_id = ANY ($1::text[])"


async def houses_of(connection: Reading, table_ids: Sequence[str]) -> dict[str, str]:
    """By table; one that there is not is left out."""
    rows = await connection.fetch(_HOUSES, [stored(table_id) for table_id in table_ids])
    return {told(row[0]): told(row[1]) for row in rows}
