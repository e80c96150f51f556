"""The bus over a real NATS server: requests, news, and what its loss looks like from each end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs
from tests.support.nats import NatsServer, nats_server

from croupier.adapters.nats import NatsBus, Server, connection
from croupier.room.cluster_ports import AnswerFailed, BusAway, NobodyThere, TooLong

MAX_PAYLOAD = 4096
PATIENCE = 10.0


@pytest.fixture
def nats() -> Iterator[NatsServer]:
    with nats_server(f"max_payload: {MAX_PAYLOAD}") as server:
        yield server


@pytest.fixture
def dropped() -> list[None]:
    """An entry for every message that was published and not taken."""
    return []


@asynccontextmanager
async def bus(nats: NatsServer, dropped: list[None] | None = None) -> AsyncIterator[NatsBus]:
    noted: list[None] = [] if dropped is None else dropped
    made = NatsBus(Server(nats.url), "test", lambda: noted.append(None))
    await made.start(PATIENCE)
    try:
        yield made
    finally:
        await made.close()


@pytest.fixture
async def one(nats: NatsServer, dropped: list[None]) -> AsyncIterator[NatsBus]:
    async with bus(nats, dropped) as made:
        yield made


@pytest.fixture
async def other(nats: NatsServer) -> AsyncIterator[NatsBus]:
    async with bus(nats) as made:
        yield made


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def echo(data: bytes) -> bytes:
    return data


async def served(bus: NatsBus, subject: str) -> None:
    """Return once somebody serves the subject."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await bus.request(subject, b"", 1)
            except (NobodyThere, BusAway):
                await asyncio.sleep(0.01)
            else:
                return


async def test_a_request_is_answered_until_nobody_serves(one: NatsBus, other: NatsBus) -> None:
    serving = await other.serve("a", echo)
    await served(one, "a")
    assert await one.request("a", b"told", 5) == b"told"
    await serving.end()
    await served_by_ping(one, other)
    with pytest.raises(NobodyThere):
        await one.request("a", b"told", 5)


async def test_requests_are_answered_side_by_side(one: NatsBus, other: NatsBus) -> None:
    first = asyncio.Event()

    async def answer(data: bytes) -> bytes:
        if data == b"first":
            await first.wait()
        return data

    await other.serve("a", answer)
    await served(one, "a")
    waiting = asyncio.ensure_future(one.request("a", b"first", 5))
    assert await one.request("a", b"second", 5) == b"second"
    assert not waiting.done()
    first.set()
    assert await waiting == b"first"


async def test_ten_thousand_requests_get_their_own_answers(one: NatsBus, other: NatsBus) -> None:
    await other.serve("a", echo)
    await served(one, "a")
    asked = [str(number).encode() for number in range(10_000)]
    assert await asyncio.gather(*(one.request("a", data, 30) for data in asked)) == asked


async def test_no_answer_in_time_is_told_apart(one: NatsBus, other: NatsBus) -> None:
    async def never(_: bytes) -> bytes:
        await asyncio.Event().wait()
        return b""

    await other.serve("a", never)
    await served_by_ping(one, other)
    with pytest.raises(TimeoutError):
        await one.request("a", b"", 0.1)


async def test_a_failure_to_answer_is_told_and_logged(one: NatsBus, other: NatsBus) -> None:
    async def fail(_: bytes) -> bytes:
        raise ValueError("not today")

    with capture_logs() as logs:
        await other.serve("a", fail)
        with pytest.raises(AnswerFailed):
            await served(one, "a")
    assert [entry["event"] for entry in logs] == ["bus_answer_failed"]


async def test_what_is_too_long_is_refused_at_both_ends(one: NatsBus, other: NatsBus) -> None:
    """NATS would close the connection."""

    async def double(data: bytes) -> bytes:
        return 2 * data

    await other.serve("a", double)
    await served(one, "a")
    assert await one.request("a", bytes(MAX_PAYLOAD // 2), 5) == bytes(MAX_PAYLOAD)
    with pytest.raises(TooLong) as request:
        await one.request("a", bytes(MAX_PAYLOAD + 1), 5)
    with pytest.raises(TooLong) as answer:
        await one.request("a", bytes(MAX_PAYLOAD // 2 + 1), 5)
    assert (request.value.size, request.value.max_size) == (MAX_PAYLOAD + 1, MAX_PAYLOAD)
    assert (answer.value.size, answer.value.max_size) == (MAX_PAYLOAD + 2, MAX_PAYLOAD)
    assert one.connected
    assert other.connected


async def test_news_come_in_order(one: NatsBus, other: NatsBus) -> None:
    heard: list[bytes] = []
    listening = await other.subscribe("news", heard.append)
    await served_by_ping(one, other)
    told = [str(number).encode() for number in range(20_000)]
    for data in told:
        one.publish("news", data)
    await until(lambda: len(heard) == len(told))
    assert heard == told
    await listening.end()
    one.publish("news", b"more")
    await served_by_ping(one, other)
    assert len(heard) == len(told)


async def served_by_ping(one: NatsBus, other: NatsBus) -> None:
    """Return once each has heard the server after what it sent before."""
    for bus, name in ((one, "ping.one"), (other, "ping.other")):
        serving = await bus.serve(name, echo)
        await served(bus, name)
        await serving.end()


async def test_a_listener_that_fails_is_logged_and_hears_on(one: NatsBus, other: NatsBus) -> None:
    heard: list[bytes] = []

    def hear(data: bytes) -> None:
        heard.append(data)
        if data == b"bad":
            raise ValueError("cannot read it")

    await other.subscribe("news", hear)
    await served_by_ping(one, other)
    with capture_logs() as logs:
        one.publish("news", b"bad")
        one.publish("news", b"good")
        await until(lambda: b"good" in heard)
    assert [entry["event"] for entry in logs] == ["bus_listener_failed"]


async def test_requests_under_way_fail_as_the_server_dies(
    nats: NatsServer, one: NatsBus, other: NatsBus
) -> None:
    async def slow(data: bytes) -> bytes:
        await asyncio.sleep(0 if data == b"" else PATIENCE)
        return data

    await other.serve("a", slow)
    await served(one, "a")
    waiting = asyncio.ensure_future(one.request("a", b"x", PATIENCE))
    await asyncio.sleep(0.1)
    nats.stop()
    died = time.monotonic()
    with pytest.raises(BusAway):
        await waiting
    assert time.monotonic() - died < 1
    assert not one.connected
    with pytest.raises(BusAway):
        await one.request("a", b"x", 1)


async def test_everything_goes_on_after_a_restart(
    nats: NatsServer, one: NatsBus, other: NatsBus, dropped: list[None]
) -> None:
    heard: list[bytes] = []
    await other.serve("a", echo)
    await other.subscribe("news", heard.append)
    await served(one, "a")
    nats.stop()
    await until(lambda: not one.connected and not other.connected)
    one.publish("news", b"lost")
    assert len(dropped) == 1
    late = await one.serve("late", echo)
    nats.start()
    await until(lambda: one.connected and other.connected)
    await served(one, "a")
    await served(other, "late")
    await late.end()
    one.publish("news", b"found")
    await until(lambda: b"found" in heard)
    assert set(heard) == {b"", b"found"}
    assert len(dropped) == 1


async def test_who_listens_is_told_that_the_publisher_was_away(nats: NatsServer, dropped: list[None]) -> None:
    """The listener's own connection is never lost: without that it would wait for the next news."""
    heard: list[bytes] = []
    async with bus(nats) as other:
        await other.subscribe("news", heard.append)
        one = NatsBus(Server(nats.url), "late", lambda: dropped.append(None))
        one.publish("news", b"lost")
        assert len(dropped) == 1
        await asyncio.sleep(0.1)
        assert heard == []
        await one.start(PATIENCE)
        await until(lambda: heard == [b""])
        await one.close()


async def test_news_just_before_a_loss_are_held_lost(one: NatsBus, other: NatsBus) -> None:
    """A message that left this end may never have arrived; one that was sent long before has."""
    heard: dict[str, list[bytes]] = {"old": [], "new": []}
    for subject, told in heard.items():
        await other.subscribe(subject, told.append)
    await served_by_ping(one, other)
    one.publish("old", b"arrived")
    await asyncio.sleep(2.5 * connection.PING_EVERY_S)
    one.publish("new", b"perhaps")
    await until(lambda: heard == {"old": [b"arrived"], "new": [b"perhaps"]})
    assert one._connection is not None
    one._connection.lose("cut")
    await until(lambda: heard["new"] == [b"perhaps", b""])
    assert heard["old"] == [b"arrived"]


async def test_more_than_can_wait_is_told_as_missed(
    one: NatsBus, nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MOST_UNHEARD", 8)
    heard: list[bytes] = []
    async with bus(nats) as slow:
        await slow.subscribe("news", heard.append)
        await served_by_ping(one, slow)
        with capture_logs() as logs:
            for number in range(200):
                one.publish("news", str(number).encode())
            await until(lambda: b"" in heard)
        assert {entry["event"] for entry in logs} == {"bus_overrun"}
        assert len(heard) - heard.count(b"") < 200


async def test_a_server_that_stands_still_is_given_up_and_found_again(
    nats: NatsServer, one: NatsBus, other: NatsBus
) -> None:
    await other.serve("a", echo)
    await served(one, "a")
    nats.stall()
    try:
        await until(lambda: not one.connected)
    finally:
        nats.resume()
    await until(lambda: one.connected and other.connected)
    await served(one, "a")


async def test_a_bus_begins_without_a_server(nats: NatsServer) -> None:
    nats.stop()
    with capture_logs() as logs:
        made = NatsBus(Server(nats.url), "test", lambda: None)
        assert not await made.start(0.5)
        nats.start()
        await until(lambda: made.connected)
        await made.close()
    assert [entry["event"] for entry in logs] == ["bus_away", "bus_connected"]
    assert "Connect call failed" in logs[0]["why"]
