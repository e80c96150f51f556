"""Traces of commands, by OpenTelemetry to an OTLP receiver. Imported only where they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.adapters.version import service_version

if TYPE_CHECKING:
    from croupier.adapters.traces.spans import Spans


def opened(endpoint: str) -> Spans:
    """Spans that go to `endpoint`, http://HOST:PORT or https://HOST:PORT. Raises RuntimeError without the extra."""
    try:
        from croupier.adapters.traces import spans
    except ModuleNotFoundError as missing:
        raise RuntimeError(
            f"traces_endpoint is set, but {missing.name} is not installed: pip install croupier[otel]"
        ) from None
    return spans.exported_to(endpoint, service_version())
