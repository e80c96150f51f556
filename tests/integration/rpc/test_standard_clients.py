"""Clients that know nothing of this contract: health probes, and callers that learn it by reflection."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from structlog.typing import EventDict
from tests.support.bad_calls import METHODS
from tests.support.live import Backend, running
from tests.support.server import ServerProcess

SERVICES = {method.split("/")[1] for method in METHODS} | {"croupier.v1.PlayService"}
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture
def channel(server: ServerProcess) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(server.target) as channel:
        yield channel


def test_health_of_the_server_and_of_each_service_can_be_checked(channel: grpc.Channel) -> None:
    health: Any = health_pb2_grpc.HealthStub(channel)
    for service in ("", *SERVICES):
        assert health.Check(health_pb2.HealthCheckRequest(service=service), timeout=10).status == SERVING
    with pytest.raises(grpc.RpcError) as failure:
        health.Check(health_pb2.HealthCheckRequest(service="croupier.v1.NoService"), timeout=10)
    assert failure.value.code() is grpc.StatusCode.NOT_FOUND


async def test_whoever_watches_the_health_hears_of_the_stop(
    tmp_path: Path,
    logged: list[EventDict],  # noqa: ARG001
) -> None:
    async with running(tmp_path) as app, grpc.aio.insecure_channel(f"127.0.0.1:{app.port}") as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        watch = health.Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == SERVING
        stopping = asyncio.create_task(app._rpc.serving(False))
        assert (await watch.read()).status == NOT_SERVING
        await stopping
        watch.cancel()


def test_reflection_lists_every_service(channel: grpc.Channel) -> None:
    listed = set(ProtoReflectionDescriptorDatabase(channel).get_services())
    assert listed == SERVICES | {"grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}


def test_methods_are_symbols_too(channel: grpc.Channel) -> None:
    """ghz asks for the file of the method that it is to call."""
    reflected = ProtoReflectionDescriptorDatabase(channel)
    for symbol in ("croupier.v1.BettingService.NoMethod", "croupier.v1.NoService.Act"):
        with pytest.raises(KeyError):
            reflected.FindFileContainingSymbol(symbol)
    found = reflected.FindFileContainingSymbol("croupier.v1.BettingService.Act")
    assert found.name == "croupier/v1/betting_service.proto"


def test_a_caller_that_learns_the_contract_by_reflection_can_play(channel: grpc.Channel) -> None:
    pool = DescriptorPool(ProtoReflectionDescriptorDatabase(channel))

    def call(service: str, method: str, **fields: object) -> Message:
        found = pool.FindServiceByName(f"croupier.v1.{service}").FindMethodByName(method)
        request = GetMessageClass(found.input_type)(**fields)
        send: Any = channel.unary_unary(f"/croupier.v1.{service}/{method}")
        answer = GetMessageClass(found.output_type).FromString(send(request.SerializeToString(), timeout=10))
        assert isinstance(answer, Message)
        return answer

    info = call("TableService", "GetServerInfo")
    assert info.contract == "croupier.v1"  # type: ignore[attr-defined]
    created = call(
        "TableService",
        "CreateTable",
        request_id="1",
        house_id="puzzle_pirates",
        structure="BET_STRUCTURE_NO_LIMIT",
        min_bet=2,
        seat_count=2,
    )
    table_id = created.table.table_id  # type: ignore[attr-defined]
    call("SettlementService", "Deposit", request_id="2", player_id="anna", currency="PoE", amount=100)
    seat = {"table_id": table_id, "player_id": "anna"}
    call("SeatService", "ReserveSeat", request_id="3", seat_number=1, vouched={"has_pass": True}, **seat)
    bought = call("SeatService", "BuyIn", request_id="4", amount=100, **seat)
    assert bought.seat.stack == 100  # type: ignore[attr-defined]
    for symbol in SERVICES:
        assert pool.FindServiceByName(symbol).methods


async def test_the_server_says_what_it_is_made_of(backend: Backend) -> None:
    first = await backend.get_server_info()
    again = await backend.get_server_info()
    assert (first.version, first.contract, first.store) == ("0.1.0", "croupier.v1", "sqlite")
    assert first.evaluator
    assert first.started_time == again.started_time
    times = [first.started_time, first.server_time, again.server_time]
    assert times == sorted(times, key=lambda time: time.ToNanoseconds())
