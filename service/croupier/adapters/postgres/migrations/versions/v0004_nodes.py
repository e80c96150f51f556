"""Several servers on one store: nodes with their leases, owners of tables, numbers that all of them draw from."""

from __future__ import annotations

import secrets
from typing import Final

from alembic import op

revision: Final = "0004"
down_revision: Final = "0003"

_STATEMENTS: Final = (
    """
CREATE TABLE nodes (
    node_id text PRIMARY KEY,
    address text NOT NULL,
    epoch bigint NOT NULL,
    connection_number bigint NOT NULL,
    commits bigint NOT NULL,
    unbroken_since timestamptz NOT NULL,
    expires timestamptz NOT NULL,
    shared boolean NOT NULL,
    serving boolean NOT NULL,
    dead boolean NOT NULL
) WITH (fillfactor = 10)""",
    "ALTER TABLE tables ADD COLUMN owner text NOT NULL DEFAULT ''",
    """
CREATE TABLE counters (
    place smallint PRIMARY KEY CHECK (place = 1),
    entries bigint NOT NULL,
    accounts bigint NOT NULL,
    tables bigint NOT NULL
) WITH (fillfactor = 10)""",
    """
INSERT INTO counters SELECT 1,
    (SELECT coalesce(max(entry_id), 0) FROM entries),
    (SELECT coalesce(max(account_key), 0) FROM accounts),
    (SELECT coalesce(max(table_key), 0) FROM tables)""",
    "ALTER TABLE ownership ADD COLUMN room text NOT NULL DEFAULT ''",
    f"UPDATE ownership SET room = '{secrets.token_hex(4)}'",
)


def upgrade() -> None:
    """From version 0003."""
    for statement in _STATEMENTS:
        op.execute(statement)
