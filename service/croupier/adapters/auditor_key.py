"""An auditor's X25519 keys as files: PEM, as `openssl genpkey -algorithm X25519` makes them. Opens no hand."""

from __future__ import annotations

from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from croupier.adapters.key_file import KeyFileError


def read_private(path: Path) -> bytes:
    """The private key's 32 bytes. Raises KeyFileError."""
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise KeyFileError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeyFileError(f"{path} is no private key in PEM without a password: {error}") from error
    if not isinstance(key, X25519PrivateKey):
        raise KeyFileError(f"{path} is a key of another kind: it must be X25519")
    return key.private_bytes_raw()
