"""What a server says that follows a test's script: answers, refusals and streams, in the order written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode, aio

from croupier.v1.betting_service_pb2 import ActRequest
from croupier.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse


class Refusal:
    """A status to end a call with; with an ErrorInfo where a reason is given."""

    def __init__(
        self,
        code: StatusCode,
        reason: str = "",
        facts: Mapping[str, str] | None = None,
        domain: str = "croupier",
    ) -> None:
        self.code = code
        self.reason = reason
        self.facts = facts or {}
        self.domain = domain

    async def send(self, context: aio.ServicerContext[Message, Message]) -> None:
        if not self.reason:
            await context.abort(self.code, "said so")
        detail = Any()
        detail.Pack(ErrorInfo(reason=self.reason, domain=self.domain, metadata=self.facts))
        status = Status(code=self.code.value[0], message="said so", details=[detail])
        metadata = (("grpc-status-details-bin", status.SerializeToString()),)
        await context.abort(self.code, "said so", metadata)


class Scripted:
    """Answers calls of Act and streams of WatchTable in the order written down, and keeps the requests."""

    def __init__(self) -> None:
        self.acts: list[Message | Refusal] = []
        self.streams: list[list[WatchTableResponse | Refusal]] = []
        self.requests: list[ActRequest] = []
        self.watches: list[WatchTableRequest] = []

    async def act(self, request: ActRequest, context: aio.ServicerContext[Message, Message]) -> Message:
        self.requests.append(request)
        answer = self.acts.pop(0)
        if isinstance(answer, Refusal):
            await answer.send(context)
            raise AssertionError("abort returned")
        return answer

    async def watch(
        self, request: WatchTableRequest, context: aio.ServicerContext[Message, Message]
    ) -> AsyncIterator[Message]:
        self.watches.append(request)
        for message in self.streams.pop(0):
            if isinstance(message, Refusal):
                await message.send(context)
            else:
                yield message
