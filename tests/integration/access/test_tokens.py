"""Tokens over live gRPC: which count, which do not and why, and what becomes of them when time or keys go on."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
from pathlib import Path
from typing import Any

import jwt
import pytest
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from tests.integration.access.conftest import ONCE
from tests.integration.access.telling import invalid, why
from tests.support.credentials import AUDIENCE, Issuer, Secret, claims, spelt
from tests.support.refused import refused, told
from tests.support.server import ServerProcess

from croupier.client import Croupier, Refused

DEPOSIT = "/croupier.v1.SettlementService/Deposit"
IN_2100 = 4_102_444_800


async def test_every_algorithm_counts(issued: aio.Channel, issuer: Issuer) -> None:
    assert await why(issued, issuer.token("old", "backend", "shop")) == ("", "")
    assert await why(issued, issuer.token("young", "backend", "shop")) == ("", "")


async def test_hs256_counts_for_its_audience(channel: aio.Channel, secret: Secret) -> None:
    assert await why(channel, secret.token("backend", "shop")) == ("", "")
    assert await why(channel, secret.token("backend", "shop", aud=["other", AUDIENCE])) == ("", "")
    assert await why(channel, secret.token("backend", "shop", aud="other")) == invalid("audience")
    without = {**claims("backend", "shop")}
    del without["aud"]
    assert await why(channel, jwt.encode(without, secret.secret, "HS256")) == invalid("claims")


async def test_the_scheme_is_bearer_once(channel: aio.Channel, secret: Secret) -> None:
    token = secret.token("backend", "shop")
    assert await why(channel, header=f"bearer  {token}") == ("", "")
    for header in ("", "Bearer", "Bearer ", f"Basic {token}", token):
        assert await why(channel, header=header) == invalid("malformed"), header
    assert await why(channel, token, token) == invalid("malformed")


@pytest.mark.parametrize(
    ("more", "because"),
    [
        ({"role": "god"}, "claims"),
        ({"role": None}, "claims"),
        ({"role": ["backend"]}, "claims"),
        ({"sub": ""}, "claims"),
        ({"sub": "a" * 65}, "claims"),
        ({"sub": "a\nb"}, "claims"),
        ({"sub": 5}, "claims"),
        ({"players": "a-"}, "claims"),
        ({"players": [""]}, "claims"),
        ({"players": [1]}, "claims"),
        ({"houses": {"a": 1}}, "claims"),
        ({"role": "player", "players": ["a-"]}, "claims"),
        ({"role": "observer", "houses": []}, "claims"),
        ({"exp": "soon"}, "claims"),
        ({"exp": str(IN_2100)}, "claims"),
        ({"exp": None}, "claims"),
        ({"exp": float("inf")}, "claims"),
        ({"exp": float("nan")}, "claims"),
        ({"nbf": IN_2100}, "early"),
        ({"iat": IN_2100}, "early"),
        ({"nbf": "never"}, "claims"),
    ],
)
async def test_claims_must_be_whole(
    channel: aio.Channel, secret: Secret, more: dict[str, Any], because: str
) -> None:
    payload = {**claims("backend", "shop"), **more}
    token = jwt.api_jws.encode(json.dumps(payload).encode(), secret.secret, "HS256")
    assert await why(channel, token) == invalid(because)


@pytest.mark.parametrize("missing", ["exp", "sub", "role"])
async def test_claims_that_must_be_there(channel: aio.Channel, secret: Secret, missing: str) -> None:
    payload = claims("backend", "shop")
    del payload[missing]
    token = jwt.api_jws.encode(json.dumps(payload).encode(), secret.secret, "HS256")
    assert await why(channel, token) == invalid("claims")


async def test_expired_is_told_of_genuine_tokens_alone(channel: aio.Channel, secret: Secret) -> None:
    assert await why(channel, secret.token("backend", "shop", seconds=-60)) == ("CREDENTIALS_EXPIRED", "")
    forged = jwt.encode(claims("backend", "shop", seconds=-60), "x" * 32, "HS256")
    assert await why(channel, forged) == invalid("signature")


async def test_no_other_algorithm_counts(channel: aio.Channel, secret: Secret) -> None:
    payload = claims("backend", "shop")
    for algorithm in ("none", "None", "NONE", "", "ES256", "HS1", None, 5, ["HS256"]):
        assert (await why(channel, spelt({"alg": algorithm, "typ": "JWT"}, payload)))[
            0
        ] == "CREDENTIALS_INVALID"
    for algorithm in ("HS384", "HS512"):
        token = jwt.encode(payload, secret.secret * 2, algorithm)
        assert await why(channel, token) == invalid("algorithm")


async def test_a_public_key_is_no_secret(issued: aio.Channel, issuer: Issuer) -> None:
    """The old confusion: what everybody may know used as the key of an HS256 token."""
    public = issuer.public("old")
    for key in (json.dumps(public), issuer.file.read_text(), public["n"]):
        unsigned = spelt({"alg": "HS256", "kid": "old"}, claims("backend", "shop")).rpartition(".")[0]
        signature = jwt.utils.base64url_encode(hmac.digest(key.encode(), unsigned.encode(), "sha256"))
        assert await why(issued, f"{unsigned}.{signature.decode()}") == invalid("key")


async def test_one_key_does_not_stand_for_another(issued: aio.Channel, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    theirs = Issuer(tmp_path / "theirs")
    theirs.add_rsa("old")
    theirs.add_ed25519("other")
    assert await why(issued, theirs.token("old", "backend", "shop")) == invalid("signature")
    assert await why(issued, theirs.token("other", "backend", "shop")) == invalid("key")


async def test_a_critical_extension_is_not_passed_over(channel: aio.Channel, secret: Secret) -> None:
    token = jwt.encode(claims("backend", "shop"), secret.secret, "HS256", headers={"crit": ["x"], "x": 1})
    assert (await why(channel, token))[0] == "CREDENTIALS_INVALID"


async def test_credentials_are_looked_at_before_anything_else(channel: aio.Channel) -> None:
    assert told(await refused(channel, DEPOSIT, b"\xff\xff"))[1] == "CREDENTIALS_MISSING"


async def test_health_is_open_and_reflection_wants_a_credential(channel: aio.Channel, secret: Secret) -> None:
    health: Any = health_pb2_grpc.HealthStub(channel)
    answer = await health.Check(health_pb2.HealthCheckRequest())
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    asked = reflection_pb2.ServerReflectionRequest(list_services="")
    stub: Any = reflection_pb2_grpc.ServerReflectionStub
    reflect = stub(channel).ServerReflectionInfo
    with pytest.raises(aio.AioRpcError) as caught:
        await reflect(iter([asked])).read()
    assert told(caught.value)[1] == "CREDENTIALS_MISSING"
    token = secret.token("observer", "stands")
    stream = reflect(iter([asked]), metadata=(("authorization", f"Bearer {token}"),))
    names = {one.name for one in (await stream.read()).list_services_response.service}
    assert "croupier.v1.TableService" in names


async def test_neither_logs_nor_metrics_hold_a_token(tmp_path: Path, secret: Secret) -> None:
    """From a server process of its own, at its most talkative."""
    server = ServerProcess(tmp_path)
    flags = ("--jwt-secret-file", str(secret.file), "--jwt-audience", AUDIENCE, "--log-level", "debug")
    tokens = [
        secret.token("backend", "shop"),
        secret.token("backend", "shop", seconds=-60),
        jwt.encode(claims("backend", "shop"), "x" * 32, "HS256"),
        spelt({"alg": "none"}, claims("backend", "shop")),
        "no-token-at-all-but-secret",
    ]
    try:
        await asyncio.to_thread(server.start, *flags)
        for token in tokens:
            async with Croupier(server.target, token=token, retry=ONCE) as client:
                for call in (client.get_server_info, client.list_houses):
                    with contextlib.suppress(Refused):
                        await call()
        told = [server.log.read_text(), server.page("metrics")]
        assert server.stop() == 0
    finally:
        server.kill()
    told.append(server.log.read_text())
    assert 'code="UNAUTHENTICATED"' in told[1]
    for text in told:
        assert secret.secret not in text
        for token in tokens:
            assert not any(part in text for part in token.split(".") if len(part) > 8)
