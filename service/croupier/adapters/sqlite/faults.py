"""What is the matter where SQLite fails, and what an operator does about it. Repairs nothing."""

from __future__ import annotations

import sqlite3
from typing import Final

_PRIMARY: Final = 0xFF
"""The bits of an error code without what is more exact."""
_DAMAGED: Final = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))
_ADVICE: Final = {
    sqlite3.SQLITE_FULL: "make room on the disk, tables then go on by themselves",
    sqlite3.SQLITE_READONLY: "make the disk writable again, then start the server again",
    sqlite3.SQLITE_CANTOPEN: "see that the store's folder is there and may be written to",
    sqlite3.SQLITE_IOERR: "look for the disk's errors in the system's log, then start the server again",
    sqlite3.SQLITE_CORRUPT: (
        "stop the server, keep the file, see by croupier audit what is lost, restore the last backup"
    ),
    sqlite3.SQLITE_NOTADB: "name the store's file, or restore the last backup",
}


def told(failure: BaseException) -> str:
    """A failure with what to do about it."""
    advice = _ADVICE.get(_code(failure))
    return f"{failure}: {advice}" if advice else str(failure)


def damaged(failure: BaseException) -> bool:
    """Whether the file contradicts itself, so that trying again is of no use."""
    return _code(failure) in _DAMAGED


def _code(failure: BaseException) -> int:
    return getattr(failure, "sqlite_errorcode", 0) & _PRIMARY
