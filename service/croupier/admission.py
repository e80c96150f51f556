"""Who may call, by what is configured. Whether one caller may do one thing, the adapters decide."""

from __future__ import annotations

from typing import get_args

import grpc

from croupier.adapters.logs import get_logger
from croupier.adapters.rpc.callers import Callers, KnownCallers, LocalCallers
from croupier.adapters.rpc.limits import Limits
from croupier.config import Settings
from croupier.room.principal import Role


def server_credentials(settings: Settings) -> grpc.ServerCredentials | None:
    """None for a port without TLS. Raises CredentialsFileError."""
    if not settings.tls_cert:
        return None
    from croupier.adapters.credentials.tls import Tls

    return Tls(settings.tls_cert, settings.tls_key, settings.client_ca).credentials()


def callers(settings: Settings) -> Callers:
    """Those who may call, with their limits. Raises CredentialsFileError."""
    many = Limits(settings.max_calls, settings.max_streams, settings.max_rate)
    few = Limits(settings.player_calls, settings.player_streams, settings.player_rate)
    if not settings.with_credentials:
        return LocalCallers(many)
    tokens = None
    if settings.with_tokens:
        # Left out where no token is taken: it is a megabyte of memory.
        from croupier.adapters.credentials.keys import Keys
        from croupier.adapters.credentials.tokens import Tokens

        tokens = Tokens(Keys(settings.jwt_secret_file, settings.jwks_file), settings.jwt_audience)
    limits: dict[Role, Limits] = {
        role: few if role in ("player", "observer") else many for role in get_args(Role)
    }
    return KnownCallers(tokens, limits, certificates=bool(settings.client_ca))


def tell_what_is_open(settings: Settings) -> None:
    """What an operator must know who believes it closed."""
    if not settings.with_credentials:
        get_logger().warning("credentials_not_configured", allowed="everything", on="loopback alone")
    elif not settings.tls_cert:
        get_logger().warning("tokens_in_clear", why="TLS is not configured", listen=settings.listen)
