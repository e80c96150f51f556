"""How long a table waits for what its server does unasked. Judges no answer."""

from __future__ import annotations

from time import monotonic_ns
from typing import Any, Final

from grpc import StatusCode
from grpc.aio import AioRpcError, Channel
from grpc_health.v1 import health_pb2, health_pb2_grpc

from croupier.client.errors import Refused, error_of
from croupier.client.load.tally import Tally
from croupier.client.retry import away

_PATIENCE: Final = 10.0
_CHECK_SECONDS: Final = 2.0
_SECOND: Final = 1_000_000_000


class Waiting:
    """Ten seconds, which begin anew when a server that was away is back, and while one says that it is not serving."""

    def __init__(self, channel: Channel, tally: Tally) -> None:
        self._channel: Final = channel
        self._tally: Final = tally
        self._since = monotonic_ns()
        self._last: Final = self._since + int(max(tally.absence.limit, _PATIENCE) * _SECOND)

    async def over(self) -> bool:
        """Whether it should have been done by now. Raises Refused where a server has not been serving for longer than
        the run waits.
        """
        now = monotonic_ns()
        since = max(self._since, min(self._tally.absence.ended, self._last))
        if now < since + int(_PATIENCE * _SECOND):
            return False
        if await _serving(self._channel):
            return True
        not_serving = Refused("", {}, StatusCode.UNAVAILABLE, "the server is not serving")
        if now > self._last:
            raise not_serving
        self._tally.again(not_serving)
        self._since = now
        return False


async def _serving(channel: Channel) -> bool:
    """By its health check: one that drains answers, and starts no hand."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    try:
        answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=_CHECK_SECONDS)
    except AioRpcError as failure:
        return not away(error_of(failure))
    return bool(answer.status != health_pb2.HealthCheckResponse.NOT_SERVING)
