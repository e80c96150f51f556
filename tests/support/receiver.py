"""An OTLP receiver: a gRPC server that keeps the spans it is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from grpc import aio
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as pb
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as rpc
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class Receiver(rpc.TraceServiceServicer):
    """Takes whatever comes."""

    def __init__(self) -> None:
        self.port = 0
        self.spans: list[Span] = []
        self.raw = b""
        self.resources: list[dict[str, str]] = []
        self.metadata: list[tuple[str, Any]] = []

    @property
    def endpoint(self) -> str:
        """As the service's setting has it."""
        return f"http://127.0.0.1:{self.port}"

    async def Export(
        self, request: pb.ExportTraceServiceRequest, context: Any
    ) -> pb.ExportTraceServiceResponse:
        self.raw += request.SerializeToString()
        self.metadata += context.invocation_metadata()
        for resource in request.resource_spans:
            self.resources.append({one.key: one.value.string_value for one in resource.resource.attributes})
            self.spans += [span for scope in resource.scope_spans for span in scope.spans]
        return pb.ExportTraceServiceResponse()

    def named(self, name: str) -> list[Span]:
        """The spans of one kind of command, in the order they began."""
        return sorted(
            (span for span in self.spans if span.name == name), key=lambda span: span.start_time_unix_nano
        )


def attributes(span: Span) -> dict[str, str]:
    """A span's attributes."""
    return {one.key: one.value.string_value for one in span.attributes}


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """A receiver on a free port."""
    receiver, server = Receiver(), aio.server()
    rpc.add_TraceServiceServicer_to_server(receiver, server)  # type: ignore[no-untyped-call]
    receiver.port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield receiver
    finally:
        await server.stop(None)
