"""In the server's process: the places where it can be killed, and a list of the units that became durable."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from tests.support.crash.steps import (
    DRAW,
    SETTLEMENT,
    Kill,
    Step,
    Told,
    address,
    asked_for,
    kind,
    named,
    place,
)

from croupier.adapters.embedded_wallet import EmbeddedWallet
from croupier.adapters.rpc.gate import Gate
from croupier.adapters.units.queue import UnitQueue
from croupier.room import wallet_ports
from croupier.room.actor import TableActor
from croupier.room.bank import Bank
from croupier.room.operating import Operating
from croupier.room.ports import Durable, Outcome, Unit

_OWN_METHODS: Final = {
    "start_hand": "StartHand",
    "commit_deck": "CommitDeck",
    "create": "CreateTable",
    "_open_deck": "OpenDeck",
}
"""Commands that have a method of their own at the actor."""


class Points:
    """Told of every step as it is reached; kills the process at the one that was asked for."""

    def __init__(self, kill: Kill | None, told: Path) -> None:
        self._kill = kill
        self._told = told
        self._reached = False
        self.asking = 0
        """Requests under way that may change something."""

    def reach(self, step: Step, at: str, what: str = "") -> None:
        kill = self._kill
        if kill is None or step != kill.step or at != kill.address:
            return
        if not what or kill.kind in (what, SETTLEMENT, DRAW):
            die()

    def reach_all(self, step: Step, units: Sequence[Unit]) -> None:
        if self._kill is not None and step == self._kill.step:
            for unit in units:
                self.reach(step, address(unit))

    def was_told(self, unit: Unit) -> None:
        """Watchers and waiters know of a unit."""
        told = Told(address(unit), kind(unit), asked_for(unit))
        with self._told.open("ab") as file:
            file.write(msgspec.json.encode(told) + b"\n")
        self.reach("told", told.address)
        self._reached = self._reached or (self._kill is not None and told.address == self._kill.address)

    def asked(self) -> None:
        self.asking += 1

    def answered(self) -> None:
        """A caller has an answer."""
        self.asking -= 1
        if self._reached and self._kill is not None and self._kill.step == "answered":
            die()

    def install(self, *, postgres: bool) -> None:
        self._at_tables()
        self._at_wallets()
        self._at_the_queue()
        self._at_the_gate()
        if postgres:
            self._at_the_database()
        else:
            self._at_the_file()

    def _at_tables(self) -> None:
        def next_place(actor: TableActor) -> str:
            return place(actor.table_id, actor.next_record)

        for name, what in _OWN_METHODS.items():
            _before(
                TableActor,
                name,
                lambda actor, *_, what=what: self.reach("received", next_place(actor), what),
            )
        _before(
            TableActor,
            "_run",
            lambda actor, command, *_: self.reach("received", next_place(actor), type(command).__name__),
        )
        _before(TableActor, "_append", lambda actor, *_: self.reach("decided", next_place(actor)))

    def _at_wallets(self) -> None:
        def move(_: object, key: Any, *__: Any) -> None:
            self.reach("received", named(key.method, key.request_id))

        def step(_: object, transfer: wallet_ports.Transfer, name: str, *__: Any) -> None:
            self.reach("received", named(f"wallet.{name}", transfer.transfer_id))

        _before(Bank, "_move", move)
        _before(Bank, "_adjustment", move)
        _before(Operating, "_log", move)
        _before(EmbeddedWallet, "_once", step)

    def _at_the_queue(self) -> None:
        submit = UnitQueue.submit

        def submitted(queue: UnitQueue, unit: Unit, done: Callable[[Outcome], None]) -> None:
            self.reach_all("recorded", (unit,))

            def told(outcome: Outcome) -> None:
                done(outcome)
                if isinstance(outcome, Durable):
                    self.was_told(unit)

            submit(queue, unit, told)
            self.reach_all("queued", (unit,))

        UnitQueue.submit = submitted  # type: ignore[assignment,method-assign]

    def _at_the_gate(self) -> None:
        unary = Gate.unary

        def watched(gate: Gate, method: str, roles: Any, call: Any, request_type: Any, **more: Any) -> Any:
            handler = unary(gate, method, roles, call, request_type, **more)
            if "request_id" not in request_type.DESCRIPTOR.fields_by_name:
                return handler
            handle = handler.unary_unary

            async def asked(request: Any, context: Any) -> Any:
                self.asked()
                context.add_done_callback(lambda _: self.answered())
                return await handle(request, context)

            return handler._replace(unary_unary=asked)

        Gate.unary = watched  # type: ignore[assignment,method-assign]

    def _at_the_file(self) -> None:
        from croupier.adapters.sqlite.transaction import Transactions

        begin, commit, finish = Transactions.begin, Transactions._commit, Transactions.finish
        batch: list[Unit] = []

        def begun(this: Transactions, units: Sequence[Unit]) -> list[Outcome]:
            batch[:] = units
            outcomes = begin(this, units)
            self.reach_all("staged", units)
            return outcomes

        def committing(this: Transactions) -> None:
            self.reach_all("committing", batch)
            commit(this)

        def finished(this: Transactions, units: Sequence[Unit], outcomes: list[Outcome]) -> list[Outcome]:
            known = finish(this, units, outcomes)
            self.reach_all("committed", units)
            return known

        Transactions.begin = begun  # type: ignore[assignment,method-assign]
        Transactions._commit = committing  # type: ignore[assignment,method-assign]
        Transactions.finish = finished  # type: ignore[assignment,method-assign]

    def _at_the_database(self) -> None:
        from croupier.adapters.postgres.transaction import Transactions

        write, send = Transactions.write, Transactions._send
        batch: list[Unit] = []

        async def written(this: Transactions, units: Sequence[Unit]) -> list[Outcome]:
            batch[:] = units
            outcomes = await write(this, units)
            self.reach_all("committed", units)
            batch.clear()
            return outcomes

        async def sent(this: Transactions, text: str, values: Sequence[Any]) -> bool:
            self.reach_all("staged", batch)
            return await send(this, text, values)

        Transactions.write = written  # type: ignore[assignment,method-assign]
        Transactions._send = sent  # type: ignore[assignment,method-assign]
        self._batch = batch

    def before_commit(self) -> None:
        """PostgreSQL's own hook, which makes three round trips of a commit."""
        self.reach_all("committing", self._batch)


def die() -> None:
    """As if from outside: nothing runs any more in this process."""
    os.kill(os.getpid(), signal.SIGKILL)


def _before(owner: type, name: str, call: Callable[..., None]) -> None:
    method = getattr(owner, name)

    def called(this: Any, *arguments: Any, **named: Any) -> Any:
        call(this, *arguments)
        return method(this, *arguments, **named)

    setattr(owner, name, called)
