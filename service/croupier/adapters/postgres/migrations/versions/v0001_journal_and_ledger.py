"""The first schema: owner, journal, ledger, request index, index of settled hands.

Journal and entries have no foreign keys: what each row is checked against is in the statement that writes it,
at a fraction of the cost. Rows that every commit changes have room beside them for their next version.
"""

from __future__ import annotations

from typing import Final

from alembic import op

revision: Final = "0001"
down_revision: Final = None

_STATEMENTS: Final = (
    """
CREATE TABLE ownership (
    place smallint PRIMARY KEY CHECK (place = 1),
    owner_id text NOT NULL,
    epoch bigint NOT NULL,
    connection_number bigint NOT NULL,
    commits bigint NOT NULL,
    expires timestamptz NOT NULL
) WITH (fillfactor = 10)""",
    "INSERT INTO ownership VALUES (1, '', 0, 0, 0, TIMESTAMPTZ '1970-01-01 00:00:00+00')",
    """
CREATE TABLE tables (
    table_key bigint PRIMARY KEY,
    table_id text NOT NULL UNIQUE,
    house_id text NOT NULL,
    name text NOT NULL,
    currency text NOT NULL,
    created_time bigint NOT NULL,
    epoch bigint NOT NULL,
    last_journal_sequence bigint NOT NULL,
    last_sequence bigint NOT NULL,
    last_hash bytea NOT NULL,
    checkpoint_sequence bigint NOT NULL,
    closed boolean NOT NULL
) WITH (fillfactor = 50)""",
    "CREATE INDEX open_tables ON tables (table_key) WHERE NOT closed",
    """
CREATE TABLE journal (
    table_key bigint NOT NULL,
    journal_sequence bigint NOT NULL,
    epoch bigint NOT NULL,
    sequence bigint NOT NULL,
    prev_hash bytea NOT NULL,
    hash bytea NOT NULL,
    recorded_time bigint NOT NULL,
    principal text NOT NULL,
    request_id text NOT NULL,
    format integer NOT NULL,
    body bytea NOT NULL,
    sealed bytea,
    checkpoint boolean NOT NULL,
    PRIMARY KEY (table_key, journal_sequence)
)""",
    """
CREATE TABLE accounts (
    account_key bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    player_id text,
    balance bigint NOT NULL,
    UNIQUE (name, currency),
    CONSTRAINT never_below_zero CHECK (balance >= 0 OR name LIKE 'world/%' OR name LIKE 'adjustment/%')
) WITH (fillfactor = 50)""",
    "CREATE INDEX accounts_by_player ON accounts (player_id) WHERE player_id IS NOT NULL",
    """
CREATE TABLE entry_sets (
    set_key bigint PRIMARY KEY,
    entry_set_id text NOT NULL UNIQUE,
    kind text NOT NULL,
    table_id text NOT NULL,
    hand_id text NOT NULL,
    recorded_time bigint NOT NULL,
    entry_count integer NOT NULL,
    hash bytea NOT NULL
)""",
    "CREATE INDEX entry_sets_by_table ON entry_sets (table_id, set_key) WHERE table_id <> ''",
    """
CREATE TABLE entries (
    entry_id bigint PRIMARY KEY,
    set_key bigint NOT NULL,
    account_key bigint NOT NULL,
    amount bigint NOT NULL
)""",
    "CREATE INDEX entries_by_account ON entries (account_key, entry_id)",
    """
CREATE TABLE requests (
    principal text NOT NULL,
    method text NOT NULL,
    request_id text NOT NULL,
    digest bytea NOT NULL,
    answer bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (principal, method, request_id)
)""",
    """
CREATE TABLE hands (
    table_key bigint NOT NULL,
    hand_number bigint NOT NULL,
    first_sequence bigint NOT NULL,
    last_sequence bigint NOT NULL,
    ended_time bigint NOT NULL,
    PRIMARY KEY (table_key, hand_number)
)""",
    "CREATE INDEX hands_by_time ON hands (table_key, ended_time, hand_number)",
    """
CREATE TABLE hand_players (
    player_id text NOT NULL,
    ended_time bigint NOT NULL,
    table_key bigint NOT NULL,
    hand_number bigint NOT NULL,
    PRIMARY KEY (player_id, ended_time, table_key, hand_number)
)""",
)


def upgrade() -> None:
    """From nothing."""
    for statement in _STATEMENTS:
        op.execute(statement)
