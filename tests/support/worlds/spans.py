"""Traces as whoever reads them sees them, but for the names that are drawn for them by lot."""

from __future__ import annotations

from collections.abc import Iterator

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from croupier.adapters.traces.spans import Spans

_APART = ("SetAdvanceAction", "SetPreferences")


class SpanLog:
    """Everything that a server traced since it was read last."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.spans = Spans(SimpleSpanProcessor(self._exporter), "1.0")

    def news(self, *, quiet: bool) -> Iterator[bytes]:
        """A text a span; where the others' worlds differ in whether they call, without those calls."""
        for span in self._exporter.get_finished_spans():
            if not quiet or span.name not in _APART:
                yield _text(span)
        self._exporter.clear()


def _text(span: ReadableSpan) -> bytes:
    events = [(event.name, event.timestamp, dict(event.attributes or {})) for event in span.events]
    status = (span.status.status_code.name, span.status.description)
    told = (span.name, span.kind.name, span.start_time, span.end_time, dict(span.attributes or {}))
    return repr((*told, events, status, len(span.links), span.parent is not None)).encode()
