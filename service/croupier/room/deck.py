"""Shuffling: from 256 bits of entropy to an order of 52 cards; every order reachable, none favoured."""

from __future__ import annotations

import hashlib
import struct

SEED_BYTES = 32
_WORDS = 256
_unpack = struct.Struct(f"<{_WORDS}H").unpack
_DRAWS = tuple((last, 65536 - 65536 % (last + 1)) for last in range(51, 0, -1))
"""Where each card drawn goes, and the least word that would favour some cards over others."""


def shuffled(seed: bytes) -> bytes:
    """The deal order of a fresh deck: Fisher-Yates over a SHAKE-256 stream, biased draws rejected.

    Card numbers as in `croupier.cards`. The same seed gives the same order. A word is rejected one time in
    5,000 or less, so that 256 words suffice for 51 draws but for odds beyond any deck that will ever be dealt.
    """
    deck = bytearray(range(52))
    words = _unpack(hashlib.shake_256(seed).digest(2 * _WORDS))
    position = 0
    for last, limit in _DRAWS:
        word = words[position]
        position += 1
        while word >= limit:
            word = words[position]
            position += 1
        other = word % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return bytes(deck)
