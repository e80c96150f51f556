"""An archive beside the journal, for records that are old; what reads the past reads both as one."""

from __future__ import annotations

from typing import Final

from alembic import op

revision: Final = "0007"
down_revision: Final = "0006"

_STATEMENTS: Final = (
    """
CREATE TABLE journal_archive (
    LIKE journal,
    PRIMARY KEY (table_key, journal_sequence)
)""",
    "CREATE VIEW whole_journal AS SELECT * FROM journal UNION ALL SELECT * FROM journal_archive",
)


def upgrade() -> None:
    """From version 0006. Touches no row."""
    for statement in _STATEMENTS:
        op.execute(statement)
