"""Locust plays heads-up poker: every user has a table of its own, and acts for both players.

The contract is learned from the server by reflection. `--host` is HOST:PORT; CROUPIER_TOKEN is sent as a backend's
token, and CROUPIER_CA names the file with the certificate to trust, where the server wants TLS.

    locust -f locustfile.py --headless --host 127.0.0.1:50051 --users 20 --spawn-rate 5 --run-time 1m
"""

from __future__ import annotations

import os
import random
import time
import uuid
from pathlib import Path

import grpc
import grpc.experimental.gevent
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from locust import User, constant_throughput, task
from locust.exception import StopUser

grpc.experimental.gevent.init_gevent()

TOKEN = os.environ.get("CROUPIER_TOKEN", "")
CA = os.environ.get("CROUPIER_CA", "")
FEW = 40


class Service:
    """Calls any method of the contract, and tells Locust of each."""

    def __init__(self, target: str, request_event) -> None:
        self.channel = (
            grpc.secure_channel(target, grpc.ssl_channel_credentials(Path(CA).read_bytes()))
            if CA
            else grpc.insecure_channel(target)
        )
        self._pool = DescriptorPool(ProtoReflectionDescriptorDatabase(self.channel))
        self._metadata = [("authorization", f"Bearer {TOKEN}")] if TOKEN else None
        self._request_event = request_event

    def call(self, service: str, method: str, **fields):
        """The answer, or None where the call failed; a change is given a request_id."""
        found = self._pool.FindServiceByName(f"croupier.v1.{service}").FindMethodByName(method)
        request = GetMessageClass(found.input_type)(**fields)
        if "request_id" in found.input_type.fields_by_name:
            request.request_id = uuid.uuid4().hex
        send = self.channel.unary_unary(
            f"/croupier.v1.{service}/{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=GetMessageClass(found.output_type).FromString,
        )
        response, failure, began = None, None, time.perf_counter()
        try:
            response = send(request, metadata=self._metadata, timeout=10)
        except grpc.RpcError as error:
            failure = error
        self._request_event.fire(
            request_type="grpc",
            name=method,
            response_time=(time.perf_counter() - began) * 1000,
            response_length=response.ByteSize() if response is not None else 0,
            response=response,
            context={},
            exception=failure,
        )
        return response


class PokerTable(User):
    """Five actions a second at one table of Puzzle Pirates' no limit, 1 and 2."""

    wait_time = constant_throughput(5)

    def on_start(self) -> None:
        self.service = Service(self.host, self.environment.events.request)
        self.decision = None
        self.table_id = ""
        created = self.service.call(
            "TableService",
            "CreateTable",
            house_id="puzzle_pirates",
            structure="BET_STRUCTURE_NO_LIMIT",
            min_bet=2,
            seat_count=2,
            hand_pause={},
        )
        if created is None:
            raise StopUser
        self.table_id = created.table.table_id
        self.players = [f"locust-{uuid.uuid4().hex[:12]}-{seat}" for seat in (1, 2)]
        for player_id in self.players:
            wealth = {"currency": "PoE", "amount": 1_000_000}
            self.service.call("SettlementService", "Deposit", player_id=player_id, **wealth)

    def on_stop(self) -> None:
        if self.table_id:
            self.service.call("TableService", "CloseTable", table_id=self.table_id)
        self.service.channel.close()

    @task
    def act(self) -> None:
        """Answers the decision that stands; where none does, fills the seats and asks for one."""
        if self.decision is None:
            self.fill()
            self.decision = self.standing()
            return
        decision, self.decision = self.decision, None
        action, amount = chosen(decision.legal_actions)
        answer = self.service.call(
            "BettingService",
            "Act",
            table_id=self.table_id,
            player_id=decision.player_id,
            hand_id=decision.hand_id,
            action_sequence=decision.action_sequence,
            action=action,
            amount=amount,
        )
        if answer is not None and answer.HasField("next_decision"):
            self.decision = answer.next_decision

    def fill(self) -> None:
        """A seat for whoever has none, chips for whoever has few, and nobody sits out."""
        table = self.service.call("TableService", "GetTable", table_id=self.table_id)
        if table is None:
            return
        seats = {seat.seat_number: seat for seat in table.table.seats}
        for number, player_id in enumerate(self.players, start=1):
            of_player = {"table_id": self.table_id, "player_id": player_id}
            seat = seats.get(number)
            if seat is None:
                vouched = {"has_pass": True}
                self.service.call(
                    "SeatService", "ReserveSeat", seat_number=number, vouched=vouched, **of_player
                )
                self.service.call("SeatService", "BuyIn", amount=200, **of_player)
            elif seat.stack + seat.queued_rebuy < FEW and not table.table.HasField("next_decision"):
                self.service.call("SeatService", "Rebuy", amount=100, **of_player)

    def standing(self):
        """The decision that stands, with what its player may do; None where nobody has to act."""
        table = self.service.call("TableService", "GetTable", table_id=self.table_id)
        if table is None or not table.table.HasField("next_decision"):
            return None
        player_id = table.table.next_decision.player_id
        told = self.service.call(
            "BettingService", "GetLegalActions", table_id=self.table_id, player_id=player_id
        )
        return told.decision if told is not None and told.decision.player_id else None


def chosen(legal) -> tuple[str, int]:
    """An action that is offered, and its amount: a tenth folds, a tenth bets or raises the least."""
    lot = random.random()
    if lot < 0.1 and legal.can_fold and not legal.can_check:
        return "ACTION_KIND_FOLD", 0
    if lot > 0.9 and legal.min_bet_to:
        return "ACTION_KIND_BET_TO", legal.min_bet_to
    if lot > 0.9 and legal.min_raise_to:
        return "ACTION_KIND_RAISE_TO", legal.min_raise_to
    if legal.can_check:
        return "ACTION_KIND_CHECK", 0
    return ("ACTION_KIND_CALL", 0) if legal.call_amount else ("ACTION_KIND_ALL_IN", 0)
