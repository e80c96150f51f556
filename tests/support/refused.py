"""Calls made by hand, and how they were refused."""

from __future__ import annotations

from typing import Any, cast

from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode, aio


class Answered(Exception):
    """Raised where a call that is to be refused is not."""


async def refused(
    channel: aio.Channel,
    method: str,
    request: Message | bytes = b"",
    *,
    streams: bool = False,
    metadata: tuple[tuple[str, str | bytes], ...] = (),
) -> aio.AioRpcError:
    """The status that a call ends with, other than OK. Raises Answered."""
    data = request if isinstance(request, bytes) else request.SerializeToString()
    try:
        if streams:
            stream = cast(Any, channel.unary_stream(method))(data, timeout=20, metadata=metadata)
            await stream.read()
            stream.cancel()
        else:
            await cast(Any, channel.unary_unary(method))(data, timeout=20, metadata=metadata)
    except aio.AioRpcError as failure:
        return failure
    raise Answered(method)


def told(failure: aio.AioRpcError) -> tuple[StatusCode, str, dict[str, str], float | None]:
    """Code, reason, metadata, and the seconds to wait where RetryInfo says so."""
    reason, facts, wait = "", {}, None
    for key, value in failure.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            for detail in Status.FromString(value).details:
                info, retry = ErrorInfo(), RetryInfo()
                if detail.Unpack(info):
                    reason, facts = info.reason, dict(info.metadata)
                elif detail.Unpack(retry):
                    wait = retry.retry_delay.ToTimedelta().total_seconds()
    return failure.code(), reason, facts, wait
