"""A server that is told to stop deals no more hands, lets those in play end, and stops between two actions else."""

from __future__ import annotations

import asyncio
import signal
import time
import urllib.error
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.support.ledger_audit import audit
from tests.support.live import Backend
from tests.support.server import ServerProcess

from croupier.client.retry import Retry
from croupier.v1.hand_pb2 import Decision
from croupier.v1.table_service_pb2 import StreamEndReason

PLAYERS = ("anna", "bert")
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SOON = 10.0
"""Seconds within which a server stops that waits for nothing."""


@pytest.fixture
def stopped(tmp_path: Path) -> ServerProcess:
    return ServerProcess(tmp_path)


def not_ready(server: ServerProcess) -> bool:
    try:
        server.page("readyz")
    except urllib.error.HTTPError as answer:
        return answer.code == 503 and answer.read() == b"stopping\n"
    return False


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SOON):
        while not condition():
            await asyncio.sleep(0.01)


async def ended(server: ServerProcess) -> int:
    return await asyncio.to_thread(server.wait)


async def test_hands_in_play_are_played_to_their_end_and_no_other_begins(stopped: ServerProcess) -> None:
    server = stopped
    server.start("--drain-timeout", "60")
    try:
        async with Backend(server.target, retry=Retry(attempts=1)) as backend:
            first, second = [await backend.open_table(*PLAYERS) for _ in range(2)]
            watches = [backend.watching(table_id) for table_id in (first, second)]
            decision = await backend.dealt(first)
            others = await backend.dealt(second)
            server.process.send_signal(signal.SIGTERM)
            await until(lambda: not_ready(server))
            stub: Any = health_pb2_grpc.HealthStub(backend.channel)
            assert (await stub.Check(health_pb2.HealthCheckRequest())).status == NOT_SERVING
            assert "croupier_ready 0.0" in server.page("metrics")
            await play_out(backend, first, decision)
            late = backend.watching(first)
            await late.until(lambda watch: bool(watch.messages))
            assert not late.messages[0].snapshot.HasField("hand"), "no hand is dealt any more"
            assert server.process.poll() is None, "it waits for the other table's hand"
            await play_out(backend, second, others)
            assert await ended(server) == 0
            for watch in watches:
                await watch.finished()
                assert watch.end.reason == StreamEndReason.STREAM_END_REASON_SERVER_DRAINING
                assert (len(watch.of("hand_started")), len(watch.of("hand_ended"))) == (0, 1)
        audit(server.store)
        server.start()
        async with Backend(server.target) as backend:
            for table_id in (first, second):
                assert (await backend.dealt(table_id)).hand_id == f"{table_id}/2"
    finally:
        server.kill()


async def play_out(backend: Backend, table_id: str, decision: Decision) -> None:
    """Check or call to the hand's end."""
    while decision.player_id:
        decision = await backend.check_or_call(table_id, decision)
        if decision.player_id:
            decision = await backend.decision(table_id)


async def test_a_hand_that_does_not_end_in_time_is_left_between_two_actions(stopped: ServerProcess) -> None:
    server = stopped
    server.start("--drain-timeout", "1")
    try:
        async with Backend(server.target) as backend:
            table_id = await backend.open_table(*PLAYERS)
            await backend.check_or_call(table_id, await backend.dealt(table_id))
            started = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            await until(lambda: not_ready(server))
            acted = await backend.check_or_call(table_id, await backend.decision(table_id))
            before = await backend.get_table(table_id, acted.player_id)
            assert await ended(server) == 0
            assert 1.0 <= time.monotonic() - started < 1.0 + SOON
        server.start()
        async with Backend(server.target) as backend:
            after = await backend.get_table(table_id, acted.player_id)
            assert (after.sequence, after.hand) == (before.sequence, before.hand)
            standing = await backend.decision(table_id)
            assert (standing.hand_id, standing.action_sequence) == (acted.hand_id, acted.action_sequence)
            assert (await backend.check_or_call(table_id, standing)).player_id
        assert server.stop() == 0
        audit(server.store)
    finally:
        server.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
async def test_a_second_signal_waits_for_no_hand(stopped: ServerProcess, number: signal.Signals) -> None:
    server = stopped
    server.start("--drain-timeout", "60")
    try:
        async with Backend(server.target) as backend:
            table_id = await backend.open_table(*PLAYERS)
            standing = await backend.dealt(table_id)
            server.process.send_signal(number)
            await until(lambda: not_ready(server))
            await asyncio.sleep(0.3)
            assert server.process.poll() is None, "the first signal lets the hand end"
            started = time.monotonic()
            server.process.send_signal(number)
            assert await ended(server) == 0
            assert time.monotonic() - started < SOON
        server.start()
        async with Backend(server.target) as backend:
            after = await backend.decision(table_id)
            assert (after.hand_id, after.action_sequence) == (standing.hand_id, standing.action_sequence)
    finally:
        server.kill()


async def test_without_a_hand_in_play_nothing_is_waited_for(stopped: ServerProcess) -> None:
    server = stopped
    server.start("--drain-timeout", "60")
    try:
        async with Backend(server.target) as backend:
            await backend.open_table("anna")
            started = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            assert await ended(server) == 0
            assert time.monotonic() - started < SOON
    finally:
        server.kill()


async def test_a_table_opened_meanwhile_deals_no_hand(stopped: ServerProcess) -> None:
    server = stopped
    server.start("--drain-timeout", "60")
    try:
        async with Backend(server.target) as backend:
            first = await backend.open_table(*PLAYERS)
            decision = await backend.dealt(first)
            server.process.send_signal(signal.SIGTERM)
            await until(lambda: not_ready(server))
            second = await backend.open_table("cleo", "dora")
            table = await backend.get_table(second)
            assert (len(table.seats), table.HasField("hand")) == (2, False)
            await play_out(backend, first, decision)
            assert await ended(server) == 0
        server.start()
        async with Backend(server.target) as backend:
            assert (await backend.dealt(second)).hand_id == f"{second}/1"
    finally:
        server.kill()
