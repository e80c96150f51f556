"""Traces become spans with nothing in them but names, times and outcomes; without an endpoint there is none of it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from structlog.testing import capture_logs
from tests.support.live import running

from croupier.adapters import traces
from croupier.adapters.traces.spans import FLUSH_S, Spans, stages
from croupier.config import load
from croupier.room.traces import Call, Trace
from croupier.stated import SettingsError

US: Final = 1000
TRACEPARENT: Final = ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def spans(exporter: InMemorySpanExporter) -> Spans:
    return Spans(SimpleSpanProcessor(exporter), "1.0")


def act() -> Trace:
    return Trace(
        "Act",
        1 * US,
        method="Act",
        table_id="t",
        hand_id="t/3",
        decide=2 * US,
        journal=5 * US,
        publish=9 * US,
        ended=10 * US,
    )


def test_a_trace_is_a_span_with_its_stages(spans: Spans, exporter: InMemorySpanExporter) -> None:
    spans.command(act())
    (span,) = exporter.get_finished_spans()
    assert (span.name, span.kind, span.start_time, span.end_time) == ("Act", SpanKind.SERVER, 1 * US, 10 * US)
    assert span.attributes == {"method": "Act", "table_id": "t", "hand_id": "t/3", "outcome": "ACCEPTED"}
    told = [(event.name, event.timestamp, dict(event.attributes or {})) for event in span.events]
    assert told == [
        ("queue", 1 * US, {"duration_us": 1}),
        ("decide", 2 * US, {"duration_us": 3}),
        ("journal", 5 * US, {"duration_us": 4}),
        ("publish", 9 * US, {"duration_us": 1}),
    ]
    assert span.parent is None


def test_a_command_that_was_lost_was_never_published(spans: Spans, exporter: InMemorySpanExporter) -> None:
    trace = act()
    trace.publish, trace.outcome = 0, "STORE_UNAVAILABLE"
    assert [stage for stage, _, _ in stages(trace)] == ["queue", "decide", "journal"]
    spans.command(trace)
    (span,) = exporter.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert span.status.description is None


def test_what_the_service_does_of_itself_is_internal(spans: Spans, exporter: InMemorySpanExporter) -> None:
    spans.command(Trace("StartHand", 1, table_id="t", decide=1, ended=2))
    (span,) = exporter.get_finished_spans()
    assert span.kind is SpanKind.INTERNAL
    assert span.attributes == {"table_id": "t", "outcome": "ACCEPTED"}


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        (),
        (("authorization", "Bearer x"),),
        (("traceparent", "00-zz"),),
        (("traceparent", b"00"),),
        (("traceparent", f"00-{'0' * 32}-{'0' * 16}-01"),),
    ],
)
def test_a_caller_without_a_good_traceparent_has_no_part_in_the_trace(
    spans: Spans, exporter: InMemorySpanExporter, metadata: tuple[tuple[str, str | bytes], ...] | None
) -> None:
    trace = act()
    trace.parent = spans.parent(metadata)
    spans.command(trace)
    assert exporter.get_finished_spans()[0].parent is None


def test_another_server_is_told_of_the_callers_trace(spans: Spans) -> None:
    assert spans.told(spans.parent((TRACEPARENT,))) == TRACEPARENT[1]
    assert spans.told(None) == ""


def test_a_call_has_waited_for_its_first_command_alone(spans: Spans) -> None:
    """A buy-in's second command has not been in a queue since the call arrived."""
    call = Call("BuyIn", spans.parent((TRACEPARENT,)), arrived=5)
    first, second = call.trace("RequestBuyIn", 7), call.trace("AcceptTransfer", 9)
    assert (first.queue, second.queue) == (5, 9)
    assert first.parent is second.parent is not None


OFF: Final = """
import asyncio, sys
from pathlib import Path
from croupier.adapters.rpc.gate import Gate
from croupier.app import App
from croupier.config import Settings
from croupier.engine.table_rules import TableRules
from croupier.room.actor import TableActor
from tests.support.live import Backend, running

async def main():
    async with running(Path(sys.argv[1])) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table_id = await backend.open_table("anna", "bert")
        await backend.check_or_call(table_id, await backend.dealt(table_id))
        actor = await app._room.table(table_id)
    print(type(actor) is TableActor, type(app._rpc.gate) is Gate)
    print([name for name in sys.modules if "opentelemetry" in name or name == "croupier.adapters.traces"])

asyncio.run(main())
"""


def test_traces_cost_nothing_when_off(tmp_path: Path) -> None:
    """A table's actor and the gate are those that know nothing of traces, and nothing of the SDK is imported."""
    done = subprocess.run(
        [sys.executable, "-c", OFF, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.splitlines()[-2:] == ["True True", "[]"], done.stderr


MISSING: Final = """
import sys
sys.modules["opentelemetry"] = None
from croupier.config import load
from croupier.run import run
sys.exit(run(load({"traces_endpoint": "http://127.0.0.1:4317", "port": 0, "http_port": 0, "store": sys.argv[1]}, {})))
"""


def test_a_missing_extra_is_told_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MISSING, f"sqlite:{tmp_path / 'croupier.db'}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    told = json.loads(line)
    assert told["event"] == "server_failed_to_start"
    assert told["why"].endswith("pip install croupier[otel]")


@pytest.mark.parametrize(
    "stated", ["127.0.0.1:4317", "grpc://a:1", "http://a", "http://a:1/v1/traces", "http://:1"]
)
def test_an_endpoint_is_a_url_with_a_port(stated: str) -> None:
    with pytest.raises(SettingsError, match="it must be http://HOST:PORT"):
        load({}, {"CROUPIER_TRACES_ENDPOINT": stated})


async def test_a_receiver_that_is_away_keeps_a_server_from_neither_playing_nor_stopping(
    tmp_path: Path,
) -> None:
    with capture_logs():
        async with running(tmp_path, traces_endpoint="http://127.0.0.1:9") as app:
            spans = app._traces
            assert spans is not None
            for _ in range(600):
                spans.command(act())
            stopping = time.monotonic()
    assert time.monotonic() - stopping < FLUSH_S + 5


def test_opening_reads_the_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting decides, not the variable, which would turn traces on unasked."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    spans = traces.opened("https://collector.example:4317")
    exporter = spans._exporter
    assert exporter is not None
    assert (exporter._endpoint, exporter._insecure) == ("collector.example:4317", False)
    exporter.shutdown()
    spans._provider.shutdown()
