"""Any bytes to a live server: to each RPC by its name, and to its ports as such. It answers as ever after them."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from random import Random
from typing import Final

import psutil
import pytest
import pytest_asyncio
from tests.fuzz.spoiling import TIMES
from tests.support import evil
from tests.support.bad_calls import METHODS, Scene
from tests.support.documented import undocumented
from tests.support.server import ServerProcess

CALLS: Final = 300 * TIMES
CONNECTIONS: Final = 60 * TIMES
MOST_MORE_BYTES: Final = 200 * 1024 * 1024
PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS: Final = b"\0\0\0\4\0\0\0\0\0"
REQUEST: Final = b"GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("ports"))
    server.start()
    yield server
    try:
        assert server.stop() == 0
    finally:
        server.kill()
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert not [line for line in lines if "exception" in line or line["level"] in ("error", "critical")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scene(server: ServerProcess) -> AsyncIterator[Scene]:
    async with Scene.at(server.target) as scene:
        yield scene


async def test_any_bytes_to_every_rpc(scene: Scene, random: Random) -> None:
    before = await scene.state()
    for number in range(CALLS):
        method = random.choice(sorted(METHODS))
        data = scene.request(method).SerializeToString()
        for _ in range(random.choice((1, 1, 2, 3))):
            data = evil.garble(data, random)
        failure = await scene.send(method, data)
        if failure is None:
            before = await scene.state()
            continue
        assert not undocumented(method, failure), (method, data, failure)
        if number % 10 == 0:
            assert await scene.state() == before, (method, data)
        if number % 200 == 0:  # before whoever must act runs out of time
            await scene.go_on()
            before = await scene.state()
    await scene.go_on()


def frames(random: Random) -> bytes:
    """HTTP/2 after its preface: frames of any kind and length, some of them cut."""
    sent = PREFACE + SETTINGS
    for _ in range(random.randrange(1, 20)):
        payload = random.randbytes(random.choice((0, 4, 5, 8, 64, 1000)))
        length = random.choice((len(payload), len(payload), 2**24 - 1, 0))
        head = bytes((random.randrange(12), random.randrange(256))) + random.randrange(8).to_bytes(4, "big")
        sent += length.to_bytes(3, "big") + head + payload
    return sent[: random.choice((None, -3))]


def anything(random: Random) -> bytes:
    whole = random.choice((PREFACE + SETTINGS, REQUEST, b"\x16\x03\x01\x02\x00\x01", random.randbytes(5000)))
    return random.choice((frames, lambda _: evil.garble(whole, random)))(random)


async def test_any_bytes_to_the_ports(server: ServerProcess, scene: Scene, random: Random) -> None:
    process = psutil.Process(server.process.pid)
    before, held = await scene.state(), process.memory_info().rss
    for _ in range(CONNECTIONS):
        for port in (server.port, server.http_port):
            with (
                suppress(ConnectionError, TimeoutError),
                socket.create_connection(("127.0.0.1", port), 5) as raw,
            ):
                raw.settimeout(0.02)
                raw.sendall(anything(random))
                raw.recv(4096)
    assert await scene.state() == before
    assert server.page("readyz") == "ok\n"
    assert process.memory_info().rss - held < MOST_MORE_BYTES
    await scene.go_on()


@pytest.fixture
def random() -> Random:
    """The same in every run of the default suite."""
    seed = 1 if TIMES == 1 else Random().randrange(2**32)
    print(f"seed {seed}")
    return Random(seed)
