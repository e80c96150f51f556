"""The store of one machine: journal, ledger and request index in one SQLite file."""

from croupier.adapters.sqlite.lock import StoreLocked
from croupier.adapters.sqlite.schema import SchemaTooNew
from croupier.adapters.sqlite.store import SqliteStore
from croupier.adapters.units.queue import CommitObserver

__all__ = ["CommitObserver", "SchemaTooNew", "SqliteStore", "StoreLocked"]
