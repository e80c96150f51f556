"""What one caller may ask for at a time: requests, calls, streams, bytes, pings, and how long a connection lives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from grpc import StatusCode, aio
from tests.integration.access.conftest import ONCE
from tests.support.credentials import Secret
from tests.support.live import PATIENCE, Backend, running
from tests.support.raw_http2 import GOAWAY, PING, RawHttp2
from tests.support.refused import Answered, refused, told

from croupier.adapters.rpc.table_servicer import TableServicer
from croupier.app import App
from croupier.client import Croupier, CroupierError, Retry
from croupier.client.retry import repeatedly
from croupier.v1 import table_service_pb2 as tables
from croupier.v1.table_service_pb2_grpc import TableServiceStub

INFO = "/croupier.v1.TableService/GetServerInfo"
WATCH = "/croupier.v1.TableService/WatchTable"
ENHANCE_YOUR_CALM = 11


@asynccontextmanager
async def limited(directory: Path, secret: Secret, **settings: Any) -> AsyncIterator[App]:
    async with running(directory, jwt_secret_file=str(secret.file), **settings) as app:
        yield app


async def flood(
    app: App, token: str, count: int
) -> list[tuple[StatusCode, str, dict[str, str], float | None]]:
    """So many requests at once, over two connections; how those that were refused were."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    target = f"127.0.0.1:{app.port}"
    alone = [("grpc.use_local_subchannel_pool", 1)]

    async def one(channel: aio.Channel) -> Any:
        try:
            return told(await refused(channel, INFO, metadata=metadata))
        except Answered:
            return None

    async with aio.insecure_channel(target, alone) as first, aio.insecure_channel(target, alone) as second:
        found = await asyncio.gather(*(one((first, second)[number % 2]) for number in range(count)))
    return [each for each in found if each is not None]


async def test_requests_over_the_rate_are_told_when_to_come_again(tmp_path: Path, secret: Secret) -> None:
    async with limited(tmp_path, secret, player_rate=20) as app:
        token = secret.token("player", "anna")
        refusals = await flood(app, token, 60)
        assert 30 <= len(refusals) <= 40
        for code, reason, facts, wait in refusals:
            assert (code, reason) == (StatusCode.RESOURCE_EXHAUSTED, "RATE_EXCEEDED")
            assert facts == {"max_rate": "20", "retry_after_ms": facts["retry_after_ms"]}
            assert wait is not None
            assert 0 < wait <= 0.06
        assert await flood(app, secret.token("player", "bert"), 10) == [], "others are not slowed"
        assert await flood(app, secret.token("backend", "shop"), 60) == [], "a backend has a rate of its own"
        assert len(await flood(app, secret.token("player", "anna"), 60)) > 10, "a caller is not its token"
        await asyncio.sleep(1.1)
        assert await flood(app, token, 10) == []


async def test_a_client_waits_as_it_is_told(tmp_path: Path, secret: Secret) -> None:
    info = tables.GetServerInfoRequest()
    eager = Retry(attempts=1000, first_pause=0.0)
    async with (
        limited(tmp_path, secret, player_rate=2) as app,
        Croupier(f"127.0.0.1:{app.port}", token=secret.token("player", "anna")) as anna,
    ):
        method = TableServiceStub(anna.channel).GetServerInfo
        refusals: list[list[CroupierError]] = [[] for _ in range(6)]
        began = monotonic()
        for refused_with in refusals:
            await repeatedly(eager, method, info, refused_with.append)
        took = monotonic() - began
    all_of_them = [error for errors in refusals for error in errors]
    assert {error.reason for error in all_of_them} == {"RATE_EXCEEDED"}
    assert len(all_of_them) >= 3
    assert max(map(len, refusals)) <= 2, "it asked again before it was told to"
    assert sum(int(error.facts["retry_after_ms"]) for error in all_of_them) / 1000 <= took < PATIENCE


async def test_loopback_without_credentials_has_no_rate_unless_one_is_set(tmp_path: Path) -> None:
    async with running(tmp_path, player_rate=1) as app:
        assert await flood(app, "", 100) == []
    async with running(tmp_path, max_rate=10) as app:
        assert len(await flood(app, "", 100)) > 50


async def test_streams_of_one_caller_are_counted_over_all_connections(tmp_path: Path, secret: Secret) -> None:
    async with limited(tmp_path, secret, player_streams=3) as app:
        target = f"127.0.0.1:{app.port}"
        anna = secret.token("player", "anna")
        async with (
            Backend(target, token=secret.token("backend", "shop"), retry=ONCE) as shop,
            Backend(target, token=anna, retry=ONCE) as first,
            Backend(target, token=anna, retry=ONCE) as second,
        ):
            table_id = await shop.open_table()
            watches = [client.watching(table_id) for client in (first, second, first)]
            for watch in watches:
                await watch.until(lambda one: bool(one.messages))
            one_more = tables.WatchTableRequest(table_id=table_id)
            failure = await refused(second.channel, WATCH, one_more, streams=True)
            assert told(failure)[:3] == (
                StatusCode.RESOURCE_EXHAUSTED,
                "TOO_MANY_STREAMS",
                {"max_streams": "3"},
            )
            await second.get_table(table_id)
            await shop.watching(table_id).until(lambda one: bool(one.messages))
            await watches[0].cancel()
            async with asyncio.timeout(PATIENCE):
                while True:
                    again = second.watching(table_id)
                    await again.until(lambda one: bool(one.messages or one.failure))
                    if again.messages:
                        return


async def test_calls_of_one_caller_under_way_are_counted(
    tmp_path: Path, secret: Secret, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, free = asyncio.Semaphore(0), asyncio.Event()

    async def slow(*_: Any) -> tables.GetServerInfoResponse:
        held.release()
        await free.wait()
        return tables.GetServerInfoResponse()

    monkeypatch.setattr(TableServicer, "get_server_info", slow)
    async with limited(tmp_path, secret, player_calls=2) as app, asyncio.TaskGroup() as group:
        token = secret.token("player", "anna")
        group.create_task(_both_answered(app, token))
        await held.acquire()
        await held.acquire()
        refusals = await flood(app, token, 3)
        assert [each[:3] for each in refusals] == [
            (StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS", {"max_calls": "2"})
        ] * 3
        free.set()
        await asyncio.sleep(0.2)
        assert await flood(app, token, 2) == []


async def _both_answered(app: App, token: str) -> None:
    assert await flood(app, token, 2) == []


async def test_a_message_over_its_size_is_refused(tmp_path: Path) -> None:
    async with (
        running(tmp_path, max_message_bytes=2048) as app,
        aio.insecure_channel(f"127.0.0.1:{app.port}") as channel,
    ):
        large = tables.GetTableRequest(table_id="a" * 3000)
        failure = await refused(channel, "/croupier.v1.TableService/GetTable", large)
        assert failure.code() is StatusCode.RESOURCE_EXHAUSTED
        small = tables.GetTableRequest(table_id="a" * 1000)
        failure = await refused(channel, "/croupier.v1.TableService/GetTable", small)
        assert told(failure)[1] == "FIELD_TOO_LONG"


async def goaway_after(app: App, pings: int) -> bytes | None:
    """The GOAWAY that the server ends the connection with after so many pings in a row; None where it does not."""
    raw = await RawHttp2.connect(app.port)
    raw.send(PING, 0, 0, *(number.to_bytes(8, "big") for number in range(pings)))
    try:
        async with asyncio.timeout(1):
            while (frame := await raw.read()).kind != GOAWAY:
                pass
        return frame.payload
    except TimeoutError:
        return None
    finally:
        await raw.close()


async def test_who_pings_without_end_is_cut_off(tmp_path: Path) -> None:
    async with running(tmp_path, min_ping_interval=60) as app:
        assert await goaway_after(app, 2) is None
        goaway = await goaway_after(app, 20)
        assert goaway is not None
        assert int.from_bytes(goaway[4:8], "big") == ENHANCE_YOUR_CALM
        assert b"too_many_pings" in goaway


async def test_a_connection_ends_at_its_age_and_calls_go_on(tmp_path: Path) -> None:
    async with running(tmp_path, max_connection_age=1) as app:
        raw = await RawHttp2.connect(app.port)
        async with asyncio.timeout(PATIENCE):
            while (await raw.read()).kind != GOAWAY:
                pass
        await raw.close()
        async with Croupier(f"127.0.0.1:{app.port}") as client:
            for _ in range(15):
                await client.get_server_info()
                await asyncio.sleep(0.1)
