"""Who looks at the console: by the token in its cookie, or anyone on loopback where no credentials are configured."""

from __future__ import annotations

import ipaddress
import time
import urllib.parse
from typing import Any, Final

from croupier.adapters.console.answers import Answer, see_other
from croupier.adapters.http import Receive, Scope
from croupier.adapters.rpc.callers import Caller, Callers
from croupier.room.failures import Refusal
from croupier.room.principal import LOCAL, Role

COOKIE: Final = "croupier_console"
LONGEST_TOKEN: Final = 3800
"""Characters: a browser keeps no longer cookie."""
ROLES: Final[frozenset[Role]] = frozenset(("observer", "operator", "auditor", "backend"))
_LONGEST_FORM: Final = 8192
_PLACE: Final = "/console"
LOGIN: Final = b"/console/login"


class Visitors:
    """Lets in. `known` says whether credentials are configured, which all who come must show then."""

    def __init__(self, callers: Callers, *, known: bool) -> None:
        self._callers = callers
        self.known: Final = known

    def of(self, scope: Scope) -> Caller:
        """Who comes. Raises Refusal."""
        if not self.known:
            _must_be_loopback(scope)
            return self._let_in("")
        token = _cookie(scope)
        if not token:
            raise Refusal("CREDENTIALS_MISSING")
        return self._let_in(token)

    def _let_in(self, token: str) -> Caller:
        caller = self._callers.of(_Shown(token))  # type: ignore[arg-type]
        principal = caller.principal
        if principal.role not in ROLES and principal is not LOCAL:
            raise Refusal("CALLER_NOT_ALLOWED", role=principal.role, player_id="")
        return caller

    async def log_in(self, scope: Scope, receive: Receive) -> Answer:
        """Take the token of a form, and give its cookie. Raises Refusal."""
        try:
            form = urllib.parse.parse_qs(await _body(receive), max_num_fields=4)
        except ValueError:
            raise Refusal("CREDENTIALS_INVALID", why="malformed") from None
        token = form.get("token", [""])[0].strip()
        if len(token) > LONGEST_TOKEN or not token.isascii() or not token.isprintable() or ";" in token:
            raise Refusal("CREDENTIALS_INVALID", why="malformed")
        caller = self._let_in(token)
        left = int(min(caller.expires - time.time(), 400 * 86_400))
        return see_other(b"/console", _set_cookie(scope, token, left))

    def log_out(self, scope: Scope) -> Answer:
        """Take the cookie away."""
        return see_other(LOGIN, _set_cookie(scope, "", 0))


class _Shown:
    """A credential where Callers look for it."""

    def __init__(self, token: str) -> None:
        self._metadata = (("authorization", f"Bearer {token}"),)

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata

    def auth_context(self) -> dict[str, Any]:
        return {}


def header(scope: Scope, name: bytes) -> str:
    """The first header of a name, which is in lower case; empty without."""
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    return next((value.decode("latin-1") for key, value in headers if key == name), "")


def _cookie(scope: Scope) -> str:
    for part in header(scope, b"cookie").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


def _set_cookie(scope: Scope, token: str, seconds: int) -> tuple[bytes, bytes]:
    """Secure where a proxy says so, whoever it is: a lie makes the liar's own cookie stricter, and nothing else."""
    scheme = header(scope, b"x-forwarded-proto").partition(",")[0].strip().lower()
    secure = "; Secure" if scheme == "https" else ""
    kept = f"Path={_PLACE}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
    return b"set-cookie", f"{COOKIE}={token}; {kept}".encode()


def _must_be_loopback(scope: Scope) -> None:
    """A page of another site whose name was made to lead here does not get to read anything."""
    try:
        host = urllib.parse.urlsplit(f"//{header(scope, b'host')}").hostname or ""
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise Refusal("CALLER_NOT_ALLOWED", role="", player_id="")


def own_form(scope: Scope) -> bool:
    """Whether no other site's page sends this: by what the browser says of it, or else by its origin.

    The scheme of the origin counts for nothing, as a proxy may be where TLS ends.
    """
    site = header(scope, b"sec-fetch-site")
    if site:
        return site in ("same-origin", "none")
    origin, host = header(scope, b"origin").lower(), header(scope, b"host").lower()
    return origin in ("", f"http://{host}", f"https://{host}")


async def _body(receive: Receive) -> str:
    body = b""
    while True:
        part = await receive()
        if part["type"] != "http.request":
            raise Refusal("MESSAGE_MALFORMED")
        body += part.get("body", b"")
        if len(body) > _LONGEST_FORM:
            raise Refusal("CREDENTIALS_INVALID", why="malformed")
        if not part.get("more_body"):
            return str(body, "latin-1")
