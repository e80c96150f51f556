"""Wrapped keys of hands in progress: one row a table, overwritten by each hand and as it settles."""

from __future__ import annotations

from typing import Final

from alembic import op

revision: Final = "0002"
down_revision: Final = "0001"


def upgrade() -> None:
    """From version 0001."""
    op.execute(
        """
CREATE TABLE hand_keys (
    table_key bigint PRIMARY KEY,
    hand_key bytea NOT NULL
) WITH (fillfactor = 50)"""
    )
