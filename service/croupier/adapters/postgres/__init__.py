"""The store of many machines: journal, ledger and request index in a PostgreSQL database."""

from croupier.adapters.postgres.store import PostgresStore, holds_tables, looked_at
from croupier.adapters.postgres.unusable import SchemaTooNew, StoreUnusable

__all__ = ["PostgresStore", "SchemaTooNew", "StoreUnusable", "holds_tables", "looked_at"]
