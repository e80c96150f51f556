"""The log of operations: a file of JSON lines, only ever appended to, read back table by table."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import msgspec

from croupier.client.load.history.operation import Operation

_BUFFER: Final = 1 << 20


class Log:
    """At `path`, or in a file that vanishes with it; in memory is where each table's lines begin, 8 bytes a line."""

    def __init__(self, path: Path | None = None) -> None:
        self._file: Final[IO[bytes]] = (
            tempfile.TemporaryFile(buffering=_BUFFER)  # noqa: SIM115
            if path is None
            else path.open("w+b", buffering=_BUFFER)
        )
        self._lines: Final[dict[str, array[int]]] = {}
        self._end = 0
        self._encode: Final = msgspec.json.Encoder().encode
        self._decode: Final = msgspec.json.Decoder(Operation).decode
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, operation: Operation) -> None:
        """Writes an operation that is over."""
        line = self._encode(operation) + b"\n"
        places = self._lines.get(operation.table_id)
        if places is None:
            places = self._lines[operation.table_id] = array("Q")
        places.append(self._end)
        self._file.write(line)
        self._end += len(line)
        self.count += 1

    def tables(self) -> list[str]:
        """The tables that there are operations of, in the order of their first; never the empty name."""
        return [table_id for table_id in self._lines if table_id]

    def of(self, table_id: str) -> Iterator[Operation]:
        """A table's operations in the order that they were over; of the empty name, those that concern no table."""
        self._file.flush()
        for place in self._lines.get(table_id, ()):
            self._file.seek(place)
            yield self._decode(self._file.readline())
        self._file.seek(self._end)
