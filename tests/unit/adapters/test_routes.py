"""Every RPC of the contract has a server that carries it out; whatever needs a table as it is goes to its owner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from croupier.adapters.rpc.access import ACCESS
from croupier.adapters.rpc.routes import ROUTES, route_of
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import evaluation_service_pb2 as evaluation
from croupier.v1 import operator_service_pb2 as operating
from croupier.v1 import play_service_pb2 as play
from croupier.v1 import seat_service_pb2 as seats
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as tables

FILTERS = {"ListEntries", "ListHands", "ListOperations"}
"""Their table_id chooses among rows of the store."""


def methods() -> Iterator[tuple[str, Any]]:
    for module in (tables, seats, betting, play, settlement, operating, evaluation):
        for service in module.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                yield service.name, method


def test_every_rpc_has_a_route_and_no_route_is_without_an_rpc() -> None:
    served = {(service, method.name) for service, method in methods()}
    assert served == {(service, method) for service, rows in ROUTES.items() for method in rows}
    assert served == {(service, method) for service, rows in ACCESS.items() for method in rows}


def test_what_names_a_table_goes_to_its_owner() -> None:
    for service, method in methods():
        named = "table_id" in method.input_type.fields_by_name and method.name not in FILTERS
        streams = method.server_streaming or method.client_streaming
        route = route_of(service, method.name)
        assert (route == "view") == streams, method.name
        assert (route == "owner") == (named and not streams), method.name


def test_whatever_is_forwarded_may_be_sent_twice() -> None:
    """A change has a request_id; what has none is a read, as its name says."""
    for service, method in methods():
        if route_of(service, method.name) == "owner":
            change = "request_id" in method.input_type.fields_by_name
            assert change is not method.name.startswith("Get"), method.name


def test_an_rpc_without_a_route_is_not_served() -> None:
    with pytest.raises(LookupError, match=r"TableService\.Shuffle has no row"):
        route_of("TableService", "Shuffle")
