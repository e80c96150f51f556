"""Every role at every RPC over live gRPC, and what the table of roles must and must not say."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from grpc import StatusCode, aio
from tests.support.credentials import ROLES, Secret
from tests.support.live import running
from tests.support.refused import Answered, refused, told

from croupier.adapters.rpc.access import ACCESS, roles_of

CONTRACT = Path(__file__).parents[3] / "proto" / "croupier" / "v1"
SERVED_BY_OTHERS = {"WalletService"}
"""Services of the contract of which Croupier is the client."""
ONLY_READ = {"observer", "auditor"}

pytestmark = pytest.mark.asyncio(loop_scope="module")


def methods() -> Iterator[tuple[str, Any]]:
    """Every RPC that Croupier serves by the contract, as it is in the published files, with its service's name."""
    for path in sorted(CONTRACT.glob("*_service.proto")):
        descriptor = import_module(f"croupier.v1.{path.stem}_pb2").DESCRIPTOR
        for service in descriptor.services_by_name.values():
            if service.name not in SERVED_BY_OTHERS:
                for method in service.methods:
                    yield service.name, method


METHODS = {f"{service}.{method.name}": (service, method) for service, method in methods()}


class Door:
    """A server, and a token of every role."""

    def __init__(self, channel: aio.Channel, secret: Secret) -> None:
        self._channel = channel
        self._tokens = {role: secret.token(role, f"some-{role}") for role in ROLES}

    async def outcome(self, rpc: str, role: str) -> tuple[StatusCode, str]:
        """What an empty request comes to; without a role it has no token."""
        service, method = METHODS[rpc]
        metadata = (("authorization", f"Bearer {self._tokens[role]}"),) if role else ()
        path = f"/croupier.v1.{service}/{method.name}"
        try:
            failure = await refused(self._channel, path, streams=method.server_streaming, metadata=metadata)
        except Answered:
            return StatusCode.OK, ""
        return told(failure)[:2]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    directory = tmp_path_factory.mktemp("matrix")
    secret = Secret(directory)
    async with (
        running(directory, jwt_secret_file=str(secret.file), player_rate=0) as app,
        aio.insecure_channel(f"127.0.0.1:{app.port}") as channel,
    ):
        yield Door(channel, secret)


@pytest.mark.parametrize("rpc", sorted(METHODS))
async def test_each_role_is_let_in_or_turned_away_as_the_table_says(door: Door, rpc: str) -> None:
    service, method = METHODS[rpc]
    allowed = roles_of(service, method.name)
    for role in ROLES:
        came_to = await door.outcome(rpc, role)
        if role in allowed:
            assert came_to[0] in (StatusCode.OK, StatusCode.INVALID_ARGUMENT), (role, came_to)
        else:
            assert came_to == (StatusCode.PERMISSION_DENIED, "CALLER_NOT_ALLOWED"), (role, came_to)


@pytest.mark.parametrize("rpc", sorted(METHODS))
async def test_without_a_credential_nothing_is_allowed(door: Door, rpc: str) -> None:
    assert await door.outcome(rpc, "") == (StatusCode.UNAUTHENTICATED, "CREDENTIALS_MISSING")


async def test_every_rpc_has_a_row_and_every_row_an_rpc() -> None:
    assert {f"{service}.{name}" for service, rows in ACCESS.items() for name in rows} == METHODS.keys()


def fields_of(rpc: str) -> set[str]:
    return set(METHODS[rpc][1].input_type.fields_by_name)


CHANGES = [rpc for rpc in sorted(METHODS) if "request_id" in fields_of(rpc)]


@pytest.mark.parametrize("rpc", CHANGES)
async def test_who_only_reads_changes_nothing(rpc: str) -> None:
    assert not roles_of(*rpc.split(".")) & ONLY_READ


@pytest.mark.parametrize("rpc", [rpc for rpc in CHANGES if "player_id" in fields_of(rpc)])
async def test_an_operator_does_nothing_for_a_player_but_by_its_own_service(rpc: str) -> None:
    service, method = rpc.split(".")
    assert ("operator" in roles_of(service, method)) == (service == "OperatorService")


@pytest.mark.parametrize("rpc", [rpc for rpc in CHANGES if rpc.startswith("OperatorService.")])
async def test_what_operators_do_nobody_else_does_and_auditors_read_it(rpc: str) -> None:
    assert roles_of(*rpc.split(".")) == {"operator"}
    assert roles_of("OperatorService", "ListOperations") == {"operator", "auditor"}


@pytest.mark.parametrize("rpc", [rpc for rpc in CHANGES if "player_id" not in fields_of(rpc)])
async def test_a_player_changes_only_what_names_a_player(rpc: str) -> None:
    assert "player" not in roles_of(*rpc.split("."))


async def test_the_books_are_for_auditors_and_money_for_backends_alone() -> None:
    money = ("Deposit", "Withdraw")
    assert all(roles_of("SettlementService", rpc) == {"backend"} for rpc in money)
    assert "auditor" in roles_of("SettlementService", "ListEntries")
    assert not {"player", "observer"} & roles_of("SettlementService", "ListEntries")


async def test_an_rpc_without_a_row_is_not_served() -> None:
    with pytest.raises(LookupError, match=r"TableService\.Cheat has no row"):
        roles_of("TableService", "Cheat")
