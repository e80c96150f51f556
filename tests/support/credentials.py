"""Credentials made on the spot: tokens with the keys that verify them, and certificates with whoever issues them."""

from __future__ import annotations

import base64
import ipaddress
import json
import secrets
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from grpc import ChannelCredentials, ssl_channel_credentials

ROLES: Final = ("backend", "player", "operator", "observer", "auditor")
AUDIENCE: Final = "croupier"
DAY: Final = timedelta(days=1)


def claims(role: str, name: str, *, seconds: float = 600, **more: Any) -> dict[str, Any]:
    """Those of a token that counts for so long."""
    return {"sub": name, "role": role, "exp": int(time.time() + seconds), "aud": AUDIENCE, **more}


class Secret:
    """Signs HS256 tokens; its file is what the server reads."""

    def __init__(self, directory: Path) -> None:
        self.file = directory / "jwt.secret"
        self.renew()

    def renew(self) -> None:
        """Another secret, in the same file."""
        self.secret = secrets.token_hex(32)
        self.file.unlink(missing_ok=True)
        self.file.touch(0o600)
        self.file.write_text(self.secret + "\n")

    def token(self, role: str, name: str, **more: Any) -> str:
        return jwt.encode(claims(role, name, **more), self.secret, "HS256")


class Issuer:
    """Signs RS256 and EdDSA tokens; its file is the JWKS that the server reads."""

    def __init__(self, directory: Path) -> None:
        self.file = directory / "jwks.json"
        self._keys: dict[str, Any] = {}

    def add_rsa(self, key_id: str, bits: int = 2048) -> None:
        self._keys[key_id] = rsa.generate_private_key(65537, bits)
        self.publish()

    def add_ed25519(self, key_id: str) -> None:
        self._keys[key_id] = ed25519.Ed25519PrivateKey.generate()
        self.publish()

    def remove(self, key_id: str) -> None:
        del self._keys[key_id]
        self.publish()

    def publish(self, *more: dict[str, Any]) -> None:
        """Write the JWKS, beside its name first, as whoever renews files should."""
        keys = [*(self.public(key_id) for key_id in self._keys), *more]
        draft = self.file.with_suffix(".draft")
        draft.write_text(json.dumps({"keys": keys}))
        draft.rename(self.file)

    def public(self, key_id: str) -> dict[str, Any]:
        key = self._keys[key_id]
        algorithms = jwt.get_algorithm_by_name("RS256" if hasattr(key, "key_size") else "EdDSA")
        public: dict[str, Any] = algorithms.to_jwk(key.public_key(), as_dict=True)
        return {**public, "kid": key_id, "use": "sig"}

    def token(self, key_id: str, role: str, name: str, **more: Any) -> str:
        key = self._keys[key_id]
        algorithm = "RS256" if hasattr(key, "key_size") else "EdDSA"
        return jwt.encode(claims(role, name, **more), key, algorithm, headers={"kid": key_id})


def spelt(header: dict[str, Any], payload: Any, signature: bytes = b"") -> str:
    """A token put together by hand."""
    parts = (json.dumps(header).encode(), json.dumps(payload).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


class Authority:
    """Issues certificates; its file is what either side trusts."""

    def __init__(self, directory: Path, name: str = "ca") -> None:
        self._directory = directory
        self._name = name
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.file = directory / f"{name}.pem"
        self.file.write_bytes(self._signed(name, self._key, (), ca=True))

    def server(self, name: str = "server") -> tuple[Path, Path]:
        """Certificate and key for this machine; made anew each time."""
        loopback = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
        return self._issue(name, [x509.DNSName("localhost"), loopback])

    def client(self, *uris: str, name: str = "client") -> ChannelCredentials:
        """What a caller connects with whose certificate names the URIs."""
        cert, key = self.client_files(*uris, name=name)
        return ssl_channel_credentials(self.file.read_bytes(), key.read_bytes(), cert.read_bytes())

    def client_files(self, *uris: str, name: str = "client") -> tuple[Path, Path]:
        return self._issue(name, [x509.UniformResourceIdentifier(uri) for uri in uris])

    def anonymous(self) -> ChannelCredentials:
        """What a caller without a certificate connects with."""
        return ssl_channel_credentials(self.file.read_bytes())

    def _issue(self, name: str, names: list[x509.GeneralName]) -> tuple[Path, Path]:
        key = ec.generate_private_key(ec.SECP256R1())
        cert_file, key_file = self._directory / f"{name}.crt", self._directory / f"{name}.key"
        cert_file.write_bytes(self._signed(name, key, names))
        key_file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return cert_file, key_file

    def _signed(self, name: str, key: ec.EllipticCurvePrivateKey, names: Any, *, ca: bool = False) -> bytes:
        now = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
            .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, self._name)]))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - DAY)
            .not_valid_after(now + DAY)
            .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return builder.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM)
