"""Files of credentials that cannot be used: each told with what to do, none with what is in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.support.credentials import Authority, Issuer, Secret

from croupier.adapters.credentials.files import CredentialsFileError
from croupier.adapters.credentials.keys import Keys
from croupier.adapters.credentials.tls import Tls


def test_a_secret_is_long_and_nobody_elses(tmp_path: Path) -> None:
    secret = Secret(tmp_path)
    Keys(str(secret.file), "")
    secret.file.chmod(0o604)
    with pytest.raises(CredentialsFileError, match="mode 0604, open to every user: run chmod 600"):
        Keys(str(secret.file), "")
    secret.file.chmod(0o600)
    secret.file.write_text("short-secret\n")
    with pytest.raises(CredentialsFileError, match="secret of 12 bytes; make it 32 or more") as caught:
        Keys(str(secret.file), "")
    assert "short-secret" not in str(caught.value)
    secret.file.unlink()
    with pytest.raises(CredentialsFileError, match="cannot be read: No such file"):
        Keys(str(secret.file), "")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"keys": 5}',
        b'{"keys": [5]}',
        b'{"keys": [{}]}',
        b'{"keys": [{"kty": "RSA"}]}',
        b'{"keys": [{"kty": "RSA", "n": "AQ", "e": "!"}]}',
        b'{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "AQ"}]}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_what_is_no_jwks_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "jwks.json"
    path.write_bytes(content)
    with pytest.raises(CredentialsFileError, match="is no JWKS, or a key in it is malformed"):
        Keys("", str(path))


def test_a_jwks_needs_a_key_that_can_be_used(tmp_path: Path) -> None:
    issuer = Issuer(tmp_path)
    for other in (
        {"kty": "oct", "k": "c2VjcmV0"},
        {"kty": "EC", "crv": "P-256", "x": "AQ", "y": "AQ"},
        {"kty": "OKP", "crv": "X25519", "x": "AQ"},
        {"kty": "RSA", "use": "enc", "n": "AQ", "e": "AQAB"},
        {"kty": "RSA", "alg": "RS512", "n": "AQ", "e": "AQAB"},
    ):
        issuer.publish(other)
        with pytest.raises(CredentialsFileError, match=r"has 0 keys for RS256 and EdDSA"):
            Keys("", str(issuer.file))


def test_weak_and_private_keys_are_refused(tmp_path: Path) -> None:
    issuer = Issuer(tmp_path)
    issuer.add_rsa("weak", bits=1024)
    with pytest.raises(CredentialsFileError, match="RSA key of 1024 bits; use 2048 or more"):
        Keys("", str(issuer.file))
    issuer.remove("weak")
    issuer.publish({"kty": "OKP", "crv": "Ed25519", "x": "AQ", "d": "c2VjcmV0"})
    with pytest.raises(CredentialsFileError, match="holds a private key") as caught:
        Keys("", str(issuer.file))
    assert "c2VjcmV0" not in str(caught.value)


def test_keys_are_kept_where_the_file_is_spoilt(tmp_path: Path) -> None:
    issuer = Issuer(tmp_path)
    issuer.add_ed25519("one")
    keys = Keys("", str(issuer.file))
    before = keys.fitting("EdDSA", "one")
    assert before
    issuer.file.write_text(json.dumps({"keys": []}))
    with capture_logs() as entries:
        assert not keys.renewed(10.0)
        assert not keys.renewed(20.0), "and looked at again only once it changes"
    assert [entry["event"] for entry in entries] == ["token_keys_kept"]
    assert keys.fitting("EdDSA", "one") == before
    issuer.add_ed25519("two")
    assert not keys.renewed(20.5), "it is looked at once a second"
    assert keys.renewed(30.0)
    assert keys.fitting("EdDSA", "two")
    assert len(keys.fitting("EdDSA", None)) == 2
    assert not keys.fitting("EdDSA", "three")


def test_certificate_and_key_belong_together(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    cert, key = authority.server()
    other_cert, other_key = authority.server("other")
    Tls(str(cert), str(key), str(authority.file))
    with pytest.raises(CredentialsFileError, match=r"other.key is not the key of the first certificate in"):
        Tls(str(cert), str(other_key), "")
    with pytest.raises(CredentialsFileError, match=r"other.crt is no private key in PEM"):
        Tls(str(cert), str(other_cert), "")
    with pytest.raises(CredentialsFileError, match=r"server.key holds no certificates in PEM"):
        Tls(str(cert), str(key), str(key))
