"""Closing up cards that the rules have not shown, under a key per hand; the master key is the adapter's."""

from __future__ import annotations

import hmac
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE_BYTES: Final = 12


class SealBroken(RuntimeError):
    """Raised where a seal does not open: the key is another, or the bytes were changed."""


class Seal:
    """Seals and opens what a hand conceals: AES-256-GCM, key derived from the master key and the hand."""

    def __init__(self, master_key: bytes) -> None:
        if len(master_key) != 32:
            raise ValueError("the master key must be 32 bytes")
        self._master_key = master_key

    def close(self, table_id: str, hand_number: int, secret: bytes, nonce: bytes) -> bytes:
        """Nonce and ciphertext; `nonce` is fresh entropy of NONCE_BYTES."""
        name = f"{table_id}/{hand_number}".encode()
        return nonce + AESGCM(self._key(name)).encrypt(nonce, secret, name)

    def open(self, table_id: str, hand_number: int, sealed: bytes) -> bytes:
        """The secret. Raises SealBroken where key, hand or bytes are not the ones it was closed with."""
        name = f"{table_id}/{hand_number}"
        try:
            cipher = AESGCM(self._key(name.encode()))
            return cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], name.encode())
        except InvalidTag:
            raise SealBroken(
                f"the deck of hand {name} does not open: it was sealed with another key"
            ) from None

    def _key(self, name: bytes) -> bytes:
        return hmac.digest(self._master_key, b"hand " + name, "sha256")
