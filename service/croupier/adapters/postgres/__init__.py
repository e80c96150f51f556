"""The store of many machines: journal, ledger and request index in a PostgreSQL database."""

from croupier.adapters.postgres.beforehand import in_use, key_mark, key_of, looked_at, room_of
from croupier.adapters.postgres.store import PostgresStore
from croupier.adapters.postgres.unusable import SchemaTooNew, StoreUnusable

__all__ = [
    "PostgresStore",
    "SchemaTooNew",
    "StoreUnusable",
    "in_use",
    "key_mark",
    "key_of",
    "looked_at",
    "room_of",
]
