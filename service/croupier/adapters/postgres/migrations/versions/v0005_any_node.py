"""Any server answers any call: open tables in order, how far each node knows the operator log, whose master key."""

from __future__ import annotations

from typing import Final

from alembic import op

revision: Final = "0005"
down_revision: Final = "0004"

_STATEMENTS: Final = (
    'CREATE INDEX open_tables_by_time ON tables (created_time, table_id COLLATE "C") WHERE NOT closed',
    "ALTER TABLE nodes ADD COLUMN log_read bigint NOT NULL DEFAULT 0",
    "ALTER TABLE ownership ADD COLUMN key_mark bytea",
)


def upgrade() -> None:
    """From version 0004."""
    for statement in _STATEMENTS:
        op.execute(statement)
