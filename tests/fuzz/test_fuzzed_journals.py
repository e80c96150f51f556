"""Bytes that a journal may hold once its disk has failed: read, or refused by the decoder, and by nothing else."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

import msgspec
from hypothesis import example
from hypothesis import strategies as st
from tests.fuzz.spoiling import fuzzed, spoilt

from croupier.room import codec, openings

JOURNALS: Final = Path(__file__).parents[1] / "journals"


def bodies() -> list[bytes]:
    """A journal's records, each kind of command once."""
    with sqlite3.connect(f"file:{JOURNALS / 'format_2.db'}?mode=ro", uri=True) as store:
        rows = store.execute("SELECT body FROM journal ORDER BY position").fetchall()
    known: dict[str, bytes] = {}
    for (body,) in rows:
        known.setdefault(type(codec.decode(body, codec.FORMAT).command).__name__, body)
    return list(known.values())


BODIES: Final = bodies()
KEPT: Final = openings.to_keep([openings.CardOpening(1, 51, 0, 3, 40, bytes(32), [bytes(32)] * 6)] * 3)
MESSAGE_PACK: Final = (
    b"\xdd\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xdb\x7f\xff\xff\xff",
    b"\x91" * 5000,
    b"\xcf" + b"\xff" * 8,
)


@example(b"\x91" * 3000, codec.FORMAT)
@example(b"\x93" + BODIES[0][1:] + b"\x91" * 3000, codec.FORMAT)
@fuzzed(600, spoilt(BODIES, MESSAGE_PACK), st.integers(0, codec.FORMAT + 1))
def test_a_record_of_any_bytes_is_read_or_refused(data: bytes, format_version: int) -> None:
    try:
        body = codec.decode(data, format_version)
    except (msgspec.MsgspecError, codec.JournalTooNew):
        return
    assert codec.decode(codec.encode(body.command, list(body.events)), codec.FORMAT) == body


@fuzzed(300, spoilt([KEPT], MESSAGE_PACK))
def test_openings_of_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        openings.kept(data)
    except msgspec.MsgspecError:
        return
