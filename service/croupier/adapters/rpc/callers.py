"""Who makes a call, by the credential that comes with it, and what that caller has under way."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar
from weakref import WeakValueDictionary

import grpc

from croupier.adapters.credentials import identity
from croupier.adapters.rpc.limits import Limits, Usage
from croupier.room.failures import Refusal
from croupier.room.principal import LOCAL, Principal, Role

if TYPE_CHECKING:
    from croupier.adapters.credentials.tokens import Tokens

MOST_REMEMBERED: Final = 16_384
_BEARER: Final = "bearer "
UNLIMITED: Final = Limits(max_calls=2**31, max_streams=2**31)

Key = TypeVar("Key")


class Caller:
    """Whoever a credential names; `expires` is in Unix seconds."""

    __slots__ = ("expires", "principal", "usage")

    def __init__(self, principal: Principal, usage: Usage, expires: float = math.inf) -> None:
        self.principal: Final = principal
        self.usage: Final = usage
        self.expires: Final = expires


class Callers(Protocol):
    """Tells who calls."""

    def of(self, context: grpc.aio.ServicerContext[Any, Any]) -> Caller:
        """The caller. Raises Refusal where the call has no credential, or none that counts."""
        ...


class LocalCallers:
    """No credentials are configured: everyone on loopback is the local backend."""

    def __init__(self, limits: Limits = UNLIMITED) -> None:
        self._caller = Caller(LOCAL, Usage(limits))

    def of(self, _: grpc.aio.ServicerContext[Any, Any]) -> Caller:
        return self._caller


class KnownCallers:
    """Callers by their credentials. A token decides before the certificate of the connection it comes over."""

    def __init__(self, tokens: Tokens | None, limits: Mapping[Role, Limits], *, certificates: bool) -> None:
        self._tokens = tokens
        self._limits = limits
        self._certificates = certificates
        self._by_token: dict[str, Caller] = {}
        self._by_uris: dict[tuple[bytes, ...], Caller] = {}
        self._usages: WeakValueDictionary[str, Usage] = WeakValueDictionary()

    def of(self, context: grpc.aio.ServicerContext[Any, Any]) -> Caller:
        sent = [value for key, value in context.invocation_metadata() or () if key == "authorization"]
        if sent:
            return self._of_token(_token(sent))
        if self._certificates:
            return self._of_certificate(context)
        raise Refusal("CREDENTIALS_MISSING")

    def _of_token(self, token: str) -> Caller:
        tokens = self._tokens
        if tokens is None:
            raise identity.invalid("unexpected")
        if tokens.keys_renewed():
            self._by_token.clear()
        caller = self._by_token.get(token)
        if caller is not None:
            if time.time() < caller.expires:
                return caller
            del self._by_token[token]
        principal, expires = tokens.verify(token)
        return _remember(self._by_token, token, Caller(principal, self._usage(principal), expires))

    def _of_certificate(self, context: grpc.aio.ServicerContext[Any, Any]) -> Caller:
        uris = tuple(context.auth_context().get("peer_uri", ()))
        caller = self._by_uris.get(uris)
        if caller is not None:
            return caller
        principal = identity.of_uris(uris)
        if principal is None:
            raise Refusal("CREDENTIALS_MISSING")
        return _remember(self._by_uris, uris, Caller(principal, self._usage(principal)))

    def _usage(self, principal: Principal) -> Usage:
        """The same for all credentials of one caller, as long as any is remembered or in use."""
        usage = self._usages.get(principal.id)
        if usage is None:
            usage = self._usages[principal.id] = Usage(self._limits[principal.role])
        return usage


def _token(sent: list[str | bytes]) -> str:
    """What follows "Bearer " in the one authorization header that may be sent."""
    value = sent[0]
    if len(sent) > 1 or not isinstance(value, str) or value[: len(_BEARER)].lower() != _BEARER:
        raise identity.invalid("malformed")
    return value[len(_BEARER) :].strip(" ")


def _remember(known: dict[Key, Caller], key: Key, caller: Caller) -> Caller:
    """Those remembered longest are forgotten first."""
    while len(known) >= MOST_REMEMBERED:
        del known[next(iter(known))]
    known[key] = caller
    return caller
