"""Traces as OpenTelemetry spans: one a command, its stages as events, made once the command has ended.

The SDK batches and sends them on a thread of its own, and reads what OTEL_… variables say: sampler, headers,
certificates, resource, limits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

from grpc import StatusCode as Code
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from croupier.adapters.error_codes import CODES
from croupier.room.traces import Trace

FLUSH_S: Final = 3.0
"""Seconds that what has not been sent yet may take when the server stops."""
_FAULTS: Final = frozenset(
    reason for reason, code in CODES.items() if code in (Code.INTERNAL, Code.UNAVAILABLE)
)
_ATTRIBUTES: Final = ("method", "table_id", "hand_id", "outcome")
_PARENT: Final = ("traceparent", "tracestate")
_NO_PARENT: Final = Context()
_propagator: Final = TraceContextTextMapPropagator()


class Spans:
    """The room's Tracer. `close` sends what is left."""

    def __init__(
        self, processor: SpanProcessor, version: str, exporter: OTLPSpanExporter | None = None
    ) -> None:
        named = Resource({"service.name": "croupier", "service.version": version})
        resource = Resource.create().merge(named).merge(OTELResourceDetector().detect())
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("croupier", version)
        self._exporter = exporter

    def command(self, trace: Trace) -> None:
        span = self._tracer.start_span(
            trace.command,
            context=_NO_PARENT if trace.parent is None else trace.parent,
            kind=SpanKind.SERVER if trace.method else SpanKind.INTERNAL,
            attributes={key: value for key in _ATTRIBUTES if (value := getattr(trace, key))},
            start_time=trace.queue,
        )
        if span.is_recording():
            for stage, begun, ended in stages(trace):
                span.add_event(stage, {"duration_us": (ended - begun) // 1000}, begun)
            if trace.outcome in _FAULTS:
                span.set_status(Status(StatusCode.ERROR))
        span.end(trace.ended)

    def parent(self, metadata: Iterable[tuple[str, Any]] | None) -> Context | None:
        """What a call's metadata says of the caller's trace (W3C traceparent); None for nothing."""
        told = {key: value for key, value in metadata or () if key in _PARENT and isinstance(value, str)}
        return _propagator.extract(told, _NO_PARENT) if told else None

    def told(self, parent: Context | None) -> str:
        """A traceparent by which another server finds the parent; "" for none."""
        carrier: dict[str, str] = {}
        if parent is not None:
            _propagator.inject(carrier, parent)
        return carrier.get("traceparent", "")

    async def close(self) -> None:
        """Return once everything is sent, or could not be within FLUSH_S."""
        closing = asyncio.ensure_future(asyncio.to_thread(self._provider.shutdown))
        done, _ = await asyncio.wait((closing,), timeout=FLUSH_S)
        if not done and self._exporter is not None:
            self._exporter.shutdown()
        await closing


def stages(trace: Trace) -> list[tuple[str, int, int]]:
    """The stages that a command came to, each with when it began and ended."""
    begun = [
        (name, time)
        for name, time in (
            ("queue", trace.queue),
            ("decide", trace.decide),
            ("journal", trace.journal),
            ("publish", trace.publish),
        )
        if time
    ]
    ends = [*(time for _, time in begun[1:]), trace.ended]
    return [(name, time, end) for (name, time), end in zip(begun, ends, strict=True)]


def exported_to(endpoint: str, version: str) -> Spans:
    """Spans that an OTLP receiver gets over gRPC; without TLS where the endpoint is http."""
    exporter = OTLPSpanExporter(endpoint=endpoint)
    return Spans(BatchSpanProcessor(exporter), version, exporter)
