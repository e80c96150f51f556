"""Which house a table is of. Read-only, in whatever thread calls."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Final

_HOUSES: Final = "SELECT table_id, house_id FROM json_each(?) CROSS JOIN tables ON table_id = value"


def houses_of(connection: sqlite3.Connection, table_ids: Sequence[str]) -> dict[str, str]:
    """By table; one that there is not is left out."""
    return dict(connection.execute(_HOUSES, (json.dumps(table_ids),)).fetchall())
