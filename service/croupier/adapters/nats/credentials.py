"""A NATS user's credentials file: the JWT that names the user, and the seed that signs what the server asks for."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Final

import nats.errors
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_PART: Final = re.compile(r"-+BEGIN ([A-Z ]+)-+\s+(\S+)\s+-+END")
_JWT: Final = "NATS USER JWT"
_SEED: Final = "USER NKEY SEED"
_PREFIX_BYTES: Final = 2
_KEY_BYTES: Final = 32
_CHECKSUM_BYTES: Final = 2


class Credentials:
    """A file, read whenever it is needed. Each raises nats.errors.Error where it is none."""

    def __init__(self, path: Path) -> None:
        self._path: Final = path

    def must_be_whole(self) -> None:
        """All that is needed must be there."""
        self.jwt()
        self.signature("")

    def jwt(self) -> bytes:
        return self._part(_JWT).encode()

    def signature(self, nonce: str) -> bytes:
        """The nonce's signature, in base64."""
        return base64.b64encode(key_of(self._part(_SEED)).sign(nonce.encode()))

    def _part(self, name: str) -> str:
        try:
            parts = dict(_PART.findall(self._path.read_text()))
        except OSError as failure:
            raise nats.errors.Error(f"{self._path} cannot be read: {failure.strerror}") from failure
        if name not in parts:
            raise nats.errors.Error(f"{self._path} has no {name}")
        return str(parts[name])


def key_of(seed: str) -> Ed25519PrivateKey:
    """The key of a seed as nkeys write it: base32 of prefix, key and checksum. Raises nats.errors.Error."""
    try:
        raw = base64.b32decode(seed + "=" * (-len(seed) % 8))
    except ValueError:
        raw = b""
    if len(raw) != _PREFIX_BYTES + _KEY_BYTES + _CHECKSUM_BYTES:
        raise nats.errors.Error("the seed of the credentials is none")
    return Ed25519PrivateKey.from_private_bytes(raw[_PREFIX_BYTES : _PREFIX_BYTES + _KEY_BYTES])
