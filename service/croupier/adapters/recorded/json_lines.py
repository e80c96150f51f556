"""Reads recorded hands from JSON lines, one hand a line, the format of the vectors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

import msgspec

from croupier.adapters.recorded.hand import UNTOLD, Malformed, RecordedHand
from croupier.room.decoding import decoded

_DECODER: Final = msgspec.json.Decoder(RecordedHand)


def read_json_lines(stream: BinaryIO) -> Iterator[RecordedHand | Malformed]:
    """Every hand in order; a line that is none comes as the Malformed that says why. Empty lines pass."""
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            hand = decoded(_DECODER.decode, line)
        except msgspec.DecodeError as error:
            yield Malformed(f"line {number}: {error}")
            continue
        untold = next((action.type for action in hand.actions if action.type in UNTOLD), None)
        yield hand if untold is None else Malformed(f"line {number}: {untold} is no action here")
