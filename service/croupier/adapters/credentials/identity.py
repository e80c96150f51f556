"""Who a credential names: from a token's claims, or from the URI in a client certificate, to a Principal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args
from urllib.parse import parse_qs, unquote, urlsplit

from croupier.room.failures import Refusal
from croupier.room.principal import Principal, Role

SCHEME: Final = "croupier"
_ROLES: Final = frozenset(get_args(Role))
_LONGEST: Final = 64
_MOST_IN_SCOPE: Final = 256


def invalid(why: str) -> Refusal:
    """A credential that counts for nothing, and why."""
    return Refusal("CREDENTIALS_INVALID", why=why)


def of_claims(claims: Mapping[str, Any]) -> Principal:
    """`sub` is the caller's id, a player's the player_id; a backend may have lists `players` and `houses`.

    Raises Refusal CREDENTIALS_INVALID.
    """
    return _principal(claims.get("role"), claims.get("sub"), claims.get("players"), claims.get("houses"))


def of_uris(uris: Iterable[bytes]) -> Principal | None:
    """From the one croupier://ROLE/ID[?players=PREFIX,…&houses=HOUSE,…] among a certificate's URIs; None without.

    Raises Refusal CREDENTIALS_INVALID.
    """
    ours = [uri for uri in uris if uri.lower().startswith(f"{SCHEME}://".encode())]
    if not ours:
        return None
    if len(ours) > 1:
        raise invalid("claims")
    try:
        parts = urlsplit(ours[0].decode("ascii"))
        asked = parse_qs(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        name = unquote(parts.path.removeprefix("/"), errors="strict")
    except ValueError:
        raise invalid("malformed") from None
    if parts.fragment or "/" in name or not asked.keys() <= {"players", "houses"}:
        raise invalid("claims")
    return _principal(parts.netloc, name, _listed(asked.get("players")), _listed(asked.get("houses")))


def _listed(values: list[str] | None) -> list[str] | None:
    return None if values is None else [one for value in values for one in value.split(",") if one]


def _principal(role: object, name: object, players: object, houses: object) -> Principal:
    if not isinstance(role, str) or role not in _ROLES or not _names_somebody(name):
        raise invalid("claims")
    if role != "backend" and (players is not None or houses is not None):
        raise invalid("claims")
    known = _ids(houses)
    return Principal(
        f"{role}/{name}",
        role,  # type: ignore[arg-type]
        player_id=name if role == "player" else "",  # type: ignore[arg-type]
        players=_ids(players),
        houses=None if known is None else frozenset(known),
    )


def _ids(listed: object) -> tuple[str, ...] | None:
    if listed is None:
        return None
    if not isinstance(listed, list) or len(listed) > _MOST_IN_SCOPE or not all(map(_names_somebody, listed)):
        raise invalid("claims")
    return tuple(listed)


def _names_somebody(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST and value.isprintable()
