"""The request index as its writer sees it: a key is written once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.statement import Part, columns
from croupier.adapters.postgres.text import stored
from croupier.adapters.units.staging import key_of
from croupier.adapters.units.unfit import Answered
from croupier.room.ports import RequestRecord, Unit
from croupier.room.row_hash import request_hash

ANSWERED: Final = Part(
    "answered",
    columns("principal text, method text, request_id text, digest bytea, answer bytea, hash bytea"),
    """
  INSERT INTO requests (principal, method, request_id, digest, answer, hash)
  SELECT r.principal, r.method, r.request_id, r.digest, r.answer, r.hash FROM {rows}""",
)
_KNOWN: Final = """
SELECT principal, method, request_id
FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted (principal, method, request_id)
JOIN requests USING (principal, method, request_id)"""

Key = tuple[str, str, str]


class Requests:
    """Checks and stages request records."""

    def __init__(self) -> None:
        self._staged: dict[Key, tuple[str, str, str, bytes, bytes, bytes]] = {}
        self._there: set[Key] = set()

    async def load(self, connection: asyncpg.Connection[Any], units: Iterable[Unit]) -> None:
        """Reads which of the units' requests are answered; else all are held not to be, as entry sets are."""
        keys = [_kept(key_of(unit.request)) for unit in units if unit.request is not None]
        if keys:
            found = await connection.fetch(_KNOWN, *map(list, zip(*keys, strict=True)))
            self._there = {(row[0], row[1], row[2]) for row in found}

    def check(self, request: RequestRecord) -> None:
        """Raises Answered where the request has its answer already."""
        key = _kept(key_of(request))
        if key in self._staged or key in self._there:
            raise Answered(request)

    def stage(self, request: RequestRecord) -> None:
        key = _kept(key_of(request))
        self._staged[key] = (*key, request.digest, request.answer, request_hash(request))

    def parts(self) -> list[tuple[Part, Sequence[Sequence[Any]]]]:
        """What is staged."""
        return [(ANSWERED, list(self._staged.values()))]

    def settle(self) -> None:
        self._staged = {}
        self._there = set()

    forget = settle


def _kept(key: Key) -> Key:
    return stored(key[0]), stored(key[1]), stored(key[2])
