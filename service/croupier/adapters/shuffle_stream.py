"""Shuffles as a laboratory tests them: raw bytes of the very path by which hands are dealt.

52 bytes a shuffle, one after the other, nothing before, between or behind them. Each byte is a card's number,
0 to 51, in the order in which the deck is dealt from its top: 4 times the rank (0 a two, 12 an ace) plus the
suit, as in `croupier.cards`. Each shuffle has fresh entropy of the operating system.
"""

from __future__ import annotations

import os
from typing import BinaryIO, Final

from croupier.room.deck import SEED_BYTES, shuffled

_AT_ONCE: Final = 1024


def write_shuffles(out: BinaryIO, count: int) -> None:
    """Write so many shuffles. Raises what writing raises, and OSError where entropy fails."""
    while count > 0:
        batch = min(count, _AT_ONCE)
        out.write(b"".join([shuffled(os.urandom(SEED_BYTES)) for _ in range(batch)]))
        count -= batch
    out.flush()
