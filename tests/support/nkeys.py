"""Keys and credentials as NATS writes them: an operator, an account and a user, each vouched for by the one before."""

from __future__ import annotations

import base64
import binascii
import json
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

OPERATOR, ACCOUNT, USER = 14 << 3, 0, 20 << 3
_SEED: Final = 18 << 3
_NO_LIMITS: Final = {"subs": -1, "data": -1, "payload": -1}


class Key:
    """One of a kind."""

    def __init__(self, kind: int) -> None:
        self._kind = kind
        self._key = Ed25519PrivateKey.generate()
        self.name: Final = _encoded(bytes((kind,)) + self._key.public_key().public_bytes_raw())

    @property
    def seed(self) -> str:
        prefix = bytes((_SEED | self._kind >> 5, (self._kind & 31) << 3))
        return _encoded(prefix + self._key.private_bytes_raw())

    def vouch(self, subject: Key, kind: str, **claims: object) -> str:
        """A JWT of the subject."""
        told = {"jti": "1", "iat": 1, "iss": self.name, "name": kind, "sub": subject.name}
        told["nats"] = {"type": kind, "version": 2, **claims}
        parts = [_url({"typ": "JWT", "alg": "ed25519-nkey"}), _url(told)]
        signature = self._key.sign(".".join(parts).encode())
        return ".".join((*parts, base64.urlsafe_b64encode(signature).decode().rstrip("=")))


def guarded(directory: Path) -> tuple[str, Path]:
    """A server's configuration that lets nobody in but a user, and that user's credentials file."""
    operator, account, user = Key(OPERATOR), Key(ACCOUNT), Key(USER)
    more = {"imports": -1, "exports": -1, "wildcards": True, "conn": -1, "leaf": -1}
    vouched = operator.vouch(account, "account", limits={**_NO_LIMITS, **more})
    configuration = (
        f"operator: {operator.vouch(operator, 'operator')}\n"
        f"resolver: MEMORY\nresolver_preload: {{ {account.name}: {vouched} }}"
    )
    file = directory / "user.creds"
    file.write_text(
        f"-----BEGIN NATS USER JWT-----\n{account.vouch(user, 'user', **_NO_LIMITS)}\n"
        f"------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n{user.seed}\n"
        "------END USER NKEY SEED------\n"
    )
    return configuration, file


def _encoded(raw: bytes) -> str:
    checked = raw + binascii.crc_hqx(raw, 0).to_bytes(2, "little")
    return base64.b32encode(checked).decode().rstrip("=")


def _url(content: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")
