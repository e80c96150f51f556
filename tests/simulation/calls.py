"""Requests as they travel, and the network that loses, delays and doubles them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec
from tests.simulation.chance import Chance
from tests.simulation.scenario import Faults
from tests.simulation.world import MS, NS, World

PATIENCE: Final = 4 * NS
"""How long a caller waits for an answer before the same request is sent again."""


class Request(msgspec.Struct, frozen=True):
    """`content` is what it asks for beside the table and the player."""

    principal: str
    request_id: str
    method: str
    table_id: str
    player_id: str
    content: tuple[Any, ...]


class Reply(msgspec.Struct, frozen=True):
    """`answer` where it was done, `reason` where it was refused; "away" may have been done."""

    kind: Literal["done", "refused", "away"]
    answer: Any = None
    reason: str = ""


AWAY: Final = Reply("away")
Receive = Callable[[Reply], None]
Deliver = Callable[[Request, Receive], None]


class Call:
    """One request, sent until it has a definite answer; `then` hears of the first."""

    def __init__(self, network: Network, request: Request, then: Receive) -> None:
        self.request = request
        self.reply: Reply | None = None
        self._network = network
        self._then = then
        self._attempt = 0
        self._send()

    def _send(self) -> None:
        self._attempt += 1
        self._network.send(self.request, self._receive)
        self._timer = self._network.world.after(PATIENCE, self._again)

    def _again(self) -> None:
        self._network.world.faults["request repeated"] += 1
        self._send()

    def _receive(self, reply: Reply) -> None:
        self._network.world.trace("reply", self.request.request_id, reply.kind, reply.reason)
        if self.reply is not None:
            return
        self._timer.cancel()
        if reply.kind == "away" or reply.reason == "TABLE_BUSY":
            pause = min(100 * MS << self._attempt, 2 * NS)
            self._timer = self._network.world.after(pause, self._again)
            return
        self.reply = reply
        self._then(reply)


class Network:
    """`deliver` takes a request to the service, if there is one."""

    def __init__(self, world: World, chance: Chance, faults: Faults, deliver: Deliver) -> None:
        self.world = world
        self.calls: list[Call] = []
        self._chance = chance
        self._faults = faults
        self._deliver = deliver
        self._count = 0

    def call(
        self,
        principal: str,
        method: str,
        table_id: str,
        player_id: str,
        content: tuple[Any, ...],
        then: Receive,
    ) -> Call:
        self._count += 1
        request = Request(principal, f"request {self._count}", method, table_id, player_id, content)
        self.world.trace("call", request.request_id, method, table_id, player_id)
        call = Call(self, request, then)
        self.calls.append(call)
        return call

    def send(self, request: Request, receive: Receive) -> None:
        """One attempt; both ways are subject to the faults."""
        self._carry(self._deliver, request, lambda reply: self._carry(receive, reply))

    def _carry(self, take: Callable[..., None], *what: Any) -> None:
        world, chance = self.world, self._chance
        span = chance.below(5 * MS)
        if not world.healed:
            if chance.one_in(self._faults.lost_message):
                world.fault("lost message")
                return
            if chance.one_in(self._faults.late_message):
                world.fault("late message")
                span = chance.between(200 * MS, 60 * NS)
            if chance.one_in(self._faults.doubled_message):
                world.fault("doubled message")
                world.after(chance.choice((0, 5 * MS, NS, 40 * NS)), take, *what)
        world.after(span, take, *what)
