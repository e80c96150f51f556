"""Why a token does not count."""

from __future__ import annotations

from grpc import StatusCode, aio
from tests.support.refused import Answered, refused, told

INFO = "/croupier.v1.TableService/GetServerInfo"


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
