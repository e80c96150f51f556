"""Page tokens, bearer tokens and what certificates name, of any bytes: taken, or refused with their one reason."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from typing import Any, Final

import jwt
import pytest
from hypothesis import strategies as st
from tests.fuzz.spoiling import NUMBERS, fuzzed, spoilt
from tests.support.credentials import AUDIENCE, Issuer, Secret, claims

from croupier.adapters.credentials import identity
from croupier.adapters.credentials.files import CredentialsFileError
from croupier.adapters.credentials.keys import Keys
from croupier.adapters.credentials.tokens import Tokens
from croupier.adapters.rpc import pages
from croupier.room.failures import Refusal

FILTERS: Final = ("table", "")
PAGES: Final = pages.PageTokens(bytes(32))
PAGE: Final = PAGES.after([7, "stack/t/anna"], FILTERS).encode()


def refused(call: Callable[[], object]) -> str | None:
    """The reason that the call is refused for."""
    try:
        call()
    except Refusal as refusal:
        return refusal.reason
    return None


SCOPE: Final[dict[str, Any]] = {
    "players": ["a", "b"],
    "houses": ["h"],
    "nbf": 1,
    "iat": 1,
    "iss": "x",
    "jti": "y",
}


@fuzzed(
    400,
    spoilt([PAGE, base64.urlsafe_b64encode(b"2\x007\x00x\x00table\x00")], (b"====", b"AA==", b"\xc2\xa0")),
)
def test_page_tokens_are_taken_or_malformed(data: bytes) -> None:
    def number_of_page() -> int:
        place = PAGES.place(data.decode(errors="replace"), FILTERS, 2)
        return pages.number(place[0]) if place is not None else 0

    assert refused(number_of_page) in (None, "FIELD_MALFORMED")


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Secret:
    return Secret(tmp_path_factory.mktemp("jwt"))


@pytest.fixture(scope="module")
def tokens(signer: Secret, tmp_path_factory: pytest.TempPathFactory) -> Tokens:
    issuer = Issuer(tmp_path_factory.mktemp("jwks"))
    issuer.add_ed25519("one")
    return Tokens(Keys(str(signer.file), str(issuer.file)), AUDIENCE)


def must_name_or_refuse(tokens: Tokens, token: str) -> None:
    def verify() -> None:
        principal, expires = tokens.verify(token)
        assert principal.id.isprintable()
        assert time.time() < expires < float("inf")

    assert refused(verify) in (None, "CREDENTIALS_INVALID", "CREDENTIALS_EXPIRED")


@fuzzed(
    300,
    spoilt([b"HEADER.CLAIMS.SIGNATURE"], (b"....", b"=", b"eyJhbGciOiJub25lIn0")),
    spoilt(
        [b'{"alg":"HS256","kid":"one","typ":"JWT"}'],
        (b'"EdDSA"', b'"none"', b'"crit":["x"],', b'"b64":false,'),
    ),
)
def test_bearer_tokens_of_any_text(tokens: Tokens, signer: Secret, data: bytes, header: bytes) -> None:
    good = signer.token("backend", "one", **SCOPE)
    _, body, signature = good.split(".")
    head = base64.urlsafe_b64encode(header).decode().rstrip("=")
    for token in (
        data.decode(errors="replace"),
        f"{head}.{body}.{signature}",
        good[: len(data)] + data.decode("latin-1"),
    ):
        must_name_or_refuse(tokens, token)


@fuzzed(
    400,
    spoilt(
        [json.dumps(claims("backend", "one", **SCOPE)).encode()], tuple(b'"exp":%s,' % one for one in NUMBERS)
    ),
)
def test_claims_of_any_text_signed_by_the_issuer(tokens: Tokens, signer: Secret, data: bytes) -> None:
    """Whoever signs may make mistakes."""
    token = jwt.PyJWS().encode(data, signer.secret, "HS256")
    must_name_or_refuse(tokens, token)


@fuzzed(
    300,
    st.lists(
        spoilt(
            [b"croupier://backend/one?players=a,b&houses=h", b"croupier://player/anna"],
            (b"%00", b"%ff", b"&players=", b"[", b"]", b"@", b":99"),
        )
    ),
)
def test_uris_of_certificates(uris: list[bytes]) -> None:
    assert refused(lambda: identity.of_uris(uris)) in (None, "CREDENTIALS_INVALID")


@fuzzed(60, st.data())
def test_key_files_of_any_bytes_are_refused_by_name(
    tmp_path_factory: pytest.TempPathFactory, drawn: Any
) -> None:
    directory = tmp_path_factory.mktemp("keys")
    issuer = Issuer(directory)
    issuer.add_ed25519("one")
    issuer.publish({"kty": "RSA", "n": "AQAB" * 90, "e": "AQAB", "kid": "r"})
    issuer.file.write_bytes(
        drawn.draw(spoilt([issuer.file.read_bytes()], (b'"kty":"RSA"', b'"crv":"X25519"', b'"d":"AA"')))
    )
    told = str(issuer.file)
    try:
        Keys("", str(issuer.file))
    except CredentialsFileError as error:
        told = str(error)
    assert str(issuer.file) in told
