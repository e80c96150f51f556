"""Why the writer does not write a unit: raised by what checks it, turned into an outcome by the writer."""

from __future__ import annotations


class Unfit(Exception):
    """Raised when a unit contradicts what is stored; the text says how."""


class Elsewhere(Unfit):
    """Raised when a unit's table is another server's, or has been in between."""


class Overdrawn(Exception):
    """Raised when a set would take `account`, which holds `available`, below zero."""

    def __init__(self, account: str, available: int) -> None:
        super().__init__(account, available)
        self.account = account
        self.available = available


class Conflict(Exception):
    """Raised when the file is not as the writer remembers it: someone else has written to it."""
