"""The keys that tokens are verified with: one secret, a JWKS of public keys, or both; reread when they change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import jwt
import structlog

from croupier.adapters.credentials import files
from croupier.adapters.credentials.files import CredentialsFileError

SECRET: Final = "HS256"
PUBLIC: Final = {"RSA": "RS256", "OKP": "EdDSA"}
ALGORITHMS: Final = frozenset((SECRET, *PUBLIC.values()))
LEAST_SECRET_BYTES: Final = 32
LEAST_RSA_BITS: Final = 2048
MOST_KEYS: Final = 64
REREAD_S: Final = 1.0
"""The files are looked at so often, at most."""

_log = structlog.get_logger()
_Key = tuple[str, str, Any]
"""Algorithm, key id ("" for none), key."""


class Keys:
    """All keys. Raises CredentialsFileError where a file cannot be used; once made, it keeps the keys it has."""

    def __init__(self, secret_file: str, jwks_file: str) -> None:
        self._secret_file = Path(secret_file) if secret_file else None
        self._jwks_file = Path(jwks_file) if jwks_file else None
        self._paths = [path for path in (self._secret_file, self._jwks_file) if path is not None]
        self._mark = files.mark(*self._paths)
        self._keys = self._read()
        self._look_at = 0.0

    def renewed(self, now: float) -> bool:
        """Whether the keys are others than before; `now` is in seconds, from any start."""
        if now < self._look_at:
            return False
        self._look_at = now + REREAD_S
        mark = files.mark(*self._paths)
        if mark == self._mark:
            return False
        self._mark = mark
        try:
            self._keys = self._read()
        except CredentialsFileError as error:
            _log.error("token_keys_kept", why=str(error))
            return False
        _log.info("token_keys_reread", keys=len(self._keys))
        return True

    def fitting(self, algorithm: str, key_id: object) -> list[Any]:
        """The keys that a token can have been signed with, by what its header says; a secret has no id."""
        of_kind = [(known, key) for kind, known, key in self._keys if kind == algorithm]
        if algorithm == SECRET or not key_id:
            return [key for _, key in of_kind]
        return [key for known, key in of_kind if known == key_id]

    def _read(self) -> list[_Key]:
        keys: list[_Key] = []
        if self._secret_file is not None:
            keys.append((SECRET, "", _secret(self._secret_file)))
        if self._jwks_file is not None:
            keys += _public(self._jwks_file)
        return keys


def _secret(path: Path) -> bytes:
    secret = files.read(path, "--jwt-secret-file", secret=True).strip()
    if len(secret) < LEAST_SECRET_BYTES:
        raise CredentialsFileError(f"{path} holds a secret of {len(secret)} bytes; make it 32 or more")
    return secret


def _public(path: Path) -> list[_Key]:
    """The keys of a JWKS that verify RS256 or EdDSA; others, such as those for encryption, are passed over."""
    try:
        listed = json.loads(files.read(path, "--jwks-file"))["keys"]
        keys = [key for one in listed if (key := _key(path, one)) is not None]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, jwt.PyJWTError):
        raise CredentialsFileError(f"{path} is no JWKS, or a key in it is malformed") from None
    if not 0 < len(keys) <= MOST_KEYS:
        raise CredentialsFileError(
            f"{path} has {len(keys)} keys for RS256 and EdDSA (Ed25519); it must have 1 to {MOST_KEYS}"
        )
    return keys


def _key(path: Path, one: dict[str, Any]) -> _Key | None:
    algorithm = PUBLIC.get(one["kty"])
    if algorithm is None or one.get("use", "sig") != "sig" or one.get("alg", algorithm) != algorithm:
        return None
    if one["kty"] == "OKP" and one["crv"] != "Ed25519":
        return None
    if "d" in one:
        raise CredentialsFileError(f"{path} holds a private key; keep those with whoever signs tokens")
    key = jwt.PyJWK(one, algorithm).key
    if algorithm == "RS256" and key.key_size < LEAST_RSA_BITS:
        raise CredentialsFileError(
            f"{path} has an RSA key of {key.key_size} bits; use {LEAST_RSA_BITS} or more"
        )
    return (algorithm, str(one.get("kid", "")), key)
