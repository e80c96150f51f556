"""Tokens over live gRPC: which count, which do not and why, and what becomes of them when time or keys go on."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import jwt
import pytest
from grpc import StatusCode, aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from tests.integration.access.conftest import ONCE, Calling
from tests.support.credentials import AUDIENCE, Issuer, Secret, claims, spelt
from tests.support.live import PATIENCE, Backend, running
from tests.support.refused import Answered, refused, told
from tests.support.server import ServerProcess

from croupier.adapters.credentials import keys
from croupier.adapters.credentials.tokens import LONGEST
from croupier.app import App
from croupier.client import Croupier, Refused, Retry

INFO = "/croupier.v1.TableService/GetServerInfo"
DEPOSIT = "/croupier.v1.SettlementService/Deposit"


@pytest.fixture
async def channel(app: App) -> AsyncIterator[aio.Channel]:
    async with aio.insecure_channel(f"127.0.0.1:{app.port}") as channel:
        yield channel


@pytest.fixture
def issuer(tmp_path: Path) -> Issuer:
    issuer = Issuer(tmp_path)
    issuer.add_rsa("old")
    issuer.add_ed25519("young")
    return issuer


@pytest.fixture
async def issued(
    tmp_path: Path, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[aio.Channel]:
    """A channel to a server that knows the issuer's keys, and looks at its file at every call."""
    monkeypatch.setattr(keys, "REREAD_S", 0)
    async with (
        running(tmp_path, jwks_file=str(issuer.file)) as app,
        aio.insecure_channel(f"127.0.0.1:{app.port}") as channel,
    ):
        yield channel


async def why(channel: aio.Channel, *tokens: str, header: str | None = None) -> tuple[str, str]:
    """Reason, and why, with which a call with the tokens is refused; nothing where it is answered."""
    values = [header] if header is not None else [f"Bearer {token}" for token in tokens]
    try:
        failure = await refused(channel, INFO, metadata=tuple(("authorization", value) for value in values))
    except Answered:
        return "", ""
    code, reason, facts, _ = told(failure)
    assert code is StatusCode.UNAUTHENTICATED
    return reason, facts.get("why", "")


def invalid(because: str) -> tuple[str, str]:
    return "CREDENTIALS_INVALID", because


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
        ({"exp": str(int(time.time()) + 600)}, "claims"),
        ({"exp": None}, "claims"),
        ({"exp": float("inf")}, "claims"),
        ({"exp": float("nan")}, "claims"),
        ({"nbf": int(time.time()) + 3600}, "early"),
        ({"iat": int(time.time()) + 3600}, "early"),
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


async def test_keys_are_rotated_without_a_restart(issued: aio.Channel, issuer: Issuer) -> None:
    before = issuer.token("old", "backend", "shop")
    assert await why(issued, before) == ("", "")
    issuer.add_rsa("new")
    assert await why(issued, issuer.token("new", "backend", "shop")) == ("", "")
    assert await why(issued, before) == ("", "")
    issuer.remove("old")
    assert await why(issued, before) == invalid("key"), "what was verified by a removed key counts no longer"
    issuer.file.write_text("{")
    assert await why(issued, issuer.token("new", "backend", "shop")) == ("", ""), "keys are kept"


async def test_a_new_secret_ends_tokens_of_the_old(
    channel: aio.Channel, secret: Secret, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "REREAD_S", 0)
    before = secret.token("backend", "shop")
    assert await why(channel, before) == ("", "")
    secret.renew()
    await asyncio.sleep(1.1)  # the file had been looked at just now
    assert await why(channel, before) == invalid("signature")
    assert await why(channel, secret.token("backend", "shop")) == ("", "")


async def test_a_remembered_token_expires(
    channel: aio.Channel, secret: Secret, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.adapters.credentials.tokens.LEEWAY_S", 0)
    token = secret.token("backend", "shop", seconds=2)
    assert await why(channel, token) == ("", "")
    async with asyncio.timeout(PATIENCE):
        while await why(channel, token) == ("", ""):
            await asyncio.sleep(0.2)
    assert await why(channel, token) == ("CREDENTIALS_EXPIRED", "")


async def test_a_stream_ends_with_its_token(
    shop: Backend, calling: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.adapters.credentials.tokens.LEEWAY_S", 0)
    table_id = await shop.open_table()
    watch = calling("player", "anna", seconds=2).watching(table_id, "anna")
    assert await watch.finished() is StatusCode.UNAUTHENTICATED
    assert watch.failure is not None
    assert told(watch.failure)[1] == "CREDENTIALS_EXPIRED"
    assert watch.messages


async def test_a_client_whose_token_is_renewed_goes_on_watching(
    app: App, shop: Backend, secret: Secret, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.adapters.credentials.tokens.LEEWAY_S", 0)
    table_id = await shop.open_table()
    tokens = []

    def fresh() -> str:
        tokens.append(secret.token("observer", "stands", seconds=2))
        return tokens[-1]

    async with Croupier(f"127.0.0.1:{app.port}", token=fresh, retry=Retry(first_pause=0.01)) as client:
        news = client.watch(table_id)
        await anext(news)
        async with asyncio.timeout(PATIENCE):
            while len(tokens) < 2:
                waiting = asyncio.ensure_future(anext(news))
                await asyncio.sleep(2.5)
                await shop.pause_table(table_id)
                batch: Any = await waiting
                assert batch.events[0].WhichOneof("event") == "table_paused"
        await news.aclose()


def damaged(token: str, dice: Random) -> str:
    """The token, worse in one way or another."""
    match dice.randrange(6):
        case 0:
            place = dice.randrange(len(token))
            return token[:place] + dice.choice("AZaz09-_.=!~ ") + token[place + 1 :]
        case 1:
            return token[: dice.randrange(len(token))]
        case 2:
            return ".".join(dice.sample(token.split("."), 3))
        case 3:
            return token + dice.choice((".", ".x", "==", "A"))
        case 4:
            return "".join(chr(dice.randrange(33, 127)) for _ in range(dice.randrange(1, 300)))
        case _:
            part = dice.choice(token.split("."))
            return token.replace(part, part[::-1])


@pytest.mark.parametrize("seed", range(4))
async def test_damaged_tokens_are_refused_each_by_a_reason(
    channel: aio.Channel, secret: Secret, seed: int
) -> None:
    dice = Random(seed)
    token = secret.token("backend", "shop")
    for _ in range(100):
        bad = damaged(token, dice)
        reason, _because = await why(channel, bad)
        assert reason == "CREDENTIALS_INVALID" or _same(bad, token), bad


def _same(one: str, other: str) -> bool:
    """Whether two tokens say the same: the last character of a part has bits that count for nothing."""
    try:
        parts = [
            (jwt.utils.base64url_decode(a), jwt.utils.base64url_decode(b))
            for a, b in zip(one.split("."), other.split("."), strict=True)
        ]
    except ValueError:
        return False
    return all(a == b for a, b in parts)


async def test_deep_and_huge_tokens_are_refused(channel: aio.Channel, secret: Secret) -> None:
    deep = "[" * 1400
    nested = spelt({"alg": "HS256"}, {})
    header = jwt.utils.base64url_encode(deep.encode()).decode()
    assert await why(channel, f"{header}.{nested.partition('.')[2]}") == invalid("malformed")
    signed = jwt.api_jws.encode(deep.encode(), secret.secret, "HS256")
    assert await why(channel, signed) == invalid("claims")
    assert await why(channel, "a" * (LONGEST + 1)) == invalid("malformed")
    failure = await refused(channel, INFO, metadata=(("authorization", "Bearer " + "a" * 200_000),))
    assert failure.code() in (StatusCode.RESOURCE_EXHAUSTED, StatusCode.UNAVAILABLE)
    assert await why(channel, secret.token("backend", "shop")) == ("", ""), "and the server goes on"


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
