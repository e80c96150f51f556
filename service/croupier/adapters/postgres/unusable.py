"""Why the database is not to be used as a store, told to whoever starts or runs the server."""

from __future__ import annotations

from typing import Final

NO_OWNER_ROW: Final = (
    "the database has lost the one row of its table ownership: restore the database from a backup"
)


class StoreUnusable(RuntimeError):
    """Raised when the database is no store, or cannot be reached, read or written."""


class SchemaTooNew(RuntimeError):
    """Raised when the database was migrated by a later version of the service."""


class Replaced(RuntimeError):
    """Raised when another server has taken the store over: nothing of this one is written any more."""
