"""Thousands of bad requests at a live server: each its documented error, the state as before, no fault logged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from random import Random
from typing import Any

import pytest
import pytest_asyncio
from google.protobuf.message import Message
from grpc import StatusCode
from tests.support import evil
from tests.support.bad_calls import METHODS, Scene, request_type, spoilt_method
from tests.support.documented import Failure, undocumented
from tests.support.server import ServerProcess

NEVER = {"INTERNAL_FAULT", "INVARIANT_VIOLATED", "STORE_UNAVAILABLE", "SERVER_DRAINING", "TABLE_BUSY", ""}
BATCHES = 50
A_BATCH = 40
TEN_MEGABYTES = 10_000_000
SPANS = ("FIELD_MALFORMED", "FIELD_OUT_OF_RANGE", "OPTION_NOT_OFFERED")

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that logs nothing but that it is open, started and stopped, whatever it is sent."""
    server = ServerProcess(tmp_path_factory.mktemp("bad_input"))
    server.start()
    yield server
    try:
        assert server.stop() == 0
    finally:
        server.kill()
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    draining = ["drain_began", "drain_ended"]
    told = ["credentials_not_configured", "server_started", *draining, "server_stopped"]
    assert [line["event"] for line in lines] == told


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scene(server: ServerProcess) -> AsyncIterator[Scene]:
    async with Scene.at(server.target) as scene:
        yield scene


def must_be_documented(method: str, request: object, failure: Failure) -> None:
    assert not undocumented(method, failure), (method, request, failure)
    assert failure.reason not in NEVER, (method, request, failure)


async def refuse(scene: Scene, method: str, request: Message, spoilt: list[str]) -> str | None:
    """Send a spoilt request; the reason it was refused for, which must be a documented one."""
    failure = await scene.send(method, request)
    if failure is None:
        return None
    must_be_documented(method, request, failure)
    if "field" in failure.metadata:
        assert failure.metadata["field"] in scene.may_name(method, spoilt), (method, request, failure)
    return failure.reason


async def test_spoilt_requests_are_refused_and_change_nothing(scene: Scene) -> None:
    seed = Random().randrange(2**32)
    print(f"seed {seed}")
    random = Random(seed)
    reasons: Counter[str | None] = Counter()
    for _ in range(BATCHES):
        before = await scene.state()
        for _ in range(A_BATCH):
            method = spoilt_method(random)
            request = scene.request(method)
            spoilt = evil.spoil(request, random, fields=random.choice((1, 1, 2, 3)))
            reason = await refuse(scene, method, request, spoilt)
            reasons[reason] += 1
            if reason is None:
                before = await scene.state()
        assert await scene.state() == before
        await scene.go_on()
    assert reasons[None] < BATCHES * A_BATCH / 2
    assert len(reasons) > 15, reasons


def edges(field: Any) -> list[Any]:
    """Values that a field may hardly have."""
    if field.message_type is not None or field.is_repeated or field.cpp_type == field.CPPTYPE_BOOL:
        return []
    if field.type == field.TYPE_BYTES:
        return [b"", b"x", bytes(31), bytes(33), bytes(1_000_000)]
    if field.cpp_type == field.CPPTYPE_STRING:
        return ["", "x" * 65, "🂡" * 65, "x" * 1_000_000, *evil.CONTROL, "Ω%_'\"/", "a b"]
    known = (0, 1, -1, 2**31 - 1, -(2**31))
    return [*known, *evil.INT64, 10**12 + 1] if field.cpp_type == field.CPPTYPE_INT64 else [*known, 99]


@pytest.mark.parametrize("method", METHODS)
async def test_every_field_is_refused_at_its_edges(scene: Scene, method: str) -> None:
    before = await scene.state()
    for field in METHODS[method].input_type.fields:
        for value in edges(field):
            request = scene.request(method)
            setattr(request, field.name, value)
            if await refuse(scene, method, request, [field.name]) is None:
                before = await scene.state()
    assert await scene.state() == before
    await scene.go_on()


@pytest.mark.parametrize("method", METHODS)
async def test_garbled_bytes_are_refused_and_change_nothing(scene: Scene, method: str) -> None:
    seed = Random().randrange(2**32)
    print(f"seed {seed}")
    random = Random(seed)
    before = await scene.state()
    for _ in range(15):
        data = evil.unreadable(request_type(method), random, scene.request(method))
        failure = await scene.send(method, data)
        assert failure == (StatusCode.INVALID_ARGUMENT, "MESSAGE_MALFORMED", {}), (data, failure)
    for _ in range(15):
        data = evil.garble(scene.request(method).SerializeToString(), random)
        failure = await scene.send(method, data)
        if failure is None:
            before = await scene.state()
        else:
            must_be_documented(method, data, failure)
    assert await scene.state() == before
    await scene.go_on()


@pytest.mark.parametrize("method", ["Act", "BuyIn", "CreateTable", "ListEntries", "WatchTable"])
async def test_ten_megabytes_are_refused_by_grpc_itself(scene: Scene, method: str) -> None:
    method = next(name for name in METHODS if name.endswith(f"/{method}"))
    before = await scene.state()
    unknown_field = b"\x82\x7d\x80\xad\xe2\x04" + bytes(TEN_MEGABYTES)
    failure = await scene.send(method, scene.request(method).SerializeToString() + unknown_field)
    assert failure == (StatusCode.RESOURCE_EXHAUSTED, "", {})
    assert await scene.state() == before
    await scene.go_on()


async def test_what_is_no_method_is_unimplemented(scene: Scene) -> None:
    for method in (
        "/croupier.v1.TableService/DropTable",
        "/croupier.v1.DeckService/GetDeck",
        "/croupier.v2.TableService/GetTable",
        "/",
        "/x",
    ):
        assert await scene.send(method, b"") == (StatusCode.UNIMPLEMENTED, "", {})
    await scene.go_on()


async def test_spans_out_of_their_bounds_are_refused(scene: Scene) -> None:
    create, watch = "/croupier.v1.TableService/CreateTable", "/croupier.v1.TableService/WatchTable"
    random, count = Random(1), 0
    for method, field in ((create, "action_time"), (create, "hand_pause"), (watch, "heartbeat_interval")):
        for _ in range(60):
            request = scene.request(method)
            if method == create:
                request.min_bet = 20  # type: ignore[attr-defined]
            span = getattr(request, field)
            span.seconds, span.nanos = evil.span(random)
            reason = await refuse(scene, method, request, [field])
            in_bounds = method == watch and span.seconds == 61
            assert reason in SPANS or in_bounds, (request, reason)
            count += 1
    assert count == 180
