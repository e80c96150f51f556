"""The one caller of a story: makes each request until it is answered, through every death of the server."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from tests.support.crash.lives import Died, Lives
from tests.support.crash.picture import kinds

from croupier.v1 import (
    betting_service_pb2,
    betting_service_pb2_grpc,
    operator_service_pb2,
    operator_service_pb2_grpc,
    seat_service_pb2,
    seat_service_pb2_grpc,
    settlement_service_pb2,
    settlement_service_pb2_grpc,
    table_service_pb2,
    table_service_pb2_grpc,
)
from croupier.v1.betting_service_pb2 import ActResponse

PATIENCE_S: Final = 30.0
MOST_TICKS: Final = 60
_SERVICES: Final[tuple[tuple[Any, Callable[[grpc.Channel], Any]], ...]] = (
    (betting_service_pb2, betting_service_pb2_grpc.BettingServiceStub),
    (operator_service_pb2, operator_service_pb2_grpc.OperatorServiceStub),
    (seat_service_pb2, seat_service_pb2_grpc.SeatServiceStub),
    (settlement_service_pb2, settlement_service_pb2_grpc.SettlementServiceStub),
    (table_service_pb2, table_service_pb2_grpc.TableServiceStub),
)
_OF_TIME: Final = ("Time", "Remaining")
_FOLLOWS: Final = "nextDecision"
"""An action that is made again names the decision that followed only while that stands; the table tells it anyway."""


class Teller:
    """`heard` is all that callers were told, in order: what two runs of a story must have alike."""

    def __init__(self, lives: Lives, store: str) -> None:
        self.heard: list[tuple[str, Any]] = []
        self.forgotten = False
        """Whether a restart ended a time in which cards could be shown (R-H9)."""
        self._lives = lives
        self._store = store
        self._number = 0

    def ask(self, method: str, **content: Any) -> Any:
        """A request that changes something, repeated until it is answered, and after every death: its answer.

        Each answer to it must be the same.
        """
        answer = self._insist(self._numbered(method), content)
        assert isinstance(answer, Message), f"{method} was refused: {answer}"
        return answer

    def ask_in_vain(self, method: str, reason: str, **content: Any) -> None:
        """A request that is refused once its first record is written: it is not made again after that."""
        name = self._numbered(method)
        deaths, kind = len(self._lives.reached), f"Request{method}"
        before = self._count(kind)
        while self._count(kind) == before:
            try:
                answer = self._attempt(method, name, content)
                assert answer == reason
                self._lives.rest()
            except Died:
                self._lives.begin()
        self._rest()
        self.heard.append((name, "refused"))
        assert len(self._lives.reached) > deaths or answer == reason

    def ask_while_it_may(self, method: str, reason: str, **content: Any) -> None:
        """A request that the service forgets to grant once it has been started again."""
        name = self._numbered(method)
        before = self._count(method)
        while True:
            try:
                answer = self._attempt(method, name, content)
                self._lives.rest()
                break
            except Died:
                self._lives.begin()
        if answer == reason:
            assert self._lives.reached, "the service forgot without having been started again"
            assert self._count(method) == before
            self.forgotten = True
        self._rest()

    def tick(self, kind: str) -> None:
        """Let time go on until a command of a kind has been carried out."""
        before = self._count(kind)
        for _ in range(MOST_TICKS):
            try:
                when = self._lives.rest()
                assert when, f"nothing is due, and {kind} was to come"
                self._lives.advance(when)
            except Died:
                self._lives.begin()
            self._rest()
            if self._count(kind) > before:
                self.heard.append((f"after {kind}", "time went on"))
                return
        raise AssertionError(f"{kind} did not come")

    def look(self, table_id: str, *players: str) -> Any:
        """The table as everybody sees it, cards included; it is remembered. The public view."""
        views = [
            self.read("GetTable", table_id=table_id, player_id=player).table for player in ("", *players)
        ]
        self.heard += [("the table", _timeless(view)) for view in views]
        return views[0]

    def look_up(self, method: str, **content: Any) -> None:
        """Something that is to be the same in every run."""
        self.heard.append((method, _timeless(self.read(method, **content))))

    def read(self, method: str, **content: Any) -> Any:
        answer = self._call(method, content)
        assert isinstance(answer, Message), f"{method} was refused: {answer}"
        return answer

    def _numbered(self, method: str) -> str:
        self._number += 1
        return f"{self._number} {method}"

    def _insist(self, name: str, content: dict[str, Any]) -> Message | str:
        method = name.partition(" ")[2]
        answers: list[Message | str] = []
        while True:
            try:
                answers.append(self._attempt(method, name, content))
                self._lives.rest()
                break
            except Died:
                self._lives.begin()
        told = [_timeless(answer) for answer in answers]
        assert all(one == told[0] for one in told), f"{name} had two answers: {told}"
        self.heard.append((name, told[0]))
        return answers[-1]

    def _attempt(self, method: str, name: str, content: dict[str, Any]) -> Message | str:
        return self._call(method, {"request_id": name, **content})

    def _call(self, method: str, content: dict[str, Any]) -> Message | str:
        """The answer, or the reason of a refusal; asked again where a busy machine let the lease lapse. Raises Died."""
        for _ in range(MOST_TICKS):
            answer = self._call_once(method, content)
            if answer != "STORE_UNAVAILABLE":
                break
            time.sleep(0.1)
        return answer

    def _call_once(self, method: str, content: dict[str, Any]) -> Message | str:
        name = f"{method}Request"
        messages, stub = next(service for service in _SERVICES if hasattr(service[0], name))
        request = getattr(messages, name)
        try:
            answer: Message = getattr(stub(self._lives.channel), method)(
                request(**content), timeout=PATIENCE_S
            )
        except grpc.RpcError as failure:
            reason = _reason(failure)
            if reason:
                return reason
            self._lives.find_dead(failure)
        return answer

    def _rest(self) -> None:
        while True:
            try:
                self._lives.rest()
                return
            except Died:
                self._lives.begin()

    def _count(self, kind: str) -> int:
        return sum(one == kind for _, one in kinds(self._store))


def _timeless(answer: Message | str) -> Any:
    if isinstance(answer, str):
        return answer
    told = _without_times(MessageToDict(answer))
    if isinstance(answer, ActResponse):
        told.pop(_FOLLOWS, None)
    return told


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_times(one) for key, one in value.items() if not key.endswith(_OF_TIME)}
    if isinstance(value, list):
        return [_without_times(one) for one in value]
    return value


def _reason(failure: Any) -> str:
    """The reason of a refusal, empty where the server has said nothing."""
    for key, value in failure.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            for detail in Status.FromString(value).details:
                info = ErrorInfo()
                if detail.Unpack(info):
                    return str(info.reason)
    return ""
