"""Standard output and standard error of every command: there, and none fails in the middle of its work by them.

What cannot be written is lost. Whose reader has gone away ends with the status of what it did; a full disk is told.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

UNWRITTEN: Final = 2
"""The exit status where standard output could not be written, and nothing worse came of the work."""
_NAMES: Final = ("stdin", "stdout", "stderr")


class Ended(BaseException):
    """Raised by a write that failed where there is no work but to write. No failure of the work may catch it."""


class _Output(io.RawIOBase):
    """What is written goes where `raw` goes, until that fails."""

    def __init__(self, raw: io.FileIO) -> None:
        self._raw: Final = raw
        self.failure: OSError | None = None
        self.ends_the_work = False

    def fileno(self) -> int:
        return self._raw.fileno()

    def isatty(self) -> bool:
        return self._raw.isatty()

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int | None:
        if self.failure is None:
            try:
                return self._raw.write(data)
            except OSError as failure:
                self.failure = failure
        if self.ends_the_work:
            raise Ended
        return memoryview(data).nbytes


def run(command: Callable[[], None]) -> int:
    """The exit status of a command that ends with SystemExit, as it is after what it wrote is written."""
    _open_what_is_closed()
    output = _guarded("stdout")
    _guarded("stderr")
    status: object = 0
    try:
        command()
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
        status = 1 if isinstance(end.code, str) else end.code or 0
    except Ended:
        status = 0
    if output is None:
        return int(str(status))
    output.ends_the_work = False
    sys.stdout.flush()
    if output.failure is not None and output.failure.errno != errno.EPIPE:
        sys.stderr.write(f"croupier: standard output cannot be written: {output.failure.strerror}\n")
        status = status or UNWRITTEN
    return int(str(status))


def end_with_output() -> None:
    """For a command that does nothing but write: from now on it ends where it cannot."""
    output = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(output, _Output):
        output.ends_the_work = True


def _open_what_is_closed() -> None:
    """Else the next file or socket takes such a number, and is written to as if it were the terminal."""
    for number, name in enumerate(_NAMES):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "r" if number == 0 else "w", closefd=False))  # noqa: SIM115


def _guarded(name: str) -> _Output | None:
    """Puts an _Output below the stream; None where it is no file."""
    stream = getattr(sys, name)
    if not isinstance(stream, io.TextIOWrapper):
        return None
    output = _Output(io.FileIO(stream.fileno(), "w", closefd=False))
    wrapped = io.TextIOWrapper(
        io.BufferedWriter(output),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering or stream.write_through,
    )
    setattr(sys, name, wrapped)
    return output
