"""The feed: its name, and how far each table is told."""

from __future__ import annotations

from typing import Final

from alembic import op

revision: Final = "0006"
down_revision: Final = "0005"

_STATEMENTS: Final = (
    "CREATE TABLE feed (place smallint PRIMARY KEY CHECK (place = 1), name text NOT NULL, telling bigint NOT NULL)",
    "INSERT INTO feed VALUES (1, '', 1)",
    """
CREATE TABLE fed_tables (
    table_key bigint PRIMARY KEY,
    hands bigint NOT NULL,
    entries bigint NOT NULL
) WITH (fillfactor = 50)""",
    "ALTER TABLE tables ADD COLUMN fed boolean NOT NULL DEFAULT false",
    "CREATE INDEX unfed_tables ON tables (table_key) WHERE closed AND NOT fed",
    "CREATE INDEX entry_sets_of_wallets ON entry_sets (set_key) WHERE table_id = ''",
)


def upgrade() -> None:
    """From version 0005."""
    for statement in _STATEMENTS:
        op.execute(statement)
