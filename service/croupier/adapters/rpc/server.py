"""The gRPC server: every service registered behind the gate, health and reflection beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import grpc
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from croupier.adapters.rpc.betting_servicer import BettingServicer
from croupier.adapters.rpc.evaluation_servicer import EvaluationServicer
from croupier.adapters.rpc.gate import Gate
from croupier.adapters.rpc.hand_servicer import HandServicer
from croupier.adapters.rpc.seat_servicer import SeatServicer
from croupier.adapters.rpc.settlement_servicer import SettlementServicer
from croupier.adapters.rpc.table_servicer import TableServicer
from croupier.adapters.rpc.watch_stream import WatchStream
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import evaluation_service_pb2 as evaluation_pb
from croupier.v1 import seat_service_pb2 as seat
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as table

MOST_MESSAGE_BYTES: Final = 4 * 1024 * 1024
MOST_CALLS: Final = 10_000
"""Calls of one connection that may be under way or wait for a handler."""

_OPTIONS: Final = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", MOST_MESSAGE_BYTES),
    ("grpc.max_concurrent_streams", MOST_CALLS),
    # Left alone, gRPC drops calls that wait for a handler with a bare CANCELLED.
    ("grpc.server.max_pending_requests", MOST_CALLS),
    ("grpc.server.max_pending_requests_hard_limit", MOST_CALLS),
)


class RpcServer:
    """A grpc.aio server with its health service."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.server = grpc.aio.server(options=_OPTIONS)
        self.health = health.aio.HealthServicer()
        self._names: list[str] = []

    def add(
        self,
        tables: TableServicer,
        watch: WatchStream,
        seats: SeatServicer,
        betting_servicer: BettingServicer,
        settlements: SettlementServicer,
        hands: HandServicer,
        evaluation: EvaluationServicer,
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
        self._add(
            betting.DESCRIPTOR.services_by_name["BettingService"],
            {
                "Act": betting_servicer.act,
                "SetAdvanceAction": betting_servicer.set_advance_action,
                "ShowCards": betting_servicer.show_cards,
                "GetLegalActions": betting_servicer.get_legal_actions,
            },
        )
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
            },
        )
        self._add(
            evaluation_pb.DESCRIPTOR.services_by_name["EvaluationService"],
            {
                "EvaluateHands": evaluation.evaluate_hands,
                "CalculateEquity": evaluation.calculate_equity,
            },
        )
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)
        self._names += [health.SERVICE_NAME, reflection.SERVICE_NAME]
        reflection.enable_server_reflection(self._names, self.server)

    def _add(self, service: Any, calls: Mapping[str, Any]) -> None:
        """Register one service: every method of its descriptor has a handler, and none is extra."""
        handlers = {}
        for method in service.methods:
            make = self.gate.streaming if method.server_streaming else self.gate.unary
            handlers[method.name] = make(method.name, calls[method.name], GetMessageClass(method.input_type))
        if len(handlers) != len(calls):
            raise ValueError(f"{service.full_name} has no {set(calls) - set(handlers)}")
        generic = grpc.method_handlers_generic_handler(service.full_name, handlers)
        self.server.add_generic_rpc_handlers((generic,))
        self._names.append(service.full_name)

    async def start(self, address: str) -> int:
        """Listen; the port bound. Raises RuntimeError where the port is taken."""
        try:
            port = self.server.add_insecure_port(address)
        except RuntimeError:
            raise RuntimeError(
                f"{address}, for gRPC, cannot be listened on: taken, or not to be had"
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
