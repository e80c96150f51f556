"""Where NATS is and how to get in: URLs with what they hold of names and passwords, which no log may tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final
from urllib.parse import ParseResult, unquote, urlparse

import nats.errors
from nats.aio.client import Client

from croupier.adapters.nats.credentials import Credentials

SCHEMES: Final = ("nats", "tls")
DEFAULT_PORT: Final = 4222


class ServerUnusable(ValueError):
    """Raised for a URL or a credentials file that NATS cannot be reached with."""


class Server:
    """NATS by its URLs, with commas: `nats://[USER:PASSWORD@|TOKEN@]HOST[:PORT]`, or tls:// to insist on encryption.

    Those who sign their certificates are the system's, or SSL_CERT_FILE's. `credentials_file` is what nsc writes for a
    user, read anew at each connection.
    """

    def __init__(self, urls: str, credentials_file: str = "") -> None:
        """Raises ServerUnusable."""
        parsed = [_parsed(url.strip()) for url in urls.split(",")]
        self.place: Final = ",".join(map(_place, parsed))
        """The URLs without names and passwords."""
        self.urls: Final = self.place.split(",")
        self._encrypted: Final = any(url.scheme == "tls" for url in parsed)
        self._username: Final = unquote(parsed[0].username or "")
        self._password: Final = None if parsed[0].password is None else unquote(parsed[0].password)
        self._credentials: Final = Credentials(Path(credentials_file)) if credentials_file else None

    def must_have_credentials(self) -> None:
        """Raises ServerUnusable for a credentials file that is none."""
        if self._credentials is not None:
            try:
                self._credentials.must_be_whole()
            except nats.errors.Error as failure:
                raise ServerUnusable(f"{failure}; see --bus-credentials") from failure

    def identity(self, client: Client) -> dict[str, Any]:
        """What `client` connects with, told to nobody before the connection is as private as was asked for."""

        def told(text: str) -> Any:
            def tell() -> str:
                self.must_be_private(client)
                return text

            return tell

        credentials = self._credentials
        if credentials is not None:

            def signed(nonce: str) -> bytes:
                self.must_be_private(client)
                return credentials.signature(nonce)

            return {"user_jwt_cb": credentials.jwt, "signature_cb": signed}
        if self._password is not None:
            return {"user": told(self._username), "password": told(self._password)}
        return {"token": told(self._username)} if self._username else {}

    def must_be_private(self, client: Client) -> None:
        """Raises nats.errors.Error where encryption was asked for, and the server offers none."""
        # There is no public way to ask: nats-py encrypts where the server says so, whatever the URL.
        if self._encrypted and not client._server_info.get("tls_required"):
            raise nats.errors.Error("tls:// is asked for, and NATS does not offer it")


def _place(url: ParseResult) -> str:
    host = f"[{url.hostname}]" if ":" in (url.hostname or "") else url.hostname
    return f"{url.scheme}://{host}:{url.port or DEFAULT_PORT}"


def _parsed(url: str) -> ParseResult:
    try:
        parsed = urlparse(url)
        usable = parsed.scheme in SCHEMES and parsed.hostname and parsed.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ServerUnusable("a bus is nats://HOST:PORT or tls://HOST:PORT, several with commas")
    return parsed
