"""The server's side of TLS: its certificate, renewed without a restart, and whose client certificates it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import structlog
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from croupier.adapters.credentials import files
from croupier.adapters.credentials.files import CredentialsFileError

_log = structlog.get_logger()


class Tls:
    """Reads the files, again wherever they changed before a handshake. With `client_ca` callers must have certificates.

    Raises CredentialsFileError where a file cannot be used; once made, it goes on with what it had.
    """

    def __init__(self, cert: str, key: str, client_ca: str) -> None:
        self._cert, self._key = Path(cert), Path(key)
        self._client_ca = Path(client_ca) if client_ca else None
        self._paths = [self._cert, self._key, *([self._client_ca] if self._client_ca else [])]
        self._mark = files.mark(*self._paths)
        self._first = self._read()

    def credentials(self) -> grpc.ServerCredentials:
        """For a secure port."""
        return grpc.dynamic_ssl_server_credentials(
            self._first, self._renewed, require_client_authentication=self._client_ca is not None
        )

    def _renewed(self) -> Any:
        """Called by gRPC before each handshake, in a thread of its own: the files anew, None where none changed."""
        mark = files.mark(*self._paths)
        if mark == self._mark:
            return None
        self._mark = mark
        try:
            renewed = self._read()
        except CredentialsFileError as error:
            _log.error("certificates_kept", why=str(error))
            return None
        _log.info("certificates_reread")
        return renewed

    def _read(self) -> Any:
        cert, key = files.read(self._cert, "--tls-cert"), files.read(self._key, "--tls-key")
        self._must_belong_together(cert, key)
        roots = None
        if self._client_ca is not None:
            roots = files.read(self._client_ca, "--client-ca")
            _certificates(self._client_ca, roots)
        return grpc.ssl_server_certificate_configuration([(key, cert)], root_certificates=roots)

    def _must_belong_together(self, cert: bytes, key: bytes) -> None:
        """While files are being replaced they may not."""
        try:
            private = load_pem_private_key(key, None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise CredentialsFileError(f"{self._key} is no private key in PEM without a password") from None
        certified = _certificates(self._cert, cert)[0].public_key()
        if _spki(certified) != _spki(private.public_key()):
            raise CredentialsFileError(f"{self._key} is not the key of the first certificate in {self._cert}")


def _certificates(path: Path, content: bytes) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(content)
    except ValueError:
        raise CredentialsFileError(f"{path} holds no certificates in PEM") from None


def _spki(key: Any) -> bytes:
    encoded: bytes = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return encoded
