"""Tokens that are damaged, deep or huge: each is refused by a reason, and the server goes on."""

from __future__ import annotations

from random import Random

import jwt
import pytest
from grpc import StatusCode, aio
from tests.integration.access.telling import INFO, invalid, why
from tests.support.credentials import Secret, spelt
from tests.support.refused import refused

from croupier.adapters.credentials.tokens import LONGEST


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
