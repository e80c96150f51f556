"""The gRPC server: every service registered behind the gate, health and reflection beside them."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import grpc
import msgspec
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from croupier.adapters.rpc.access import roles_of
from croupier.adapters.rpc.betting_servicer import BettingServicer
from croupier.adapters.rpc.evaluation_servicer import EvaluationServicer
from croupier.adapters.rpc.gate import Gate
from croupier.adapters.rpc.hand_servicer import HandServicer
from croupier.adapters.rpc.operator_servicer import OperatorServicer
from croupier.adapters.rpc.play_stream import PlayStreams
from croupier.adapters.rpc.reflection import Reflection
from croupier.adapters.rpc.routes import route_of
from croupier.adapters.rpc.seat_servicer import SeatServicer
from croupier.adapters.rpc.settlement_servicer import SettlementServicer
from croupier.adapters.rpc.table_servicer import TableServicer
from croupier.adapters.rpc.watch_stream import WatchStream
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import evaluation_service_pb2 as evaluation_pb
from croupier.v1 import operator_service_pb2 as operator_pb
from croupier.v1 import play_service_pb2 as play_pb
from croupier.v1 import seat_service_pb2 as seat
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as table

MOST_CALLS: Final = 10_000
"""Calls of one connection that may be under way or wait for a handler."""
_S: Final = 1000


class Connections(msgspec.Struct, frozen=True):
    """What any connection may do. Seconds; a `max_age` of 0 lets connections live for ever.

    Past its age a connection takes no more calls; streams on it end `age_grace` later.
    """

    max_message_bytes: int = 4 * 1024 * 1024
    max_age: int = 0
    age_grace: int = 60
    min_ping_interval: int = 1
    ping_every: int = 60
    ping_timeout: int = 20

    def options(self) -> list[tuple[str, int]]:
        """As gRPC has them."""
        ages = [
            ("grpc.max_connection_age_ms", self.max_age * _S),
            ("grpc.max_connection_age_grace_ms", self.age_grace * _S),
        ]
        return [
            ("grpc.so_reuseport", 0),
            ("grpc.max_receive_message_length", self.max_message_bytes),
            ("grpc.max_concurrent_streams", MOST_CALLS),
            # Left alone, gRPC drops calls that wait for a handler with a bare CANCELLED.
            ("grpc.server.max_pending_requests", MOST_CALLS),
            ("grpc.server.max_pending_requests_hard_limit", MOST_CALLS),
            # Callers may ping connections that are idle too, but who pings too often, twice and again, is cut off.
            ("grpc.http2.min_ping_interval_without_data_ms", self.min_ping_interval * _S),
            ("grpc.http2.max_ping_strikes", 2),
            ("grpc.keepalive_permit_without_calls", 1),
            # A connection whose other end is gone without a word is found out.
            ("grpc.keepalive_time_ms", self.ping_every * _S),
            ("grpc.keepalive_timeout_ms", self.ping_timeout * _S),
            ("grpc.http2.max_pings_without_data", 0),
            *(ages if self.max_age else ()),
        ]


class RpcServer:
    """A grpc.aio server with its health service."""

    def __init__(self, gate: Gate, connections: Connections | None = None) -> None:
        self.gate = gate
        self.server = grpc.aio.server(options=(connections or Connections()).options())
        self.health = health.aio.HealthServicer()
        self._names: list[str] = []

    def add(
        self,
        tables: TableServicer,
        watch: WatchStream,
        seats: SeatServicer,
        betting_servicer: BettingServicer,
        play: PlayStreams,
        settlements: SettlementServicer,
        hands: HandServicer,
        evaluation: EvaluationServicer,
        operating: OperatorServicer,
    ) -> None:
        """Register the contract's services."""
        self._add(
            table.DESCRIPTOR.services_by_name["TableService"],
            {
                "ListHouses": tables.list_houses,
                "CreateTable": tables.create_table,
                "GetTable": tables.get_table,
                "ListTables": tables.list_tables,
                "WatchTable": watch.watch,
                "PauseTable": tables.pause_table,
                "ResumeTable": tables.resume_table,
                "CloseTable": tables.close_table,
                "GetServerInfo": tables.get_server_info,
            },
        )
        self._add(
            seat.DESCRIPTOR.services_by_name["SeatService"],
            {
                "ReserveSeat": seats.reserve_seat,
                "ReleaseSeat": seats.release_seat,
                "BuyIn": seats.buy_in,
                "Rebuy": seats.rebuy,
                "CashOut": seats.cash_out,
                "Dismiss": seats.dismiss,
                "SitOut": seats.sit_out,
                "SitIn": seats.sit_in,
                "SetPreferences": seats.set_preferences,
                "JoinWaitingList": seats.join_waiting_list,
                "LeaveWaitingList": seats.leave_waiting_list,
            },
        )
        self._add_betting(betting_servicer, play)
        self._add(
            settlement.DESCRIPTOR.services_by_name["SettlementService"],
            {
                "Deposit": settlements.deposit,
                "Withdraw": settlements.withdraw,
                "GetBalance": settlements.get_balance,
                "ListEntries": settlements.list_entries,
                "GetHand": hands.get_hand,
                "ListHands": hands.list_hands,
                "ExportHand": hands.export_hand,
                "VerifyHand": hands.verify_hand,
            },
        )
        self._add_evaluation(evaluation)
        self._add_operating(operating)
        self._add_standard()

    def _add_betting(self, servicer: BettingServicer, play: PlayStreams) -> None:
        self._add(
            betting.DESCRIPTOR.services_by_name["BettingService"],
            {
                "Act": servicer.act,
                "SetAdvanceAction": servicer.set_advance_action,
                "ShowCards": servicer.show_cards,
                "CommitEntropy": servicer.commit_entropy,
                "RevealEntropy": servicer.reveal_entropy,
                "GetLegalActions": servicer.get_legal_actions,
            },
        )
        self._add(play_pb.DESCRIPTOR.services_by_name["PlayService"], {"Play": play.play})

    def _add_standard(self) -> None:
        """Health, which is open to all, and reflection."""
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)
        self._names += [health.SERVICE_NAME, reflection.SERVICE_NAME]
        self.server.add_generic_rpc_handlers((Reflection(self.gate, self._names).handlers(),))

    def _add_evaluation(self, evaluation: EvaluationServicer) -> None:
        self._add(
            evaluation_pb.DESCRIPTOR.services_by_name["EvaluationService"],
            {
                "EvaluateHands": evaluation.evaluate_hands,
                "CalculateEquity": evaluation.calculate_equity,
            },
        )

    def _add_operating(self, operating: OperatorServicer) -> None:
        self._add(
            operator_pb.DESCRIPTOR.services_by_name["OperatorService"],
            {
                "ResolveTable": operating.resolve_table,
                "RemovePlayer": operating.remove_player,
                "BlockPlayer": operating.block_player,
                "UnblockPlayer": operating.unblock_player,
                "AdjustBalance": operating.adjust_balance,
                "ListOperations": operating.list_operations,
            },
        )

    def _add(self, service: Any, calls: Mapping[str, Any]) -> None:
        """Register one service: every method of its descriptor has a handler, and none is extra."""
        handlers = {}
        for method in service.methods:
            make: Callable[..., Any] = self.gate.streaming if method.server_streaming else self.gate.unary
            if method.client_streaming:
                make = self.gate.bidirectional
            if route_of(service.name, method.name) == "owner":
                make = partial(self.gate.unary, table_method=f"{service.full_name}/{method.name}")
            roles = roles_of(service.name, method.name)
            request_type = GetMessageClass(method.input_type)
            handlers[method.name] = make(method.name, roles, calls[method.name], request_type)
        if len(handlers) != len(calls):
            raise ValueError(f"{service.full_name} has no {set(calls) - set(handlers)}")
        generic = grpc.method_handlers_generic_handler(service.full_name, handlers)
        self.server.add_generic_rpc_handlers((generic,))
        self._names.append(service.full_name)

    async def start(self, address: str, credentials: grpc.ServerCredentials | None = None) -> int:
        """Listen, with credentials by TLS; the port bound. Raises RuntimeError where the port is taken."""
        try:
            _must_be_free(address)
            if credentials is None:
                port = self.server.add_insecure_port(address)
            else:
                port = self.server.add_secure_port(address, credentials)
        except (RuntimeError, OSError):
            raise RuntimeError(
                f"{address}, for gRPC, cannot be listened on: taken, or not to be had; see --port"
            ) from None
        await self.server.start()
        return port

    async def serving(self, serving: bool) -> None:
        """Tell health checks whether the server takes calls."""
        status = (
            health_pb2.HealthCheckResponse.SERVING if serving else health_pb2.HealthCheckResponse.NOT_SERVING
        )
        for name in ["", *self._names[:-2]]:
            await self.health.set(name, status)

    async def stop_serving(self) -> None:
        """Tell health checks that the server takes no calls any more, whatever is said later."""
        await self.health.enter_graceful_shutdown()


def _must_be_free(address: str) -> None:
    """gRPC is content with one of the two addresses of localhost. Raises OSError."""
    host, _, port = address.rpartition(":")
    if host == "localhost" and port != "0":
        socket.create_server((host, int(port))).close()
