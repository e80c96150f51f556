"""A hand's key wrapped to an auditor's public key: X25519 with a key of its own, HKDF-SHA256, AES-256-GCM."""

from __future__ import annotations

from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SECRET_BYTES: Final = 32
PUBLIC_BYTES: Final = 32
WRAPPED_BYTES: Final = PUBLIC_BYTES + 32 + 16
_NONCE: Final = bytes(12)
"""Each wrapping key is used once."""


def wrap(key: bytes, public_key: bytes, secret: bytes, name: bytes) -> bytes:
    """The key of the hand named, for whoever has the private key; `secret` is fresh entropy of SECRET_BYTES."""
    ours = X25519PrivateKey.from_private_bytes(secret)
    ours_public = ours.public_key().public_bytes_raw()
    shared = ours.exchange(X25519PublicKey.from_public_bytes(public_key))
    return ours_public + AESGCM(_derived(shared, ours_public, public_key, name)).encrypt(_NONCE, key, name)


def unwrap(wrapped: bytes, private_key: bytes, name: bytes) -> bytes:
    """The key. Raises InvalidTag where it was wrapped to another, or for another hand."""
    mine = X25519PrivateKey.from_private_bytes(private_key)
    theirs = wrapped[:PUBLIC_BYTES]
    shared = mine.exchange(X25519PublicKey.from_public_bytes(theirs))
    derived = _derived(shared, theirs, mine.public_key().public_bytes_raw(), name)
    return AESGCM(derived).decrypt(_NONCE, wrapped[PUBLIC_BYTES:], name)


def _derived(shared: bytes, ours: bytes, theirs: bytes, name: bytes) -> bytes:
    info = b"croupier escrow 1\0" + ours + theirs + name
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(shared)
