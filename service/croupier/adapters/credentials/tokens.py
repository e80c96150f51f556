"""Bearer tokens: JSON Web Tokens, verified once and remembered until they expire or the keys change."""

from __future__ import annotations

import time
from typing import Any, Final

import jwt

from croupier.adapters.credentials import identity
from croupier.adapters.credentials.keys import ALGORITHMS, Keys
from croupier.room.failures import Refusal
from croupier.room.principal import Principal

LONGEST: Final = 4096
"""Characters of a token; a longer one is not looked at."""
LEEWAY_S: Final = 5
"""By so much may the issuer's clock be off."""


class Tokens:
    """Verifies. `audience` is what `aud` must be or have in it; with none, `aud` is not looked at."""

    def __init__(self, keys: Keys, audience: str) -> None:
        self._keys = keys
        self._audience = audience

    def keys_renewed(self) -> bool:
        """Whether what was verified before counts no longer."""
        return self._keys.renewed(time.monotonic())

    def verify(self, token: str) -> tuple[Principal, float]:
        """Who a token names, and until when in Unix seconds.

        Raises Refusal CREDENTIALS_INVALID or, for a token that is genuine otherwise, CREDENTIALS_EXPIRED.
        """
        if len(token) > LONGEST:
            raise identity.invalid("malformed")
        claims = self._claims(token)
        return identity.of_claims(claims), claims["exp"] + LEEWAY_S

    def _claims(self, token: str) -> dict[str, Any]:
        try:
            header = jwt.get_unverified_header(token)
        except (jwt.PyJWTError, ValueError, RecursionError):
            raise identity.invalid("malformed") from None
        algorithm = header.get("alg")
        if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
            raise identity.invalid("algorithm")
        keys = self._keys.fitting(algorithm, header.get("kid"))
        if not keys:
            raise identity.invalid("key")
        for key in keys:
            try:
                return self._decoded(token, key, algorithm)
            except jwt.InvalidSignatureError:
                continue
        raise identity.invalid("signature")

    def _decoded(self, token: str, key: Any, algorithm: str) -> dict[str, Any]:
        required = ["exp", "sub", "role"] + (["aud"] if self._audience else [])
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                audience=self._audience or None,
                leeway=LEEWAY_S,
                options={"require": required, "verify_aud": bool(self._audience)},
            )
        except jwt.InvalidSignatureError:
            raise
        except jwt.ExpiredSignatureError:
            raise Refusal("CREDENTIALS_EXPIRED") from None
        except jwt.ImmatureSignatureError:
            raise identity.invalid("early") from None
        except jwt.InvalidAudienceError:
            raise identity.invalid("audience") from None
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError):
            raise identity.invalid("claims") from None
        if type(claims["exp"]) not in (int, float):
            raise identity.invalid("claims")
        return claims
