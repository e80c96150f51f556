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
    """`sub` is the caller's id, a player's the player_id; a backend may have lists `players` and `houses`, a player a
    `scene`.

    Raises Refusal CREDENTIALS_INVALID.
    """
    scope = [claims.get(name) for name in ("players", "houses", "scene")]
    return _principal(claims.get("role"), claims.get("sub"), *scope)


def of_uris(uris: Iterable[bytes]) -> Principal | None:
    """From the one croupier://ROLE/ID among a certificate's URIs; None without. A backend's may go on with
    ?players=PREFIX,…&houses=HOUSE,… and a player's with ?scene=SCENE.

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
    scenes = asked.get("scene", [])
    if parts.fragment or "/" in name or not asked.keys() <= {"players", "houses", "scene"} or len(scenes) > 1:
        raise invalid("claims")
    scope = (_listed(asked.get("players")), _listed(asked.get("houses")), scenes[0] if scenes else None)
    return _principal(parts.netloc, name, *scope)


def _listed(values: list[str] | None) -> list[str] | None:
    return None if values is None else [one for value in values for one in value.split(",") if one]


def _principal(role: object, name: object, players: object, houses: object, scene: object) -> Principal:
    if not isinstance(role, str) or role not in _ROLES or not _names_somebody(name):
        raise invalid("claims")
    if role != "backend" and (players is not None or houses is not None):
        raise invalid("claims")
    if scene is not None and (role != "player" or not (scene == "" or _names_somebody(scene))):
        raise invalid("claims")
    known = _ids(houses)
    return Principal(
        f"{role}/{name}",
        role,  # type: ignore[arg-type]
        player_id=name if role == "player" else "",  # type: ignore[arg-type]
        players=_ids(players),
        houses=None if known is None else frozenset(known),
        scene=scene or "",  # type: ignore[arg-type]
    )


def _ids(listed: object) -> tuple[str, ...] | None:
    if listed is None:
        return None
    if not isinstance(listed, list) or len(listed) > _MOST_IN_SCOPE or not all(map(_names_somebody, listed)):
        raise invalid("claims")
    return tuple(listed)


def _names_somebody(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST and value.isprintable()
