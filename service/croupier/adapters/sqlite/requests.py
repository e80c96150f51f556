"""The request index as its writer sees it: a key is written once."""

from __future__ import annotations

import sqlite3

from croupier.adapters.sqlite.rows import write_rows
from croupier.adapters.units.staging import key_of
from croupier.adapters.units.unfit import Answered
from croupier.room.ports import RequestRecord
from croupier.room.row_hash import request_hash

_KNOWN = "SELECT 1 FROM requests WHERE principal = ? AND method = ? AND request_id = ?"
_INSERT = "INSERT INTO requests (principal, method, request_id, digest, answer, hash) {rows}"

Key = tuple[str, str, str]


class Requests:
    """Checks and stages request records, then writes what is staged."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._staged: dict[Key, tuple[str, str, str, bytes, bytes, bytes]] = {}

    def check(self, request: RequestRecord) -> None:
        """Raises Answered where the request has its answer already."""
        key = key_of(request)
        if key in self._staged or self._connection.execute(_KNOWN, key).fetchone():
            raise Answered(request)

    def stage(self, request: RequestRecord) -> None:
        row = (*key_of(request), request.digest, request.answer, request_hash(request))
        self._staged[key_of(request)] = row

    def write(self) -> None:
        write_rows(self._connection, _INSERT, list(self._staged.values()))

    def settle(self) -> None:
        self._staged = {}

    forget = settle
