"""The operator log: appended to and never changed; each entry's hash is over the one before."""

from __future__ import annotations

from typing import Final

from alembic import op

revision: Final = "0003"
down_revision: Final = "0002"

_STATEMENTS: Final = (
    """
CREATE TABLE operations (
    number bigint PRIMARY KEY,
    method text NOT NULL,
    table_id text NOT NULL,
    player_id text NOT NULL,
    body bytea NOT NULL,
    hash bytea NOT NULL
)""",
    "CREATE INDEX operations_by_table ON operations (table_id, number) WHERE table_id <> ''",
    "CREATE INDEX operations_by_player ON operations (player_id, number) WHERE player_id <> ''",
)


def upgrade() -> None:
    """From version 0002."""
    for statement in _STATEMENTS:
        op.execute(statement)
