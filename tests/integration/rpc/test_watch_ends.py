"""How a stream ends: with the table, with the server, when the table halts; and what a paused table's watchers see."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration
from grpc import StatusCode
from structlog.typing import EventDict
from tests.support.live import Backend, Watching, must_be_gapless, running

from croupier.app import CALLS_GRACE_S, App
from croupier.client import Retry
from croupier.client.errors import CroupierError
from croupier.engine.rejection import InvariantViolation
from croupier.v1.table_pb2 import TableState
from croupier.v1.table_service_pb2 import StreamEndReason

PLAYERS = ("anna", "bert", "cleo")


async def must_have_ended(watch: Watching, reason: StreamEndReason.ValueType) -> None:
    assert await watch.finished() is StatusCode.OK
    assert watch.end.reason == reason
    assert watch.end.resume_after_sequence == watch.sequence
    if watch.messages[0].HasField("snapshot"):
        must_be_gapless(watch.events, watch.messages[0].snapshot.sequence)


async def test_a_closed_tables_streams_end_after_its_last_event(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    watching = [backend.watching(table_id, viewer) for viewer in ("", *PLAYERS)]
    decision = await backend.decision(table_id)
    closing = await backend.close_table(table_id)
    assert closing.state == TableState.TABLE_STATE_CLOSING
    while decision.hand_id:
        decision = await backend.check_or_call(table_id, decision)
    for watch in watching:
        await must_have_ended(watch, StreamEndReason.STREAM_END_REASON_TABLE_CLOSED)
        assert watch.events[-1].WhichOneof("event") == "table_closed"


async def test_watching_a_closed_table_brings_its_end_at_once(backend: Backend) -> None:
    table_id = await backend.open_table()
    await backend.close_table(table_id)
    watch = backend.watching(table_id)
    await must_have_ended(watch, StreamEndReason.STREAM_END_REASON_TABLE_CLOSED)
    assert watch.messages[0].snapshot.state == TableState.TABLE_STATE_CLOSED
    resumed = backend.watching(table_id, resume_after_sequence=1)
    await must_have_ended(resumed, StreamEndReason.STREAM_END_REASON_TABLE_CLOSED)
    assert resumed.events[-1].WhichOneof("event") == "table_closed"


async def test_a_table_closed_before_a_restart_still_brings_its_end(
    tmp_path: Path,
    logged: list[EventDict],  # noqa: ARG001
) -> None:
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table_id = await backend.open_table()
        await backend.close_table(table_id)
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        watch = backend.watching(table_id, resume_after_sequence=0)
        await must_have_ended(watch, StreamEndReason.STREAM_END_REASON_TABLE_CLOSED)
        kinds = [event.WhichOneof("event") for event in watch.events]
        assert (kinds[0], kinds[-1]) == ("table_created", "table_closed")


async def test_a_stopping_server_ends_its_streams_and_they_can_be_resumed(
    tmp_path: Path,
    logged: list[EventDict],  # noqa: ARG001
) -> None:
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table_id = await backend.open_table(*PLAYERS)
        watch = backend.watching(table_id, "anna")
        await watch.until(lambda watch: bool(watch.messages))
        started = asyncio.get_running_loop().time()
        stopping = asyncio.create_task(app.stop())
        await must_have_ended(watch, StreamEndReason.STREAM_END_REASON_SERVER_DRAINING)
        await stopping
        assert asyncio.get_running_loop().time() - started < CALLS_GRACE_S, (
            "an ended stream keeps nobody waiting"
        )
        app.stop = nothing  # type: ignore[method-assign]
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        again = backend.watching(table_id, "anna", resume_after_sequence=watch.sequence)
        await backend.check_or_call(table_id, await backend.decision(table_id))
        await again.until(lambda watch: bool(watch.events))
        must_be_gapless(again.events, watch.sequence)


async def nothing() -> None:
    """Stops no server a second time."""


async def test_a_halted_tables_streams_end_and_its_calls_are_refused(
    app: App, backend: Backend, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await backend.open_table(*PLAYERS)
    watch = backend.watching(table_id)
    decision = await backend.decision(table_id)

    def contradict(*_: object) -> None:
        raise InvariantViolation("on purpose")

    with monkeypatch.context() as patch:
        patch.setattr("croupier.room.actor.execute", contradict)
        async with Backend(f"127.0.0.1:{app.port}", retry=Retry(attempts=1)) as once:
            assert await refusal(once.check_or_call(table_id, decision)) == ("INVARIANT_VIOLATED", table_id)
    table = await backend.get_table(table_id)
    await must_have_ended(watch, StreamEndReason.STREAM_END_REASON_TABLE_HALTED)
    await must_have_ended(backend.watching(table_id), StreamEndReason.STREAM_END_REASON_TABLE_HALTED)
    assert table.state == TableState.TABLE_STATE_HALTED
    assert sum(seat.stack for seat in table.seats) + 3 == 300, "the blinds are in the pot"
    for call in (
        backend.check_or_call(table_id, decision),
        backend.get_legal_actions(table_id, "anna"),
        backend.pause_table(table_id),
        backend.cash_out(table_id, "anna"),
    ):
        assert await refusal(call) == ("TABLE_HALTED", table_id)
    assert [entry["event"] for entry in logged if entry["log_level"] == "error"] == ["table_halted"]
    logged.clear()


async def refusal(call: object) -> tuple[str, str]:
    """Reason, and the table it names, of a call that is refused."""
    with pytest.raises(CroupierError) as refused:
        await call  # type: ignore[misc]
    return refused.value.reason, refused.value.facts.get("table_id", "")


async def test_watchers_of_a_paused_table_wait_and_hear_of_its_resumption(backend: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    decision = await backend.decision(table_id)
    await backend.pause_table(table_id)
    watch = backend.watching(table_id, heartbeat_interval=Duration(seconds=1))
    while decision.hand_id:
        decision = await backend.check_or_call(table_id, decision)
    await watch.until(lambda watch: bool(watch.of("hand_ended")))
    assert watch.messages[0].snapshot.state == TableState.TABLE_STATE_PAUSED
    await watch.until(lambda watch: watch.messages[-1].HasField("heartbeat"))
    assert not watch.of("hand_started")
    await backend.resume_table(table_id)
    await watch.until(lambda watch: bool(watch.of("hand_started")))
    kinds = [event.WhichOneof("event") for event in watch.events]
    assert kinds.index("table_resumed") < kinds.index("hand_started")
