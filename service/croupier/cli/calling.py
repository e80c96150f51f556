"""How a command calls a server: its address, a token, certificates, and which of them go together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from grpc import ChannelCredentials

    from croupier.client import CroupierError

PANEL = "The server, and who calls"

Target = Annotated[str, typer.Option(help="The server, HOST:PORT.", rich_help_panel=PANEL)]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        help="File with a token, sent with every call; reread while it runs.", rich_help_panel=PANEL
    ),
]
Ca = Annotated[
    Path | None,
    typer.Option(help="Whose certificate the server has, PEM: call by TLS.", rich_help_panel=PANEL),
]
Cert = Annotated[
    Path | None, typer.Option(help="A client certificate, PEM, with --key and --ca.", rich_help_panel=PANEL)
]
Key = Annotated[
    Path | None, typer.Option(help="The client certificate's private key, PEM.", rich_help_panel=PANEL)
]


def why(target: str, error: CroupierError) -> str:
    """Why a call failed, with what to do where that is in the options."""
    from croupier.client.errors import Unanswered

    if error.reason.startswith("CREDENTIALS_"):
        return f"{target} takes nobody without a credential ({error}); see --token-file, or --cert"
    if error.reason == "CALLER_NOT_ALLOWED":
        return f"this credential does not allow that ({error}); take a backend's"
    if isinstance(error, Unanswered) and not error.reason:
        return f"{target} does not answer ({error}); see --target, and for a server with TLS --ca"
    return str(error)


def token(path: Path | None) -> Callable[[], str] | None:
    """What a client is given as its token; raises BadParameter for a file that cannot be read."""
    from croupier.client.bearer import from_file

    try:
        return from_file(path) if path else None
    except OSError as failure:
        raise typer.BadParameter(_unreadable(failure), param_hint="--token-file") from None
    except ValueError as failure:
        raise typer.BadParameter(str(failure), param_hint="--token-file") from None


def credentials(ca: Path | None, cert: Path | None, key: Path | None) -> ChannelCredentials | None:
    """Those of the connection, None for one without TLS; raises BadParameter where they are not whole."""
    if bool(cert) != bool(key) or (cert and not ca):
        raise typer.BadParameter("--cert, --key and --ca are given together")
    if ca is None:
        return None
    from grpc import ssl_channel_credentials

    try:
        own = (key.read_bytes(), cert.read_bytes()) if key and cert else (None, None)
        roots = ca.read_bytes()
    except OSError as failure:
        raise typer.BadParameter(_unreadable(failure), param_hint="--ca, --cert, --key") from None
    if b"-----BEGIN CERTIFICATE-----" not in roots:
        raise typer.BadParameter(f"{ca} holds no certificates in PEM", param_hint="--ca")
    return ssl_channel_credentials(roots, *own)


def _unreadable(failure: OSError) -> str:
    return f"{failure.filename} cannot be read: {failure.strerror}"
