"""Shuffling: from 256 bits of entropy to an order of 52 cards; every order reachable, none favoured."""

from __future__ import annotations

import hashlib
import struct

SEED_BYTES = 32
_WORDS = 256
_UNPACK = struct.Struct(f"<{_WORDS}H").unpack
_LIMITS = [0, 0] + [65536 - 65536 % bound for bound in range(2, 53)]


def shuffled(seed: bytes) -> bytes:
    """The deal order of a fresh deck: Fisher-Yates over a SHAKE-256 stream, biased draws rejected.

    Card numbers as in `croupier.cards`. The same seed gives the same order.
    """
    deck = bytearray(range(52))
    block = 0
    words = iter(_UNPACK(hashlib.shake_256(seed + b"\0").digest(2 * _WORDS)))
    for last in range(51, 0, -1):
        bound = last + 1
        limit = _LIMITS[bound]
        while True:
            word = next(words, None)
            if word is None:
                block += 1
                words = iter(_UNPACK(hashlib.shake_256(seed + bytes([block])).digest(2 * _WORDS)))
            elif word < limit:
                break
        other = word % bound
        deck[last], deck[other] = deck[other], deck[last]
    return bytes(deck)
