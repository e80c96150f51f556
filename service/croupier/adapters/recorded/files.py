"""Recorded hands from files by their names: .jsonl, .phh and .phhs, each also gzipped (.gz)."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, cast

from croupier.adapters.recorded.hand import Malformed, RecordedHand
from croupier.adapters.recorded.json_lines import read_json_lines
from croupier.adapters.recorded.phh import read_phh

Read = Callable[[BinaryIO], Iterator[RecordedHand | Malformed]]

_READERS: Final[dict[str, Read]] = {
    ".jsonl": read_json_lines,
    ".phh": read_phh,
    ".phhs": read_phh,
}
KINDS: Final = ", ".join(f"{suffix}[.gz]" for suffix in _READERS)


def readable(path: Path) -> bool:
    """Whether the name says a format that is read here."""
    return _format(path) in _READERS


def read(path: Path, stream: BinaryIO) -> Iterator[RecordedHand | Malformed]:
    """The hands in `stream`, which holds the bytes of the file at `path`; one that holds none is malformed."""
    empty = True
    for recorded in _hands(path, stream):
        yield recorded
        empty = False
    if empty:
        yield Malformed("the file holds no hand")


def _hands(path: Path, stream: BinaryIO) -> Iterator[RecordedHand | Malformed]:
    if path.suffix != ".gz":
        yield from _READERS[_format(path)](stream)
        return
    try:
        yield from _READERS[_format(path)](cast(BinaryIO, gzip.GzipFile(fileobj=stream)))
    except (EOFError, OSError, zlib.error) as error:
        yield Malformed(f"the compressed file is damaged: {error}")


def _format(path: Path) -> str:
    return Path(path.stem).suffix if path.suffix == ".gz" else path.suffix
